-- The first admin. Where registration is not open, whoever comes first waits like everybody else, and becomes admin with the
-- set-up code that the server prints, or by an operator's word (appoint_admin).

create table private.set_up_code (
  is_only_row boolean primary key default true check (is_only_row),
  code_hash text not null,
  created_at timestamptz not null default now()
);
comment on table private.set_up_code is 'The hash of the code that makes the first admin. Gone once it is used.';
alter table private.set_up_code enable row level security;
revoke all on private.set_up_code from anon, authenticated, service_role;

create table private.set_up_attempts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  attempts integer not null default 1,
  since timestamptz not null default now()
);
comment on table private.set_up_attempts is 'Set-up codes tried lately, for rate limiting.';
alter table private.set_up_attempts enable row level security;
revoke all on private.set_up_attempts from anon, authenticated, service_role;

create function private.takes_set_up_code() returns boolean
language sql stable security definer set search_path = ''
as $$ select not private.has_admin() and exists (select from private.set_up_code) $$;

-- For the server, at each start: a new code in place of the last, or the operator's own. Null once nobody needs it.
create function private.issue_set_up_code(own_code text default null) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  code constant text := coalesce(own_code, private.new_recovery_code());
begin
  if private.has_admin() or (select s.registration = 'open' from public.team_settings s) then
    delete from private.set_up_code;
    return null;
  end if;
  insert into private.set_up_code (code_hash)
  values (extensions.crypt(private.plain_recovery_code(code), extensions.gen_salt('bf', 8)))
  on conflict (is_only_row) do update set code_hash = excluded.code_hash, created_at = now();
  delete from private.set_up_attempts;
  return code;
end
$$;

-- A wrong code returns false instead of raising, so that the attempt stays counted.
create function public.claim_team(code text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 10;
  most_of_all_an_hour constant integer := 100;
  me constant uuid := (select auth.uid());
  is_waiting boolean;
  stored text;
begin
  select m.status = 'waiting' into is_waiting from private.members m where m.id = me for no key update;
  -- Of two people at once the second finds an admin.
  perform private.lock_admins();
  if private.has_admin() then
    raise exception 'This team already has an admin' using errcode = 'PT409';
  end if;
  if is_waiting is distinct from true then
    raise exception 'Only who waits to be let in can set up the team' using errcode = '42501';
  end if;
  delete from private.set_up_attempts old where old.since < now() - interval '1 hour';
  insert into private.set_up_attempts as known (user_id) values (me)
  on conflict (user_id) do update set attempts = known.attempts + 1;
  if (select t.attempts from private.set_up_attempts t where t.user_id = me) > most_an_hour
    or (select sum(t.attempts) from private.set_up_attempts t) > most_of_all_an_hour
  then
    raise exception 'Too many set-up codes: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  select s.code_hash into stored from private.set_up_code s;
  -- Hashed once more, so that how long the comparison takes says nothing about either.
  if extensions.digest(stored, 'sha256')
    is distinct from extensions.digest(extensions.crypt(private.plain_recovery_code(code), stored), 'sha256')
    or stored is null
  then
    return false;
  end if;
  update private.members m set status = 'active', status_changed_at = now(), role = 'admin' where m.id = me;
  delete from private.set_up_code;
  delete from private.set_up_attempts;
  return true;
end
$$;
comment on function public.claim_team is
  'Makes the caller, who waits, the first admin of a team. False: the code is another.';
revoke execute on function public.claim_team(text) from public, anon, service_role;
grant execute on function public.claim_team(text) to authenticated;

-- For an operator, in the SQL editor or psql:  select private.appoint_admin('dana@example.com');
create function private.appoint_admin(email text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  account record;
begin
  select u.id, u.email_confirmed_at, u.raw_user_meta_data as data into account
  from auth.users u where u.email = lower(btrim(appoint_admin.email)) and u.deleted_at is null
  order by u.email_confirmed_at nulls last limit 1 for no key update;
  if account.id is null or account.email_confirmed_at is null then
    raise exception 'Nobody has created and confirmed an account with this address yet' using errcode = 'PT404';
  end if;
  insert into private.members as known (id, email, first_name, last_name, role, status_changed_at)
  values (
    account.id, lower(btrim(appoint_admin.email)), private.name_given(account.data, 'first_name'),
    private.name_given(account.data, 'last_name'), 'admin', now()
  )
  on conflict (id) do update set
    role = 'admin', status = 'active',
    status_changed_at = case when known.status = 'active' then known.status_changed_at else now() end;
  delete from private.set_up_code;
  return 'appointed';
end
$$;

revoke execute on all functions in schema private from public;
