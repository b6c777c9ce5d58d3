-- What a member has done of New Rep Start, and what the admin screens need to work side by side: a version per
-- item, so that the second of two admins is told; alternative text for pictures; and re-ordering in one step.

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
-- with nothing ticked, so it asks for the role itself instead of showing half a truth.
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
comment on function public.onboarding_overview is 'Admins only: how far each member is with New Rep Start.';

-- Moving an item changes its sort_order alone; that must not make another admin's open form a conflict.
create function private.version_content() returns trigger
language plpgsql set search_path = ''
as $$
declare
  ignored constant text[] := array['sort_order', 'version', 'updated_at', 'updated_by'];
begin
  if to_jsonb(new) - ignored is distinct from to_jsonb(old) - ignored then
    new.version := old.version + 1;
    new.updated_at := now();
    new.updated_by := (select auth.uid());
  else
    new.version := old.version;
    new.updated_at := old.updated_at;
    new.updated_by := old.updated_by;
  end if;
  return new;
end
$$;

create function private.start_content_version() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.version := 1;
  new.updated_at := now();
  new.updated_by := (select auth.uid());
  return new;
end
$$;

do $$
declare
  content text;
begin
  foreach content in array array[
    'home_content', 'training_content', 'newrepstart_content', 'licensing_content', 'schedule_content'
  ] loop
    -- The triggers' names sort after tidy_content, so that tidied-away blanks are no change.
    execute format($sql$
      alter table public.%1$I
        add column image_alt text,
        add column version integer not null default 1,
        add column updated_at timestamptz not null default now(),
        add column updated_by uuid,
        add constraint "Image description is at most 300 characters" check (char_length(image_alt) <= 300);
      comment on column public.%1$I.version is 'Grows with every edit; a save names the version it edited.';
      create trigger version_content before update on public.%1$I
        for each row execute function private.version_content();
      create trigger version_content_start before insert on public.%1$I
        for each row execute function private.start_content_version();
    $sql$, content);
  end loop;
end
$$;

-- All of a list's positions change in one statement, or none.
create function public.reorder_content(content_type text, item_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if content_type not in ('home', 'training', 'newrepstart', 'licensing', 'schedule') then
    raise exception 'Unknown content type' using errcode = '22023';
  end if;
  if not private.is_admin() then
    raise exception 'Only an admin may change the order' using errcode = '42501';
  end if;
  execute format(
    'update public.%I item set sort_order = place.ordinality::int
     from unnest($1) with ordinality as place (id, ordinality) where item.id = place.id',
    content_type || '_content'
  ) using item_ids;
end
$$;
comment on function public.reorder_content is 'Admins only: gives the items the order of the list.';

revoke execute on all functions in schema private from public;
revoke execute on function public.onboarding_overview(), public.reorder_content(text, uuid[]) from public, anon;
grant execute on function public.onboarding_overview(), public.reorder_content(text, uuid[]) to authenticated;
