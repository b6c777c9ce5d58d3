import { m } from '#lib/messages/messages.js'

/** What creating an account says yes to. In a tab of its own, so that nothing typed is lost. */
export function AcceptsRules() {
  return (
    <p className="text-note text-muted">
      {m.auth_accepts_rules()}{' '}
      <a
        href="/house-rules"
        target="_blank"
        rel="noopener"
        className="-my-3 inline-flex min-h-target items-center font-semibold text-primary underline"
      >
        {m.auth_house_rules()}
      </a>
      .
    </p>
  )
}
