import type { Page } from '@playwright/test'
import { asksOneByOne } from './one-by-one.ts'

/** Responds to calls of the Data API with these rows, so that a picture does not depend on the time or on other tests. */
export function respondingWith(responses: Record<string, unknown>) {
  return async (page: Page) => {
    await asksOneByOne(page)
    for (const [call, json] of Object.entries(responses))
      await page.route(`**/rest/v1/rpc/${call}`, (route) => route.fulfill({ json }))
  }
}

export const membership = (some: object) =>
  respondingWith({
    my_membership: [
      { status: 'waiting', refusal: null, has_admin: true, takes_set_up_code: false, ...some },
    ],
    join_team: 'waiting',
  })

type SignedIn = { access_token: string; user: { id: string; user_metadata: object } }

/** The next sign-in gets a response as if the account were so. */
async function signingInAs(page: Page, change: (session: SignedIn) => void) {
  await page.route('**/auth/v1/token?grant_type=password', async (route) => {
    const response = await route.fetch()
    const session = (await response.json()) as SignedIn
    change(session)
    await route.fulfill({ response, json: session })
  })
}

const DANA = {
  invited_by: 'd0000000-0000-4000-8000-000000000001',
  invited_by_first_name: 'Dana',
  invited_by_last_name: 'Reyes',
}
const MARCUS = {
  invited_by: 'd0000000-0000-4000-8000-000000000002',
  invited_by_first_name: 'Marcus',
  invited_by_last_name: 'Bell',
}

const invitation = (place: number, state: string, name: string, some: object) => {
  const [first_name = '', last_name = ''] = name.split(' ')
  return {
    id: `10000000-0000-4000-8000-00000000000${place}`,
    email: `${first_name || 'office'}.${last_name || 'north'}@example.com`.toLowerCase(),
    first_name,
    last_name,
    state,
    locale: 'en',
    created_at: `2026-03-0${10 - place}T15:00:00Z`,
    last_sent_at: `2026-03-0${10 - place}T15:00:00Z`,
    times_sent: 1,
    expires_at: `2026-03-${17 - place}T15:00:00Z`,
    accepted_by: null,
    accepted_first_name: null,
    accepted_last_name: null,
    accepted_at: null,
    revoked_at: null,
    bounced_at: null,
    bounce_reason: '',
    ...DANA,
    ...some,
  }
}

export const invitations = respondingWith({
  count_invitations: [{ pending: 2, accepted: 1, bounced: 1, expired: 1, revoked: 1 }],
  list_invitations: [
    invitation(1, 'pending', 'Nora Vance', {}),
    invitation(2, 'bounced', 'Noah Reed', {
      ...MARCUS,
      bounced_at: '2026-03-08T15:00:05Z',
      bounce_reason: '550 5.1.1 The email account that you tried to reach does not exist',
    }),
    invitation(3, 'accepted', 'Ines Castellanos-Montgomery', {
      times_sent: 2,
      accepted_by: 'd0000000-0000-4000-8000-000000000003',
      accepted_first_name: 'Inés',
      accepted_last_name: 'Castellanos-Montgomery',
      accepted_at: '2026-03-09T18:00:00Z',
    }),
    invitation(4, 'pending', '', MARCUS),
    invitation(5, 'expired', 'Priya Nair', {}),
    invitation(6, 'revoked', 'Tom Hale', { ...MARCUS, revoked_at: '2026-03-05T15:00:00Z' }),
  ],
})

const link = (place: number, state: string, joined: number, some: object) => ({
  id: `20000000-0000-4000-8000-00000000000${place}`,
  token: `token-${place}`,
  state,
  created_by: DANA.invited_by,
  first_name: 'Dana',
  last_name: 'Reyes',
  created_at: `2026-0${4 - place}-01T15:00:00Z`,
  expires_at: `2026-0${5 - place}-01T15:00:00Z`,
  revoked_at: null,
  joined,
  ...some,
})

export const joinLinks = respondingWith({
  list_join_links: [
    link(1, 'open', 12, {}),
    link(2, 'revoked', 1, {
      revoked_at: '2026-02-20T15:00:00Z',
      first_name: 'Marcus',
      last_name: 'Bell',
    }),
    link(3, 'expired', 0, {}),
  ],
})

export const brokenLinks = respondingWith({
  broken_links: [
    ['training', 'The first appointment, step by step', '404'],
    ['licensing', 'Practice exam', 'host'],
    ['home', 'Summer contest', 'certificate'],
    ['newrepstart', 'Order business cards', 'time'],
    ['schedule', 'Monday kickoff', '503'],
  ].map(([content_type, title, problem], place) => ({
    content_type,
    item_id: `30000000-0000-4000-8000-00000000000${place}`,
    title,
    url: `https://resources.example.com/${content_type}/a-page-with-a-long-address-that-has-to-wrap?item=${place}`,
    problem,
    failing_since: `2026-03-0${place + 2}T15:00:00Z`,
    checked_at: '2026-03-08T15:00:00Z',
  })),
})

const NAMES = {
  [DANA.invited_by]: { first_name: 'Dana', last_name: 'Reyes', email: 'dana.reyes@example.com' },
  [MARCUS.invited_by]: { first_name: 'Marcus', last_name: 'Bell', email: 'marcus@example.com' },
  nora: { first_name: 'Nora', last_name: 'Vance', email: 'nora.vance@example.com' },
  noah: { first_name: 'Noah', last_name: 'Reed', email: null },
}

