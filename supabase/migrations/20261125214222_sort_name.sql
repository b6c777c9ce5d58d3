-- Lists of people are sorted without regard to accents and capitals: "Émile" comes after "Elena", not after "Zoe". The new
-- column is filled for everybody here; the table is rewritten once.

create function private.sort_name(first_name text, last_name text) returns text
language sql immutable parallel safe
return btrim(private.member_words(first_name, last_name, ''));

create or replace function public.search_members(query text default '', max_results integer default 50, skip integer default 0)
returns table (id uuid, first_name text, last_name text, email text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
  -- These two cannot be in a new chat together.
  apart constant uuid[] := private.apart_from((select auth.uid()));
begin
  if not private.is_member() then
    return;
  end if;
  -- Dynamic, so that it is planned for these words: the trigram index suits a rare name, the name index a common letter.
  return query execute $search$
    select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience)
    from private.members m
    where m.is_active and m.id <> $1 and m.id <> all ($6)
      and ($2 is null or m.searchable like $2) and m.searchable like all ($3)
    order by m.sort_name, m.id
    limit $4 offset $5
  $search$ using (select auth.uid()), patterns[1], patterns[2:], least(max_results, 200), greatest(skip, 0), apart;
end
$$;

create or replace function public.list_people(
  query text default '', with_role text default null, in_state text default null, leader_id uuid default null,
  after_first_name text default null, after_last_name text default null, after_id uuid default null,
  max_results integer default 50
)
returns table (
  id uuid, first_name text, last_name text, email text, role text, can_supervise boolean, is_vice_president boolean, state text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
  apart constant uuid[] := private.apart_from((select auth.uid()));
  vice_presidents constant uuid[] := (select s.vice_presidents from public.team_settings s);
begin
  if not private.is_member() then
    return;
  end if;
  -- Dynamic, so that it is planned for these words and filters: each has an index that suits it.
  return query execute $people$
    select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience), m.role, m.can_supervise,
      m.id = any ($3), m.state
    from private.members m
    where m.is_active and m.id <> all ($2)
      and ($4 is null or m.searchable like $4) and m.searchable like all ($5)
      and case $6
        when 'admin' then m.role = 'admin'
        when 'supervisor' then m.can_supervise
        when 'vice_president' then m.id = any ($3)
        when 'sponsor' then exists (select from private.members r where r.sponsor_id = m.id and r.is_active)
        else $6 is null
      end
      and ($7 is null or m.state = $7)
      and ($8 is null or m.id in (select private.brought_in_by($8)))
      and ($11 is null or (m.sort_name, m.id) > (private.sort_name($9, $10), $11))
    order by m.sort_name, m.id
    limit $1
  $people$ using
    greatest(least(max_results, 200), 0), apart, vice_presidents, patterns[1], patterns[2:], with_role, in_state, leader_id,
    coalesce(after_first_name, ''), coalesce(after_last_name, ''), after_id;
end
$$;

