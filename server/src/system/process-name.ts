import { readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { projectFiles } from '../project-files.ts'
import type { Settings } from '../settings.ts'

const LONGEST_NAME = 100

/** What distinguishes processes. */
export function processName(): { host: string; pid: number } {
  return { host: hostname().slice(0, LONGEST_NAME), pid: process.pid }
}

/**
 * Where it runs on its machine: one at the same place takes the place of another. With WORKERS, how many of them there should be.
 */
export function placeFacts({ PORT, WORKERS = 1 }: Partial<Pick<Settings, 'PORT' | 'WORKERS'>>) {
  if (!PORT) return {}
  if (WORKERS === 1) return { place: { port: PORT } }
  return { place: { port: PORT, worker: Number(process.env.WORKER_NUMBER) }, workers: WORKERS }
}

let newest: string | undefined

/** The migration that this version ends with: two versions between releases differ in it. */
export function newestMigration(): string {
  newest ??= readdirSync(projectFiles.migrations).toSorted().at(-1)?.split('_')[0] ?? ''
  return newest
}

export type SiteFacts = { host: string; is_https: boolean; is_local: boolean }

/** The public address; without SITE_URL only this machine is meant. */
export function siteFacts(siteUrl: string | undefined): SiteFacts {
  if (!siteUrl) return { host: 'localhost', is_https: false, is_local: true }
  const { host, hostname, protocol } = new URL(siteUrl)
  const isHttps = protocol === 'https:'
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
  return { host: host.slice(0, 300), is_https: isHttps, is_local: isLocal && !isHttps }
}
