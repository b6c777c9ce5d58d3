-- A message in a group told each participant with a realtime.send of its own: a call, a subtransaction and an insert
-- apiece, most of what storing a message cost. Now they are all told at once.

-- The embedded backend has a function for it. Elsewhere one insert writes what realtime.send would, row by row, and
-- like it never fails the transaction that it is part of.
create function private.announce_to_members(recipients uuid[], event text, payload jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.send_to_topics(jsonb,text,text[],boolean)') is not null then
    perform realtime.send_to_topics(payload, event, array(select 'user:' || r from unnest(recipients) r), true);
    return;
  end if;
  insert into realtime.messages (payload, event, topic, private, extension)
  select announce_to_members.payload, announce_to_members.event, 'user:' || recipient, true, 'broadcast'
  from unnest(recipients) recipient;
exception when others then
  raise warning 'Members were not told of %: %', event, sqlerrm;
end
$$;

-- As in 20261121085000_chat_extras.sql but for the last statement.
create or replace function private.announce_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipients uuid[];
begin
  perform realtime.send(
    jsonb_build_object(
      'id', new.id, 'chat_id', new.chat_id, 'sender_id', new.sender_id,
      'message', case when new.is_deleted then '' else new.message end,
      'sent_at', new.sent_at, 'is_deleted', new.is_deleted, 'edited_at', new.edited_at,
      'changed_at', new.changed_at, 'deleted_reason', new.deleted_reason, 'reply_to', new.reply_to,
      'mentions', new.mentions, 'reaction_counts', new.reaction_counts,
      'attachment', case when new.is_deleted then null else new.attachment end
    ),
    case tg_op when 'INSERT' then 'message_inserted' else 'message_updated' end,
    'chat:' || new.chat_id,
    true
  );
  if tg_op = 'UPDATE' and (new.message, new.is_deleted) is not distinct from (old.message, old.is_deleted) then
    return null;
  end if;

  recipients := array(
    select p.user_id from public.chat_participants p
    where p.chat_id = new.chat_id and p.is_active
    limit private.most_announced_participants() + 1
  );
  if cardinality(recipients) <= private.most_announced_participants() then
    perform private.announce_to_members(recipients, 'chat_changed', jsonb_build_object('chat_id', new.chat_id));
  end if;
  return null;
end
$$;

-- A renamed or closed chat concerns everybody in it, however many they are.
create or replace function private.announce_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.announce_to_members(
    array(select p.user_id from public.chat_participants p where p.chat_id = new.id and p.is_active),
    'chat_changed',
    jsonb_build_object('chat_id', new.id)
  );
  return null;
end
$$;

revoke execute on all functions in schema private from public;
