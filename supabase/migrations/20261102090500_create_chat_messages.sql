-- Messages. The sender is the caller, the time is the server's, a deletion keeps the row. The id may come from the
-- client, so that sending again after a lost answer cannot store a message twice.

create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references public.chats (id) on delete cascade,
  sender_id uuid not null references private.members (id),
  message text not null,
  -- Not now(): messages stored by one statement keep their order.
  sent_at timestamptz not null default clock_timestamp(),
  is_deleted boolean not null default false,
  edited_at timestamptz,
  constraint "Message must not be blank" check (message ~ '\S'),
  constraint "Message is at most 4000 characters" check (char_length(message) <= 4000)
);
comment on table public.chat_messages is 'What was said. Deleted messages stay, readable by their sender and admins only.';
comment on column public.chat_messages.edited_at is 'When the text last changed; null if it never did.';

-- Serves a thread (newest first), the last message of a chat and the unread count. The included columns let the
-- count skip the reader's own and deleted messages without visiting them.
create index chat_messages_by_time on public.chat_messages (chat_id, sent_at desc, id desc)
  include (sender_id, is_deleted);
create index chat_messages_sender_id on public.chat_messages (sender_id);

alter table public.chat_messages enable row level security;

-- One call for one new row: cheaper here than listing all chats of the caller.
create function private.may_send_to(chat_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select
    from public.chat_participants p
    join public.chats c on c.id = p.chat_id
    join private.members m on m.id = p.user_id
    where p.chat_id = may_send_to.chat_id and p.user_id = (select auth.uid()) and p.is_active
      and c.is_active and m.is_active and m.can_send_messages
      and (c.type <> 'mandatory' or m.rally_enabled)
  )
$$;

revoke all on public.chat_messages from anon, authenticated;
grant select on public.chat_messages to authenticated;
grant insert (id, chat_id, sender_id, message), update (message, is_deleted) on public.chat_messages to authenticated;

create policy "participants read the messages of their chats" on public.chat_messages
  for select to authenticated
  using (
    chat_id in (select private.my_chat_ids())
    and (not is_deleted or sender_id = (select auth.uid()) or (select private.is_admin()))
  );

create policy "participants send as themselves" on public.chat_messages
  for insert to authenticated
  with check (sender_id = (select auth.uid()) and not is_deleted and private.may_send_to(chat_id));

create policy "senders edit and delete their messages, admins delete any in their chats" on public.chat_messages
  for update to authenticated
  using (
    not is_deleted and chat_id in (select private.my_chat_ids())
    and (sender_id = (select auth.uid()) or (select private.is_admin()))
  )
  with check (true); -- the columns that could move or forge a message are not granted; the trigger checks the text

create function private.check_changed_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.message is distinct from old.message then
    if (select auth.uid()) is not null and not (
      old.sender_id = (select auth.uid()) and private.may_send_to(old.chat_id)
    ) then
      raise exception 'Only the sender may edit a message, and only while allowed to send' using errcode = '42501';
    end if;
    new.edited_at := now();
  end if;
  return new;
end
$$;

create trigger check_changed_message before update on public.chat_messages
  for each row execute function private.check_changed_message();

revoke execute on all functions in schema private from public;
grant execute on function private.may_send_to(uuid) to authenticated, service_role;
