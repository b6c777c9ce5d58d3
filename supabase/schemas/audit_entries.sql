-- How admins read the audit log: page by page, newest first, filtered and searched.

-- Everybody whom an entry refers to by id; bounded, for naming them.
create function private.named_in(entry private.audit_log) returns uuid[]
language sql immutable set search_path = ''
as $$
  select array(
    select distinct found.id from (
      select entry.actor_id as id
      union all select entry.object_id where entry.kind in ('member', 'invitation')
      union all select unnest(entry.people[1:20])
      union all (
        select (each #>> '{}')::uuid
        from jsonb_path_query(
          jsonb_build_array(entry.before, entry.after, entry.details), '$.** ? (@.type() == "string")'
        ) each
        where each #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        limit 80
      )
    ) found
    where found.id is not null
  )
$$;

create function private.names_of(ids uuid[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_object_agg(named.id, jsonb_build_object(
    'first_name', named.first_name, 'last_name', named.last_name, 'email', named.email
  )), '{}')
  from (
    select m.id, m.first_name, m.last_name, m.email from private.members m where m.id = any (ids)
    union all
    select i.id, i.first_name, i.last_name, i.email from public.invitations i where i.id = any (ids)
    union all
    select c.id, c.name, '', null from public.chats c where c.id = any (ids) and c.type <> 'individual'
  ) named
$$;

-- Each word is a part of what the entry says, or of the name of who did it, is concerned or was invited. Dynamic, so that it is
-- planned for these values: an index by time suits a frequent word, the words' and the people's own a rare one. A word of more
-- people than most_people is looked up entry by entry.
create function private.audit_word(pattern text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  most_people constant integer := 1000;
  people constant uuid[] := array(
    (select m.id from private.members m where m.is_active and m.searchable like pattern limit most_people + 1)
    union all
    (select m.id from private.members m where not m.is_active and m.searchable like pattern limit most_people + 1)
    union all
    -- A hidden address is not in there, and an admin searches by it all the same.
    (
      select m.id from private.members m
      where m.email_audience <> 'everyone' and m.searchable not like pattern and lower(m.email) like pattern
      limit most_people + 1
    )
    union all
    (select i.id from public.invitations i where i.searchable like pattern limit most_people + 1)
  );
begin
  return format('(e.searchable like %L', pattern) || case
    when people = '{}' then ''
    when cardinality(people) <= most_people
      then format(' or e.actor_id = any (%1$L::uuid[]) or e.people && %1$L::uuid[]', people)
    else format(
      ' or exists (
        select from private.members m
        where m.id = any (e.people || e.actor_id) and (m.searchable like %1$L or lower(m.email) like %1$L)
      ) or e.kind = ''invitation'' and exists (
        select from public.invitations i where i.id = any (e.people) and i.searchable like %1$L
      )', pattern
    )
  end || ')';
end
$$;

create function public.audit_entries(
  of_kind text default null, actor uuid default null, by_server boolean default false, member uuid default null,
  since timestamptz default null, until timestamptz default null, query text default '',
  before_time timestamptz default null, before_id bigint default null, max_results integer default 50
)
returns table (
  id bigint, recorded_at timestamptz, actor_id uuid, kind text, action text, object_id uuid, object_name text,
  people uuid[], people_count integer, before jsonb, after jsonb, details jsonb, names jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- The small words of the app's sentences, which the entries do not have.
  said_anywhere constant text[] := array[
    '%a%', '%an%', '%and%', '%as%', '%by%', '%for%', '%from%', '%in%', '%of%', '%on%', '%the%', '%to%', '%with%',
    '%al%', '%como%', '%con%', '%de%', '%del%', '%el%', '%en%', '%la%', '%las%', '%los%', '%para%', '%por%', '%se%', '%un%', '%y%'
  ];
  conditions text;
begin
  perform private.assert_admin();
  conditions := concat_ws(
    ' and ', 'true',
    case when of_kind is not null then 'e.kind = $1' end,
    case when by_server then 'e.actor_id is null' when actor is not null then 'e.actor_id = $2' end,
    case when member is not null then 'e.people @> array[$3]' end,
    case when since is not null then 'e.recorded_at >= $4' end,
    case when until is not null then 'e.recorded_at < $5' end,
    case when before_time is not null then '(e.recorded_at, e.id) < ($6, $7)' end,
    (
      select string_agg(private.audit_word(pattern), ' and ')
      from unnest(private.member_patterns(query)) pattern where pattern <> all (said_anywhere)
    )
  );
  return query execute format($search$
    select e.id, e.recorded_at, e.actor_id, e.kind, e.action, e.object_id, e.object_name,
      e.people[1:20], cardinality(e.people), e.before, e.after, e.details, private.names_of(private.named_in(e))
    from private.audit_log e
    where %s
    order by e.recorded_at desc, e.id desc
    limit $8
  $search$, conditions)
  using of_kind, actor, member, since, until, before_time, coalesce(before_id, 0),
    least(greatest(coalesce(max_results, 50), 1), 200);
end
$$;
comment on function public.audit_entries is
  'For admins: a page of the audit log, newest first; the next one ends before the time and id of this one''s last entry.';

-- When each setting was last changed, and by whom.
create function public.setting_changes()
returns table (setting text, changed_at timestamptz, changed_by uuid, first_name text, last_name text, email text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select distinct on (changed.key)
    changed.key, e.recorded_at, e.actor_id, m.first_name, m.last_name, m.email
  from private.audit_log e
  cross join jsonb_object_keys(e.after) changed (key)
  left join private.members m on m.id = e.actor_id
  where e.kind = 'setting'
  order by changed.key, e.recorded_at desc, e.id desc;
end
$$;
comment on function public.setting_changes is 'For admins: when each column of team_settings last changed, and by whom.';

revoke execute on function
  public.audit_entries(text, uuid, boolean, uuid, timestamptz, timestamptz, text, timestamptz, bigint, integer),
  public.setting_changes()
from public, anon, service_role;
grant execute on function
  public.audit_entries(text, uuid, boolean, uuid, timestamptz, timestamptz, text, timestamptz, bigint, integer),
  public.setting_changes()
to authenticated;
revoke execute on all functions in schema private from public;
