// The Edge Function of a hosted project. A schedule calls it with the secret key each minute, and once a day to prune.
// Set-up: docs/archive.md
import { handleArchiveRequest } from './handle-request.ts'

declare const Deno: {
  env: { toObject(): Record<string, string> }
  serve(handler: (request: Request) => Promise<Response>): void
}

const environment = Deno.env.toObject()

Deno.serve((request) =>
  handleArchiveRequest(request, {
    projectUrl: environment.SUPABASE_URL ?? '',
    secretKey: environment.SUPABASE_SERVICE_ROLE_KEY ?? '',
  }),
)
