import { useId } from 'react'
import { useSearchParams } from 'react-router'
import { useLiveTopic } from '#data/live/use-live-topic.ts'
import { m } from '#lib/messages/messages.js'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { LinkList } from './link-list.tsx'
import { SentList } from './sent-list.tsx'

const LIVE_TABLES = ['invitations']
const TABS = [
  { value: 'mail' as const, name: m.invitations_tab_mail },
  { value: 'links' as const, name: m.invitations_tab_links },
]

/** What became of the invitations: by mail, and by link. */
export function InvitationsScreen() {
  useLiveTopic('admins', LIVE_TABLES)
  const panelId = useId()
  const [params, setParams] = useSearchParams()
  const tab = params.get('tab') === 'links' ? 'links' : 'mail'
  return (
    <Screen wide header={<PageHeader title={m.invitations_list_title()} back="/admin/invite" />}>
      <Tabs
        label={m.invitations_tabs()}
        tabs={TABS.map(({ value, name }) => ({ value, label: name() }))}
        value={tab}
        onChange={(next) => setParams(next === 'links' ? { tab: next } : {}, { replace: true })}
        panelId={panelId}
      />
      <div id={panelId} role="tabpanel" className="flex flex-col gap-stack">
        {tab === 'links' ? <LinkList /> : <SentList />}
      </div>
    </Screen>
  )
}
