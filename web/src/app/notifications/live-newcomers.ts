import { useLiveTopic } from '#data/live/use-live-topic.ts'

const TABLES = ['newcomers']

/** For admins: shows at once that somebody waits to be let in, or that another admin has decided. */
export function LiveNewcomers() {
  useLiveTopic('admins', TABLES)
  return null
}
