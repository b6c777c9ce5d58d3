-- The export of one's own data has only columns that members may read, and nothing a former admin made for the team and cannot
-- read any more.

create or replace function public.export_my_data(page integer default 0) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  page_size constant integer := 250;
  copy jsonb;
  owned record;
  found_rows jsonb;
  skipped constant bigint := greatest(page, 0)::bigint * page_size;
  has_more boolean := false;
begin
  select jsonb_build_object(
    'exported_at', now(),
    'account', (
      select jsonb_build_object(
        'id', u.id, 'email', u.email, 'email_confirmed_at', u.email_confirmed_at,
        'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at, 'user_metadata', u.raw_user_meta_data
      )
      from auth.users u where u.id = me
    ),
    'profile', (select to_jsonb(p) from public.users p where p.id = me)
  ) into copy;

  for owned in
    select c.relname as table_name,
      (array_agg(a.attname order by a.attname desc)
        filter (where a.attname in ('user_id', 'sender_id', 'created_by') and a.atttypid = 'uuid'::regtype))[1] as owner_column,
      string_agg(format('r.%I', a.attname), ', ' order by a.attnum)
        filter (where has_column_privilege('authenticated', c.oid, a.attnum, 'select')) as columns,
      -- What a former admin made for the team, and cannot read any more.
      case when private.is_admin() then 'true'
        when c.relname = 'join_links' then 'false'
        when c.relname = 'team_notices' then 'r.published_at is not null'
        else 'true' end as condition
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
    group by c.relname
    having bool_or(a.attname in ('user_id', 'sender_id', 'created_by') and a.atttypid = 'uuid'::regtype)
    order by c.relname
  loop
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from (
         select %s from public.%I r where r.%I = $1 and %s order by r limit $2 offset $3
       ) r',
      owned.columns, owned.table_name, owned.owner_column, owned.condition
    ) into found_rows using me, page_size, skipped;
    copy := copy || jsonb_build_object(owned.table_name, found_rows);
    has_more := has_more or jsonb_array_length(found_rows) = page_size;
  end loop;
  found_rows := private.own_safety_rows(me, page_size, skipped);
  has_more := has_more or exists (select from jsonb_each(found_rows) part where jsonb_array_length(part.value) = page_size);
  copy := copy || found_rows;
  return copy || jsonb_build_object('has_more', has_more);
end
$$;
