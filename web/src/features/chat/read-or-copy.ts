import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import {
  PATIENCE_MS,
  readAndKeep,
  readOrCopyMeanwhile,
  type CopyAndAnswer,
  type Reading,
} from '#data/kept/offline-copy.ts'

/** The query must run offline too: it is what finds the copy. Live events refresh it, not a timer. */
export const FINDS_COPY = { networkMode: 'always', retry: false, refetchOnReconnect: true } as const

type Context = { client: QueryClient; queryKey: QueryKey }

/**
 * Reads from the server and stores a copy on the device. If nothing is loaded yet and the server is slow or
 * unreachable, there is the copy. Loaded data is newer than any copy, so then a lost connection is an error.
 */
export async function readOrCopy<Data>(
  { client, queryKey }: Context,
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data> | CopyAndAnswer<Data>> {
  const reading =
    client.getQueryData(queryKey) === undefined
      ? await readOrCopyMeanwhile(name, read)
      : await readAndKeep(name, read)
  if ('copy' in reading) showsCopy(name, reading.answer)
  else setStateSoon(name, reading.isCopy ? 'kept' : 'fresh')
  return reading
}

/** The data alone; the answer replaces a copy of it. */
export async function readDataOrCopy<Data>(
  context: Context,
  name: string,
  read: () => Promise<Data>,
): Promise<Data> {
  const reading = await readOrCopy(context, name, read)
  if (!('copy' in reading)) return reading.data
  // What was not there may be by now.
  if (reading.copy.data === null) return (await reading.answer).data
  const { client, queryKey } = context
  const { data } = reading.copy
  onAnswer(reading.answer, (answer) => {
    if (client.getQueryData(queryKey) === data) client.setQueryData(queryKey, answer)
    // Live events have changed the copy, and the answer may be older than they are.
    else void client.invalidateQueries({ queryKey })
  })
  return data
}

/** Once the server has answered; a refusal or lost connection leaves the copy, which says how old it is. */
export function onAnswer<Data>(answer: Promise<Reading<Data>>, use: (data: Data) => void): void {
  answer.then(
    ({ data, isCopy }) => !isCopy && use(data),
    (error: unknown) => console.warn('Still showing an offline copy', error),
  )
}

/** A copy is `awaited` while its answer may still come, `late` if that takes long, `kept` if it did not come. */
type CopyState = 'fresh' | 'awaited' | 'late' | 'kept'

const states = new Map<string, CopyState>()
const listeners = new Set<() => void>()

function setState(name: string, state: CopyState) {
  if ((states.get(name) ?? 'fresh') === state) return
  if (state === 'fresh') states.delete(name)
  else states.set(name, state)
  for (const listener of listeners) listener()
}

/** Once the answer itself is in the cache. */
function setStateSoon(name: string, state: CopyState) {
  setTimeout(() => setState(name, state))
}

function showsCopy<Data>(name: string, answer: Promise<Reading<Data>>) {
  setState(name, 'awaited')
  const timer = setTimeout(() => setState(name, 'late'), PATIENCE_MS.online)
  const settle = (state: CopyState) => {
    clearTimeout(timer)
    setStateSoon(name, state)
  }
  answer.then(
    ({ isCopy }) => settle(isCopy ? 'kept' : 'fresh'),
    () => settle('kept'),
  )
}

/** Whether what was read under this name is a copy that its answer may still replace, and one that says its age. */
export function useCopyState(name: string) {
  const state = useSyncExternalStore(subscribe, () => states.get(name) ?? 'fresh')
  return {
    isAwaited: state === 'awaited' || state === 'late',
    showsAge: state === 'late' || state === 'kept',
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
