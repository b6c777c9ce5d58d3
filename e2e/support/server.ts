import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const SERVER_URL = `http://localhost:${process.env.E2E_PORT}`

/** The key of a trusted server, for arranging members without their mails. */
export function secretKey(): string {
  const file = join(process.env.E2E_DATA_DIR ?? '', 'keys.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { secretKey: string }).secretKey
}

export async function publicKey(): Promise<string> {
  const response = await fetch(`${SERVER_URL}/config.json`)
  return ((await response.json()) as { supabaseKey: string }).supabaseKey
}
