-- What each member has done of New Rep Start.

create table public.onboarding_progress (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  item_id uuid not null references public.newrepstart_content (id) on delete cascade,
  done_at timestamptz not null default now(),
  primary key (user_id, item_id)
);
comment on table public.onboarding_progress is 'New Rep Start items a member has ticked as done.';
create index onboarding_progress_item on public.onboarding_progress (item_id);

alter table public.onboarding_progress enable row level security;
revoke all on public.onboarding_progress from anon, authenticated;
grant select, delete on public.onboarding_progress to authenticated;
grant insert (user_id, item_id) on public.onboarding_progress to authenticated;

create policy "members read their own progress, admins everybody's" on public.onboarding_progress
  for select to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()) or (select private.is_admin()));
create policy "members tick for themselves" on public.onboarding_progress
  for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members take back their own ticks" on public.onboarding_progress
  for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- A page of active members for the admins' overview: who needs a call comes first. With the caller's rights a member would
-- get everybody's row with nothing ticked, so the function checks the role itself instead of returning something misleading.
create function public.onboarding_overview(
  filter text default 'all', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  user_id uuid, first_name text, last_name text, email text, joined_at timestamptz, is_stuck boolean,
  done_count int, total_count int, next_title text, last_done_at timestamptz, members_found bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
  new_reps uuid[];
  stuck uuid[];
begin
  if not private.is_admin() then
    raise exception 'Only an admin may see everybody''s progress' using errcode = '42501';
  end if;
  new_reps := array(select r.id from private.new_reps() r);
  stuck := array(select private.stuck_members());
  return query
  with steps as materialized (
    select array_agg(i.id) as ids, count(*)::int as total from public.newrepstart_content i where i.is_active
  ), ticks as materialized (
    select p.user_id, count(*)::int as done, max(p.done_at) as latest
    from public.onboarding_progress p, steps
    where p.item_id = any (steps.ids)
    group by p.user_id
  ), found as (
    select m.id, m.first_name, m.last_name, m.email, m.sort_name, m.admitted_at, coalesce(t.done, 0) as done, steps.total,
      t.latest, m.id = any (stuck) as is_stuck, m.id = any (new_reps) as is_new
    from private.members m
    cross join steps
    left join ticks t on t.user_id = m.id
    where m.is_active and m.searchable like all (patterns)
  ), page as materialized (
    select f.*, count(*) over () as found,
      row_number() over (
        order by f.done = f.total, not f.is_stuck, case when f.is_stuck then coalesce(f.latest, f.admitted_at) end,
          not f.is_new, f.sort_name, f.id
      ) as place
    from found f
    where case filter when 'new' then f.is_new when 'stuck' then f.is_stuck else true end
    order by place
    limit greatest(least(max_results, 200), 0) offset greatest(skip, 0)
  )
  select page.id, page.first_name, page.last_name, page.email, page.admitted_at, page.is_stuck, page.done, page.total,
    (
      select i.title from public.newrepstart_content i
      where i.is_active
        and not exists (select from public.onboarding_progress p where p.user_id = page.id and p.item_id = i.id)
      order by i.sort_order, i.title
      limit 1
    ),
    page.latest, page.found
  from page
  order by page.place;
end
$$;
comment on function public.onboarding_overview is
  'Admins only: a page of the members'' progress in New Rep Start. filter: all, new (joined in the last 90 days) or stuck. Stuck ones come first, those without a step for the longest time before the others, then new reps with open steps, then others with open steps, then who is done; each by first name.';

-- Admins see at once who ticked a step.
create function private.publish_onboarding_progress() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Ticking a ticked item, or deleting a member without ticks, changes nothing.
  if exists (select from changed) then
    perform realtime.send('{"table": "onboarding_progress"}'::jsonb, 'content_changed', 'admins', true);
  end if;
  return null;
end
$$;

create trigger publish_ticks after insert on public.onboarding_progress
  referencing new table as changed
  for each statement execute function private.publish_onboarding_progress();
create trigger publish_unticks after delete on public.onboarding_progress
  referencing old table as changed
  for each statement execute function private.publish_onboarding_progress();

revoke execute on all functions in schema private from public;
revoke execute on function public.onboarding_overview(text, text, integer, integer) from public, anon;
grant execute on function public.onboarding_overview(text, text, integer, integer) to authenticated;
