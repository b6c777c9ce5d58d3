import { useLiveTopic } from '#data/live/use-live-topic.ts'

const CONTENT_TABLES = [
  'home_content',
  'training_content',
  'newrepstart_content',
  'licensing_content',
  'schedule_content',
  'team_settings',
  'team_notices',
]

/** Admin changes appear on every open screen at once. */
export function useLiveContent() {
  useLiveTopic('team', CONTENT_TABLES)
}
