// Small changes made offline, such as a ticked step, wait on this device until the server has them. Their features show
// them as done, write them so that a repetition does no harm, and say so if the server refuses.
import { isSignedInAs } from '#data/session/session.ts'
import { newId } from '#lib/new-id.ts'
import { isUnreachable } from '#lib/server/notify-error.ts'

/** `id` names what is changed: the last change of the same thing replaces one that still waits. */
type Change<Values> = { id: string; kind: string; values: Values }
type Pending = Change<unknown> & { stamp: string }

type Writer<Values> = {
  write: (values: Values, memberId: string) => Promise<unknown>
  /** Stored or refused: the screens read again. */
  onSettled: () => void
  onRefused: (error: unknown) => void
}

const NEXT_TRY_MS = 15_000

const writers = new Map<string, Writer<never>>()

/** At import, so that changes of an earlier visit find their feature. */
export function writesLater<Values>(kind: string, writer: Writer<Values>) {
  writers.set(kind, writer)
}

export function pendingChanges<Values>(memberId: string, kind: string): Values[] {
  return load(memberId)
    .filter((each) => each.kind === kind)
    .map(({ values }) => values as Values)
}

export function countPendingChanges(memberId: string): number {
  return load(memberId).length
}

/** For logging out. */
export function forgetPendingChanges(memberId: string) {
  localStorage.removeItem(keyOf(memberId))
}

/** Stores the change on the device, and on the server as soon as that can be reached. */
export function writeSoon<Values>(memberId: string, change: Change<Values>): Promise<void> {
  const others = load(memberId).filter(({ id }) => id !== change.id)
  save(memberId, [...others, { ...change, stamp: newId() }])
  return sendPendingChanges(memberId)
}

let sending: Promise<void> | undefined
let nextTry: ReturnType<typeof setTimeout> | undefined

export function sendPendingChanges(memberId: string): Promise<void> {
  sending ??= sendAll(memberId).finally(() => (sending = undefined))
  return sending
}

/** In order: an undo must not arrive before what it undoes. */
async function sendAll(memberId: string) {
  clearTimeout(nextTry)
  for (;;) {
    const next = load(memberId).find(({ kind }) => writers.has(kind))
    const writer = next && writers.get(next.kind)
    if (!writer || !isSignedInAs(memberId)) return
    try {
      await writer.write(next.values as never, memberId)
    } catch (error) {
      if (isUnreachable(error)) {
        nextTry = setTimeout(() => void sendPendingChanges(memberId), NEXT_TRY_MS)
        return
      }
      writer.onRefused(error)
    }
    // Changed again meanwhile: the newer change still waits.
    save(
      memberId,
      load(memberId).filter(({ stamp }) => stamp !== next.stamp),
    )
    writer.onSettled()
  }
}

const keyOf = (memberId: string) => `pending-changes ${memberId}`

function load(memberId: string): Pending[] {
  return JSON.parse(localStorage.getItem(keyOf(memberId)) ?? '[]') as Pending[]
}

function save(memberId: string, changes: Pending[]) {
  if (changes.length > 0) localStorage.setItem(keyOf(memberId), JSON.stringify(changes))
  else localStorage.removeItem(keyOf(memberId))
}
