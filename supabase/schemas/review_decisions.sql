-- What supervisors do with an item. Each change is an event that stays, and a record of the archive. `if_version` is the
-- version the reviewer saw: whoever comes second learns that somebody was quicker.

create function private.item_to_review(item_id uuid, if_version integer) returns private.review_items
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  perform private.assert_supervisor();
  select * into item from private.review_items i where i.id = item_id for update;
  -- They may have waited for it while the right was taken from them.
  perform private.assert_supervisor();
  if item.id is null then
    raise exception 'There is no such item' using errcode = 'PT404';
  elsif not private.may_review(item) then
    raise exception 'Somebody else has to review this' using errcode = '42501';
  elsif if_version <> item.version then
    raise exception 'Another supervisor has changed this meanwhile' using errcode = 'PT409';
  end if;
  return item;
end
$$;

create function private.has_review_event(event_id uuid, item_id uuid, action text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.review_events e
    where e.id = event_id and e.actor_id = (select auth.uid()) and e.item_id = has_review_event.item_id
      and e.action = has_review_event.action
  )
$$;

-- The id comes from the caller, so that sending it twice adds one event. False: it was there already.
create function private.add_review_event(
  event_id uuid, item private.review_items, action text, note text, outcome text default null, assignee_id uuid default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.review_events (id, item_id, actor_id, action, note, outcome, assignee_id)
  values (event_id, item.id, (select auth.uid()), action, private.trimmed(note), outcome, add_review_event.assignee_id)
  on conflict (id) do nothing;
  if not found then
    if private.has_review_event(event_id, item.id, action) then
      return false;
    end if;
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  end if;
  perform private.record_review(action, item, jsonb_build_object(
    'note', nullif(private.trimmed(note), ''), 'outcome', outcome,
    'assignee', (select a.name from archive.named(add_review_event.assignee_id) a)
  ));
  return true;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;


create function public.note_review_item(item_id uuid, note text, event_id uuid default gen_random_uuid()) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  item constant private.review_items := private.item_to_review(item_id, null);
begin
  if private.is_blank(note) then
    raise exception 'Write a note' using errcode = '23514';
  end if;
  perform private.add_review_event(event_id, item, 'noted', note);
end
$$;
comment on function public.note_review_item is 'For supervisors: adds a note to an item. Notes stay.';

create function public.assign_review_item(
  item_id uuid, assignee uuid, if_version integer, event_id uuid default gen_random_uuid()
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  if private.has_review_event(event_id, item_id, 'assigned') then
    return;
  end if;
  item := private.item_to_review(item_id, coalesce(if_version, 0));
  if item.closed_at is not null then
    raise exception 'This item is closed' using errcode = 'PT409';
  elsif assignee is not null and (
    assignee in (item.member_id, item.reporter_id)
    or not exists (select from private.members m where m.id = assignee and m.can_supervise and m.is_active)
  ) then
    raise exception 'Choose a supervisor who may review this' using errcode = '22023';
  end if;
  update private.review_items i set assigned_to = assignee, version = i.version + 1 where i.id = item.id;
  perform private.add_review_event(event_id, item, 'assigned', '', assignee_id => assignee);
end
$$;
comment on function public.assign_review_item is 'For supervisors: gives an item to a supervisor; null gives it back to all.';

create function public.decide_review_item(
  item_id uuid, outcome text, note text, if_version integer, event_id uuid default gen_random_uuid()
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  if private.has_review_event(event_id, item_id, 'decided') then
    return;
  end if;
  item := private.item_to_review(item_id, coalesce(if_version, 0));
  if item.closed_at is not null then
    raise exception 'This item is closed' using errcode = 'PT409';
  elsif outcome is null then
    raise exception 'Choose what you decide' using errcode = '22023';
  end if;
  update private.review_items i set
    outcome = decide_review_item.outcome, closed_at = clock_timestamp(), closed_by = (select auth.uid()), version = i.version + 1
  where i.id = item.id;
  update private.reports r set outcome = decide_review_item.outcome, closed_at = now() where r.id = item.report_id;
  perform private.add_review_event(event_id, item, 'decided', note, decide_review_item.outcome);
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.decide_review_item is 'For supervisors: closes an item as fine, follow_up or violation, with a note.';

create function public.reopen_review_item(
  item_id uuid, note text, if_version integer, event_id uuid default gen_random_uuid()
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  if private.has_review_event(event_id, item_id, 'reopened') then
    return;
  end if;
  item := private.item_to_review(item_id, coalesce(if_version, 0));
  if item.closed_at is null then
    return;
  elsif private.is_blank(note) then
    raise exception 'Say why you open it again' using errcode = '23514';
  end if;
  update private.review_items i set outcome = null, closed_at = null, closed_by = null, version = i.version + 1
  where i.id = item.id;
  update private.reports r set outcome = null, closed_at = null where r.id = item.report_id;
  perform private.add_review_event(event_id, item, 'reopened', note);
exception
  when unique_violation then
    raise exception 'Another item about this is open; decide there' using errcode = 'PT409';
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.reopen_review_item is 'For supervisors: opens a closed item again, with the reason.';

revoke execute on function
  public.note_review_item, public.assign_review_item, public.decide_review_item, public.reopen_review_item
from public, anon, service_role;
grant execute on function
  public.note_review_item, public.assign_review_item, public.decide_review_item, public.reopen_review_item
to authenticated;
revoke execute on all functions in schema private from public;
