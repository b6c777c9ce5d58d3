-- How the archive begins: with what a team had when it was set up, each record marked as part of this snapshot. On a new
-- installation that is the mandatory chat. Loads last, when the triggers are in place.

create function archive.begin() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record('archive.began', '{"version":1}', audience => 'nobody');

  perform archive.record(
    'member.joined', (archive.member_state(m) || '{"snapshot":true}')::json, member_id => m.id, audience => 'team'
  )
  from (select * from private.members m where m.status <> 'deleted' order by m.created_at, m.id) m;

  perform archive.record(
    'chat.created',
    json_build_object(
      'type', c.type, 'name', c.name, 'created_by', c.created_by, 'created_at', archive.utc(c.created_at), 'snapshot', true
    ),
    c.id, audience => 'chat'
  )
  from (select * from public.chats c order by c.created_at, c.id) c;

  perform archive.record(
    'chat.joined',
    json_build_object('member', archive.person(p.user_id), 'joined_at', archive.utc(p.joined_at), 'snapshot', true),
    p.chat_id, member_id => p.user_id, audience => 'chat'
  )
  from (select * from private.chat_participants p where p.is_active order by p.joined_at, p.chat_id, p.user_id) p;

  -- Not through record(): there may be a million.
  insert into archive.records (kind, actor_role, chat_id, subject_id, member_id, audience, content)
  select 'message.sent', archive.caller_role(), m.chat_id, m.id, m.sender_id, 'chat',
    json_strip_nulls(json_build_object(
      'text', m.message, 'sent_at', archive.utc(m.sent_at), 'edited_at', archive.utc(m.edited_at), 'reply_to', m.reply_to,
      'forwarded_from', m.forwarded_from,
      'mentions', nullif(m.mentions, '{}'), 'attachment', m.attachment, 'is_deleted', nullif(m.is_deleted, false),
      'reason', m.deleted_reason, 'member', archive.person(m.sender_id), 'snapshot', true
    ))
  from (select * from public.chat_messages m order by m.sent_at, m.id) m;
  insert into archive.files (path, message_id)
  select m.attachment ->> 'path', m.id from public.chat_messages m
  where m.attachment ->> 'path' is not null and not m.is_deleted
  on conflict do nothing;

  perform archive.record(
    'reaction.added', json_build_object('emoji', r.emoji, 'member', archive.person(r.user_id), 'snapshot', true),
    r.chat_id, r.message_id, r.user_id, 'chat'
  )
  from (select * from public.chat_reactions r order by r.created_at, r.message_id) r;

  perform archive.record(
    case when n.published_at is null then 'notice.written' else 'notice.published' end,
    (archive.notice(n) || '{"snapshot":true}')::json, n.audience_chat_id, n.id,
    audience => case when n.published_at is null then 'admins' else 'notice' end
  )
  from (select * from public.team_notices n order by n.created_at, n.id) n;
end
$$;
revoke execute on function archive.begin() from public;

select archive.begin();
