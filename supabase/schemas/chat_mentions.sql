-- The latest message in a chat that is meant for a participant: it mentions them or replies to them. Kept with the
-- participation, so that the chat list and the number on the app's icon need not search for it.

create function private.note_mention() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  meant_for constant uuid[] := array_append(
    new.mentions, (select q.sender_id from public.chat_messages q where q.id = new.reply_to)
  );
begin
  -- Locked in one order, so that two messages that mention the same people cannot block each other.
  perform from private.chat_participants p
  where p.chat_id = new.chat_id and p.is_active and p.user_id = any (meant_for)
  order by p.user_id for no key update;
  update private.chat_participants p set mentioned_at = new.sent_at
  where p.chat_id = new.chat_id and p.is_active and p.user_id = any (meant_for) and p.user_id <> new.sender_id
    and new.sender_id <> all (private.blocked_by(p.user_id))
    and coalesce(p.mentioned_at, '-infinity') < new.sent_at;
  return null;
end
$$;

create trigger note_mention after insert on public.chat_messages
  for each row when (new.mentions <> '{}' or new.reply_to is not null)
  execute function private.note_mention();

-- Searches again, in what is unread there.
create function private.refresh_mentions(chat_id uuid, member_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.chat_participants p
  where p.chat_id = refresh_mentions.chat_id and p.is_active and p.user_id = any (member_ids)
  order by p.user_id for no key update;
  update private.chat_participants p set mentioned_at = (
    select max(newest.sent_at)
    from (
      select m.sent_at, m.sender_id, m.is_deleted, m.mentions, m.reply_to
      from public.chat_messages m
      where m.chat_id = p.chat_id and m.sent_at > coalesce(p.last_read_at, '-infinity')
      order by m.sent_at desc
      limit 1000
    ) newest
    where not newest.is_deleted and newest.sender_id <> p.user_id
      and newest.sender_id <> all (private.blocked_by(p.user_id))
      and (
        p.user_id = any (newest.mentions)
        or p.user_id = (select q.sender_id from public.chat_messages q where q.id = newest.reply_to)
      )
  )
  where p.chat_id = refresh_mentions.chat_id and p.is_active and p.user_id = any (member_ids);
end
$$;

-- Nobody looks for a mention that is gone; one that is restored counts again.
create function private.note_mention_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refresh_mentions(
    new.chat_id,
    array_append(new.mentions, (select q.sender_id from public.chat_messages q where q.id = new.reply_to))
  );
  return null;
end
$$;

create trigger note_mention_deleted after update of is_deleted on public.chat_messages
  for each row when (new.is_deleted <> old.is_deleted and (new.mentions <> '{}' or new.reply_to is not null))
  execute function private.note_mention_deleted();

create function private.note_mentions_after_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  blocker constant uuid := coalesce(new.blocker_id, old.blocker_id);
begin
  perform private.refresh_mentions(mine.chat_id, array[blocker])
  from private.chat_participants mine
  join private.chat_participants theirs on theirs.chat_id = mine.chat_id
    and theirs.user_id = coalesce(new.blocked_id, old.blocked_id)
  where mine.user_id = blocker and mine.is_active;
  return null;
end
$$;

create trigger note_mentions_after_block after insert or delete on private.blocks
  for each row execute function private.note_mentions_after_block();

revoke execute on all functions in schema private from public;
