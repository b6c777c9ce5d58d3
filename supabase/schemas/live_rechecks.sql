-- A member who loses a right loses the live topics that depend on it, whichever way the right was lost. Hosted Supabase
-- re-checks rights when it renews the token; the embedded backend does so on request.

create function private.recheck_user(user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.recheck(text)') is not null then
    execute 'select realtime.recheck($1)' using user_id::text;
  end if;
end
$$;

create function private.recheck_topic(topic text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.recheck(text)') is not null then
    execute 'select realtime.recheck($1)' using topic;
  end if;
end
$$;

-- Includes those who may see the member online because they share an individual chat.
create function private.recheck_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(old.user_id);
  perform private.recheck_topic('online:' || old.user_id);
  return null;
end
$$;

create trigger recheck_changed_participant after update on private.chat_participants
  for each row
  when (old.is_active and (old.chat_id, old.user_id, true) is distinct from (new.chat_id, new.user_id, new.is_active))
  execute function private.recheck_participant();
create trigger recheck_removed_participant after delete on private.chat_participants
  for each row when (old.is_active) execute function private.recheck_participant();

create function private.recheck_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(old.id);
  return null;
end
$$;

create trigger recheck_changed_member after update on private.members
  for each row
  when (
    (old.id, old.is_active, old.role, old.can_supervise, old.rally_enabled, old.can_create_chats, old.can_send_messages)
    is distinct from (
      new.id, new.is_active, new.role, new.can_supervise, new.rally_enabled, new.can_create_chats, new.can_send_messages
    )
  )
  execute function private.recheck_member();
create trigger recheck_removed_member after delete on private.members
  for each row execute function private.recheck_member();

create function private.recheck_pair() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_topic('online:' || p.user_id)
  from private.chat_participants p where p.chat_id = new.id;
  return null;
end
$$;

create trigger recheck_pair after update on public.chats
  for each row
  when (old.type = 'individual' and (old.type, old.is_active) is distinct from (new.type, new.is_active))
  execute function private.recheck_pair();

revoke execute on all functions in schema private from public;
revoke execute on function private.recheck_topic(text) from anon, authenticated;
