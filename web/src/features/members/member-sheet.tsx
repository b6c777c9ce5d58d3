import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { memberName } from '#domain/member-name.ts'
import { openPerson, useOpenPerson } from '#domain/open-person.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { Button, buttonLook } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'
import {
  memberDetailsQuery,
  resetSecondFactor,
  setMemberStatus,
  type MemberDetails,
} from './member-queries.ts'
import { lastActive, statusName } from './member-row.tsx'
import { ReasonForm } from './reason-form.tsx'
import { SponsorPicker } from './sponsor-picker.tsx'
import { SponsorRow } from './sponsor-row.tsx'
import { SupervisorSwitch } from './supervisor-switch.tsx'
import { useDecision } from './use-decision.ts'
import { useMemberChange } from './use-member-change.ts'
import { VicePresidentOrder, VicePresidentSwitch } from './vice-presidents.tsx'

const ACTIONS_LOOK = 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3'

/** What takes a reason. */
const STEPS = {
  suspended: {
    title: m.members_suspend_title,
    text: m.members_suspend_text,
    submitLabel: m.members_suspend,
    hint: m.members_reason_hint,
    longest: 500,
    change: (id: string, reason: string) => setMemberStatus(id, 'suspended', { reason }),
  },
  removed: {
    title: m.members_remove_title,
    text: m.members_remove_text,
    submitLabel: m.members_remove,
    hint: m.members_reason_hint,
    longest: 500,
    change: (id: string, reason: string) => setMemberStatus(id, 'removed', { reason }),
  },
  'two-step': {
    title: m.members_reset_two_step_title,
    text: m.members_reset_two_step_text,
    submitLabel: m.members_reset_two_step,
    hint: m.members_reset_two_step_hint,
    longest: 200,
    change: resetSecondFactor,
  },
}
type Step = keyof typeof STEPS

/** Everything about one member, and what an admin can do about their membership. */
export function MemberSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: member, error, refetch } = useQuery(memberDetailsQuery(id))
  const [step, setStep] = useState<Step | 'sponsor' | 'order' | null>(null)
  const stepsAside = useOpenPerson() !== null
  const name = member ? memberName(member) : m.members_title()
  const endsAdmin = member?.role === 'admin' && step !== 'two-step'
  return (
    <>
      <Modal
        open={step === null && !stepsAside}
        onClose={onClose}
        title={name}
        description={member?.email ?? ''}
      >
        {member && <Facts member={member} onSponsor={() => setStep('sponsor')} />}
        {member?.status === 'active' && (
          <VicePresidentSwitch member={member} onOrder={() => setStep('order')} />
        )}
        {member?.status === 'active' && <SupervisorSwitch member={member} />}
        {member && <Actions member={member} onStep={setStep} onDecided={onClose} />}
        {member === null && <p>{m.members_gone()}</p>}
        {member === undefined && !error && <SkeletonRows count={12} />}
        {member === undefined && error && (
          <LoadError
            error={error}
            describe={(message) => m.members_error({ message })}
            onRetry={() => void refetch()}
          />
        )}
      </Modal>
      {member && step === 'sponsor' && (
        <SponsorPicker member={member} onClose={() => setStep(null)} />
      )}
      {step === 'order' && <VicePresidentOrder onClose={() => setStep(null)} />}
      {member && step && step !== 'sponsor' && step !== 'order' && (
        <Modal
          open
          onClose={() => setStep(null)}
          title={STEPS[step].title({ name })}
          description={
            endsAdmin ? `${STEPS[step].text()} ${m.members_admin_ends()}` : STEPS[step].text()
          }
        >
          <ReasonForm
            submitLabel={STEPS[step].submitLabel()}
            hint={STEPS[step].hint()}
            longest={STEPS[step].longest}
            change={(reason) => STEPS[step].change(id, reason)}
            onDone={() => {
              if (step === 'two-step') showToast(m.members_two_step_was_reset())
              setStep(null)
            }}
          />
        </Modal>
      )}
    </>
  )
}

