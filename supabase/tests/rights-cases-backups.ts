import { randomUUID } from 'node:crypto'
import { bringsRows, succeeds, type Attempts } from './rights-cases.ts'

export const backupAttempts: Attempts = {
  'see how the backups are with backup_state': ({ me }) =>
    bringsRows(me.client.rpc('backup_state')),
  'take the backup to make now with claim_backup': async ({ me, scene }) => {
    await scene.team.sql('delete from private.backups')
    await me.client.rpc('claim_backup', { due_at: '2026-01-01T03:00:00Z' })
    return (await scene.team.sql('select from private.backups')).length > 0
  },
  'say that a backup goes on with keep_backup_claim': ({ me }) =>
    succeeds(me.client.rpc('keep_backup_claim', { backup_id: randomUUID() })),
  'read what a monitor watches with server_figures': ({ me }) =>
    bringsRows(me.client.rpc('server_figures')),
  'read how the system is with system_status': ({ me }) =>
    bringsRows(me.client.rpc('system_status')),
  'report an error of the app with report_app_error': async ({ me, scene }) => {
    await scene.team.sql('truncate private.app_errors, private.app_error_reports')
    await me.client.rpc('report_app_error', {
      ...{ kind: 'TypeError', places: ['a.js:1:1'], screen: '/home', browser: 'Firefox 130' },
    })
    return (await scene.team.sql('select from private.app_errors')).length > 0
  },
  'read errors of the app with app_error_list': async ({ me, scene }) => {
    await scene.team.sql(
      `insert into private.app_errors (kind, places, screen, browser)
       values ('Error', '{a.js:1:1}', '/home', 'Other') on conflict do nothing`,
    )
    return bringsRows(me.client.rpc('app_error_list'))
  },
  'take the errors of the app to log with take_app_errors': ({ me }) =>
    succeeds(me.client.rpc('take_app_errors')),
  'say how a process is with report_process': ({ me }) =>
    succeeds(
      me.client.rpc('report_process', {
        ...{ process_id: randomUUID(), started_at: '2026-01-01T03:00:00Z', facts: {} },
      }),
    ),
  'say that a process ends with forget_process': ({ me }) =>
    succeeds(me.client.rpc('forget_process', { process_id: randomUUID() })),
  'say what a check found with report_system_check': ({ me }) =>
    succeeds(me.client.rpc('report_system_check', { part: 'archive', result: { findings: 0 } })),
  'say what became of a backup with settle_backup': ({ me }) =>
    succeeds(me.client.rpc('settle_backup', { backup_id: randomUUID(), result: {} })),
}
