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
  using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "members tick for themselves" on public.onboarding_progress
  for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members take back their own ticks" on public.onboarding_progress
  for delete to authenticated using (user_id = (select auth.uid()));

-- One row per active member for the admins' overview. With the caller's rights a member would get everybody's row
-- with nothing ticked, so the function checks the role itself instead of returning something misleading.
create function public.onboarding_overview()
returns table (
  user_id uuid, first_name text, last_name text, email text,
  done_count int, total_count int, next_title text, last_done_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only an admin may see everybody''s progress' using errcode = '42501';
  end if;
  return query
  select
    member.id, member.first_name, member.last_name, member.email,
    count(progress.item_id)::int,
    count(item.id)::int,
    (array_agg(item.title order by item.sort_order, item.title) filter (where progress.item_id is null))[1],
    max(progress.done_at)
  from private.members member
  left join public.newrepstart_content item on item.is_active
  left join public.onboarding_progress progress
    on progress.item_id = item.id and progress.user_id = member.id
  where member.is_active
  group by member.id, member.first_name, member.last_name, member.email
  order by member.first_name, member.last_name, member.id;
end
$$;
comment on function public.onboarding_overview is 'Admins only: each member''s progress in New Rep Start.';

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
revoke execute on function public.onboarding_overview() from public, anon;
grant execute on function public.onboarding_overview() to authenticated;
