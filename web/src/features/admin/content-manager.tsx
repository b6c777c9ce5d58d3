import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { teamZoneQuery } from '#domain/team-zone.ts'
import { timeZoneName } from '#domain/time-zones.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { managedItemQuery } from './admin-queries.ts'
import { ContentModal } from './content-modal.tsx'
import type { ContentType } from './content-types.ts'
import { ItemList } from './item-list.tsx'
import type { ManagedItem } from './managed-item.ts'
import { OnboardingOverview } from './onboarding-overview.tsx'

/** What the modal is open for: nothing, a new item, or an item to edit. */
type Editing = 'nothing' | 'new' | ManagedItem

export function ContentManager({ type }: { type: ContentType }) {
  const [editing, setEditing] = useState<Editing>('nothing')
  const { linkedItem, forgetLinkedItem } = useLinkedItem(type)
  const edited = editing === 'nothing' ? (linkedItem ?? editing) : editing
  const [view, setView] = useState<'items' | 'progress'>('items')
  return (
    <Screen
      wide
      header={
        <PageHeader
          title={type.name()}
          back="/admin"
          actions={
            view === 'items' && (
              <Button onClick={() => setEditing('new')} className="max-sm:size-11 max-sm:px-0">
                <Plus aria-hidden="true" className="size-5.5" />
                <span className="max-sm:sr-only">{m.admin_add()}</span>
              </Button>
            )
          }
        />
      }
    >
      {type.id === 'newrepstart' && (
        <div className="w-full max-w-column">
          <SegmentedControl
            label={m.admin_view()}
            options={[
              { value: 'items', label: m.admin_items() },
              { value: 'progress', label: m.admin_progress() },
            ]}
            value={view}
            onChange={setView}
          />
        </div>
      )}
      {type.id === 'schedule' && <TimeZoneLine />}
      {view === 'progress' ? (
        <OnboardingOverview type={type} onAdd={() => setEditing('new')} />
      ) : (
        <ItemList key={type.id} type={type} onEdit={setEditing} onAdd={() => setEditing('new')} />
      )}
      {edited !== 'nothing' && (
        <ContentModal
          type={type}
          item={edited === 'new' ? undefined : edited}
          onClose={() => {
            setEditing('nothing')
            forgetLinkedItem()
          }}
        />
      )}
    </Screen>
  )
}

/** Which zone the times are in, and where that is decided. */
function TimeZoneLine() {
  const { data: zone } = useQuery(teamZoneQuery())
  return (
    <p className="text-small text-muted">
      {zone && `${m.admin_times_zone({ zone: timeZoneName(zone) })} `}
      <TextLink to="/admin/settings">{m.admin_settings()}</TextLink>
    </p>
  )
}

/** The item that the address names (`&item=…`), such as one with a broken link; its form opens at once. */
function useLinkedItem(type: ContentType) {
  const [search, setSearch] = useSearchParams()
  const id = search.get('item') ?? ''
  const { data } = useQuery(managedItemQuery(type, id))
  return {
    linkedItem: id === '' ? null : data,
    forgetLinkedItem() {
      if (id === '') return
      search.delete('item')
      setSearch(search, { replace: true })
    },
  }
}
