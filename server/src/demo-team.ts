import { readFile } from 'node:fs/promises'
import { runScript } from 'backend/postgres/migrations.ts'

/** Loads the demo team. The script does nothing if its members already exist. */
export async function loadDemoTeam(databaseUrl: string, file: string): Promise<void> {
  await runScript(databaseUrl, await readFile(file, 'utf8'))
}
