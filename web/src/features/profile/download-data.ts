import { callFunction } from '#lib/call-function.ts'
import { giveFile } from '#lib/give-file.ts'

/** Hands the member a file with everything they own. */
export async function downloadMyData() {
  const data = await callFunction<unknown>('export_my_data')
  const name = `my-data-${new Date().toISOString().slice(0, 10)}.json`
  await giveFile(name, JSON.stringify(data, null, 2), 'application/json')
}
