import type { Page } from '@playwright/test'
import { supervision } from './arranged-supervision.ts'
import { press, type Look } from './screens.ts'

async function searchTheArchive(page: Page) {
  await page.getByLabel('Words').fill('guaranteed')
  await page.getByLabel('Reason').fill('Examination')
  await press(page, 'button', 'Search the archive')
  // The phone shows what was found, not the form again.
  await page.getByText('Hello everybody').scrollIntoViewIfNeeded()
}

export const SUPERVISION_SCREENS: Look[] = [
  { name: 'review-queue', path: '/supervision', arrange: supervision },
  {
    name: 'review-item',
    path: '/supervision',
    open: (page) => press(page, 'button', /guaranteed return/),
  },
  {
    name: 'supervisor-more',
    path: '/home',
    open: (page) => press(page, 'button', /More$/),
    closesWhenWide: true,
  },
  { name: 'supervised-chats', path: '/supervision?tab=chats' },
  { name: 'archive-search', path: '/supervision?tab=search' },
  { name: 'archive-found', path: '/supervision?tab=search', open: searchTheArchive },
  { name: 'lexicon', path: '/supervision?tab=lexicon' },
  { name: 'supervision-figures', path: '/supervision?tab=figures' },
]
