-- The chat list shows at most 100 unread messages. For each chat a moment is kept: members who last read the chat before it
-- have at least 100, so theirs are not counted. It is renewed with about every sixtieth message to keep inserts cheap.
-- For members who read later, the messages are counted.

create table private.far_back (
  chat_id uuid primary key references public.chats (id) on delete cascade,
  sent_at timestamptz
);
comment on table private.far_back is 'For each chat, a moment: members who last read the chat before it have at least 100 unread messages.';
comment on column private.far_back.sent_at is
  'When the message was sent from which on every member has 100 messages by others. Null: not known, so messages are counted.';
alter table private.far_back enable row level security;
revoke all on private.far_back from anon, authenticated, service_role;

-- Locks before it looks: a message deleted meanwhile is waited for, or waits and looks after it.
create function private.find_far_back(chats uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.far_back (chat_id)
  select c.id from public.chats c where c.id = any (chats) order by c.id
  on conflict (chat_id) do update set sent_at = null;

  update private.far_back f set sent_at = (
    select counted.sent_at
    from (
      -- Of the messages so far, at most as many are one person's own as the most talkative has written.
      select own.sent_at, own.place - max(own.own_place) over (order by own.place) as by_others, own.place
      from (
        select m.sent_at, row_number() over newest as place,
          row_number() over (partition by m.sender_id order by m.sent_at desc, m.id desc) as own_place
        from (
          select m.id, m.sent_at, m.sender_id from public.chat_messages m
          where m.chat_id = f.chat_id and not m.is_deleted
          order by m.sent_at desc, m.id desc
          limit 400
        ) m
        window newest as (order by m.sent_at desc, m.id desc)
      ) own
    ) counted
    where counted.by_others >= 100
    order by counted.place
    limit 1
  )
  where f.chat_id = any (chats);
end
$$;

create function private.find_far_back_after_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.find_far_back(array[new.chat_id]);
  return null;
end
$$;

create trigger find_far_back after insert on public.chat_messages
  for each row when (get_byte(uuid_send(new.id), 15) < 4) execute function private.find_far_back_after_message();

create function private.find_far_back_after_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.find_far_back(array[old.chat_id, new.chat_id]);
  return null;
end
$$;

create trigger find_far_back_again after update of is_deleted, sender_id, sent_at, chat_id on public.chat_messages
  for each row
  when ((old.is_deleted, old.sender_id, old.sent_at, old.chat_id) is distinct from (new.is_deleted, new.sender_id, new.sent_at, new.chat_id))
  execute function private.find_far_back_after_change();

create function private.find_far_back_after_removal() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.find_far_back(array(select distinct gone.chat_id from gone));
  return null;
end
$$;

create trigger find_far_back_without after delete on public.chat_messages
  referencing old table as gone
  for each statement execute function private.find_far_back_after_removal();

revoke execute on all functions in schema private from public;
