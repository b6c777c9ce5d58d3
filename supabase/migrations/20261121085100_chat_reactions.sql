-- Emoji reactions. The rows say who; the message itself carries the counts, so that a thread shows them without
-- reading a row per member, and one broadcast tells everybody.

create table public.chat_reactions (
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  user_id uuid not null references private.members (id),
  emoji text not null,
  -- Of the message, filled in by a trigger: the policies need it.
  chat_id uuid not null references public.chats (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (message_id, user_id, emoji),
  constraint "A reaction is one emoji" check (char_length(emoji) between 1 and 12 and emoji !~ '[[:ascii:]]')
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
  from public.chat_messages m where m.id = new.message_id and not m.is_deleted;
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

-- The update locks the message, so counts by several members at once add up.
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
