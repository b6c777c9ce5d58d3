import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@playwright/test'

/** The address of the running test's server; each Playwright project has one. */
export function serverUrl(): string {
  const { baseURL } = test.info().project.use
  if (!baseURL) throw new Error('The project names no server')
  return baseURL
}

/** The secret key, for creating members without mails. */
export function secretKey(): string {
  const { dataDir } = test.info().project.metadata as { dataDir: string }
  const file = join(dataDir, 'keys.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { secretKey: string }).secretKey
}

export async function publicKey(): Promise<string> {
  const response = await fetch(`${serverUrl()}/config.json`)
  return ((await response.json()) as { supabaseKey: string }).supabaseKey
}
