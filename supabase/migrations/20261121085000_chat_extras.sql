-- What a message can carry besides its text: a quoted message, mentions, an image, counts of reactions, and the
-- reason an admin removed it. `changed_at` lets a device that was offline ask for just what it missed.

alter table public.chat_messages
  add column changed_at timestamptz,
  add column reply_to uuid references public.chat_messages (id),
  add column mentions uuid[] not null default '{}',
  add column attachment jsonb,
  add column reaction_counts jsonb not null default '{}',
  add column deleted_by uuid references private.members (id),
  add column deleted_reason text,
  drop constraint "Message must not be blank",
  add constraint "Message must not be blank" check (message ~ '\S' or attachment is not null),
  add constraint "At most 50 members are mentioned" check (cardinality(mentions) <= 50),
  add constraint "Reason is at most 200 characters" check (char_length(deleted_reason) <= 200);

comment on column public.chat_messages.changed_at is 'Last edit, deletion or reaction; null if there was none.';
comment on column public.chat_messages.attachment is 'An image in the bucket chat-images: {path, width, height}.';
comment on column public.chat_messages.reaction_counts is 'Emoji to number of members, kept by a trigger on chat_reactions.';

-- Few messages ever change, so these stay tiny and an insert pays nothing for them.
create index chat_messages_by_change on public.chat_messages (chat_id, changed_at) where changed_at is not null;
create index chat_messages_reply_to on public.chat_messages (reply_to) where reply_to is not null;
create index chat_messages_deleted_by on public.chat_messages (deleted_by) where deleted_by is not null;

grant insert (reply_to, mentions, attachment), update (deleted_reason) on public.chat_messages to authenticated;

-- What a policy cannot compare: a quote stays within its chat, only participants are mentioned, and an image is the
-- sender's own upload for this very message.
create function private.check_message_extras() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.reply_to is not null and not exists (
    select from public.chat_messages m where m.id = new.reply_to and m.chat_id = new.chat_id and not m.is_deleted
  ) then
    raise exception 'The quoted message is not in this chat' using errcode = '23514';
  end if;
  new.mentions := array(
    select p.user_id from public.chat_participants p
    where p.chat_id = new.chat_id and p.is_active and p.user_id = any (new.mentions)
  );
  if new.attachment is not null then
    new.attachment := private.checked_attachment(new.chat_id, new.id, new.sender_id, new.attachment);
  end if;
  return new;
end
$$;

create function private.checked_attachment(chat_id uuid, message_id uuid, sender_id uuid, attachment jsonb)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  path constant text := attachment ->> 'path';
  width constant integer := (attachment ->> 'width')::integer;
  height constant integer := (attachment ->> 'height')::integer;
begin
  if width not between 1 and 20000 or height not between 1 and 20000 or width is null or height is null then
    raise exception 'An image needs its width and height' using errcode = '23514';
  end if;
  if path is null or not starts_with(path, chat_id || '/' || message_id || '.') or not exists (
    select from storage.objects o
    where o.bucket_id = 'chat-images' and o.name = path and o.owner_id = checked_attachment.sender_id::text
  ) then
    raise exception 'The image of this message was not uploaded' using errcode = '23514';
  end if;
  return jsonb_build_object('path', path, 'width', width, 'height', height);
end
$$;

-- A plain text message, the usual case, does not pay for the checks.
create trigger check_message_extras before insert on public.chat_messages
  for each row
  when (new.reply_to is not null or new.mentions <> '{}' or new.attachment is not null)
  execute function private.check_message_extras();

-- Runs after check_changed_message (triggers fire in the order of their names), which has refused what is forbidden.
create function private.note_message_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.changed_at := clock_timestamp();
  if new.is_deleted and not old.is_deleted then
    new.deleted_by := (select auth.uid());
    if new.deleted_by <> old.sender_id and coalesce(new.deleted_reason, '') !~ '\S' then
      raise exception 'Give a reason for removing a member''s message' using errcode = '23514';
    end if;
  else
    new.deleted_reason := old.deleted_reason;
  end if;
  return new;
end
$$;

create trigger note_message_change before update on public.chat_messages
  for each row execute function private.note_message_change();

-- Changes to one chat's messages since a moment. Also names deleted messages, whose rows nobody else may read, so
-- that a device that was offline stops showing them; without their text.
create function public.chat_changes(chat_id uuid, since timestamptz, max_results integer default 200)
returns table (
  id uuid, chat_id uuid, sender_id uuid, message text, sent_at timestamptz, is_deleted boolean,
  changed_at timestamptz, edited_at timestamptz, deleted_reason text, reply_to uuid, mentions uuid[],
  attachment jsonb, reaction_counts jsonb
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.chat_id, m.sender_id, case when m.is_deleted then '' else m.message end, m.sent_at, m.is_deleted,
    m.changed_at, m.edited_at, m.deleted_reason, m.reply_to, m.mentions,
    case when m.is_deleted then null else m.attachment end, m.reaction_counts
  from public.chat_messages m
  where m.chat_id = chat_changes.chat_id and m.chat_id in (select private.my_chat_ids())
    and m.changed_at >= since
  order by m.changed_at
  limit least(max_results, 500)
$$;

-- As in 20261102090700_announce_chat_changes.sql, with the new columns; a reaction does not concern the chat list.
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
    perform realtime.send(
      jsonb_build_object('chat_id', new.chat_id), 'chat_changed', 'user:' || recipient, true
    ) from unnest(recipients) recipient;
  end if;
  return null;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.chat_changes(uuid, timestamptz, integer) from public, anon;
grant execute on function public.chat_changes(uuid, timestamptz, integer) to authenticated, service_role;
