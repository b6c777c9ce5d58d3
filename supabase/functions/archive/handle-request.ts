import { hasSecretKey } from '../_shared/secret-key.ts'
import { archiveHead, keepArchive, pruneArchive, runAll, type Kept } from './keep-archive.ts'

type Dependencies = { projectUrl: string; secretKey: string }

/**
 * Seals what is new and hashes the files that were sent; with the body `{"prune": true}` it removes expired records as
 * well. Responds with what it did and the head of the chain.
 */
export async function handleArchiveRequest(
  request: Request,
  { projectUrl, secretKey }: Dependencies,
): Promise<Response> {
  if (!(await hasSecretKey(request, secretKey)))
    return Response.json({ message: 'The secret key is needed' }, { status: 401 })
  const { prune } = (await request.json().catch(() => ({}))) as { prune?: unknown }
  const dependencies = { projectUrl, secretKey, fetch }
  try {
    let pruned = 0
    let kept: Kept | undefined
    await runAll(
      async () => void (pruned = prune === true ? await pruneArchive(dependencies) : 0),
      async () => void (kept = await keepArchive(dependencies)),
    )
    return Response.json({ ...kept, pruned, head: await archiveHead(dependencies) })
  } catch (error) {
    console.error('keeping the archive failed', error)
    return Response.json({ message: String(error).slice(0, 300) }, { status: 500 })
  }
}
