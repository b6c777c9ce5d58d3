export type Mentionable = { id: string; name: string }

type MentionPart = { kind: 'text'; text: string } | { kind: 'mention'; text: string; id: string }

/** What is being typed after an @ right before the caret, or null. A name may hold one space. */
export function mentionQuery(text: string, caret: number): { query: string; start: number } | null {
  const match = /(?:^|[\s(])@([\p{L}\p{N}'.-]*(?: [\p{L}\p{N}'.-]*)?)$/u.exec(text.slice(0, caret))
  if (!match) return null
  const query = match[1] ?? ''
  return { query, start: caret - query.length - 1 }
}

/** Puts the chosen name where the query stood and says where the caret goes. */
export function insertMention(
  text: string,
  start: number,
  caret: number,
  name: string,
): { text: string; caret: number } {
  const before = `${text.slice(0, start)}@${name} `
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length }
}

/** Of the members chosen while writing, those whose name still stands in the text. */
export function mentionedIds(text: string, chosen: readonly Mentionable[]): string[] {
  const found = splitMentions(text, chosen).flatMap((part) => ('id' in part ? [part.id] : []))
  return [...new Set(found)]
}

/** Cuts the text at the mentions of these members; the longest name wins. */
export function splitMentions(text: string, members: readonly Mentionable[]): MentionPart[] {
  const byName = new Map(members.map((member) => [`@${member.name}`, member.id]))
  if (byName.size === 0) return [{ kind: 'text', text }]
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map(escaped)
  const pattern = new RegExp(`(${names.join('|')})(?![\\p{L}\\p{N}])`, 'u')
  return text.split(pattern).flatMap((piece, index): MentionPart[] => {
    const id = index % 2 === 1 ? byName.get(piece) : undefined
    if (id) return [{ kind: 'mention', text: piece, id }]
    return piece ? [{ kind: 'text', text: piece }] : []
  })
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
