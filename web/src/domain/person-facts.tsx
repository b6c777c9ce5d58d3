import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { TextButton } from '#ui/text-button.tsx'
import { AddressText } from './address-text.tsx'
import { closePerson, openPerson } from './open-person.ts'
import type { PersonProfile } from './person-queries.ts'
import { formatPhone } from './phone-number.ts'
import { stateName } from './us-states.ts'

const LINK_LOOK =
  'inline-flex min-h-target items-center font-semibold text-primary wrap-anywhere hover:underline'

/** What a member shares about themselves, and their place on the team. */
export function PersonFacts({ person }: { person: PersonProfile }) {
  const { phone, email, state, sponsor_id: sponsorId, sponsor_name: sponsor, brought_in } = person
  return (
    <dl className="grid grid-cols-1">
      {phone && (
        <Fact label={m.people_phone()}>
          <a href={`tel:${phone}`} className={LINK_LOOK}>
            {formatPhone(phone)}
          </a>
        </Fact>
      )}
      {email && (
        <Fact label={m.people_email()}>
          <a href={`mailto:${email}`} className={LINK_LOOK}>
            <AddressText address={email} />
          </a>
        </Fact>
      )}
      {state && <Fact label={m.people_state()}>{stateName(state)}</Fact>}
      {sponsorId && (
        <Fact label={m.people_sponsor()}>
          <TextButton onClick={() => openPerson({ id: sponsorId, name: sponsor ?? '' })}>
            {sponsor}
          </TextButton>
        </Fact>
      )}
      {brought_in > 0 && (
        <Fact label={m.people_brought_in()}>
          <Link to={`/people?leader=${person.id}`} onClick={closePerson} className={LINK_LOOK}>
            {m.people_brought_in_count({ count: formatCount(brought_in) })}
          </Link>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-4 py-1 not-first:border-t not-first:border-line">
      <dt className="text-muted">{label}</dt>
      <dd className="ml-auto min-w-0 text-right font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}
