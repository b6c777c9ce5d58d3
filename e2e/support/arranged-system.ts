import { respondingWith } from './arranged.ts'

const fine = (part: string, code: string, detail: object = {}, scope: string | null = null) => ({
  ...{ part, scope, state: 'fine', code, detail },
})

const FINE = [
  fine('push_web', 'on'),
  fine('push_queue', 'empty'),
  fine('archive', 'sealed'),
  fine('database', 'answers', { seconds: 0.003, bytes: 412 * 1024 ** 2 }),
  ...[1, 2].map((number) => {
    const detail = { version: '1.4.0', started_at: '2026-03-01T08:00:00Z', seconds: 0.004 }
    return fine('process', 'runs', { number, pid: 213 + number, ...detail })
  }),
]

/** A server in trouble. */
export const systemProblems = respondingWith({
  app_error_list: [
    {
      ...{ kind: 'TypeError', places: ['thread-B2x1.js:1:4711', 'index-C7d2.js:2:93817'] },
      ...{ screen: '/chat/:id', browser: 'Safari 18 on iOS', reports: 3 },
      ...{ began_at: '2026-03-01T09:00:00Z', last_at: '2026-03-02T15:40:00Z' },
    },
  ],
  system_status: [
    {
      ...{ part: 'mail', scope: null, state: 'wrong', code: 'late' },
      detail: { count: 12, since: '2026-03-02T15:00:00Z', problem: 'unreachable' },
    },
    {
      ...{ part: 'disk_data', scope: null, state: 'wrong', code: 'full' },
      detail: { used_percent: 93, free_bytes: 7 * 1024 ** 3 },
    },
    {
      ...{ part: 'backup', scope: null, state: 'attention', code: 'failed' },
      detail: {
        failed_at: '2026-03-02T03:20:00Z',
        said: 'Cannot write …: there is no room left.',
        at: '2026-03-01T03:10:00Z',
      },
    },
    {
      ...{ part: 'restarts', scope: null, state: 'attention', code: 'crashed' },
      detail: { count: 2, at: '2026-03-02T15:10:00Z' },
    },
    {
      ...{ part: 'certificate', scope: 'team.example.com', state: 'attention', code: 'expiring' },
      detail: { expires_at: '2026-03-14T00:00:00Z', days: 11 },
    },
    {
      ...{ part: 'app', scope: null, state: 'attention', code: 'errors' },
      detail: { count: 1, at: '2026-03-02T15:40:00Z' },
    },
    ...FINE,
  ],
})

/** A hosted project: no server of ours reports, and nothing needs anybody. */
export const systemHosted = respondingWith({
  app_error_list: [],
  system_status: [
    fine('push_web', 'on'),
    fine('push_queue', 'empty'),
    fine('archive', 'sealed'),
    fine('database', 'answers', { bytes: 412 * 1024 ** 2 }),
    fine('app', 'quiet'),
    ...['mail', 'backup', 'certificate', 'links'].map((part) => ({
      ...{ part, scope: null, state: 'unwatched', code: 'elsewhere', detail: {} },
    })),
  ],
})
