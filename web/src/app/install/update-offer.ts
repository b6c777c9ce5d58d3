import { useSyncExternalStore } from 'react'

let waiting: ServiceWorker | null = null
const listeners = new Set<() => void>()

/** A newer version is ready; the member decides when to activate it. */
export function offerUpdate(worker: ServiceWorker) {
  waiting = worker
  for (const listener of listeners) listener()
}

/** Whether a newer version is waiting, and how to activate it. */
export function useUpdateOffer(): { isReady: boolean; accept: () => void } {
  const worker = useSyncExternalStore(subscribe, () => waiting)
  return { isReady: worker !== null, accept: () => worker && changeOver(worker) }
}

function changeOver(worker: ServiceWorker) {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  })
  worker.postMessage({ type: 'SKIP_WAITING' })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
