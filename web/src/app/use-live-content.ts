import { useLiveTopic } from '#lib/use-live-topic.ts'

const CONTENT_TABLES = [
  'home_content',
  'training_content',
  'newrepstart_content',
  'licensing_content',
  'schedule_content',
  'team_settings',
  'team_notices',
]

/** What an admin publishes shows on every open screen at once. */
export function useLiveContent() {
  useLiveTopic('team', CONTENT_TABLES)
}
