// The same three requests for each contestant: the latest 50 messages of a chat, a new message, the chat list.
import type { RequestPlan } from './data-api-types.ts'

export type Member = { id: string; claims: string; token: string }

const chatId = (number: number) => `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`
const COLUMNS = ['id', 'sender_id', 'message', 'sent_at']
const PAIRS = 100

/** Every member iterates over the chats. */
function pairs(members: Member[]): { member: Member; chat: string }[] {
  return Array.from({ length: PAIRS }, (_, index) => ({
    member: members[index % members.length] as Member,
    chat: chatId(1 + (index % 50)),
  }))
}

export function headersFor({ token }: Member, key: string): Record<string, string> {
  return { apikey: key, authorization: `Bearer ${token}` }
}

export function readRequests(members: Member[], key: string): RequestPlan[] {
  return pairs(members).map(({ member, chat }) => ({
    method: 'GET',
    path: `/rest/v1/chat_messages?select=${COLUMNS.join('%2C')}&chat_id=eq.${chat}&is_deleted=eq.false&order=sent_at.desc&limit=50`,
    headers: headersFor(member, key),
  }))
}

export function insertRequests(members: Member[], key: string): RequestPlan[] {
  return pairs(members).map(({ member, chat }) => ({
    method: 'POST',
    path: '/rest/v1/chat_messages',
    headers: { ...headersFor(member, key), 'content-type': 'application/json' },
    body: JSON.stringify({
      chat_id: chat,
      sender_id: member.id,
      message: 'Who takes the next call?',
    }),
  }))
}

export function chatListRequests(members: Member[], key: string): RequestPlan[] {
  return members.map((member) => ({
    method: 'POST',
    path: '/rest/v1/rpc/chat_list',
    headers: { ...headersFor(member, key), 'content-type': 'application/json' },
    body: '{}',
  }))
}

/** The chat list in separate calls: the chats, then the last message and unread count of each. */
export function callByCallRequests(member: Member, key: string): RequestPlan[] {
  const headers = headersFor(member, key)
  const chats = Array.from({ length: 50 }, (_, index) => chatId(index + 1))
  return [
    {
      method: 'GET',
      path: `/rest/v1/chats?select=*,chat_participants!inner(user_id,last_read_at)&chat_participants.user_id=eq.${member.id}&is_active=eq.true`,
      headers,
    },
    ...chats.flatMap((chat): RequestPlan[] => [
      {
        method: 'GET',
        path: `/rest/v1/chat_messages?select=*&chat_id=eq.${chat}&is_deleted=eq.false&order=sent_at.desc&limit=1`,
        headers,
      },
      {
        method: 'HEAD',
        path: `/rest/v1/chat_messages?select=id&chat_id=eq.${chat}&is_deleted=eq.false&sender_id=neq.${member.id}`,
        headers: { ...headers, prefer: 'count=exact' },
      },
    ]),
  ]
}

const ROW = `null::bigint as total, nullif(current_setting('response.headers', true), '') as headers, nullif(current_setting('response.status', true), '') as status`

// A colon before a word is a pgbench variable, hence the spaces after colons.
/** A pgbench script per pair: the settings and the statement in one pipeline, as the backend sends them. */
export function pgbenchScripts(kind: 'read' | 'insert', members: Member[]): string[] {
  return pairs(members)
    .slice(0, 50)
    .map(({ member, chat }) => {
      const settings = `select length(set_config('role', 'authenticated', true)) + length(set_config('request.jwt.claims', '${member.claims.replaceAll(':', ': ')}', true));`
      const statement = kind === 'read' ? readSql(chat) : insertSql(chat, member.id)
      return ['\\startpipeline', settings, `${statement};`, '\\endpipeline', ''].join('\n')
    })
}

function readSql(chat: string): string {
  const columns = COLUMNS.map((name) => `t0."${name}"`).join(', ')
  return `select coalesce(json_agg(r)::text, '[]') as body, count(r) as shown, ${ROW} from (select ${columns} from "public"."chat_messages" as t0 where t0."chat_id" = '${chat}' and t0."is_deleted" = 'false' order by t0."sent_at" desc limit 50) as r`
}

function insertSql(chat: string, sender: string): string {
  const body = JSON.stringify({
    chat_id: chat,
    sender_id: sender,
    message: 'Who takes the next call?',
  })
  return `with written as (insert into "public"."chat_messages" as t0 ("chat_id", "message", "sender_id") select body."chat_id", body."message", body."sender_id" from (select * from json_to_record('${body.replaceAll(':', ': ')}'::json) as _("chat_id" uuid, "message" text, "sender_id" uuid)) as body returning 1) select '' as body, count(r) as shown, ${ROW} from (select * from written) as r`
}
