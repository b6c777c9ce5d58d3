import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callFunction } from '#data/call-function.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { nameGiven, useAccount, useUserId } from '#data/session/session.ts'
import { AddressText } from '#domain/address-text.tsx'
import { memberName } from '#domain/member-name.ts'
import type { OwnProfile } from '#domain/own-profile.ts'
import { SupervisorNames } from '#domain/supervised-by.tsx'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

const ROLES: Record<string, () => string> = {
  user: m.profile_role_user,
  admin: m.profile_role_admin,
}
const DEFAULT_ROLE = 'user'

/** While the profile loads, the card is as high as with it, and shows what the session knows. */
export function ProfileCard({ profile }: { profile: OwnProfile | undefined }) {
  const userId = useUserId()
  const account = useAccount()
  const email = (profile ?? account)?.email ?? ''
  const firstName = profile?.first_name ?? nameGiven(account, 'first_name') ?? ''
  const lastName = profile?.last_name ?? nameGiven(account, 'last_name') ?? ''
  const name = `${firstName} ${lastName}`.trim() || email
  return (
    <Card className="grid grid-cols-1 justify-items-center gap-4 pt-6">
      <Avatar name={name} seed={userId} size="lg" />
      <dl className="w-full" aria-busy={!profile}>
        <Fact label={m.profile_name()} value={name} />
        <Fact label={m.profile_email()} value={<AddressText address={email} />} />
        <Fact
          label={m.profile_role()}
          value={profile ? roleName(profile.role || DEFAULT_ROLE) : <Loading />}
        />
        <Fact
          label={m.profile_member_since()}
          value={profile ? dayOf(profile.created_at) : <Loading />}
        />
        <Fact
          label={m.profile_sponsor()}
          value={profile ? <Sponsor profile={profile} /> : <Loading />}
        />
        <Fact label={m.profile_supervised_by()} value={<SupervisorNames />} />
      </dl>
    </Card>
  )
}

function Sponsor({ profile }: { profile: OwnProfile }) {
  return profile.sponsor_id ? <OwnSponsor userId={profile.id} /> : m.profile_sponsor_none()
}

/** As high as a line. */
function Loading() {
  return <Skeleton className="h-[1lh] w-24" />
}

function dayOf(time: string): string {
  return new Date(time).toLocaleDateString(formatLocale(), { dateStyle: 'long' })
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

/** The name of who brought the member in; keeps its line while it loads. */
function OwnSponsor({ userId }: { userId: string }) {
  const { data, error } = useQuery({
    ...keptOnDevice(),
    queryKey: ['users', 'own sponsor', userId],
    queryFn: readSponsor,
  })
  if (data === undefined) return error ? m.app_unknown_for_now() : '\u00a0'
  return data ? memberName({ ...data, email: null }) : m.profile_sponsor_left()
}

/** Null if nobody above the member is on the team any more. */
async function readSponsor() {
  const [sponsor] = await callFunction('my_sponsor')
  return sponsor ?? null
}
