// POST /realtime/v1/api/broadcast, for clients that have not joined: a batch, or one message with its topic in the URL.
import * as v from 'valibot'
import type { Context } from '#http/context.ts'
import { topicKey } from './channel.ts'
import { httpErrors } from './errors.ts'
import type { BroadcastBody } from './messages.ts'
import { broadcast } from './receive-broadcast.ts'
import type { Service } from './service.ts'

const batchSchema = v.object({
  messages: v.array(
    v.object({
      topic: v.pipe(v.string(), v.nonEmpty()),
      event: v.pipe(v.string(), v.nonEmpty()),
      payload: v.record(v.string(), v.unknown()),
      private: v.nullish(v.boolean(), false),
    }),
  ),
})

/** A batch. Messages on private topics that the caller may not send to are left out, as on hosted Supabase. */
export async function sendBatch(service: Service, request: Request, context: Context) {
  const body: unknown = await request.json().catch(() => null)
  const parsed = v.safeParse(batchSchema, body)
  if (!parsed.success) throw httpErrors.invalidBody(v.summarize(parsed.issues))
  const messages = parsed.output.messages.map(({ payload, ...message }) => ({
    ...message,
    body: { encoding: 'json', text: JSON.stringify(payload) } as const,
  }))
  if (
    messages.some((message) => Buffer.byteLength(message.body.text) > service.limits.payloadBytes)
  )
    throw tooLarge()
  const privateTopics = [
    ...new Set(messages.filter((each) => each.private).map(({ topic }) => topic)),
  ]
  const writable = new Set<string>()
  await Promise.all(
    privateTopics.map(async (topic) => {
      if (await maySend(service, context, topic)) writable.add(topic)
    }),
  )
  for (const { topic, event, body: content, private: isPrivate } of messages) {
    const isAllowed = isPrivate ? writable.has(topic) : !service.privateOnly
    if (isAllowed) send(service, topic, isPrivate, event, content)
  }
  return accepted()
}

/** One message: `/api/broadcast/<topic>/events/<event>`, JSON or bytes. */
export async function sendOne(
  service: Service,
  request: Request,
  context: Context,
  { topic, event }: { topic: string; event: string },
) {
  const { searchParams } = new URL(request.url)
  if ([...searchParams.keys()].some((name) => name.startsWith('persist')))
    throw httpErrors.persistUnsupported()
  const isPrivate = searchParams.get('private') === 'true'
  const body = await readBody(request)
  const bytes = body.encoding === 'json' ? Buffer.byteLength(body.text) : body.bytes.length
  if (bytes > service.limits.payloadBytes) throw tooLarge()
  if (isPrivate ? !(await maySend(service, context, topic)) : service.privateOnly)
    throw httpErrors.forbidden()
  send(service, topic, isPrivate, event, body)
  return accepted()
}

async function readBody(request: Request): Promise<BroadcastBody> {
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('application/octet-stream'))
    return { encoding: 'binary', bytes: Buffer.from(await request.arrayBuffer()) }
  if (!type.startsWith('application/json')) throw httpErrors.unsupportedContentType()
  const text = await request.text()
  try {
    JSON.parse(text)
  } catch {
    throw httpErrors.invalidBody('The payload is not JSON')
  }
  return { encoding: 'json', text }
}

// The secret key stands for a trusted server: it sends past the policies.
async function maySend({ tryRights }: Service, { caller }: Context, topic: string) {
  if (caller.role === 'service_role') return true
  return (await tryRights(caller, topic, 'write', ['broadcast'])).has('broadcast')
}

function send(
  service: Service,
  topic: string,
  isPrivate: boolean,
  userEvent: string,
  body: BroadcastBody,
) {
  broadcast(service, { topicKey: topicKey(topic, isPrivate), userEvent, body })
}

function tooLarge() {
  return httpErrors.invalidBody('Payload size exceeds tenant limit')
}

function accepted() {
  return new Response(null, { status: 202 })
}
