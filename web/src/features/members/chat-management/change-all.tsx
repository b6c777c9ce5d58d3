import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Menu } from '#ui/menu.tsx'
import { showToast } from '#ui/toast-store.ts'
import type { ManagedMember } from './managed-members.ts'
import { PERMISSIONS } from './permissions.ts'
import { useChangeMembers } from './use-change-members.ts'

type Asked = { permission: (typeof PERMISSIONS)[number]; isOn: boolean }

/** Turns a permission on or off for every member that the search found, after a question; Undo takes it back. */
export function ChangeAll({ members }: { members: ManagedMember[] }) {
  const [asked, setAsked] = useState<Asked>()
  const { mutate, isPending } = useChangeMembers('members')
  const idsOf = ({ permission, isOn }: Asked) =>
    members.filter((member) => member[permission.field] !== isOn).map(({ id }) => id)
  const choices = [true, false].flatMap((isOn) =>
    PERMISSIONS.map((permission) => ({ permission, isOn })),
  )

  function change({ permission, isOn }: Asked, ids: string[]) {
    const set = (value: boolean, onSuccess?: () => void) =>
      mutate({ ids, change: { [permission.field]: value } }, { onSuccess })
    set(isOn, () =>
      showToast(words(isOn, permission.shortName(), ids.length).done, () => set(!isOn)),
    )
  }

  const about = asked && words(asked.isOn, asked.permission.shortName(), idsOf(asked).length)
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" isWaiting={isPending}>
            {m.admin_change_all({ count: formatCount(members.length) })}
          </Button>
        }
        items={choices.map((choice) => ({
          label: words(choice.isOn, choice.permission.shortName(), 0).item,
          icon: choice.isOn ? <Check /> : <X />,
          disabled: idsOf(choice).length === 0,
          onSelect: () => setAsked(choice),
        }))}
      />
      <ConfirmDialog
        open={asked !== undefined}
        title={about?.question ?? ''}
        text={m.admin_change_all_text()}
        confirmLabel={about?.item ?? ''}
        onCancel={() => setAsked(undefined)}
        onConfirm={() => {
          if (asked) change(asked, idsOf(asked))
          setAsked(undefined)
        }}
      />
    </>
  )
}

function words(isOn: boolean, permission: string, count: number) {
  const about = { permission, count, shown: formatCount(count) }
  return isOn
    ? {
        item: m.admin_turn_on({ permission }),
        question: m.admin_turn_on_all(about),
        done: m.admin_turned_on_all(about),
      }
    : {
        item: m.admin_turn_off({ permission }),
        question: m.admin_turn_off_all(about),
        done: m.admin_turned_off_all(about),
      }
}
