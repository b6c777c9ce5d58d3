// The project's Edge Functions that the app calls, with the settings a hosted project passes in environment variables.
// `push` is not among them: here the push worker does its job.
import type { EdgeFunctions } from 'backend/gateway/start-backend.ts'
import type { InstallationKeys } from 'backend/http/installation-keys.ts'
import { handleInviteRequest } from 'supabase-project/functions/invite/handle-invite-request.ts'

type Keys = Pick<InstallationKeys, 'publishableKey' | 'secretKey'>

export function edgeFunctions(projectUrl: string, keys: Keys): EdgeFunctions {
  const { publishableKey: publicKey, secretKey } = keys
  return {
    invite: (request, fetch) =>
      handleInviteRequest(request, { projectUrl, publicKey, secretKey, fetch }),
  }
}
