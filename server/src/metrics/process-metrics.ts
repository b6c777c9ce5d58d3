import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gauge, type Metric } from './exposition.ts'

/** Figures of this process and of the disk that `dataDir` is on. */
export function watchProcess(dataDir: string): { metrics(): Promise<Metric[]>; close(): void } {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  return {
    async metrics() {
      const { user, system } = process.cpuUsage()
      const disk = await statfs(dataDir).catch(() => null)
      const p99 = delay.percentile(99) / 1e9
      delay.reset()
      return [
        {
          ...{ name: 'process_cpu_seconds_total', help: 'CPU time used.', type: 'counter' },
          samples: [{ value: (user + system) / 1e6 }],
        },
        gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
        gauge('process_uptime_seconds', 'How long it runs.', process.uptime()),
        gauge('rally_event_loop_delay_seconds', 'The 99th percentile since the last look.', p99),
        gauge('rally_disk_free_bytes', 'Of DATA_DIR.', disk && disk.bavail * disk.bsize),
        gauge('rally_disk_bytes', 'Of DATA_DIR.', disk && disk.blocks * disk.bsize),
      ]
    },
    close: () => delay.disable(),
  }
}
