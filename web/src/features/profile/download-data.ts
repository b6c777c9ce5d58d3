import { database } from '#lib/supabase.ts'

/** Hands the member a file with everything they own. */
export async function downloadMyData() {
  const answer = await database.rpc('export_my_data')
  const { data, error } = answer as { data: unknown; error: unknown }
  if (error) return { error }
  const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `my-data-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  URL.revokeObjectURL(link.href)
  return { error: null }
}
