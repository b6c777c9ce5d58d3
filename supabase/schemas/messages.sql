-- Messages. The sender is the caller, the time is the server's, and a deletion keeps the row. The client may choose the
-- id, so that sending again after a lost response cannot store a message twice.

create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references public.chats (id) on delete cascade,
  sender_id uuid not null references private.members (id),
  message text not null,
  -- Not now(): messages stored by one statement keep their order.
  sent_at timestamptz not null default clock_timestamp(),
  is_deleted boolean not null default false,
  edited_at timestamptz,
  changed_at timestamptz,
  reply_to uuid references public.chat_messages (id),
  -- No foreign key: it stays marked when the original is erased.
  forwarded_from uuid,
  mentions uuid[] not null default '{}',
  attachment jsonb,
  reaction_counts jsonb not null default '{}',
  deleted_by uuid references private.members (id),
  deleted_reason text,
  is_removed boolean not null generated always as (is_deleted and deleted_by is distinct from sender_id) stored,
  constraint "Message must not be blank" check (not private.is_blank(message) or attachment is not null),
  constraint "Message is at most 4000 characters" check (char_length(message) <= 4000),
  constraint "At most 50 members are mentioned" check (cardinality(mentions) <= 50),
  constraint "Reason is at most 200 characters" check (char_length(deleted_reason) <= 200)
);
comment on table public.chat_messages is 'Messages. Deleted ones stay, readable only by their sender and by who removed them.';
comment on column public.chat_messages.edited_at is 'When the text last changed; null if it never did.';
comment on column public.chat_messages.changed_at is 'Last edit, deletion or reaction; null if there was none.';
comment on column public.chat_messages.is_removed is 'Whether somebody else than the sender deleted it; deleted_reason says why.';
comment on column public.chat_messages.forwarded_from is 'The message whose text and image this one repeats.';
comment on column public.chat_messages.attachment is 'In the bucket chat-images: an image, {path, width, height}, or a file, {kind: "file", path, name, size, type}.';
comment on column public.chat_messages.reaction_counts is 'Number of members by emoji, maintained by a trigger on chat_reactions.';

-- Serves a thread (newest first), the last message of a chat and the unread count. The included columns let the count
-- skip the reader's own and deleted messages without visiting them.
create index chat_messages_by_time on public.chat_messages (chat_id, sent_at desc, id desc)
  include (sender_id, is_deleted);
create index chat_messages_sender_id on public.chat_messages (sender_id);
-- Few messages are ever changed, quoted, removed, have an image or mention anybody, so these stay tiny and cost an insert nothing.
create index chat_messages_by_change on public.chat_messages (chat_id, changed_at) where changed_at is not null;
create index chat_messages_reply_to on public.chat_messages (reply_to) where reply_to is not null;
create index chat_messages_images on public.chat_messages (chat_id, sent_at desc)
  where attachment is not null and not is_deleted;
create index chat_messages_deleted_by on public.chat_messages (deleted_by) where deleted_by is not null;
create index chat_messages_mentions on public.chat_messages using gin (mentions) with (fastupdate = off)
  where mentions <> '{}';

-- Checks one new row: cheaper here than listing all chats of the caller.
create function private.may_send_to(chat_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select
    from private.chat_participants p
    join public.chats c on c.id = p.chat_id
    join private.members m on m.id = p.user_id
    where p.chat_id = may_send_to.chat_id and p.user_id = (select auth.uid()) and p.is_active
      and c.is_active and m.is_active and m.can_send_messages
      and (c.type <> 'mandatory' or m.rally_enabled)
      and (c.type <> 'individual' or not private.is_pair_apart(c.id, p.user_id))
  )
$$;

alter table public.chat_messages enable row level security;
revoke all on public.chat_messages from anon, authenticated;
grant select on public.chat_messages to authenticated;
grant insert (id, chat_id, sender_id, message, reply_to, mentions, attachment, forwarded_from) on public.chat_messages to authenticated;
grant update (message, is_deleted, deleted_reason) on public.chat_messages to authenticated;

-- Why a message was removed is between its sender and who removed it. Nobody else reads the row any more, other admins
-- included; what everybody learns is is_removed, from chat_changes and the live update.
create policy "participants read the messages of their chats" on public.chat_messages
  for select to authenticated
  using (
    chat_id in (select private.my_chat_ids())
    and (not is_deleted or sender_id = (select auth.uid()) or deleted_by = (select auth.uid()))
  );

create policy "participants send as themselves" on public.chat_messages
  for insert to authenticated
  with check (sender_id = (select auth.uid()) and not is_deleted and private.may_send_to(chat_id));

