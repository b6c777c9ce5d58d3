import { m } from '#lib/messages/messages.js'

const NAMES: Record<string, () => string> = {
  mail: m.system_mail,
  push_web: m.system_push_web,
  push_fcm: m.system_push_fcm,
  push_apns: m.system_push_apns,
  push_queue: m.system_push_queue,
  disk_data: m.system_disk_data,
  disk_backup: m.system_disk_backup,
  backup: m.system_backup,
  archive: m.system_archive,
  certificate: m.system_certificate,
  process: m.system_process,
  restarts: m.system_restarts,
  versions: m.system_versions,
  database: m.system_database,
  clock: m.system_clock,
  links: m.system_links,
  app: m.system_app,
}

/** What a part is called; one that only a newer server knows has its code. */
export const nameOfPart = (part: string): string => NAMES[part]?.() ?? part
