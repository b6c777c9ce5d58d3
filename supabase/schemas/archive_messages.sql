-- Messages, reactions and pins as records of the archive. New ones are captured once for each statement, since every message pays
-- for it; changes row by row, and only where a column that counts has changed.

create function archive.record_sent() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := archive.caller_id();
begin
  -- The sender nearly always is the caller: one lookup for both.
  insert into archive.records (
    kind, actor_id, actor_name, actor_email, actor_role, chat_id, subject_id, member_id, audience, content
  )
  select 'message.sent', me,
    case when s.id = me then archive.name_of(s.first_name, s.last_name) else (select a.name from archive.actor() a) end,
    case when s.id = me then s.email else (select a.email from archive.actor() a) end,
    archive.caller_role(), m.chat_id, m.id, m.sender_id, 'chat',
    json_strip_nulls(json_build_object(
      'text', m.message, 'sent_at', archive.utc(m.sent_at), 'reply_to', m.reply_to,
      'forwarded_from', m.forwarded_from,
      'mentions', nullif(m.mentions, '{}'), 'attachment', m.attachment, 'is_deleted', nullif(m.is_deleted, false),
      'member', case when s.id is distinct from me then archive.person(s.id) end
    ))
  from sent m left join private.members s on s.id = m.sender_id;
  return null;
end
$$;
create trigger archive_sent after insert on public.chat_messages
  referencing new table as sent for each statement execute function archive.record_sent();

create function archive.record_about_message(kind text, message public.chat_messages, content jsonb) returns void
language sql security definer set search_path = ''
as $$
  select archive.record(
    kind, json_strip_nulls((content || jsonb_build_object('member', archive.person(message.sender_id)))::json),
    message.chat_id, message.id, message.sender_id, 'chat'
  )
$$;

-- One statement may edit, delete and move a message.
create function archive.record_changed_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- What members cannot change, but a server can.
  fixed constant text[] := '{id,chat_id,sender_id,sent_at,reply_to,forwarded_from,mentions,attachment}';
begin
  if new.message <> old.message then
    perform archive.record_about_message(
      'message.edited', new, jsonb_build_object('before', old.message, 'text', new.message)
    );
  end if;
  if new.is_deleted and not old.is_deleted then
    perform archive.record_about_message(
      case when new.sender_id = archive.caller_id() then 'message.deleted' else 'message.removed' end,
      new, jsonb_build_object('text', new.message, 'reason', new.deleted_reason)
    );
  elsif old.is_deleted and not new.is_deleted then
    perform archive.record_about_message('message.restored', new, jsonb_build_object('text', new.message));
  end if;
  if (old.id, old.chat_id, old.sender_id, old.sent_at, old.reply_to, old.forwarded_from, old.mentions, old.attachment)
    is distinct from
    (new.id, new.chat_id, new.sender_id, new.sent_at, new.reply_to, new.forwarded_from, new.mentions, new.attachment)
  then
    perform archive.record(
      'message.changed',
      archive.difference(
        (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(old)) where key = any (fixed)), to_jsonb(new)
      ),
      old.chat_id, old.id, old.sender_id, 'chat'
    );
  end if;
  return null;
end
$$;
-- Not for a reaction, which changes the counts of the message.
create trigger archive_changed after update on public.chat_messages
  for each row
  when (
    (
      old.message, old.is_deleted, old.id, old.chat_id, old.sender_id, old.sent_at, old.reply_to, old.forwarded_from,
      old.mentions, old.attachment
    )
    is distinct from
    (
      new.message, new.is_deleted, new.id, new.chat_id, new.sender_id, new.sent_at, new.reply_to, new.forwarded_from,
      new.mentions, new.attachment
    )
  )
  execute function archive.record_changed_message();

-- Rows of their own disappear only by a server's or an operator's hand, or with their chat.
create function archive.record_erased_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from erased m where archive.is_held(m.chat_id, m.sender_id)) then
    raise exception 'A legal hold keeps this' using errcode = '42501';
  end if;
  perform archive.record_about_message(
    'message.erased', m, jsonb_build_object(
      'text', m.message, 'sent_at', archive.utc(m.sent_at), 'attachment', m.attachment,
      'was_deleted', nullif(m.is_deleted, false)
    )
  )
  from erased m order by m.sent_at, m.id;
  return null;
end
$$;
create trigger archive_erased after delete on public.chat_messages
  referencing old table as erased for each statement execute function archive.record_erased_messages();
create trigger archive_truncated before truncate on public.chat_messages
  for each statement execute function archive.record_truncate();

create function archive.record_reactions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.records (
    kind, actor_id, actor_name, actor_email, actor_role, chat_id, subject_id, member_id, audience, content
  )
  select case tg_op when 'INSERT' then 'reaction.added' else 'reaction.removed' end,
    a.id, a.name, a.email, a.role, r.chat_id, r.message_id, r.user_id, 'chat',
    json_strip_nulls(json_build_object('emoji', r.emoji, 'member', archive.person(r.user_id)))
  from reactions r cross join archive.actor() a;
  return null;
end
$$;
create trigger archive_added after insert on public.chat_reactions
  referencing new table as reactions for each statement execute function archive.record_reactions();
create trigger archive_removed after delete on public.chat_reactions
  referencing old table as reactions for each statement execute function archive.record_reactions();
create trigger archive_truncated before truncate on public.chat_reactions
  for each statement execute function archive.record_truncate();

-- Nobody rewrites a reaction; a server that does is recorded as taking one back and giving another.
create function archive.record_changed_reaction() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'reaction.changed', archive.difference(to_jsonb(old), to_jsonb(new)), old.chat_id, old.message_id, old.user_id, 'chat'
  );
  return null;
end
$$;
create trigger archive_changed after update on public.chat_reactions
  for each row when (old is distinct from new) execute function archive.record_changed_reaction();

-- A message that is erased takes its pin with it, which its own record says.
create function archive.record_pin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    perform archive.record_about_message('message.unpinned', m, '{}')
    from public.chat_messages m where m.id = old.message_id;
  end if;
  if tg_op <> 'DELETE' then
    perform archive.record_about_message('message.pinned', m, '{}')
    from public.chat_messages m where m.id = new.message_id;
  end if;
  return null;
end
$$;
create trigger archive_pin after insert or update or delete on public.chat_pins
  for each row execute function archive.record_pin();
create trigger archive_truncated before truncate on public.chat_pins
  for each statement execute function archive.record_truncate();

revoke execute on all functions in schema archive from public;
