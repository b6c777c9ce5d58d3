import { linkAttributes, linkify } from '#lib/linkify.ts'

/** A text with its web addresses, mail addresses and phone numbers as links. */
export function LinkedText({ text }: { text: string }) {
  return linkify(text).map((part, index) =>
    part.kind === 'link' ? (
      <a
        key={index}
        {...linkAttributes(part.href)}
        className="relative text-primary underline underline-offset-2"
      >
        {part.text}
      </a>
    ) : (
      part.text
    ),
  )
}