const entry = (place: number, kind: string, action: string, some: object) => ({
  id: 100 - place,
  recorded_at: `2026-03-0${9 - Math.floor(place / 4)}T${20 - place}:1${place % 10}:00Z`,
  actor_id: place % 3 === 1 ? MARCUS.invited_by : DANA.invited_by,
  kind,
  action,
  object_id: null,
  object_name: null,
  people: [],
  people_count: 0,
  before: null,
  after: null,
  details: {},
  names: NAMES,
  ...some,
})

const aboutNora = { object_id: 'nora', people: ['nora'], people_count: 1 }

export const auditLog = respondingWith({
  audit_entries: [
    entry(0, 'member', 'changed', {
      ...aboutNora,
      before: { status: 'active' },
      after: { status: 'suspended' },
      details: { reason: 'Her license ended; until she has renewed it.' },
    }),
    entry(1, 'setting', 'changed', {
      before: { registration: 'open' },
      after: { registration: 'approval' },
    }),
    entry(2, 'content', 'changed', {
      object_name: 'The first appointment, step by step',
      details: { list: 'training' },
      before: { title: 'The first appointment', description: 'What to bring.' },
      after: {
        title: 'The first appointment, step by step',
        description: 'What to bring, what to ask, and when to stop talking.',
      },
    }),
    entry(3, 'chat', 'members_added', {
      object_name: "Leaders' Table",
      people: ['nora', 'noah'],
      people_count: 2,
    }),
    entry(4, 'setting', 'changed', {
      before: { seen_by_enabled: false },
      after: { seen_by_enabled: true },
    }),
    entry(5, 'notice', 'created', { object_name: 'Contest ends Friday' }),
    entry(6, 'invitation', 'invited', {
      people: ['nora'],
      people_count: 1,
      details: { invitations: ['nora', 'noah'], count: 2 },
    }),
    entry(7, 'message', 'removed', {
      people: ['noah'],
      people_count: 1,
      object_name: 'Rally Chat',
    }),
    entry(8, 'member', 'changed', {
      ...aboutNora,
      before: { can_send_messages: true },
      after: { can_send_messages: false },
    }),
    entry(9, 'member', 'joined', {
      ...aboutNora,
      actor_id: null,
      after: { status: 'waiting' },
    }),
  ],
})

const FACTOR = '40000000-0000-4000-8000-000000000001'
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const factor = { id: FACTOR, factor_type: 'totp', status: 'verified', friendly_name: 'Rally' }

/** A member with two-step verification signs in, who has yet to give the code. */
export const withSecondFactor = (page: Page) =>
  signingInAs(page, ({ user }) => Object.assign(user, { factors: [factor] }))

/** Somebody who opened the mail of an invitation. */
export const invited = (page: Page) =>
  signingInAs(page, ({ user }) => Object.assign(user.user_metadata, { needs_password: true }))

/** Setting up the second factor, with one key for each picture; the server is never asked. */
export async function secondFactor(page: Page) {
  await page.route(/\/auth\/v1\/factors(\/|$)/, async (route) => {
    const url = route.request().url()
    if (url.endsWith('/challenge'))
      return route.fulfill({ json: { id: FACTOR, type: 'totp', expires_at: 4_000_000_000 } })
    if (url.endsWith('/verify')) return route.fulfill({ json: await sessionIn(page) })
    const uri = `otpauth://totp/Rally:maya.ortiz@example.com?secret=${SECRET}&issuer=Rally`
    return route.fulfill({
      json: {
        ...factor,
        type: 'totp',
        status: 'unverified',
        totp: { qr_code: QR, secret: SECRET, uri },
      },
    })
  })
  await respondingWith({
    create_recovery_codes: Array.from({ length: 10 }, (_, place) => `7k${place}m-q2xz-9h4t`),
  })(page)
}

/** The session as it is, which verifying a code would replace. */
function sessionIn(page: Page) {
  return page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('member-session') ?? '{}') as SignedIn
    return { ...session, expires_in: 3600 }
  })
}

/** A small pattern in place of a QR code, as supabase-js passes it on: it adds the prefix of a data address. */
const QR = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" shape-rendering="crispEdges">',
  '<path fill="white" d="M0 0h29v29H0z"/><path d="M4 4h7v7H4zM18 4h7v7h-7zM4 18h7v7H4zM13 13h3v3h-3zM18 18h2v2h-2zM22 22h3v3h-3z"/></svg>',
].join('')

export const legalHolds = respondingWith({
  legal_holds: [
    {
      id: 'lasts',
      member_id: 'nora',
      chat_id: null,
      name: 'Nora Vance',
      reason: 'Inquiry of the state’s insurance department, case 4711',
      placed_at: '2026-03-02T15:00:00Z',
      placed_by: 'dana',
      placed_by_name: 'Dana Reyes',
      lifted_at: null,
      lifted_by_name: null,
      lift_reason: null,
    },
    {
      id: 'over',
      member_id: null,
      chat_id: 'leaders',
      name: 'Leaders’ Table',
      reason: 'Dispute about a bonus',
      placed_at: '2025-11-10T15:00:00Z',
      placed_by: 'dana',
      placed_by_name: 'Dana Reyes',
      lifted_at: '2026-02-01T15:00:00Z',
      lifted_by_name: 'Theo Brandt',
      lift_reason: 'Settled on January 30',
    },
  ],
})
