// What the app requests, as a browser's network panel lists it: `{me}` is the member, `{team}` the team chat.

export type Request = [method: 'GET' | 'POST', path: string, body?: object]

const CONTENT = 'id,title,description,url,image_url,image_alt,category,sort_order,updated_at'
const MESSAGES =
  '/rest/v1/chat_messages?select=id,chat_id,sender_id,message,sent_at,is_deleted,is_removed,changed_at,edited_at,' +
  'deleted_reason,reply_to,mentions,attachment,reaction_counts,my_reactions:chat_reactions(emoji)' +
  '&my_reactions.user_id=eq.{me}&chat_id=eq.{team}'
const ITEMS = '&is_active=eq.true&order=sort_order.asc,title.asc'

export const CHATS: Request = ['POST', '/rest/v1/rpc/chat_list?offset=0&limit=500', {}]
const UNREAD: Request = ['POST', '/rest/v1/rpc/unread_notification_count', {}]
const LEADERS: Request = ['POST', '/rest/v1/rpc/vice_presidents', {}]
const SELF: Request = ['GET', '/rest/v1/users?select=*&id=eq.{me}']
const CARDS: Request = [
  'GET',
  `/rest/v1/home_content?select=id,title,description,url,image_url,image_alt${ITEMS}`,
]
const FIRST_STEPS: Request = ['GET', `/rest/v1/newrepstart_content?select=${CONTENT}${ITEMS}`]
const MEETINGS: Request = [
  'GET',
  `/rest/v1/schedule_content?select=${CONTENT},day_of_week,start_time,end_time,meeting_id,meeting_password&is_active=eq.true`,
]
const ZONE: Request = ['GET', '/rest/v1/team_settings?select=time_zone']
const TO_ACKNOWLEDGE: Request = ['POST', '/rest/v1/rpc/my_unacknowledged_notices', {}]

/** Opening the app on Home. */
export const HOME: Request[] = [
  ...[CHATS, UNREAD, SELF, CARDS, MEETINGS, ZONE, TO_ACKNOWLEDGE, FIRST_STEPS, LEADERS],
  ['GET', '/auth/v1/user'],
  [
    'GET',
    '/rest/v1/goals?select=id,position,metric,value,period,own_ratios,created_at&ended_at=is.null',
  ],
  ['GET', '/rest/v1/onboarding_progress?select=item_id&user_id=eq.{me}'],
  ['POST', '/rest/v1/rpc/house_rules', {}],
]

/** What may have changed until the topics were joined. */
export const JOINED: Request[] = [
  SELF,
  CHATS,
  ['POST', '/rest/v1/rpc/changed_tables', { seconds: 61 }],
]

/** From Home to the chats and into the team chat. */
export const THREAD: Request[] = [
  ['POST', '/rest/v1/rpc/blocked_people', {}],
  [
    'GET',
    '/rest/v1/chats?select=id,name,type,created_by,is_active,updated_at,updated_by&id=eq.{team}',
  ],
  ['GET', `${MESSAGES}&order=sent_at.desc,id.desc&limit=51`],
  ['POST', '/rest/v1/rpc/mark_chat_read', { chat_id: '{team}' }],
]

/** On `chat_changed`, and no sooner again than these milliseconds. */
export const CHAT_CHANGED: [Request, number][] = [
  [CHATS, 700],
  [UNREAD, 2000],
]

/** On `content_changed` of `team_notices`. */
export const NOTICE: Request[] = [UNREAD, TO_ACKNOWLEDGE]
