import { searchWords } from '#features/chat/member-queries.ts'

/** The text with the words of a search marked. */
export function Highlighted({ text, search }: { text: string; search: string }) {
  const words = searchWords(search).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return text
  return text.split(new RegExp(`(${words.join('|')})`, 'gi')).map((piece, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="rounded-mark bg-warning/25 text-ink">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
