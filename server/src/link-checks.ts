// Fetches the links of the content once a week, a few at a time, so that admins hear of a dead one before their reps do. The
// database says which are due and gives each to one process. Hosted Supabase has nobody who does this.
import type { Logger } from 'pino'
import { serviceCaller } from 'backend/http/caller.ts'
import type { Database } from 'backend/postgres/database.ts'
import { fetchLink, publicNetwork, type LinkResult, type Network } from './fetch-link.ts'
import { PRODUCT_NAME } from './project-files.ts'

const EVERY_MS = 30 * 60_000
/** A server that was just started has better things to do. */
const FIRST_AFTER_MS = 60_000
const AT_ONCE = 50
const HOSTS_AT_ONCE = 2
/** Between two requests to one host. */
const PAUSE_MS = 1000

type Dependencies = {
  database: Pick<Database, 'runAs' | 'listener'>
  siteUrl: string
  log: Logger
}

/** Runs every half hour, and when an admin asks, until closed. */
export async function startLinkChecks({ database, siteUrl, log }: Dependencies) {
  const stopping = new AbortController()
  const network = publicNetwork(`${PRODUCT_NAME} link check (+${siteUrl})`, stopping.signal)
  let running: Promise<unknown> | null = null
  const run = () => {
    running ??= checkLinks({ database, network })
      .catch((error: unknown) => log.warn({ err: error }, 'checking links failed; retrying later'))
      .finally(() => (running = null))
  }
  const first = setTimeout(run, FIRST_AFTER_MS)
  const timer = setInterval(run, EVERY_MS)
  first.unref()
  timer.unref()
  const stopListening = await database.listener.listen('link_checks', run)
  return {
    async close() {
      stopping.abort()
      stopListening()
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}

type Checking = {
  database: Pick<Database, 'runAs'>
  network: Network
  pauseMs?: number
}

/** Checks the links that are due now, at most fifty. @returns how many */
export async function checkLinks({ database, network, pauseMs = PAUSE_MS }: Checking) {
  const { rows } = await database.runAs(serviceCaller, {
    name: 'claim_links',
    text: 'select claim_links as url from public.claim_links($1)',
    values: [AT_ONCE],
  })
  const waiting = [...byHost(rows.map((row) => (row as { url: string }).url)).values()]
  const results: LinkResult[] = []
  async function work() {
    for (let urls = waiting.shift(); urls; urls = waiting.shift()) {
      for (const [index, url] of urls.entries()) {
        if (index > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
        const result = await fetchLink(url, network)
        // What was broken off says nothing, and is due again within the hour.
        if (network.signal?.aborted) return
        results.push(result)
      }
    }
  }
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, work))
  // Without any too, which says that somebody checks.
  await database.runAs(serviceCaller, {
    name: 'report_links',
    text: 'select public.report_links($1)',
    values: [JSON.stringify(results)],
  })
  return results.length
}

function byHost(urls: string[]): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const url of urls) {
    const host = URL.canParse(url) ? new URL(url).host : url
    hosts.set(host, [...(hosts.get(host) ?? []), url])
  }
  return hosts
}
