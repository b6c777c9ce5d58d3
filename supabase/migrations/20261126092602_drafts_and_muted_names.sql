-- A text that was sent could come back as a draft, if saving it took longer than sending it. Saves of one device now follow
-- each other as they arrive, and what was just sent is no draft. Drafts that are there have no device: as before, the time
-- alone decides until they are saved again.
-- A group's name is something said to everybody in it: who may not send messages neither makes nor renames one. Chats stay
-- as they are.

alter table public.chat_drafts add column device uuid;

drop policy "members who may create chats create them as themselves" on public.chats;
create policy "members who may create chats create them as themselves" on public.chats
  for insert to authenticated
  with check (
    created_by = (select auth.uid()) and type in ('individual', 'group') and is_active
    and (select private.may_create_chats()) and (select private.may_send_messages())
  );

create function private.check_renamed_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null and not private.may_send_messages() then
    raise exception 'Who may not send messages may not rename a group' using errcode = '42501';
  end if;
  return new;
end
$$;

create trigger check_renamed_chat before update of name on public.chats
  for each row when (old.name is distinct from new.name) execute function private.check_renamed_chat();

create or replace function public.save_draft(chat_id uuid, message text, age_ms bigint, device uuid) returns timestamptz
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

comment on column public.chat_drafts.device is 'Which device, or browser tab, saved it.';

revoke execute on function private.check_renamed_chat() from public;
