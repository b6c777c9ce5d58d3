export type Mentionable = { id: string; name: string }

type MentionPart = { kind: 'text'; text: string } | { kind: 'mention'; text: string; id: string }

/** The query after an @ right before the caret, or null. A name may contain one space. */
export function mentionQuery(text: string, caret: number): { query: string; start: number } | null {
  const match = /(?:^|[\s(])@([\p{L}\p{N}'.-]*(?: [\p{L}\p{N}'.-]*)?)$/u.exec(text.slice(0, caret))
  if (!match) return null
  const query = match[1] ?? ''
  return { query, start: caret - query.length - 1 }
}

/** Replaces the query with the selected name, and returns the new caret position. */
export function insertMention(
  text: string,
  start: number,
  caret: number,
  name: string,
): { text: string; caret: number } {
  const before = `${text.slice(0, start)}@${name} `
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length }
}

/** The members selected while writing whose name is still in the text. */
export function mentionedIds(text: string, chosen: readonly Mentionable[]): string[] {
  const found = splitMentions(text, chosen).flatMap((part) => ('id' in part ? [part.id] : []))
  return [...new Set(found)]
}

/** Splits the text at the mentions of these members; the longest name wins. */
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
