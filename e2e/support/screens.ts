import type { Page } from '@playwright/test'

export type Look = {
  /** The name of the picture in docs/screens. */
  name: string
  path: string
  /** Pressed before the screenshot: opens a dialog, a tab. */
  open?: (page: Page) => Promise<void>
  /** Depends on the time and is not compared: the days of a thread. */
  varies?: string
  /** A wider window remounts it closed, so only the phone has a picture of it. */
  closesWhenWide?: boolean
}

const THREAD = '[role=log]'

const press = (page: Page, role: 'button' | 'tab' | 'link', name: string | RegExp) =>
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
  { name: 'more', path: '/home', open: (page) => press(page, 'button', 'More') },
  { name: 'notifications', path: '/notifications' },
  { name: 'notification-settings', path: '/notifications?tab=settings' },
  { name: 'schedule', path: '/schedule' },
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
  { name: 'new-password', path: '/new-password' },
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

// Licensing is managed like training.
const MANAGED = ['home', 'training', 'newrepstart', 'schedule', 'chat', 'notifications']

export const ADMIN_SCREENS: Look[] = [
  { name: 'admin', path: '/admin' },
  { name: 'invite', path: '/admin/invite' },
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