function Facts({ member, onSponsor }: { member: MemberDetails; onSponsor: () => void }) {
  const day = new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium' })
  const joined = day.format(new Date(member.joined_at))
  const facts: [string, string][] = [
    isUndecided(member) ? [m.members_asked(), joined] : [m.members_joined(), joined],
    ...(isUndecided(member) ? [] : memberFacts(member)),
    ...(member.invited_by_name
      ? [[m.members_invited_by(), member.invited_by_name] satisfies [string, string]]
      : []),
  ]
  return (
    <>
      {member.status !== 'active' && (
        <p
          className={classNames(
            'rounded-field px-4 py-3',
            member.status === 'waiting' ? 'bg-tint' : 'bg-danger-tint text-danger-text',
          )}
        >
          <span className="font-semibold">{statusName(member.status)}</span>
          {member.status_changed_at && ` · ${day.format(new Date(member.status_changed_at))}`}
          {member.status !== 'waiting' &&
            member.status_changed_by_name &&
            ` · ${m.members_status_by({ name: member.status_changed_by_name })}`}
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
        <SponsorRow member={member} onChange={onSponsor} />
      </dl>
      {member.status === 'active' && (
        <Button
          variant="tint"
          size="sm"
          onClick={() => openPerson({ id: member.id, name: memberName(member) })}
        >
          {m.members_profile()}
        </Button>
      )}
      {member.status === 'active' && (
        <Link to={permissionsOf(member)} className={buttonLook('tint', 'sm')}>
          {m.members_role_and_permissions()}
        </Link>
      )}
      <Link
        to={{ pathname: '/admin/audit', search: `?about=${member.id}` }}
        className={buttonLook('tint', 'sm')}
      >
        {m.members_audit_log()}
      </Link>
    </>
  )
}

/** Chat Management, narrowed down to this member. */
function permissionsOf(member: MemberDetails) {
  const search = new URLSearchParams({ type: 'chat', search: member.email ?? memberName(member) })
  return { pathname: '/admin-manage', search: `?${search}` }
}

/** Whether they wait, or were declined: nobody has let them in. */
function isUndecided({ status }: MemberDetails): boolean {
  return status === 'waiting' || status === 'declined'
}

/** What only somebody on the team has. */
function memberFacts(member: MemberDetails): [string, string][] {
  return [
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
    [
      m.members_brought_in(),
      m.members_brought_in_count({
        count: formatCount(member.brought_in),
        line: formatCount(member.downline),
      }),
    ],
  ]
}

type ActionsProps = {
  member: MemberDetails
  onStep: (step: Step) => void
  onDecided: () => void
}

type DecisionProps = { status: MemberDetails['status']; decision: ReturnType<typeof useDecision> }

function Decision({ status, decision }: DecisionProps) {
  const { approve, decline, takeBack, isDeciding } = decision
  return (
    <div className={ACTIONS_LOOK}>
      <Button isWaiting={isDeciding} onClick={approve}>
        {m.members_approve()}
      </Button>
      {status === 'declined' ? (
        <Button variant="ghost" isWaiting={isDeciding} onClick={() => takeBack('declined')}>
          {m.members_back_to_waiting()}
        </Button>
      ) : (
        <Button variant="danger-ghost" isWaiting={isDeciding} onClick={decline}>
          {m.members_decline()}
        </Button>
      )}
    </div>
  )
}

function Actions({ member, onStep, onDecided }: ActionsProps) {
  const isOwn = member.id === useUserId()
  const readmit = useMemberChange(() => setMemberStatus(member.id, 'active'))
  const decision = useDecision(member, onDecided)
  if (isUndecided(member)) return <Decision status={member.status} decision={decision} />
  if (isOwn) return <p className="text-note text-muted">{m.members_own()}</p>
  return (
    <>
      <div className={ACTIONS_LOOK}>
        {member.status !== 'active' && (
          <Button isWaiting={readmit.isPending} onClick={() => readmit.mutate(undefined)}>
            {m.members_readmit()}
          </Button>
        )}
        {member.can_be_undecided && (
          <Button
            variant="ghost"
            isWaiting={decision.isDeciding}
            onClick={() => decision.takeBack('active')}
          >
            {m.members_back_to_waiting()}
          </Button>
        )}
        {member.status === 'active' && (
          <Button variant="ghost" onClick={() => onStep('suspended')}>
            {m.members_suspend()}
          </Button>
        )}
        {member.has_second_factor && (
          <Button variant="ghost" onClick={() => onStep('two-step')}>
            {m.members_reset_two_step()}
          </Button>
        )}
        {member.status !== 'removed' && (
          <Button variant="danger-ghost" onClick={() => onStep('removed')}>
            {m.members_remove()}
          </Button>
        )}
      </div>
      {member.can_be_undecided && (
        <p className="text-note text-muted">{m.members_back_to_waiting_hint()}</p>
      )}
    </>
  )
}
