// POST /realtime/v1/api/broadcast, for senders without a channel: a batch, or one message with its topic in the URL.
import * as v from 'valibot'
import { FIRST_ISSUE } from '#http/bounded.ts'
import type { Caller } from '#http/caller.ts'
import { addressGroup } from '#http/client-address.ts'
import type { Context } from '#http/context.ts'
import { JsonTooComplex, parseJson, isJsonObject, type JsonObject } from '#http/parse-json.ts'
import { accessOf, noteAccess, sessionShareOf } from '#postgres/caller-share.ts'
import { topicKey } from '#realtime/channels/channel.ts'
import type { Service } from '#realtime/context.ts'
import { ChannelError, httpErrors, UNAUTHORIZED } from '#realtime/errors.ts'
import { LIMITS } from '#realtime/limits.ts'
import { MAX_TOPIC_BYTES, type BroadcastBody } from '#realtime/protocol/messages.ts'
import { broadcast } from './receive-broadcast.ts'

const addressEntries = {
  topic: v.pipe(v.string(), v.nonEmpty(), v.maxBytes(MAX_TOPIC_BYTES)),
  event: v.pipe(v.string(), v.nonEmpty(), v.maxBytes(LIMITS.eventNameBytes)),
}
const addressSchema = v.object(addressEntries)
const batchSchema = v.object({
  messages: v.array(
    v.object({
      ...addressEntries,
      payload: v.custom<JsonObject>(isJsonObject, 'Invalid type: Expected Object'),
      private: v.nullish(v.boolean(), false),
    }),
  ),
})

/** How many sessions of an account that are not known to be let in may send as much as one. */
const UNKNOWN_SESSIONS = 4

/** A batch. Messages to private topics that the caller may not send to are skipped, as on hosted Supabase. */
export async function sendBatch(service: Service, request: Request, context: Context) {
  const body = jsonOf(await request.text())
  const count = messageCount(body)
  if (count > service.limits.httpMessagesPerBatch) throw httpErrors.tooManyMessages()
  countMessages(service, context, count)
  const parsed = v.safeParse(batchSchema, body, FIRST_ISSUE)
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
  const writable = await findWritableTopics(service, context, privateTopics)
  const allowed = messages.filter((each) =>
    each.private ? writable.has(each.topic) : !service.privateOnly,
  )
  if (allowed.length > 0) noteAdmitted(context.caller)
  for (const { topic, event, body: content, private: isPrivate } of allowed)
    send(service, topic, isPrivate, event, content)
  return accepted()
}

/** One message: `/api/broadcast/<topic>/events/<event>`, JSON or bytes. */
export async function sendOne(
  service: Service,
  request: Request,
  context: Context,
  address: v.InferOutput<typeof addressSchema>,
) {
  const parsed = v.safeParse(addressSchema, address)
  if (!parsed.success) throw httpErrors.invalidBody(v.summarize(parsed.issues))
  const { topic, event } = parsed.output
  const { searchParams } = new URL(request.url)
  if ([...searchParams.keys()].some((name) => name.startsWith('persist')))
    throw httpErrors.persistUnsupported()
  const isPrivate = searchParams.get('private') === 'true'
  const body = await readBody(request)
  const bytes = body.encoding === 'json' ? Buffer.byteLength(body.text) : body.bytes.length
  if (bytes > service.limits.payloadBytes) throw tooLarge()
  countMessages(service, context, 1)
  const isAllowed = isPrivate
    ? (await findWritableTopics(service, context, [topic])).has(topic)
    : !service.privateOnly
  if (!isAllowed) throw httpErrors.forbidden()
  noteAdmitted(context.caller)
  send(service, topic, isPrivate, event, body)
  return accepted()
}

async function readBody(request: Request): Promise<BroadcastBody> {
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('application/octet-stream'))
    return { encoding: 'binary', bytes: Buffer.from(await request.arrayBuffer()) }
  if (!type.startsWith('application/json')) throw httpErrors.unsupportedContentType()
  const text = await request.text()
  jsonOf(text)
  return { encoding: 'json', text }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw httpErrors.invalidBody(
      error instanceof JsonTooComplex ? error.message : 'The payload is not JSON',
    )
  }
}

function messageCount(body: unknown): number {
  return isJsonObject(body) && Array.isArray(body.messages) ? body.messages.length : 0
}

// Members are counted by account, because an office may share an address; all others by address. While it is not known whether a
// token is good for anything, by session, and a few sessions of an account together: one that has ended must not use up what
// its owner may send.
function countMessages({ allowPost }: Service, { caller, clientAddress }: Context, count: number) {
  if (caller.role === 'service_role') return
  const { sub } = caller.claims
  const isAllowed = !sub
    ? allowPost(addressGroup(clientAddress), count)
    : accessOf(caller) === 'admitted'
      ? allowPost(`account ${sub}`, count)
      : allowPost(sessionShareOf(caller), count) &&
        allowPost(`unknown of ${sub}`, count / UNKNOWN_SESSIONS)
  if (!isAllowed) throw httpErrors.tooOften()
}

function noteAdmitted(caller: Caller) {
  if (caller.claims.sub) noteAccess(caller, 'admitted')
}

/** The private topics that the caller may send to, found with one query. */
async function findWritableTopics(
  service: Service,
  context: Context,
  topics: string[],
): Promise<ReadonlySet<string>> {
  const { caller } = context
  const { findWritableTopics: query } = service
  // The secret key belongs to a trusted server and bypasses the policies.
  if (caller.role === 'service_role' || topics.length === 0) return new Set(topics)
  try {
    return await query(caller, topics)
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    if (error.code !== UNAUTHORIZED) throw error.cause
    // A policy that fails denies, but only its topic.
    if (topics.length === 1) return new Set()
    const found = await Promise.all(
      topics.map((topic) => findWritableTopics(service, context, [topic])),
    )
    return new Set(found.flatMap((each) => [...each]))
  }
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
