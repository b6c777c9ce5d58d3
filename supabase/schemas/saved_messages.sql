-- Saved messages: what a member keeps to find it again, across their chats. Nobody else learns of it, and the archive
-- has none: nothing was said. What is shown is the message as it is now, while the member may read it.

create table public.saved_messages (
  user_id uuid not null references private.members (id) on delete cascade,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  -- The message's chat, filled in by a trigger: the policies need it.
  chat_id uuid not null references public.chats (id) on delete cascade,
  saved_at timestamptz not null default clock_timestamp(),
  primary key (user_id, message_id)
);
comment on table public.saved_messages is 'Which messages a member keeps to find them again.';
create index saved_messages_by_time on public.saved_messages (user_id, saved_at desc);
create index saved_messages_message_id on public.saved_messages (message_id);
create index saved_messages_chat_id on public.saved_messages (chat_id);

alter table public.saved_messages enable row level security;
revoke all on public.saved_messages from anon, authenticated, service_role;
grant select, delete, insert (message_id, user_id) on public.saved_messages to authenticated;

create policy "members read what they saved in their chats" on public.saved_messages
  for select to authenticated
  using (user_id = (select auth.uid()) and chat_id in (select private.my_chat_ids()));
create policy "members save messages of their chats for themselves" on public.saved_messages
  for insert to authenticated
  with check (user_id = (select auth.uid()) and chat_id in (select private.my_chat_ids()));
create policy "members no longer save what they saved" on public.saved_messages
  for delete to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()));

create function private.most_saved_messages() returns int
language sql immutable set search_path = ''
as $$ select 1000 $$;

create function private.check_new_saved_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  select m.chat_id into new.chat_id
  from public.chat_messages m where m.id = new.message_id and not m.is_deleted
    -- Before the policy looks: the answer must not say whether a foreign chat has the message.
    and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()))
  -- Whoever deletes it at this moment finds it saved, or it is not saved any more.
  for share;
  if new.chat_id is null then
    raise exception 'There is no such message' using errcode = '23503';
  end if;
  -- Two devices at once count one after the other.
  perform from private.members m where m.id = new.user_id for no key update;
  if (
    select count(*) from public.saved_messages s where s.user_id = new.user_id and s.message_id <> new.message_id
  ) >= private.most_saved_messages() then
    raise exception 'At most 1000 messages can be saved' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_new_saved_message before insert on public.saved_messages
  for each row execute function private.check_new_saved_message();

create function private.forget_deleted_saved_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.saved_messages s where s.message_id = new.id;
  return null;
end
$$;

create trigger forget_deleted_saved_message after update of is_deleted on public.chat_messages
  for each row when (new.is_deleted and not old.is_deleted)
  execute function private.forget_deleted_saved_message();

-- Who is no longer in a chat, or on the team, has saved nothing there.
create function private.forget_left_saved_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.saved_messages s where s.user_id = new.user_id and s.chat_id = new.chat_id;
  return null;
end
$$;

create trigger forget_left_saved_messages after update of is_active on private.chat_participants
  for each row when (old.is_active and not new.is_active) execute function private.forget_left_saved_messages();

create function private.forget_saved_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.saved_messages s where s.user_id = new.id;
  return null;
end
$$;

create trigger forget_saved_messages after update of status on private.members
  for each row when (new.status in ('declined', 'removed', 'deleted')) execute function private.forget_saved_messages();

create function private.publish_saved_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('chat_id', coalesce(new.chat_id, old.chat_id)),
    'saved_changed', 'user:' || coalesce(new.user_id, old.user_id), true
  );
  return null;
end
$$;

create trigger publish_saved_messages after insert or delete on public.saved_messages
  for each row execute function private.publish_saved_messages();

-- A page of what the caller saved, the latest first, with what each row shows. Messages of people whom the caller
-- blocked are folded like everywhere.
create function public.my_saved_messages(
  max_results integer default 50, before timestamptz default 'infinity'
)
returns table (
  message_id uuid, chat_id uuid, chat_title text, sender_id uuid, sender_name text, message text,
  sent_at timestamptz, saved_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.chat_id, private.title_for_me(m.chat_id), m.sender_id, private.name_for_members(a),
    coalesce(nullif(left(m.message, 300), ''), m.attachment ->> 'name', ''),
    m.sent_at, s.saved_at
  from public.saved_messages s
  join public.chat_messages m on m.id = s.message_id and not m.is_deleted
  join private.members a on a.id = m.sender_id
  where s.user_id = (select auth.uid()) and s.chat_id in (select private.my_chat_ids()) and s.saved_at < before
  order by s.saved_at desc
  limit least(max_results, 200)
$$;
comment on function public.my_saved_messages is 'A page of the messages that the caller saved, the latest first.';

revoke execute on function public.my_saved_messages(integer, timestamptz) from public, anon;
grant execute on function public.my_saved_messages(integer, timestamptz) to authenticated;
revoke execute on all functions in schema private from public;
