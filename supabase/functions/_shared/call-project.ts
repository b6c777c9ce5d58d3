import type { Project } from './project.ts'

/** The error that a service responded with. */
export type Refused = { code: string; message: string }

/** Calls the project with the secret key. */
export async function callProject(
  method: string,
  path: string,
  body: object,
  { projectUrl, secretKey, fetch }: Project,
): Promise<{ refused: Refused | null; data: unknown }> {
  // Legacy keys are JWTs and go into both headers; new secret keys are not JWTs.
  const bearer: Record<string, string> = secretKey.startsWith('sb_')
    ? {}
    : { authorization: `Bearer ${secretKey}` }
  const response = await fetch(
    new Request(`${projectUrl}/${path}`, {
      method,
      headers: {
        apikey: secretKey,
        'content-type': 'application/json',
        'x-supabase-api-version': '2024-01-01',
        ...bearer,
      },
      body: JSON.stringify(body),
    }),
  )
  const data: unknown = await response.json().catch(() => ({}))
  if (response.ok) return { refused: null, data }
  const { code = '', message = `responded with ${response.status}` } = data as Partial<Refused>
  return { refused: { code, message }, data: null }
}
