import { m } from '#lib/messages/messages.js'
import type { Figures } from './finding-figures.ts'

const MAIL_PROBLEMS: Record<string, () => string> = {
  login: m.system_mail_login,
  certificate: m.system_mail_certificate,
  encryption: m.system_mail_encryption,
  unreachable: m.system_mail_unreachable,
  refused: m.system_mail_refused,
}

const pushFailing = (f: Figures) =>
  m.system_push_failing({
    count: f.count,
    moment: f.moment('since'),
    answer: f.text('status') ? m.system_push_answer({ status: f.text('status') }) : '',
  })

const diskUsed = (f: Figures) =>
  m.system_disk_used({ percent: f.percent('used_percent'), size: f.size('free_bytes') })

const runs = (f: Figures) =>
  m.system_process_runs({
    version: f.text('version'),
    moment: f.moment('started_at'),
    pid: f.figure('pid'),
  })

const lastGood = (f: Figures) =>
  f.text('at') ? m.system_backup_old({ moment: f.moment('at') }) : m.system_backup_no_good()

/** What is the case, in plain words, by part and code. */
export const SENTENCES: Record<string, (figures: Figures) => string> = {
  'mail elsewhere': m.system_mail_elsewhere,
  'mail demo': m.system_mail_demo,
  'mail on': m.system_mail_on,
  'mail off': m.system_mail_off,
  'mail late': (f) =>
    m.system_mail_late({
      count: f.count,
      moment: f.moment('since'),
      reason: (MAIL_PROBLEMS[f.text('problem')] ?? m.system_mail_waiting)(),
    }),
  'mail unusable': (f) =>
    m.system_mail_unusable({ reason: MAIL_PROBLEMS[f.text('problem')]?.() ?? '' }),
  'mail given_up': ({ count }) => m.system_mail_given_up({ count }),
  'push on': m.system_push_on,
  'push idle': m.system_push_idle,
  'push unused': m.system_push_unused,
  'push off': m.system_push_off,
  'push failing': pushFailing,
  'push_queue empty': m.system_queue_empty,
  'push_queue late': (f) => m.system_queue_late({ moment: f.moment('since') }),
  'disk free': diskUsed,
  'disk full': diskUsed,
  'disk unreachable': m.system_disk_unreachable,
  'disk read_only': m.system_disk_read_only,
  'backup elsewhere': m.system_backup_elsewhere,
  'backup demo': m.system_backup_demo,
  'backup off': m.system_backup_off,
  'backup own': (f) => m.system_backup_own({ moment: f.moment('at') }),
  'backup first': m.system_backup_first,
  'backup none': m.system_backup_none,
  'backup old': lastGood,
  'backup failed': (f) =>
    m.system_backup_failed({
      moment: f.moment('failed_at'),
      said: f.text('said') ? m.system_backup_said({ said: f.text('said') }) : '',
      good: lastGood(f),
    }),
  'backup incomplete': (f) =>
    m.system_backup_incomplete({ moment: f.moment('at'), count: f.count }),
  'backup good': (f) => m.system_backup_good({ moment: f.moment('at') }),
  'backup same_disk': (f) => m.system_backup_same_disk({ moment: f.moment('at') }),
  'archive sealed': (f) =>
    [
      m.system_archive_sealed(),
      f.text('at') && m.system_archive_verified({ moment: f.moment('at') }),
    ]
      .filter(Boolean)
      .join(' '),
  'archive unsealed': (f) => m.system_archive_unsealed({ moment: f.moment('since') }),
  'archive unreviewed': (f) => m.system_archive_unreviewed({ moment: f.moment('since') }),
  'archive broken': (f) => m.system_archive_broken({ moment: f.moment('at'), count: f.count }),
  'certificate elsewhere': m.system_certificate_elsewhere,
  'certificate local': m.system_certificate_local,
  'certificate http': ({ host }) => m.system_certificate_http({ host }),
  'certificate unchecked': m.system_certificate_unchecked,
  'certificate valid': (f) => m.system_certificate_valid({ moment: f.day('expires_at') }),
  'certificate expiring': (f) => m.system_certificate_expiring({ moment: f.day('expires_at') }),
  'certificate expired': (f) => m.system_certificate_expired({ moment: f.day('expires_at') }),
  'certificate name': ({ host }) => m.system_certificate_name({ host }),
  'certificate untrusted': m.system_certificate_untrusted,
  'certificate unreachable': (f) =>
    m.system_certificate_unreachable({ host: f.host, moment: f.moment('at') }),
  'process runs': runs,
  'process busy': (f) => `${m.system_process_busy({ seconds: f.seconds('seconds') })} ${runs(f)}`,
  'restarts crashed': (f) => m.system_restarts_crashed({ count: f.count, moment: f.moment('at') }),
  'restarts missing': ({ count }) => m.system_restarts_missing({ count }),
  'versions mixed': (f) => m.system_versions_mixed({ versions: f.list('versions') }),
  'database answers': (f) =>
    f.has('seconds')
      ? m.system_database_answers({ seconds: f.seconds('seconds'), size: f.size('bytes') })
      : m.system_database_size({ size: f.size('bytes') }),
  'database slow': (f) => m.system_database_slow({ seconds: f.seconds('seconds') }),
  'database away': (f) =>
    m.system_database_away({ since: f.moment('since'), until: f.moment('until') }),
  'clock right': m.system_clock_right,
  'clock off': (f) => m.system_clock_off({ seconds: f.seconds('seconds') }),
  'links elsewhere': m.system_links_elsewhere,
  'links checked': m.system_links_checked,
  'links offline': m.system_links_offline,
  'app quiet': m.system_app_quiet,
  'app errors': (f) => m.system_app_errors({ count: f.count, moment: f.moment('at') }),
  'app off': m.system_app_off,
}