create or replace function public.onboarding_overview(query text default '', max_results integer default 50, skip integer default 0)
returns table (
  user_id uuid, first_name text, last_name text, email text,
  done_count int, total_count int, next_title text, last_done_at timestamptz, members_found bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
begin
  if not private.is_admin() then
    raise exception 'Only an admin may see everybody''s progress' using errcode = '42501';
  end if;
  return query
  with steps as materialized (
    select array_agg(i.id) as ids, count(*)::int as total from public.newrepstart_content i where i.is_active
  ), ticks as materialized (
    select p.user_id, count(*)::int as done, max(p.done_at) as latest
    from public.onboarding_progress p, steps
    where p.item_id = any (steps.ids)
    group by p.user_id
  ), page as materialized (
    select m.id, m.first_name, m.last_name, m.email, m.sort_name, coalesce(t.done, 0) as done, steps.total, t.latest,
      count(*) over () as found
    from private.members m
    cross join steps
    left join ticks t on t.user_id = m.id
    where m.is_active and m.searchable like all (patterns)
    order by coalesce(t.done, 0) = steps.total, m.sort_name, m.id
    limit greatest(least(max_results, 200), 0) offset greatest(skip, 0)
  )
  select page.id, page.first_name, page.last_name, page.email, page.done, page.total,
    (
      select i.title from public.newrepstart_content i
      where i.is_active
        and not exists (select from public.onboarding_progress p where p.user_id = page.id and p.item_id = i.id)
      order by i.sort_order, i.title
      limit 1
    ),
    page.latest, page.found
  from page
  order by page.done = page.total, page.sort_name, page.id;
end
$$;

create or replace function private.search_people(query text, most integer)
returns table (id uuid, title text, detail text, is_near boolean)
language plpgsql stable set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
  words constant text[] := array(
    select w from regexp_split_to_table(lower(private.without_accents(left(query, 200))), '[^[:alnum:]]+') w
    where w <> '' order by length(w) desc, w limit 5
  );
begin
  -- Whose name begins with the words comes before whose name only contains them.
  return query
  select f.id, private.display_name(f.first_name, f.last_name, f.email), f.email, false
  from public.search_members(query, 50) with ordinality f
  order by private.member_words(f.first_name, f.last_name, '') ~ all (array(select '\m' || w from unnest(words) w)) desc,
    f.ordinality
  limit most;
  if found or words = '{}' or not private.is_member() then
    return;
  end if;
  return query execute $search$
    with alike as materialized (
      select m.* from private.members m
      where m.is_active and (m.searchable like $5[1] or m.searchable like $5[2] or m.searchable like $5[3])
    )
    select m.id, private.display_name(m.first_name, m.last_name, m.email), private.shown_email(m.id, m.email, m.email_audience),
      true
    from alike m
    where m.id <> $1 and m.id <> all ($2) and m.searchable ~ all ($3)
    order by m.sort_name, m.id limit $4
  $search$ using me, private.apart_from(me), array(select private.near_pattern(w) from unnest(words) w), most,
    private.near_parts(words[1]);
end
$$;

create or replace function public.notice_unacknowledged(notice_id uuid, max_results int default 50, skip int default 0)
returns table (id uuid, first_name text, last_name text, email text, reminded_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, r.reminded_at
  from public.notice_receipts r join private.members m on m.id = r.user_id and m.is_active
  where r.notice_id = notice_unacknowledged.notice_id and r.acknowledged_at is null
  order by m.sort_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0);
end
$$;

create or replace function public.list_members(
  filter text default 'active', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, joined_at timestamptz,
  last_active_at timestamptz, status_changed_at timestamptz, sponsor_name text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  stuck uuid[];
begin
  perform private.assert_admin();
  if filter = 'stuck' then
    stuck := array(select private.stuck_members());
  end if;
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.created_at, private.last_active_at(m.id),
    m.status_changed_at,
    (select private.display_name(s.first_name, s.last_name, s.email) from private.members s where s.id = m.sponsor_id)
  from private.members m
  where m.status <> 'deleted' and private.member_matches(m, filter)
    and (filter <> 'stuck' or m.id = any (stuck))
    and (
      m.searchable like all (private.member_patterns(query))
      -- A hidden address is not in there, and an admin searches by it all the same.
      or m.email_audience <> 'everyone'
        and private.member_words(m.first_name, m.last_name, m.email) like all (private.member_patterns(query))
    )
  -- Who waits, the longest first.
  order by case when filter = 'waiting' then m.status_changed_at end, m.sort_name, m.id
  limit greatest(least(max_results, 200), 0) offset greatest(skip, 0);
end
$$;

create or replace function public.find_chats(query text default '', max_results integer default 50)
returns table (id uuid, type text, title text, members bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
begin
  perform private.assert_supervisor();
  return query
  select c.id, c.type, private.chat_title(c.id),
    (select count(*) from private.chat_participants p where p.chat_id = c.id and p.is_active)
  from public.chats c
  where patterns = '{}' and c.type <> 'individual'
    or patterns <> '{}' and lower(private.without_accents(coalesce(c.name, ''))) like all (patterns)
    or patterns <> '{}' and c.type = 'individual' and c.id in (
      select p.chat_id from private.chat_participants p
      where p.user_id in (select m.id from private.members m where m.searchable like all (patterns) order by m.sort_name, m.id limit 20)
    )
  order by c.type = 'mandatory' desc, c.type = 'group' desc, c.created_at desc, c.id
  limit least(greatest(coalesce(max_results, 50), 1), 100);
end
$$;

revoke execute on function private.sort_name(text,text) from public;

alter table private.members add column sort_name text generated always as (private.sort_name(first_name, last_name)) stored not null;

drop index private.members_by_state;
create index members_by_state on private.members (state, sort_name, id) where is_active and state is not null;

drop index private.members_by_name;
create index members_by_name on private.members (sort_name, id) where is_active;

create or replace function public.blocked_people()
returns table (id uuid, first_name text, last_name text, blocked_at timestamptz, rests boolean)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, b.created_at,
    private.is_leader(b.blocker_id) or private.is_leader(b.blocked_id)
  from private.blocks b join private.members m on m.id = b.blocked_id
  where b.blocker_id = (select auth.uid()) and (select private.is_member())
  order by m.sort_name, m.id
$$;

create or replace function public.chat_members(
  chat_id uuid, query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, is_creator boolean, joined_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience),
    coalesce(c.created_by = m.id, false), p.joined_at
  from private.chat_participants p
  join private.members m on m.id = p.user_id
  join public.chats c on c.id = p.chat_id
  where p.chat_id = chat_members.chat_id and p.is_active and m.is_active
    and p.chat_id in (select private.my_chat_ids())
    and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
  order by coalesce(c.created_by = m.id, false) desc, m.sort_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

create or replace function public.supervisors() returns table (id uuid, first_name text, last_name text, email text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience)
  from private.members m
  where (select private.is_member()) and m.can_supervise and m.is_active
  order by m.sort_name, m.id
  limit 50
$$;

comment on column private.members.sort_name is 'First and last name in lower case without accents, for sorting.';
