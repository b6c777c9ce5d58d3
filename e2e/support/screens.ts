import type { Page } from '@playwright/test'
import {
  auditLog,
  brokenLinks,
  invitations,
  joinLinks,
  legalHolds,
  membership,
  secondFactor,
} from './arranged.ts'
import { blockedPeople, houseRules, ownReports } from './arranged-safety.ts'
import { beginTwoStep } from './authenticator.ts'
import { MAYA } from './demo-team.ts'
import { systemHosted, systemProblems } from './arranged-system.ts'

export type Look = {
  /** The name of the picture in e2e/screens. */
  name: string
  path: string
  /** How the server responds for this picture. */
  arrange?: (page: Page) => Promise<void>
  /** Pressed before the screenshot: opens a dialog, a tab. */
  open?: (page: Page) => Promise<void>
  /** Depends on the time and is not compared: the days of a thread. */
  varies?: string
  /** A wider window has it closed or not at all, so only the phone has a picture of it. */
  closesWhenWide?: boolean
}

const THREAD = '[role=log]'

export const press = (page: Page, role: 'button' | 'tab' | 'link', name: string | RegExp) =>
  page.getByRole(role, { name }).first().click()

export const GUEST_SCREENS: Look[] = [
  { name: 'login', path: '/' },
  { name: 'create-account', path: '/create-account' },
  { name: 'email-verify', path: '/email-verify' },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'join', path: '/join/no-such-invitation' },
]