-- `true`, because the columns that could move or forge a message are not granted, and the trigger checks the text.
create policy "senders edit and delete their messages, admins delete any in their chats" on public.chat_messages
  for update to authenticated
  using (
    not is_deleted and chat_id in (select private.my_chat_ids())
    and (sender_id = (select auth.uid()) or (select private.is_admin()))
  )
  with check (true);

-- The original as it is now: the device that forwards may have waited. Nobody forwards what they may not read, or has
-- somebody say what was not said.
create function private.forwarded_text(original uuid, with_image boolean) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  text_now text;
begin
  select m.message into text_now
  from public.chat_messages m
  where m.id = original and not m.is_deleted and (m.attachment is not null) = with_image
    and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()));
  if text_now is null then
    raise exception 'The message to forward is no longer there' using errcode = '23514';
  end if;
  return text_now;
end
$$;

-- Forwards, quotes, mentions and attachments: a quote stays within its chat, only participants are mentioned, and an image or
-- file is the sender's own upload for this very message. A reply waits on a device that is offline, and the message it quotes may
-- be deleted meanwhile; it is then stored without the quote.
create function private.check_message_extras() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_quote_deleted boolean;
begin
  if new.forwarded_from is not null then
    new.message := private.forwarded_text(new.forwarded_from, new.attachment is not null);
    new.reply_to := null;
    new.mentions := '{}';
    -- A file keeps its name.
    new.attachment := new.attachment || (
      select jsonb_strip_nulls(jsonb_build_object('kind', m.attachment -> 'kind', 'name', m.attachment -> 'name'))
      from public.chat_messages m where m.id = new.forwarded_from
    );
  end if;
  if new.reply_to is not null then
    select m.is_deleted into is_quote_deleted
    from public.chat_messages m where m.id = new.reply_to and m.chat_id = new.chat_id
      -- Before the policy looks: the answer must not say whether a foreign chat has the message.
      and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()));
    if is_quote_deleted is null then
      raise exception 'The quoted message is not in this chat' using errcode = '23514';
    elsif is_quote_deleted then
      new.reply_to := null;
    end if;
  end if;
  new.mentions := array(
    select p.user_id from private.chat_participants p
    where p.chat_id = new.chat_id and p.is_active and p.user_id = any (new.mentions)
  );
  if new.attachment is not null then
    new.attachment := private.checked_attachment(new.chat_id, new.id, new.sender_id, new.attachment);
  end if;
  return new;
end
$$;

-- A plain text message, the usual case, does not pay for the checks.
create trigger check_message_extras before insert on public.chat_messages
  for each row
  when (
    new.reply_to is not null or new.mentions <> '{}' or new.attachment is not null or new.forwarded_from is not null
  )
  execute function private.check_message_extras();

create function private.check_changed_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.message is distinct from old.message then
    if (select auth.uid()) is not null and not (
      old.sender_id = (select auth.uid()) and private.may_send_to(old.chat_id)
    ) then
      raise exception 'Only the sender may edit a message, and only while allowed to send' using errcode = '42501';
    elsif (select auth.uid()) is not null and old.forwarded_from is not null then
      raise exception 'A forwarded message cannot be edited' using errcode = '42501';
    end if;
    new.edited_at := now();
  end if;
  return new;
end
$$;

create trigger check_changed_message before update on public.chat_messages
  for each row execute function private.check_changed_message();

-- Runs after check_changed_message, which refuses what is forbidden: triggers fire in the order of their names.
create function private.note_message_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.changed_at := clock_timestamp();
  if new.is_deleted and not old.is_deleted then
    new.deleted_by := (select auth.uid());
    if new.deleted_by <> old.sender_id and private.is_blank(new.deleted_reason) then
      raise exception 'Give a reason for removing a member''s message' using errcode = '23514';
    end if;
  else
    -- Not a reason that a restored message would show to everybody.
    new.deleted_reason := case when new.is_deleted then old.deleted_reason end;
  end if;
  return new;
end
$$;

create trigger note_message_change before update on public.chat_messages
  for each row execute function private.note_message_change();

-- A reaction changes the message but not the chat list.
-- What was published is kept three days for replay: texts that were edited, deleted or erased since are taken out of it.
-- A publication is as old as its transaction, which begins before the message has its time.
create function private.forget_published(chat_ids uuid[], message_ids uuid[], since timestamptz) returns void
language sql security definer set search_path = ''
as $$
  update realtime.messages m set payload = m.payload || '{"message": "", "attachment": null}'
  where m.topic in (select 'chat:' || id from unnest(chat_ids) id) and m.extension = 'broadcast' and m.private
    and m.inserted_at >= (since - interval '5 minutes') at time zone 'utc'
    and m.payload ->> 'id' in (select id::text from unnest(message_ids) id);
  -- Lists of pins have the text as well.
  update realtime.messages m set payload = jsonb_set(m.payload, '{pins}', (
    select jsonb_agg(case
      when pin ->> 'message_id' in (select id::text from unnest(message_ids) id) then jsonb_set(pin, '{message,message}', '""')
      else pin
    end)
    from jsonb_array_elements(m.payload -> 'pins') pin
  ))
  where m.topic in (select 'chat:' || id from unnest(chat_ids) id) and m.extension = 'broadcast' and m.private
    and m.event = 'pins_changed' and m.inserted_at >= (since - interval '5 minutes') at time zone 'utc'
    and exists (
      select from jsonb_array_elements(m.payload -> 'pins') pin
      where pin ->> 'message_id' in (select id::text from unnest(message_ids) id)
    )
