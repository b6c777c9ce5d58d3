// The Edge Function of a hosted project. A database webhook on private.push_outbox and a schedule (for what was held
// back or is due for a retry) call it with the secret key; it sends what is due and returns the counts.
// Set-up: docs/push.md
import { APNS_ADDRESS, APNS_SANDBOX_ADDRESS, createFetchApnsSender } from './fetch-apns-sender.ts'
import { handlePushRequest } from './handle-request.ts'

declare const Deno: {
  env: { toObject(): Record<string, string> }
  serve(handler: (request: Request) => Promise<Response>): void
}

const environment = Deno.env.toObject()
const isSandbox = environment.PUSH_APNS_SANDBOX === 'true'
// The two other addresses are for local tests; a hosted project leaves them unset.
const apnsAddress =
  environment.PUSH_APNS_ADDRESS ?? (isSandbox ? APNS_SANDBOX_ADDRESS : APNS_ADDRESS)

Deno.serve((request) =>
  handlePushRequest(request, {
    projectUrl: environment.SUPABASE_URL ?? '',
    secretKey: environment.SUPABASE_SERVICE_ROLE_KEY ?? '',
    settings: environment,
    clock: { now: () => Date.now() },
    apnsSender: createFetchApnsSender(apnsAddress),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    ...(environment.PUSH_FCM_ADDRESS ? { fcmAddress: environment.PUSH_FCM_ADDRESS } : {}),
  }),
)
