-- Live updates of chats, sent by the database itself so that nobody polls and nobody can forge one.
--   chat:<chat id>   message_inserted, message_updated   the message
--   user:<user id>   chat_changed                        { chat_id }: new message, read elsewhere, joined, left
-- Who may listen: the policies of 20261102091300_guard_realtime_topics.sql.

-- Above this many participants a new message is not announced to each of them one by one, since that would store
-- one row per participant and message. Members of so large a chat hear of it on its own topic.
create function private.most_announced_participants() returns int
language sql immutable set search_path = ''
as $$ select 50 $$;

-- Who left must stop hearing. Hosted Supabase looks at the rights again when it renews the token; the embedded backend
-- does so when asked.
create function private.recheck_listener(user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.recheck(text)') is not null then
    execute 'select realtime.recheck($1)' using user_id::text;
  end if;
end
$$;

create function private.announce_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipients uuid[];
begin
  perform realtime.send(
    jsonb_build_object(
      'id', new.id, 'chat_id', new.chat_id, 'sender_id', new.sender_id,
      'message', case when new.is_deleted then '' else new.message end,
      'sent_at', new.sent_at, 'is_deleted', new.is_deleted, 'edited_at', new.edited_at
    ),
    case tg_op when 'INSERT' then 'message_inserted' else 'message_updated' end,
    'chat:' || new.chat_id,
    true
  );

  recipients := array(
    select p.user_id from public.chat_participants p
    where p.chat_id = new.chat_id and p.is_active
    limit private.most_announced_participants() + 1
  );
  if cardinality(recipients) <= private.most_announced_participants() then
    perform realtime.send(
      jsonb_build_object('chat_id', new.chat_id), 'chat_changed', 'user:' || recipient, true
    ) from unnest(recipients) recipient;
  end if;
  return null;
end
$$;

create trigger announce_message after insert or update on public.chat_messages
  for each row execute function private.announce_message();

-- An archived chat returns to the list when something new is said in it.
create function private.unarchive_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.members m set archived_chats = array_remove(m.archived_chats, new.chat_id)
  where m.archived_chats @> array[new.chat_id];
  return null;
end
$$;

create trigger unarchive_chat after insert on public.chat_messages
  for each row execute function private.unarchive_chat();

create function private.announce_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('chat_id', new.chat_id), 'chat_changed', 'user:' || new.user_id, true
  );
  if tg_op = 'UPDATE' and not new.is_active then
    perform private.recheck_listener(new.user_id);
  end if;
  return null;
end
$$;

create trigger announce_new_participant after insert on public.chat_participants
  for each row execute function private.announce_participant();
create trigger announce_changed_participant after update on public.chat_participants
  for each row
  when (
    old.is_active <> new.is_active
    or old.last_read_at is distinct from new.last_read_at
    or old.muted_until is distinct from new.muted_until
  )
  execute function private.announce_participant();

create function private.announce_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('chat_id', new.id), 'chat_changed', 'user:' || p.user_id, true
  ) from public.chat_participants p where p.chat_id = new.id and p.is_active;
  return null;
end
$$;

create trigger announce_chat after update of name, is_active on public.chats
  for each row execute function private.announce_chat();

revoke execute on all functions in schema private from public;
