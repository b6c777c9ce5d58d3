-- Pinned messages: shown at the top of their chat to everybody in it, the latest first.

create table public.chat_pins (
  message_id uuid primary key references public.chat_messages (id) on delete cascade,
  -- The message's chat, filled in by a trigger: the policies need it.
  chat_id uuid not null references public.chats (id) on delete cascade,
  created_by uuid not null references private.members (id),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.chat_pins is 'Which messages are pinned in their chat, and by whom.';
create index chat_pins_chat_id on public.chat_pins (chat_id, created_at desc);
create index chat_pins_created_by on public.chat_pins (created_by);

-- Whoever may write there, if it is a chat of two, their own group, or they are an admin.
create function private.may_pin_in(chat_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.may_send_to(may_pin_in.chat_id) and exists (
    select from public.chats c
    where c.id = may_pin_in.chat_id
      and (c.type = 'individual' or c.created_by = (select auth.uid()) or private.is_admin())
  )
$$;

alter table public.chat_pins enable row level security;
revoke all on public.chat_pins from anon, authenticated;
grant select, delete, insert (message_id, created_by) on public.chat_pins to authenticated;

create policy "participants see what is pinned in their chats" on public.chat_pins
  for select to authenticated using (chat_id in (select private.my_chat_ids()));
create policy "creators, admins and either of two pin as themselves" on public.chat_pins
  for insert to authenticated
  with check (created_by = (select auth.uid()) and private.may_pin_in(chat_id));
create policy "creators, admins and either of two unpin" on public.chat_pins
  for delete to authenticated
  using (chat_id in (select private.my_chat_ids()) and private.may_pin_in(chat_id));

create function private.check_new_pin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  select m.chat_id into new.chat_id
  from public.chat_messages m where m.id = new.message_id and not m.is_deleted
    -- Before the policy looks: the answer must not say whether a foreign chat has the message.
    and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()))
  -- Whoever deletes it at this moment finds it pinned, or it is not pinned any more.
  for share;
  if new.chat_id is null then
    raise exception 'There is no such message' using errcode = '23503';
  end if;
  -- Two who pin at the same moment count one after the other.
  perform from public.chats c where c.id = new.chat_id for no key update;
  if (select count(*) from public.chat_pins p where p.chat_id = new.chat_id and p.message_id <> new.message_id) >= 20 then
    raise exception 'A chat has at most 20 pinned messages' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_new_pin before insert on public.chat_pins
  for each row execute function private.check_new_pin();

create function private.unpin_deleted_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.chat_pins p where p.message_id = new.id;
  return null;
end
$$;

create trigger unpin_deleted_message after update of is_deleted on public.chat_messages
  for each row when (new.is_deleted and not old.is_deleted)
  execute function private.unpin_deleted_message();

-- The whole list, so that an open thread has nothing to ask; of a text no more than a line shows.
create function private.publish_pins() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  chat constant uuid := coalesce(new.chat_id, old.chat_id);
begin
  perform realtime.send(
    jsonb_build_object('chat_id', chat, 'pins', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'message_id', p.message_id, 'created_by', p.created_by, 'created_at', p.created_at,
        'message', jsonb_build_object(
          'sender_id', m.sender_id, 'sent_at', m.sent_at,
          'message', coalesce(nullif(left(m.message, 300), ''), m.attachment ->> 'name', '')
        )
      ) order by p.created_at desc), '[]')
      from public.chat_pins p join public.chat_messages m on m.id = p.message_id
      where p.chat_id = chat
    )),
    'pins_changed', 'chat:' || chat, true
  );
  return null;
end
$$;

create trigger publish_pins after insert or update or delete on public.chat_pins
  for each row execute function private.publish_pins();

revoke execute on all functions in schema private from public;
grant execute on function private.may_pin_in(uuid) to authenticated, service_role;
