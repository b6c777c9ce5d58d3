import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import {
  PATIENCE_MS,
  readAndKeep,
  readOrCopyMeanwhile,
  type CopyAndAnswer,
  type Reading,
} from '#lib/offline/offline-copy.ts'

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
  else setState(name, reading.isCopy ? 'late' : 'fresh')
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

/** `awaited` is a copy whose answer is about to come; `late` is one that it has not replaced in time. */
type CopyState = 'fresh' | 'awaited' | 'late'

const states = new Map<string, CopyState>()
const listeners = new Set<() => void>()

function setState(name: string, state: CopyState) {
  if ((states.get(name) ?? 'fresh') === state) return
  if (state === 'fresh') states.delete(name)
  else states.set(name, state)
  for (const listener of listeners) listener()
}

function showsCopy<Data>(name: string, answer: Promise<Reading<Data>>) {
  setState(name, 'awaited')
  const timer = setTimeout(() => setState(name, 'late'), PATIENCE_MS.online)
  const settle = (state: CopyState) => {
    clearTimeout(timer)
    // After the answer itself is in the cache.
    setTimeout(() => setState(name, state))
  }
  answer.then(
    ({ isCopy }) => settle(isCopy ? 'late' : 'fresh'),
    () => settle('late'),
  )
}

/** Whether what was read under this name is a copy. */
export function useCopyState(name: string): CopyState {
  return useSyncExternalStore(subscribe, () => states.get(name) ?? 'fresh')
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
