/** A text in which the words are marked. */
export function HighlightedText({ text, words }: { text: string; words: string[] }) {
  const wanted = words.filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (wanted.length === 0) return text
  return text.split(new RegExp(`(${wanted.join('|')})`, 'gi')).map((piece, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="rounded-mark bg-warning/25 text-ink">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
