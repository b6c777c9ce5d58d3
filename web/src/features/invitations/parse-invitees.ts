export type Invitee = { email: string; firstName: string; lastName: string }

const ADDRESS = /[^\s<>,;"']+@[^\s<>,;"']+\.[^\s<>,;"']+/

/**
 * Parses a pasted list, one person a line or separated by commas or semicolons: `Maya Ortiz
 * <maya@example.com>`, `Maya Ortiz maya@example.com` or only the address. Pieces without an address are
 * returned as they are.
 */
export function parseInvitees(pasted: string): { invitees: Invitee[]; unread: string[] } {
  const found = new Map<string, Invitee>()
  const unread: string[] = []
  for (const piece of pasted.split(/[\n,;]+/).map((each) => each.trim())) {
    const email = ADDRESS.exec(piece)?.[0].toLowerCase()
    if (email) found.set(email, { email, ...nameIn(piece.replace(ADDRESS, '')) })
    else if (piece) unread.push(piece)
  }
  return { invitees: [...found.values()], unread }
}

function nameIn(text: string) {
  const [firstName = '', ...others] = text
    .replace(/[<>"']/g, ' ')
    .trim()
    .split(/\s+/)
  return { firstName, lastName: others.join(' ') }
}
