-- Drafts: what a member typed in a chat and has not sent yet, so that it is there on their other devices. Nobody else
-- reads them, and the archive has none: nothing was said. The latest one wins, also when a device that was offline
-- saves later; a sent or cleared draft stays as an empty one, so that an older text does not come back.

create table public.chat_drafts (
  user_id uuid not null references private.members (id) on delete cascade,
  chat_id uuid not null references public.chats (id) on delete cascade,
  message text not null,
  written_at timestamptz not null,
  device uuid,
  primary key (user_id, chat_id),
  constraint "Draft is at most 4000 characters" check (char_length(message) <= 4000)
);
comment on table public.chat_drafts is 'What a member typed in a chat and has not sent. Empty once it is sent or cleared.';
comment on column public.chat_drafts.written_at is 'When it was typed, by the server''s clock.';
comment on column public.chat_drafts.device is 'Which device, or browser tab, saved it.';
create index chat_drafts_chat_id on public.chat_drafts (chat_id);

alter table public.chat_drafts enable row level security;
revoke all on public.chat_drafts from anon, authenticated, service_role;
grant select on public.chat_drafts to authenticated;
create policy "members read their own drafts" on public.chat_drafts
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create function private.most_drafts() returns int
language sql immutable set search_path = ''
as $$ select 50 $$;

-- The device says how long ago it was typed, not when: its clock may be wrong. That counts the way here as time too, so
-- what a device saved before never stands against what it saves next, however long the way was.
create function public.save_draft(chat_id uuid, message text, age_ms bigint, device uuid) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
  at constant timestamptz :=
    clock_timestamp() - least(greatest(age_ms, 0), 31536000000) * interval '1 millisecond';
  words text := save_draft.message;
  saved timestamptz;
begin
  if save_draft.chat_id not in (select private.my_chat_ids()) then
    raise exception 'This chat no longer exists' using errcode = '42501';
  end if;
  -- A save can arrive after the text was sent, even from a page that is gone: then nothing is left to send.
  if words <> '' and exists (
    select from (
      select m.sender_id, m.message from public.chat_messages m
      where m.chat_id = save_draft.chat_id and m.sent_at > now() - interval '5 minutes'
      order by m.sent_at desc
      limit 200
    ) latest
    where latest.sender_id = me and latest.message = btrim(words)
  ) then
    words := '';
  end if;
  insert into public.chat_drafts as d (user_id, chat_id, message, written_at, device)
  values (me, save_draft.chat_id, words, at, save_draft.device)
  on conflict (user_id, chat_id) do update
    set message = excluded.message, written_at = greatest(d.written_at, excluded.written_at), device = excluded.device
    where d.written_at <= excluded.written_at or d.device = excluded.device
  returning d.written_at into saved;
  if saved is null then
    return null;
  end if;
  delete from public.chat_drafts d
  where d.user_id = me and d.chat_id in (
    select o.chat_id from public.chat_drafts o where o.user_id = me
    order by o.message = '', o.written_at desc, o.chat_id offset private.most_drafts()
  );
  perform realtime.send(
    jsonb_build_object('chat_id', save_draft.chat_id, 'device', device), 'draft_changed', 'user:' || me, true
  );
  return saved;
end
$$;
comment on function public.save_draft is
  'Keeps what the caller typed in a chat that long ago, for their other devices. Null: another device saved a later one.'
  ' The 50 latest are kept.';

-- Who is no longer in a chat, or on the team, has no drafts there.
create function private.forget_left_draft() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.chat_drafts d where d.user_id = new.user_id and d.chat_id = new.chat_id;
  return null;
end
$$;
create trigger forget_left_draft after update of is_active on private.chat_participants
  for each row when (old.is_active and not new.is_active) execute function private.forget_left_draft();

create function private.forget_drafts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.chat_drafts d where d.user_id = new.id;
  return null;
end
$$;
create trigger forget_drafts after update of status on private.members
  for each row when (new.status in ('declined', 'removed', 'deleted')) execute function private.forget_drafts();

revoke execute on function public.save_draft(uuid, text, bigint, uuid) from public, anon;
grant execute on function public.save_draft(uuid, text, bigint, uuid) to authenticated;
revoke execute on all functions in schema private from public;
