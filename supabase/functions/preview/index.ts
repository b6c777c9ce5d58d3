// The Edge Function of a hosted project; the embedded server runs the same code. A member who wants to know where a link in a
// message leads calls it. Set-up: docs/operations.md
import { fetchPublicPage } from './fetch-public-page.ts'
import { handlePreviewRequest } from './handle-preview-request.ts'

declare const Deno: {
  env: { get(name: string): string | undefined }
  serve(handler: (request: Request) => Promise<Response>): void
}

Deno.serve((request) =>
  handlePreviewRequest(request, {
    projectUrl: Deno.env.get('SUPABASE_URL') ?? '',
    publicKey: Deno.env.get('SUPABASE_ANON_KEY') ?? '',
    secretKey: Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '',
    fetch: (call) => fetch(call),
    fetchPage: fetchPublicPage,
  }),
)
