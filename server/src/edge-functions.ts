// The project's Edge Functions that the app calls, with the settings a hosted project passes in environment variables.
// `push` is not among them: here the push worker does its job.
import type { EdgeFunctions } from 'backend/gateway/start-backend.ts'
import type { InstallationKeys } from 'backend/http/installation-keys.ts'
import { Refusal } from 'supabase-project/functions/_shared/refusal.ts'
import { handleInviteRequest } from 'supabase-project/functions/invite/handle-invite-request.ts'
import { handlePreviewRequest } from 'supabase-project/functions/preview/handle-preview-request.ts'
import { fetchPage, publicNetwork, type Network } from './fetch-link.ts'
import { PRODUCT_NAME } from './project-files.ts'

type Keys = Pick<InstallationKeys, 'publishableKey' | 'secretKey'>

/** Pages of other sites that one process fetches at the same time. */
const PAGES_AT_ONCE = 8
const PAGE_TIMEOUT_MS = 8_000

/** @param stopping ends what waits for other sites */
export function edgeFunctions(
  projectUrl: string,
  keys: Keys,
  stopping: AbortSignal,
  network: Network = publicNetwork(`${PRODUCT_NAME} link preview (+${projectUrl})`, stopping),
): EdgeFunctions {
  const project = { projectUrl, publicKey: keys.publishableKey, secretKey: keys.secretKey }
  let pages = 0
  async function fetchOneOfFew(url: string) {
    if (pages >= PAGES_AT_ONCE) throw new Refusal(503, 'Too many previews at once; try again')
    pages++
    try {
      return await fetchPage(url, { ...network, timeoutMs: PAGE_TIMEOUT_MS })
    } finally {
      pages--
    }
  }
  return {
    invite: (request, fetch) => handleInviteRequest(request, { ...project, fetch }),
    preview: (request, fetch) =>
      handlePreviewRequest(request, { ...project, fetch, fetchPage: fetchOneOfFew }),
  }
}
