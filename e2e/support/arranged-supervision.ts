import type { Page } from '@playwright/test'
import { respondingWith } from './arranged.ts'

const AT = '2026-03-09T15:00:00Z'

const item = (id: string, some: object) => ({
  id,
  source: 'lexicon',
  caught: [{ id: 'guarantee', category: 'guarantee', phrase: 'guaranteed return' }],
  chat_id: 'leads',
  chat_title: 'Lead swap',
  member_id: 'nora',
  member_name: 'Nora Vance',
  words: 'It is a guaranteed return of 12 % a year, you cannot lose a cent.',
  created_at: AT,
  occurred_at: AT,
  assigned_to: null,
  assigned_name: null,
  closed_at: null,
  outcome: null,
  report_reason: null,
  ...some,
})

// Reports first, as the database orders them.
const QUEUE = [
  item('two', {
    source: 'report',
    caught: [],
    member_name: 'Noah Reed',
    words: 'Text me on my private number, not here.',
    report_reason: 'misleading_claims',
    assigned_to: 'dana',
    assigned_name: 'Dana Reyes',
  }),
  item('one', {}),
  item('four', {
    member_name: 'Theo Grant',
    caught: [{ id: 'channel', category: 'channel', phrase: 'whatsapp' }],
    words: '',
  }),
  item('three', {
    source: 'sample',
    caught: [],
    member_name: 'Inés Castellanos-Montgomery',
    chat_title: 'Rally Chat',
    words: 'See you all on Monday!',
  }),
]

const entry = (id: string, some: object) => ({
  id,
  category: 'guarantee',
  language: 'en',
  phrase: 'guaranteed return',
  near: null,
  within: null,
  exceptions: [],
  is_active: true,
  caught: 4,
  violations: 1,
  updated_at: AT,
  updated_by: null,
  ...some,
})

const found = (seq: number, some: object) => ({
  seq,
  record_kind: 'message.sent',
  recorded_at: AT,
  actor_id: 'nora',
  actor_name: 'Nora Vance',
  actor_email: 'nora.vance@example.com',
  actor_role: 'user',
  member_id: 'nora',
  member_name: 'Nora Vance',
  chat_id: 'leads',
  chat_title: 'Lead swap',
  said: 'It is a guaranteed return of 12 % a year, you cannot lose a cent.',
  versions: [],
  search_seq: 1222,
  ...some,
})

const FOUND = [
  found(1204, {
    versions: [
      {
        seq: 1210,
        recorded_at: AT,
        kind: 'message.edited',
        actor_name: 'Nora Vance',
        text: 'Hello everybody',
      },
      {
        seq: 1217,
        recorded_at: AT,
        kind: 'message.removed',
        actor_name: 'Dana Reyes',
        reason: 'A promise of returns',
      },
    ],
  }),
  found(1187, {
    record_kind: 'chat.joined',
    actor_name: 'Dana Reyes',
    member_name: 'Inés Castellanos-Montgomery',
    said: null,
  }),
]

/** A chart, as somebody might send one. */
const CHART = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" width="640" height="400">
  <rect width="640" height="400" fill="#eef2ff" />
  <path d="M60 340 H600 M60 340 V40" stroke="#64748b" stroke-width="4" fill="none" />
  <path d="M60 330 L200 270 L330 210 L460 120 L590 50" stroke="#2563eb" stroke-width="10" fill="none" />
</svg>`

/** Dana supervises, and the queue holds messages of each source. */
export async function supervision(page: Page): Promise<void> {
  await respond(page)
  // Asked once: a response that is still awaited when the page closes would fail.
  let profile: object | undefined
  await page.route('**/rest/v1/users?select=*&id=eq.*', async (route) => {
    profile ??= { ...((await (await route.fetch()).json()) as object), can_supervise: true }
    await route.fulfill({ json: profile })
  })
  await page.route('**/storage/v1/object/chat-images/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: CHART }),
  )
}

const respond = respondingWith({
  acts_as_supervisor: true,
  reviews_waiting: 3,
  review_counts: [{ open: 4, mine: 1, for_others: 1, lexicon: 2, sample: 1, report: 1 }],
  review_queue: QUEUE,
  review_item: [
    item('one', {
      message_id: 'said',
      record_seq: 7,
      leader_name: 'Marcus Bell',
      percent: null,
      report_note: null,
      reporter_name: null,
      version: 1,
      events: [],
    }),
  ],
  open_review_item: 'look',
  look_messages: [
    {
      seq: 9,
      message_id: 'chart',
      member_id: 'nora',
      member_name: 'Nora Vance',
      sent_at: AT,
      words: 'Look at last year:',
      has_image: true,
      image: { path: 'leads/chart.png', width: 640, height: 400 },
      reply_to: null,
      changes: [],
    },
    {
      seq: 8,
      message_id: 'next',
      member_id: 'theo',
      member_name: 'Theo Grant',
      sent_at: AT,
      words: 'Careful with that.',
      has_image: false,
      image: null,
      reply_to: null,
      changes: [],
    },
    {
      seq: 7,
      message_id: 'said',
      member_id: 'nora',
      member_name: 'Nora Vance',
      sent_at: AT,
      words: 'It is a guaranteed return of 12 % a year, you cannot lose a cent.',
      has_image: false,
      image: null,
      reply_to: null,
      changes: [{ kind: 'message.edited', at: AT, by: 'Nora Vance', text: 'Hello everybody' }],
    },
  ],
  lexicon: [
    entry('a', {}),
    entry('b', { category: 'channel', phrase: 'text', near: 'private number', within: 5 }),
    entry('c', {
      language: 'es',
      phrase: 'sin riesgo',
      is_active: false,
      caught: 0,
      violations: 0,
    }),
  ],
  search_archive: FOUND,
  find_chats: [
    { id: 'rally', type: 'mandatory', title: 'Rally Chat', members: 25 },
    { id: 'leads', type: 'group', title: 'Lead swap', members: 6 },
  ],
  review_sampling: [{ leader_id: null, leader_name: null, percent: 1 }],
  review_figures: [
    {
      week: '2026-03-09',
      messages: 1482,
      lexicon: 12,
      sample: 15,
      report: 2,
      reviewed: 27,
      open: 2,
      fine: 22,
      follow_up: 3,
      violation: 2,
      median_hours: 5.5,
    },
  ],
})
