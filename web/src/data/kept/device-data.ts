// A member's data on this device. An expired session loses nothing: drafts are still there after the next login. Logging
// out removes everything except device settings such as the theme.
import { forgetEarlyBatches } from '#data/early-batch.ts'
import { countDrafts, forgetDrafts } from '#lib/forms/drafts.ts'
import { clearReturnTo } from '#lib/return-to.ts'
import { forgetCopies } from './kept-queries.ts'

type DeviceData = {
  /** Messages that exist nowhere else. */
  countUnsent(memberId: string): Promise<number>
  forget(memberId: string): Promise<void>
}

const OWNER = 'copies-of'
const ADMIN = 'last-admin'
const pendingWrites = () => import('./pending-writes.ts')
const keepers = new Set<DeviceData>()

/** Registers a feature's data on this device. Never unregistered: cleanup runs after the member's screens unmounted. */
export function keepsOnDevice(data: DeviceData) {
  keepers.add(data)
}

/** Drafts and unsent messages that logging out would lose. */
export async function countUnsent(memberId: string): Promise<number> {
  const counts = await Promise.all([...keepers].map((data) => data.countUnsent(memberId)))
  const changes = (await pendingWrites()).countPendingChanges(memberId)
  return counts.reduce((sum, count) => sum + count, countDrafts(memberId) + changes)
}

/** Removes the member's data from this device. One failing part does not stop the others. */
export async function forgetMember(memberId: string): Promise<void> {
  const results = await Promise.allSettled([
    (async () => forgetDrafts(memberId))(),
    (async () => (await pendingWrites()).forgetPendingChanges(memberId))(),
    (async () => clearReturnTo())(),
    ...[...keepers].map((data) => data.forget(memberId)),
    forgetWhatWasRead(),
    closeNotifications(),
  ])
  for (const result of results)
    if (result.status === 'rejected') console.warn('Could not remove all local data', result.reason)
}

/** Whether the team was last shown to this member here. */
export function wasShownTo(memberId: string): boolean {
  return localStorage.getItem(OWNER) === memberId
}

/** Whether this member was an admin when the app was last used here: a guess until the server has responded. */
export function wasAdmin(memberId: string): boolean {
  return localStorage.getItem(ADMIN) === memberId
}

/** Notes what the server says. When the right has ended, nothing that was read with it stays on the device. */
export function noteAdmin(memberId: string, isAdmin: boolean) {
  if (isAdmin) return localStorage.setItem(ADMIN, memberId)
  if (!wasAdmin(memberId)) return
  localStorage.removeItem(ADMIN)
  forgetEarlyBatches()
  forgetCopies().catch((error: unknown) => console.warn('Could not delete offline copies', error))
}

/**
 * Clears the previous member's copies when somebody else signs in, even if that session expired unnoticed. What is read
 * from the moment of the call is kept.
 */
export async function takeOver(memberId: string): Promise<void> {
  if (localStorage.getItem(OWNER) === memberId) return
  await forgetWhatWasRead()
  localStorage.setItem(OWNER, memberId)
}

/** Removes cached copies and images; the server still has them. */
export async function forgetWhatWasRead(): Promise<void> {
  localStorage.removeItem(OWNER)
  localStorage.removeItem(ADMIN)
  forgetEarlyBatches()
  await forgetCopies()
  if ('caches' in window) await caches.delete('content-images')
}

async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const each of (await registration?.getNotifications()) ?? []) each.close()
}
