import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20
/** A start is busy, and says nothing about how the process runs. */
const SHORTEST_LOOK_MS = 20_000

/** How late timers of this process are. */
export function watchEventLoop(now: () => number = () => performance.now()) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let since = now()
  return {
    /** The 99th percentile since the last look, without the resolution; null if that was a moment ago. */
    delaySeconds(): number | null {
      const isEnough = now() - since >= SHORTEST_LOOK_MS
      const p99 = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS) / 1000
      delay.reset()
      since = now()
      return isEnough ? Number(p99.toFixed(3)) : null
    },
    close: () => delay.disable(),
  }
}
