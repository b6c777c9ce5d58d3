-- A text that was sent could come back as a draft: the save before it was longer on its way, and so counted as typed
-- later. Saves of one device now follow each other as they arrive. Drafts that are there have no device: as before, the
-- time alone decides until they are saved again.

alter table public.chat_drafts add column device uuid;

create or replace function public.save_draft(chat_id uuid, message text, age_ms bigint, device uuid) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
  at constant timestamptz :=
    clock_timestamp() - least(greatest(age_ms, 0), 31536000000) * interval '1 millisecond';
  saved timestamptz;
begin
  if save_draft.chat_id not in (select private.my_chat_ids()) then
    raise exception 'This chat no longer exists' using errcode = '42501';
  end if;
  insert into public.chat_drafts as d (user_id, chat_id, message, written_at, device)
  values (me, save_draft.chat_id, save_draft.message, at, save_draft.device)
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
