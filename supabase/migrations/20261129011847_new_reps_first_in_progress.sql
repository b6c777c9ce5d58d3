-- The overview of New Rep Start begins with new members who stopped, says since when, and can be narrowed to new or stuck ones.
-- No rows change.

comment on function public.onboarding_overview(pg_catalog.text,integer,integer) is null;

drop function public.onboarding_overview(text,integer,integer);

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

create function private.new_reps() returns setof private.members
language sql stable security definer set search_path = '' rows 300
as $$
  select m.*
  from private.members m
  where m.is_active and m.role = 'user' and m.admitted_at > now() - interval '90 days'
    and m.id <> all (array(select unnest(s.vice_presidents) from public.team_settings s))
$$;

create or replace function private.stuck_members() returns setof uuid
language sql stable security definer set search_path = '' rows 100
as $$
  with steps as materialized (
    select array_agg(i.id) as ids from public.newrepstart_content i where i.is_active
  )
  select m.id
  from steps
  cross join private.new_reps() m
  cross join lateral (
    select count(*) as done, max(p.done_at) as latest
    from public.onboarding_progress p where p.user_id = m.id and p.item_id = any (steps.ids)
  ) progress
  where m.admitted_at <= now() - interval '7 days'
    and progress.done < cardinality(steps.ids)
    and coalesce(progress.latest <= now() - interval '7 days', true)
$$;

comment on function public.onboarding_overview(pg_catalog.text,pg_catalog.text,integer,integer) is 'Admins only: a page of the members'' progress in New Rep Start. filter: all, new (joined in the last 90 days) or stuck. Stuck ones come first, those without a step for the longest time before the others, then new reps with open steps, then others with open steps, then who is done; each by first name.';

revoke execute on function private.new_reps() from public;

revoke execute on function public.onboarding_overview(text,text,integer,integer) from anon;

revoke execute on function public.onboarding_overview(text,text,integer,integer) from public;
