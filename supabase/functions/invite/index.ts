// The Edge Function of a hosted project; the embedded server runs the same code. An admin's browser calls it to invite
// people by mail. Set-up: docs/operations.md
import { handleInviteRequest } from './handle-invite-request.ts'

declare const Deno: {
  env: { get(name: string): string | undefined }
  serve(handler: (request: Request) => Promise<Response>): void
}

Deno.serve((request) =>
  handleInviteRequest(request, {
    projectUrl: Deno.env.get('SUPABASE_URL') ?? '',
    publicKey: Deno.env.get('SUPABASE_ANON_KEY') ?? '',
    secretKey: Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '',
    fetch: (call) => fetch(call),
  }),
)
