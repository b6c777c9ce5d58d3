import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { settingChangesQuery } from '#domain/changed-by.tsx'
import { registrationQuery } from '#domain/registration.ts'
import { setupChecklistQuery } from '#domain/setup-checklist.ts'
import { TeamSwitch, teamSwitchQuery } from '#domain/team-switch.tsx'
import { teamZoneQuery } from '#domain/team-zone.ts'
import { vicePresidentsQuery } from '#domain/vice-presidents.ts'
import { TeamTimeZone } from '#features/admin/team-time-zone.tsx'
import { RegistrationSettings } from '#features/members/registration-settings.tsx'
import { VicePresidents } from '#features/members/vice-presidents.tsx'
import { retentionQuery } from '#features/records/records-queries.ts'
import { Retention } from '#features/records/retention.tsx'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Section } from '#ui/section.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'

const REFRESHES = ['team_settings', 'setup_checklist', 'records']
const ALSO_REFRESHES = {
  seenBy: [['chat_participants', 'seen']],
  appErrors: [['system_status']],
}

/** What admins decide for the whole team, on one page (product.md P240): parts of several features, which only the app may join. */
export function TeamSettingsPage() {
  return (
    <Screen
      wide
      refreshes={REFRESHES}
      header={<PageHeader title={m.admin_settings()} back="/admin" />}
    >
      <Settings />
    </Screen>
  )
}

function Settings() {
  const changes = useQuery(settingChangesQuery())
  const registration = useQuery(registrationQuery())
  const zone = useQuery(teamZoneQuery())
  const checklist = useQuery(setupChecklistQuery())
  const twoStep = useQuery(teamSwitchQuery('admins_need_second_factor'))
  const seenBy = useQuery(teamSwitchQuery('seen_by_enabled'))
  const appErrors = useQuery(teamSwitchQuery('app_errors_enabled'))
  const vicePresidents = useQuery(vicePresidentsQuery())
  const retention = useQuery(retentionQuery())

  const failed = [
    registration,
    zone,
    checklist,
    twoStep,
    seenBy,
    appErrors,
    vicePresidents,
    retention,
  ].filter(({ data, error }) => data === undefined && error)
  if (failed[0]?.error) {
    return (
      <LoadError
        error={failed[0].error}
        describe={(message) => m.admin_settings_error({ message })}
        onRetry={() => void Promise.all(failed.map(({ refetch }) => refetch()))}
      />
    )
  }
  if (
    changes.isPending ||
    !registration.data ||
    !zone.data ||
    checklist.data === undefined ||
    twoStep.data === undefined ||
    seenBy.data === undefined ||
    appErrors.data === undefined ||
    !vicePresidents.data ||
    !retention.data
  )
    return <SkeletonCards count={6} className="h-40" />

  return (
    <>
      <div className="grid grid-cols-1 items-start gap-stack lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-stack">
          <Group title={m.admin_settings_joining()}>
            <RegistrationSettings rules={registration.data} />
          </Group>
          <Group title={m.admin_settings_home()}>
            <VicePresidents people={vicePresidents.data} />
          </Group>
        </div>
        <div className="grid grid-cols-1 gap-stack">
          <Group title={m.admin_settings_meetings()}>
            <TeamTimeZone zone={zone.data} isConfirmed={checklist.data?.time_zone !== false} />
          </Group>
          <Group title={m.admin_settings_security()}>
            <TeamSwitch
              setting="admins_need_second_factor"
              isOn={twoStep.data}
              label={m.admin_two_step()}
              hint={m.admin_two_step_hint()}
            />
          </Group>
          <Group title={m.admin_settings_chat()}>
            <TeamSwitch
              setting="seen_by_enabled"
              isOn={seenBy.data}
              label={m.chat_seen_by_setting()}
              hint={m.chat_seen_by_setting_hint()}
              alsoRefreshes={ALSO_REFRESHES.seenBy}
            />
          </Group>
          <Group title={m.admin_settings_app()}>
            <TeamSwitch
              setting="app_errors_enabled"
              isOn={appErrors.data}
              label={m.system_app_collect()}
              hint={m.system_app_collect_hint()}
              alsoRefreshes={ALSO_REFRESHES.appErrors}
            />
          </Group>
        </div>
      </div>
      <Group title={m.records_retention()}>
        <Retention retention={retention.data} />
      </Group>
    </>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title}>
      <Card className="grid grid-cols-1 gap-4">{children}</Card>
    </Section>
  )
}
