import { m } from '#lib/messages/messages.js'
import type { Figures } from './finding-figures.ts'

/** What a channel's provider refuses if it is wrong. */
const PUSH_SETTINGS: Record<string, string> = {
  push_web: 'PUSH_VAPID_SUBJECT',
  push_fcm: 'PUSH_FCM_SERVICE_ACCOUNT',
  push_apns: 'PUSH_APNS_KEY',
}

/** What to do about it, by part and code, with the settings' names. */
export const ADVICE: Record<string, (figures: Figures) => string> = {
  'mail off': m.system_mail_off_do,
  'mail late': m.system_mail_late_do,
  'mail unusable': m.system_mail_unusable_do,
  'mail given_up': m.system_mail_given_up_do,
  'push off': (f) =>
    f.list('settings')
      ? m.system_push_off_do({ settings: f.list('settings') })
      : m.system_push_off_guide(),
  'push failing': ({ part }) => m.system_push_failing_do({ setting: PUSH_SETTINGS[part] ?? '' }),
  'push_queue late': m.system_queue_late_do,
  'disk full': ({ part }) =>
    part === 'disk_data' ? m.system_disk_data_do() : m.system_disk_backup_do(),
  'disk unreachable': m.system_disk_unreachable_do,
  'disk read_only': m.system_disk_read_only_do,
  'backup off': m.system_backup_off_do,
  'backup own': m.system_backup_own_do,
  'backup none': m.system_backup_none_do,
  'backup old': m.system_backup_old_do,
  'backup failed': m.system_backup_failed_do,
  'backup incomplete': m.system_backup_incomplete_do,
  'backup same_disk': m.system_backup_same_disk_do,
  'archive unsealed': m.system_archive_unsealed_do,
  'archive unreviewed': m.system_archive_unsealed_do,
  'archive broken': m.system_archive_broken_do,
  'certificate http': m.system_certificate_http_do,
  'certificate expiring': m.system_certificate_renew,
  'certificate expired': m.system_certificate_renew,
  'certificate name': ({ host }) => m.system_certificate_replace({ host }),
  'certificate untrusted': ({ host }) => m.system_certificate_replace({ host }),
  'certificate unreachable': m.system_certificate_unreachable_do,
  'process busy': m.system_process_busy_do,
  'restarts crashed': m.system_restarts_crashed_do,
  'restarts missing': m.system_restarts_missing_do,
  'versions mixed': m.system_versions_mixed_do,
  'database slow': m.system_database_slow_do,
  'database away': m.system_database_away_do,
  'clock off': m.system_clock_off_do,
  'links offline': m.system_links_offline_do,
  'app errors': m.system_app_errors_do,
}