export const MEMBER_SCREENS: Look[] = [
  { name: 'home', path: '/home' },
  {
    name: 'more',
    path: '/home',
    closesWhenWide: true,
    open: (page) => press(page, 'button', 'More'),
  },
  { name: 'notifications', path: '/notifications' },
  { name: 'notification-settings', path: '/notifications?tab=settings' },
  { name: 'schedule', path: '/schedule' },
  { name: 'people', path: '/people' },
  {
    name: 'people-filter',
    path: '/people?role=admin',
    open: async (page) => {
      await press(page, 'button', 'Filter people')
      await page.getByLabel('Role').waitFor()
    },
  },
  { name: 'training', path: '/training' },
  {
    name: 'training-items',
    path: '/training',
    open: (page) => press(page, 'link', 'Setting appointments'),
  },
  { name: 'licensing', path: '/licensing' },
  { name: 'new-rep-start', path: '/newrepstart' },
  { name: 'calculator', path: '/calculator' },
  { name: 'calculator-focus', path: '/calculator?position=representative' },
  { name: 'calculator-metric', path: '/calculator?position=representative&focus=product' },
  {
    name: 'calculator-results',
    path: '/calculator?position=representative&focus=product&solve=cash&value=3000',
  },
  {
    name: 'log-activity',
    path: '/home',
    open: async (page) => {
      await press(page, 'button', 'Log activity')
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'not-found', path: '/no-such-place' },
]

export const CHAT_SCREENS: Look[] = [
  { name: 'chat', path: '/chat' },
  {
    name: 'chat-search',
    path: '/chat',
    open: (page) => press(page, 'button', 'Search'),
  },
  { name: 'thread', path: '/chat', open: openChat, varies: THREAD },
  {
    name: 'chat-details',
    path: '/chat',
    varies: THREAD,
    open: async (page) => {
      await openChat(page)
      await page.getByTitle('Chat details').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'person',
    path: '/chat',
    varies: THREAD,
    open: openPerson,
  },
  {
    name: 'report-person',
    path: '/chat',
    varies: THREAD,
    open: async (page) => {
      await openPerson(page)
      await press(page, 'button', 'Report')
      await page.getByRole('dialog', { name: /^Report / }).waitFor()
    },
  },
  {
    name: 'message-menu',
    path: '/chat',
    varies: THREAD,
    closesWhenWide: true,
    open: async (page) => {
      await openChat(page)
      await page.getByRole('button', { name: 'Message options' }).last().press('Enter')
    },
  },
  {
    name: 'emoji-picker',
    path: '/chat',
    // Every system draws emojis its own way.
    varies: `${THREAD}, [data-at]`,
    closesWhenWide: true,
    open: async (page) => {
      await chooseOfMessage(page, 'More emojis')
      await page.getByRole('button', { name: 'grinning face', exact: true }).waitFor()
    },
  },
  {
    name: 'forward-message',
    path: '/chat',
    varies: THREAD,
    closesWhenWide: true,
    open: async (page) => {
      await chooseOfMessage(page, 'Forward')
      await page.getByRole('checkbox').first().check()
    },
  },
  {
    name: 'search-in-chat',
    path: '/chat',
    varies: THREAD,
    open: async (page) => {
      await openChat(page)
      await page.getByTitle('Chat details').click()
      await press(page, 'button', 'Search in this chat')
      await page.getByRole('searchbox').last().fill('guests')
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'chat-menu',
    path: '/chat',
    open: (page) =>
      page.getByRole('button', { name: /^Options for Leaders' Table/ }).press('Enter'),
  },
  { name: 'create-chat', path: '/chat/create' },
  { name: 'chat-not-found', path: '/chat/00000000-0000-4000-8000-000000000000' },
]

export const OWN_SCREENS: Look[] = [
  { name: 'profile', path: '/profile' },
  { name: 'your-reports', path: '/profile/reports', arrange: ownReports },
  { name: 'blocked-people', path: '/profile/blocked', arrange: blockedPeople },
  { name: 'house-rules', path: '/house-rules', arrange: houseRules },
  {
    name: 'edit-house-rules',
    path: '/house-rules',
    open: async (page) => {
      await press(page, 'button', 'Edit')
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'new-password', path: '/new-password' },
  {
    name: 'contact-details',
    path: '/profile',
    open: async (page) => {
      await press(page, 'button', 'Phone and what others see')
      await page.getByLabel('About you').waitFor()
    },
  },
  {
    name: 'change-name',
    path: '/profile',
    open: (page) => press(page, 'button', 'Change name'),
  },
  {
    name: 'sign-out-everywhere',
    path: '/profile',
    open: (page) => press(page, 'button', 'Log out of all devices'),
  },
]

/** Signed in, and not on the team. */
export const WAITING_SCREENS: Look[] = [
  { name: 'waiting', path: '/waiting', arrange: membership({}) },
  {
    name: 'waiting-invitation-only',
    path: '/waiting',
    arrange: membership({ status: 'none', refusal: 'invitation_only' }),
  },
  {
    name: 'waiting-other-domain',
    path: '/waiting',
    arrange: membership({ status: 'none', refusal: 'other_domain' }),
  },
  {
    name: 'waiting-set-up',
    path: '/waiting',
    arrange: membership({ has_admin: false, takes_set_up_code: true }),
  },
]

/** Somebody who opened the mail of an invitation. */
export const INVITED_SCREENS: Look[] = [{ name: 'invited-account', path: '/create-account' }]

/** A login that owes its code. */
export const CODE_SCREENS: Look[] = [
  { name: 'two-step-code', path: '/home' },
  {
    name: 'two-step-recovery',
    path: '/home',
    open: (page) => press(page, 'button', 'Use a recovery code'),
  },
]

export const TWO_STEP_SCREENS: Look[] = [
  { name: 'two-step-start', path: '/profile', open: openTwoStep },
  { name: 'two-step-set-up', path: '/profile', arrange: secondFactor, open: setUpTwoStep },
  {
    name: 'two-step-recovery-codes',
    path: '/profile',
    open: async (page) => {
      await setUpTwoStep(page)
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('6-digit code').fill('123456')
      await sheet.getByRole('button', { name: 'Turn on' }).click()
      await sheet.getByRole('list').waitFor()
    },
  },
]

// Licensing is managed like training.
const MANAGED = ['home', 'training', 'newrepstart', 'schedule', 'chat', 'notifications']

export const ADMIN_SCREENS: Look[] = [
  { name: 'admin', path: '/admin' },
  { name: 'team-settings', path: '/admin/settings' },
  { name: 'links-not-checked', path: '/admin/links' },
  { name: 'broken-links', path: '/admin/links', arrange: brokenLinks },
  { name: 'invite', path: '/admin/invite' },
  { name: 'invite-list', path: '/admin/invite', open: pasteRows },
  { name: 'invitations', path: '/admin/invitations', arrange: invitations },
  {
    name: 'invitation-bounced',
    path: '/admin/invitations',
    open: (page) => press(page, 'button', /^Noah Reed/),
  },
  {
    name: 'invitations-selected',
    path: '/admin/invitations',
    open: async (page) => {
      await press(page, 'button', 'Select several')
      await page.getByRole('checkbox', { name: /Nora Vance/ }).check()
    },
  },
  { name: 'join-links', path: '/admin/invitations?tab=links', arrange: joinLinks },
  { name: 'audit-log', path: '/admin/audit', arrange: auditLog },
  {
    name: 'audit-entry',
    path: '/admin/audit',
    open: (page) => press(page, 'button', /step by step/),
  },
  { name: 'records', path: '/admin/records', arrange: legalHolds },
  {
    name: 'place-hold',
    path: '/admin/records',
    open: (page) => press(page, 'button', 'Place a hold'),
  },
  { name: 'system', path: '/admin/system', arrange: systemProblems },
  {
    name: 'system-hosted',
    path: '/admin/system',
    arrange: systemHosted,
    open: (page) => page.getByText(/things are fine$/).click(),
  },
  { name: 'members', path: '/admin/members' },
  ...MANAGED.map((type) => ({ name: `manage-${type}`, path: `/admin-manage?type=${type}` })),
  {
    name: 'add-meeting',
    path: '/admin-manage?type=schedule',
    open: (page) => press(page, 'button', /^Add/),
  },
  {
    name: 'delete-meeting',
    path: '/admin-manage?type=schedule',
    open: (page) => press(page, 'button', /^Delete /),
  },
  {
    name: 'write-notice',
    path: '/admin-manage?type=notifications',
    open: (page) => press(page, 'button', 'Write a notice'),
  },
]

async function openChat(page: Page) {
  await page.getByRole('link', { name: /Leaders' Table/ }).click()
}

async function chooseOfMessage(page: Page, item: string) {
  await openChat(page)
  await page.getByRole('button', { name: 'Message options' }).last().press('Enter')
  await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
  await page.getByRole('dialog').waitFor()
}

async function openPerson(page: Page) {
  await openChat(page)
  await page.getByTitle('Chat details').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Marcus Bell', exact: true }).click()
  await page.getByRole('dialog', { name: 'Marcus Bell' }).waitFor()
}

async function openTwoStep(page: Page) {
  await press(page, 'button', 'Two-step verification')
  // The sheet's content comes after it.
  await page.getByRole('button', { name: 'Continue' }).waitFor()
}

async function setUpTwoStep(page: Page) {
  await beginTwoStep(page, MAYA.password)
  await page.getByRole('img', { name: /QR code/ }).waitFor()
}

async function pasteRows(page: Page) {
  const rows = [
    'Last name\tFirst name\tPhone\tEmail',
    'VANCE\tNORA\t214-555-0199\tnora.vance@example.com',
    'Reed\tNoah\t\tnoah@nowhere',
    'Vance\tNora\t\tnora.vance@example.com',
    'Ortiz\tMaya\t\tmaya.ortiz@example.com',
    'Hale\tTom\t\t',
  ]
  await page.getByLabel('Invite by email').fill(rows.join('\n'))
  await press(page, 'button', 'Add to the list')
  // Says so once it has asked.
  await page.getByText('Already a member.').waitFor()
}
