import { m } from '#lib/messages/messages.js'

/** The rules as paragraphs, and whom to write to. */
export function RulesText({ body, contact }: { body: string; contact: string }) {
  return (
    <>
      <p className="wrap-anywhere whitespace-pre-line">{body || m.safety_rules_default()}</p>
      {contact && (
        <p className="wrap-anywhere">
          {m.safety_rules_contact()}:{' '}
          <a
            href={`mailto:${contact}`}
            className="inline-flex min-h-target items-center text-primary underline"
          >
            {contact}
          </a>
        </p>
      )}
    </>
  )
}
