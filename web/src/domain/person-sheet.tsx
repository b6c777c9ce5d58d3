import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Chip } from '#ui/chip.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'
import { blockMember, unblockMember, useBlockedIds } from './blocked-people.ts'
import { memberName } from './member-name.ts'
import { closePerson } from './open-person.ts'
import { PersonActions, PersonReaching } from './person-actions.tsx'
import { PersonFacts } from './person-facts.tsx'
import { personQuery, type PersonProfile } from './person-queries.ts'
import { roleNames } from './person-roles.ts'
import { ReportSheet } from './report-sheet.tsx'

type PersonSheetProps = {
  id: string
  /** As it was pressed, until the profile is there. */
  name: string
}

/** A member as they show themselves, with what one can do: write, call, report, block. */
export function PersonSheet({ id, name: pressed }: PersonSheetProps) {
  const [step, setStep] = useState<'look' | 'report' | 'block'>('look')
  const query = personQuery(id)
  const { data: person, error, refetch } = useQuery(query)
  const { copiedAt } = useCopyState(query)
  const isBlocked = useBlockedIds().includes(id)
  const isSelf = id === useUserId()
  const isLoaded = person !== undefined
  const name = person ? memberName(person) : pressed

  function change(work: () => Promise<void>, done: string) {
    setStep('look')
    work()
      .then(() => showToast(done))
      .catch((failure: unknown) => showError(m.safety_block_failed(), failure))
  }

  if (step === 'report')
    return <ReportSheet reported={{ memberId: id, name }} onClose={closePerson} />
  return (
    <Modal open onClose={closePerson} title={name}>
      <Introduction id={id} name={name} person={person} />
      <OfflineNote copiedAt={copiedAt} />
      {isBlocked && <p className="text-muted">{m.safety_you_blocked({ name })}</p>}
      {person?.is_active && !isBlocked && <PersonReaching person={person} isSelf={isSelf} />}
      {person?.is_active && <PersonFacts person={person} />}
      {isLoaded && !person?.is_active && <p className="text-muted">{m.people_not_on_team()}</p>}
      {!isLoaded && !error && <SkeletonRows count={4} />}
      {!isLoaded && error && (
        <LoadError
          error={error}
          describe={(message) => m.people_profile_error({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {!isSelf && (!isLoaded || person?.is_active || isBlocked) && (
        <PersonActions
          isBlocked={isBlocked}
          onReport={() => setStep('report')}
          onBlock={() => setStep('block')}
          onUnblock={() => change(() => unblockMember(id), m.safety_unblocked({ name }))}
        />
      )}
      <ConfirmDialog
        open={step === 'block'}
        title={m.safety_block_title({ name })}
        text={m.safety_block_text()}
        confirmLabel={m.safety_block()}
        onConfirm={() => change(() => blockMember(id), m.safety_blocked({ name }))}
        onCancel={() => setStep('look')}
        isDestructive
      />
    </Modal>
  )
}

type IntroductionProps = PersonSheetProps & { person: PersonProfile | null | undefined }

function Introduction({ id, name, person }: IntroductionProps) {
  const roles = person ? roleNames(person) : []
  return (
    <div className="flex items-center gap-4">
      <Avatar name={name} seed={id} size="lg" />
      <div className="grid min-w-0 gap-1.5">
        {roles.length > 0 && (
          <p className="flex flex-wrap gap-1.5">
            {roles.map((role) => (
              <Chip key={role}>{role}</Chip>
            ))}
          </p>
        )}
        {person?.about && <p className="wrap-anywhere">{person.about}</p>}
      </div>
    </div>
  )
}
