import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { memberName } from '#domain/member-name.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Modal } from '#ui/modal.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Switch } from '#ui/switch.tsx'
import { EndMembershipForm } from './end-membership-form.tsx'
import { memberDetailsQuery, type MemberDetails } from './member-queries.ts'
import { lastActive, statusName } from './member-row.tsx'
import { ResetSecondFactorForm } from './reset-second-factor-form.tsx'
import { useSetStatus, useSetVicePresident } from './use-set-status.ts'

type Ending = 'suspended' | 'removed'
type Step = Ending | 'two-step'

/** Everything about one member, and what an admin can do about their membership. */
export function MemberSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: member, error, refetch } = useQuery(memberDetailsQuery(id))
  const [ending, setEnding] = useState<Step | null>(null)
  const name = member ? memberName(member) : m.members_title()
  return (
    <>
      <Modal
        open={ending === null}
        onClose={onClose}
        title={name}
        description={member?.email ?? ''}
      >
        {member && <Facts member={member} />}
        {member?.status === 'active' && <VicePresidentSwitch member={member} />}
        {member && <Actions member={member} onEnd={setEnding} />}
        {member === null && <p>{m.members_gone()}</p>}
        {member === undefined && !error && <SkeletonRows />}
        {member === undefined && error && (
          <ErrorState
            text={m.members_error({ message: messageOf(error) })}
            onRetry={() => void refetch()}
          />
        )}
      </Modal>
      {member && ending === 'two-step' && (
        <Modal
          open
          onClose={() => setEnding(null)}
          title={m.members_reset_two_step_title({ name })}
          description={m.members_reset_two_step_text()}
        >
          <ResetSecondFactorForm id={id} onDone={() => setEnding(null)} />
        </Modal>
      )}
      {member && ending && ending !== 'two-step' && (
        <Modal
          open
          onClose={() => setEnding(null)}
          title={
            ending === 'suspended'
              ? m.members_suspend_title({ name })
              : m.members_remove_title({ name })
          }
          description={ending === 'suspended' ? m.members_suspend_text() : m.members_remove_text()}
        >
          <EndMembershipForm id={id} status={ending} onDone={() => setEnding(null)} />
        </Modal>
      )}
    </>
  )
}

function Facts({ member }: { member: MemberDetails }) {
  const day = new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium' })
  const facts: [string, string][] = [
    [m.members_joined(), day.format(new Date(member.joined_at))],
    [m.members_last_active(), lastActive(member.last_active_at)],
    [m.members_role(), member.role === 'admin' ? m.members_is_admin() : m.members_is_member()],
    [
      m.members_new_rep_start(),
      m.members_steps({
        done: formatCount(member.steps_done),
        total: formatCount(member.steps_total),
      }),
    ],
    [
      m.members_two_step(),
      member.has_second_factor ? m.members_two_step_on() : m.members_two_step_off(),
    ],
    [m.members_sessions(), formatCount(member.sessions)],
    [m.members_devices(), formatCount(member.devices)],
    [m.members_groups_led(), formatCount(member.groups_led)],
  ]
  return (
    <>
      {member.status !== 'active' && (
        <p className="rounded-field bg-danger-tint px-4 py-3 text-danger-text">
          <span className="font-semibold">{statusName(member.status)}</span>
          {member.status_changed_at && ` · ${day.format(new Date(member.status_changed_at))}`}
          <span className="block break-words">{member.status_reason}</span>
        </p>
      )}
      <dl className="grid gap-2">
        {facts.map(([term, fact]) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted">{term}</dt>
            <dd className="font-medium tabular-nums">{fact}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function VicePresidentSwitch({ member }: { member: MemberDetails }) {
  const choose = useSetVicePresident()
  return (
    <Switch
      label={m.members_vice_president()}
      checked={choose.isPending ? choose.variables.isOn : member.is_vice_president}
      onChange={(event) => choose.mutate({ id: member.id, isOn: event.target.checked })}
    />
  )
}

type ActionsProps = { member: MemberDetails; onEnd: (step: Step) => void }

function Actions({ member, onEnd }: ActionsProps) {
  const isOwn = member.id === useUserId()
  const readmit = useSetStatus()
  if (isOwn) return <p className="text-note text-muted">{m.members_own()}</p>
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
      {member.status !== 'active' && (
        <Button
          isWaiting={readmit.isPending}
          onClick={() => readmit.mutate({ id: member.id, status: 'active' })}
        >
          {m.members_readmit()}
        </Button>
      )}
      {member.status === 'active' && (
        <Button variant="ghost" onClick={() => onEnd('suspended')}>
          {m.members_suspend()}
        </Button>
      )}
      {member.has_second_factor && (
        <Button variant="ghost" onClick={() => onEnd('two-step')}>
          {m.members_reset_two_step()}
        </Button>
      )}
      {member.status !== 'removed' && (
        <Button variant="danger-ghost" onClick={() => onEnd('removed')}>
          {m.members_remove()}
        </Button>
      )}
    </div>
  )
}
