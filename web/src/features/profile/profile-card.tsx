import type { ReactNode } from 'react'
import type { OwnProfile } from '#domain/own-profile.ts'
import { SupervisorNames } from '#domain/supervised-by.tsx'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Card } from '#ui/card.tsx'
import { OwnSponsor } from './own-sponsor.tsx'

const ROLES: Record<string, () => string> = {
  user: m.profile_role_user,
  admin: m.profile_role_admin,
}
const DEFAULT_ROLE = 'user'

export function ProfileCard({ profile }: { profile: OwnProfile }) {
  const email = profile.email ?? ''
  const name = `${profile.first_name} ${profile.last_name}`.trim() || email
  const since = new Date(profile.created_at).toLocaleDateString(formatLocale(), {
    dateStyle: 'long',
  })
  return (
    <Card className="grid grid-cols-1 justify-items-center gap-4 pt-6">
      <Avatar name={name} seed={profile.id} size="lg" />
      <dl className="w-full">
        <Fact label={m.profile_name()} value={name} />
        <Fact label={m.profile_email()} value={email} />
        <Fact label={m.profile_role()} value={roleName(profile.role || DEFAULT_ROLE)} />
        <Fact label={m.profile_member_since()} value={since} />
        {profile.sponsor_id && (
          <Fact label={m.profile_sponsor()} value={<OwnSponsor userId={profile.id} />} />
        )}
        <Fact label={m.profile_supervised_by()} value={<SupervisorNames />} />
      </dl>
    </Card>
  )
}

function Fact({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-4 py-3 not-first:border-t not-first:border-line">
      <dt className="text-muted">{label}</dt>
      <dd className="ml-auto min-w-0 text-right font-medium wrap-anywhere">{value}</dd>
    </div>
  )
}

/** A role unknown to the app is shown as stored. */
function roleName(role: string): string {
  return ROLES[role]?.() ?? role
}
