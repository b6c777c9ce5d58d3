-- Emoji reactions. The rows say who reacted; the message itself carries the counts, so that a thread shows them without
-- reading a row per member, and one broadcast reaches everybody.

-- Matches one emoji. Pictures are in the blocks below, which hold no letters of any script. A picture may be followed by
-- the selector for its colored form or by a skin tone, and joined to further pictures (families, professions). Then
-- there are flags of two letters, flags of regions spelled in tags, and keycaps.
create function private.is_emoji(text) returns boolean
language sql immutable set search_path = ''
as $$
  select char_length($1) <= 12 and $1 ~ (
    with parts as (
      select '[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2194-\u21AA\u231A-\u23FF\u24C2\u25AA-\u25FE\u2600-\u27BF'
        || '\u2934\u2935\u2B05-\u2B07\u2B1B\u2B1C\u2B50\u2B55\u3030\u303D\u3297\u3299'
        || '\U0001F004\U0001F0CF\U0001F170-\U0001F19A\U0001F201-\U0001F251\U0001F300-\U0001F64F'
        || '\U0001F680-\U0001F6FF\U0001F7E0-\U0001F7F0\U0001F90C-\U0001F9FF\U0001FA70-\U0001FAFF]'
        || '[\uFE0F\U0001F3FB-\U0001F3FF]?' as picture
    )
    select '^(' || picture || '(\u200D' || picture || ')*'
      || '|[\U0001F1E6-\U0001F1FF]{2}'
      || '|\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]+\U000E007F'
      || '|[0-9#*]\uFE0F?\u20E3)$'
    from parts
  )
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.is_emoji(text) to authenticated, service_role;

create table public.chat_reactions (
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  user_id uuid not null references private.members (id),
  emoji text not null,
  -- The message's chat, filled in by a trigger: the policies need it.
  chat_id uuid not null references public.chats (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (message_id, user_id, emoji),
  constraint "A reaction is one emoji" check (private.is_emoji(emoji))
);
comment on table public.chat_reactions is 'Which member reacted to which message with which emoji.';
create index chat_reactions_user_id on public.chat_reactions (user_id);
create index chat_reactions_chat_id on public.chat_reactions (chat_id);

alter table public.chat_reactions enable row level security;
revoke all on public.chat_reactions from anon, authenticated;
grant select, delete, insert (message_id, user_id, emoji) on public.chat_reactions to authenticated;

create policy "participants see the reactions of their chats" on public.chat_reactions
  for select to authenticated using (chat_id in (select private.my_chat_ids()));
create policy "participants who may send react as themselves" on public.chat_reactions
  for insert to authenticated
  with check (user_id = (select auth.uid()) and private.may_send_to(chat_id));
create policy "members take back their own reactions" on public.chat_reactions
  for delete to authenticated
  using (user_id = (select auth.uid()) and chat_id in (select private.my_chat_ids()));

create function private.check_new_reaction() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  counts jsonb;
begin
  select m.chat_id, m.reaction_counts into new.chat_id, counts
  from public.chat_messages m where m.id = new.message_id and not m.is_deleted
    -- Before the policy looks: the answer must not say whether a foreign chat has the message.
    and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()));
  if new.chat_id is null then
    raise exception 'There is no such message' using errcode = '23503';
  end if;
  if not counts ? new.emoji and (select count(*) from jsonb_object_keys(counts)) >= 20 then
    raise exception 'A message holds at most 20 different reactions' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_new_reaction before insert on public.chat_reactions
  for each row execute function private.check_new_reaction();

-- The update locks the message, so that simultaneous reactions of several members add up.
create function private.count_reaction() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  reaction constant public.chat_reactions := case tg_op when 'INSERT' then new else old end;
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update public.chat_messages m
  set reaction_counts = jsonb_strip_nulls(
    m.reaction_counts || jsonb_build_object(
      reaction.emoji, nullif(coalesce((m.reaction_counts ->> reaction.emoji)::integer, 0) + step, 0)
    )
  )
  where m.id = reaction.message_id;
  -- The member's other devices learn which reactions are their own.
  perform realtime.send(
    jsonb_build_object('message_id', reaction.message_id, 'emoji', reaction.emoji, 'is_on', step > 0),
    'reaction_changed', 'user:' || reaction.user_id, true
  );
  return null;
end
$$;

create trigger count_reaction after insert or delete on public.chat_reactions
  for each row execute function private.count_reaction();

revoke execute on all functions in schema private from public;