$$;

create function private.forget_erased() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.forget_published(array_agg(distinct e.chat_id), array_agg(e.id), min(e.sent_at)) from erased e;
  return null;
end
$$;

create trigger forget_erased after delete on public.chat_messages
  referencing old table as erased for each statement execute function private.forget_erased();

create function private.publish_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipients uuid[];
begin
  if tg_op = 'UPDATE' and (new.message, new.attachment, new.is_deleted)
    is distinct from (old.message, old.attachment, old.is_deleted)
  then
    perform private.forget_published(array[old.chat_id], array[old.id], coalesce(old.edited_at, old.sent_at));
  end if;
  perform realtime.send(
    jsonb_build_object(
      'id', new.id, 'chat_id', new.chat_id, 'sender_id', new.sender_id,
      'message', case when new.is_deleted then '' else new.message end,
      'sent_at', new.sent_at, 'is_deleted', new.is_deleted, 'is_removed', new.is_removed,
      'edited_at', new.edited_at, 'changed_at', new.changed_at, 'reply_to', new.reply_to, 'mentions', new.mentions,
      'forwarded_from', new.forwarded_from,
      'reaction_counts', new.reaction_counts,
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
    select p.user_id from private.chat_participants p
    where p.chat_id = new.chat_id and p.is_active
    limit private.most_notified_participants() + 1
  );
  if cardinality(recipients) <= private.most_notified_participants() then
    perform private.publish_to_members(recipients, 'chat_changed', jsonb_build_object('chat_id', new.chat_id));
  end if;
  return null;
end
$$;

create trigger publish_message after insert or update on public.chat_messages
  for each row execute function private.publish_message();

-- Changes to one chat's messages since a moment, for a device that was offline. Includes deleted messages, whose rows
-- nobody else may read, so that the device stops showing them; without their text.
create function public.chat_changes(chat_id uuid, since timestamptz, max_results integer default 200)
returns table (
  id uuid, chat_id uuid, sender_id uuid, message text, sent_at timestamptz, is_deleted boolean,
  is_removed boolean, changed_at timestamptz, edited_at timestamptz, deleted_reason text, reply_to uuid, mentions uuid[],
  attachment jsonb, reaction_counts jsonb, forwarded_from uuid
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.chat_id, m.sender_id, case when m.is_deleted then '' else m.message end, m.sent_at, m.is_deleted,
    m.is_removed, m.changed_at, m.edited_at,
    case when (select auth.uid()) in (m.sender_id, m.deleted_by) then m.deleted_reason end,
    m.reply_to, m.mentions,
    case when m.is_deleted then null else m.attachment end, m.reaction_counts, m.forwarded_from
  from public.chat_messages m
  where m.chat_id = chat_changes.chat_id and m.chat_id in (select private.my_chat_ids())
    and m.changed_at >= since
  order by m.changed_at
  limit least(max_results, 500)
$$;

-- Who has read up to a message, latest first, with the total; nothing while the team has this switched off. A member who
-- joined later has it marked as read without having seen it.
create function public.message_seen_by(message_id uuid, max_results integer default 50, skip integer default 0)
returns table (id uuid, first_name text, last_name text, seen_at timestamptz, total bigint)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.first_name, u.last_name, p.last_read_at, count(*) over ()
  from public.chat_messages m
  join private.chat_participants p on p.chat_id = m.chat_id and p.is_active
    and p.user_id <> m.sender_id and p.last_read_at >= m.sent_at and p.joined_at <= m.sent_at
  join private.members u on u.id = p.user_id and u.admitted_at is not null
  where m.id = message_id and m.chat_id in (select private.my_chat_ids())
    and (select s.seen_by_enabled from public.team_settings s)
  order by p.last_read_at desc, u.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

revoke execute on function public.chat_changes(uuid, timestamptz, integer), public.message_seen_by(uuid, integer, integer)
from public, anon;
grant execute on function public.chat_changes(uuid, timestamptz, integer), public.message_seen_by(uuid, integer, integer)
to authenticated, service_role;
revoke execute on all functions in schema private from public;
grant execute on function private.may_send_to(uuid) to authenticated, service_role;
