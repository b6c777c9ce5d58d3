import { useQueries } from '@tanstack/react-query'
import { memberName } from '#domain/member-name.ts'
import { openPerson } from '#domain/open-person.ts'
import { memberQuery } from '#features/chat/model/member-names.ts'
import { linkAttributes, linkify } from '#lib/linkify.ts'
import { Pressable } from '#ui/pressable.tsx'
import { splitMentions, type Mentionable } from './mentions.ts'

/** A message's text: line breaks kept, links clickable, mentions highlighted. Never as HTML. */
export function MessageText({ text, mentions }: { text: string; mentions: readonly string[] }) {
  const members = useMentioned(mentions)
  return (
    <p className="whitespace-pre-wrap">
      {linkify(text).map((part, index) =>
        part.kind === 'link' ? (
          <a key={index} {...linkAttributes(part.href)} className="underline underline-offset-2">
            {part.text}
          </a>
        ) : (
          <Words key={index} text={part.text} members={members} />
        ),
      )}
    </p>
  )
}

function Words({ text, members }: { text: string; members: Mentionable[] }) {
  return splitMentions(text, members).map((part, index) =>
    part.kind === 'mention' ? (
      <Pressable
        key={index}
        onClick={() => openPerson({ id: part.id, name: part.text.slice(1) })}
        className="max-w-full rounded-mark bg-current/12 px-0.5 text-left font-semibold wrap-anywhere hover:underline"
      >
        {part.text}
      </Pressable>
    ) : (
      part.text
    ),
  )
}

function useMentioned(ids: readonly string[]): Mentionable[] {
  const results = useQueries({ queries: ids.map((id) => memberQuery(id)) })
  return results.flatMap(({ data }) => (data ? [{ id: data.id, name: memberName(data) }] : []))
}
