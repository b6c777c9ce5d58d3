import { callProject } from '../_shared/call-project.ts'
import type { Project } from '../_shared/project.ts'
import { Refusal } from '../_shared/refusal.ts'
import { readPage, type Fetched, type Page } from './read-page.ts'

export type PreviewDependencies = Project & {
  /** A page of the public internet, bounded in time and bytes. @throws if there is none to be had */
  fetchPage(url: string): Promise<Fetched>
}

/** As `link_preview` returns it. Without a site there was no response. */
type Preview = { url: string } & ({ is_fetched: false } | ({ is_fetched: true } & Page))

// The app may be on another origin than the project; the access token is what protects this.
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
}
const NOTHING: Page = { title: null, description: null, site: null }

/** A link in a message in; its page's title, description and site out. */
export async function handlePreviewRequest(
  request: Request,
  dependencies: PreviewDependencies,
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
  try {
    return Response.json(await makePreview(request, dependencies), { headers: CORS })
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const { status, message } =
      error instanceof Refusal ? error : new Refusal(500, 'The preview could not be made')
    return Response.json({ message }, { status, headers: CORS })
  }
}

async function makePreview(request: Request, dependencies: PreviewDependencies): Promise<Page> {
  if (request.method !== 'POST') throw new Refusal(405, 'Use POST')
  const body = (await request.json().catch(() => null)) as Record<string, unknown> | null
  const { message_id, link } = body ?? {}
  if (typeof message_id !== 'string' || typeof link !== 'string') {
    throw new Refusal(400, 'Expected { message_id, link }')
  }
  const preview = await askAsCaller(request, { message_id, link }, dependencies)
  if (preview.is_fetched) return pageOf(preview)
  const page = await dependencies
    .fetchPage(preview.url)
    .then(readPage)
    .catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      return NOTHING
    })
  const { refused, data } = await callProject(
    'POST',
    'rest/v1/rpc/save_link_preview',
    { url: preview.url, ...page },
    dependencies,
  )
  if (refused) throw new Error(refused.message)
  return data as Page
}

const pageOf = ({ title, description, site }: Page): Page => ({ title, description, site })

/** With the caller's own token: the database decides who may read the message. @throws Refusal with the database's words */
async function askAsCaller(
  request: Request,
  asked: { message_id: string; link: string },
  { projectUrl, publicKey, fetch }: Project,
): Promise<Preview> {
  const response = await fetch(
    new Request(`${projectUrl}/rest/v1/rpc/link_preview`, {
      method: 'POST',
      headers: {
        apikey: publicKey,
        authorization: request.headers.get('authorization') ?? '',
        'content-type': 'application/json',
      },
      body: JSON.stringify(asked),
    }),
  )
  const body = (await response.json()) as Preview & { message?: string }
  if (response.status >= 500) throw new Error(`the database responded with ${response.status}`)
  if (!response.ok) throw new Refusal(response.status, body.message ?? 'Refused')
  return body
}
