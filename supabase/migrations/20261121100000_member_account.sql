-- A member's own account: take a copy of everything that is theirs, and leave for good. Both run with the owner's
-- rights, because accounts live in the schema auth, and both touch nothing but the caller's own rows.

-- Who just typed the password: the token says how and when its session began. The check is made here rather than by
-- comparing a password, since only the auth service can read every kind of hash.
create function private.typed_password_recently() returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from jsonb_array_elements(coalesce((select auth.jwt()) -> 'amr', '[]')) proof
    where proof ->> 'method' = 'password'
      and to_timestamp((proof ->> 'timestamp')::bigint) > now() - interval '5 minutes'
  )
$$;

create function public.delete_my_account() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.typed_password_recently() then
    raise exception 'Sign in again with your password to delete your account' using errcode = '42501';
  end if;
  -- Triggers do the rest: messages stay readable under "Former member", everything personal goes, and a team's last
  -- admin is refused.
  delete from auth.users where id = (select auth.uid());
end
$$;
comment on function public.delete_my_account is
  'Deletes the caller''s account for good, within five minutes of signing in with the password.';

-- Found by column, so that a table added later is in the copy without anybody having to remember it.
create function public.export_my_data() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  copy jsonb;
  owned record;
  found_rows jsonb;
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
    select c.relname as table_name, (array_agg(a.attname order by a.attname desc))[1] as owner_column
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname in ('user_id', 'sender_id', 'created_by') and a.atttypid = 'uuid'::regtype
    group by c.relname order by c.relname
  loop
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from public.%I r where r.%I = $1',
      owned.table_name, owned.owner_column
    ) into found_rows using me;
    copy := copy || jsonb_build_object(owned.table_name, found_rows);
  end loop;
  return copy;
end
$$;
comment on function public.export_my_data is 'Everything the caller owns, as one JSON document.';

revoke execute on all functions in schema private from public;
-- The definer calls the check itself; nobody else needs to.
revoke execute on function private.typed_password_recently() from anon, authenticated;
revoke execute on function public.delete_my_account(), public.export_my_data() from public, anon, service_role;
grant execute on function public.delete_my_account(), public.export_my_data() to authenticated;
