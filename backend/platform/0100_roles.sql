-- Roles and schemas that hosted Supabase has built in, with the same names and rights.
-- Roles belong to the whole cluster, so this file must also run where another database made them before.
-- Passwords are set at every start from the installation's keys, never here.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('supabase_admin', 'superuser login'),
      ('postgres', 'login createrole createdb bypassrls'),
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'login noinherit'),
      ('supabase_auth_admin', 'login noinherit createrole'),
      ('supabase_storage_admin', 'login noinherit'),
      ('supabase_realtime_admin', 'login noinherit')
    ) as roles (name, options)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      execute format('create role %I %s', wanted.name, wanted.options);
    end if;
  end loop;
end
$$;

-- The auth service has no business with roles; hosted Supabase keeps this right for historical reasons only.
alter role supabase_auth_admin nocreaterole;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres with admin option;
grant supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin to postgres;
-- A project may name the function that the Data API calls before each request.
grant authenticator to postgres with admin option;
grant set on parameter pgrst.db_pre_request to postgres;
-- Storage and realtime try a member's rights by becoming that member for a moment.
grant anon, authenticated, service_role to supabase_storage_admin, supabase_realtime_admin;

alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_auth_admin set search_path = auth;
alter role supabase_storage_admin set search_path = storage;
alter role supabase_realtime_admin set search_path = realtime;

do $$
begin
  execute format('alter database %I owner to postgres', current_database());
  execute format('revoke all on database %I from public', current_database());
  execute format(
    'grant connect on database %I to authenticator, supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin',
    current_database()
  );
  execute format(
    'alter database %I set search_path = "$user", public, extensions', current_database()
  );
end
$$;

create schema extensions authorization postgres;
create extension pgcrypto with schema extensions;
create extension "uuid-ossp" with schema extensions;
create extension pg_trgm with schema extensions;
create extension citext with schema extensions;
create extension unaccent with schema extensions;
grant usage on schema extensions to public;

create schema auth authorization supabase_auth_admin;
create schema storage authorization supabase_storage_admin;
create schema realtime authorization supabase_realtime_admin;
grant usage on schema auth, storage, realtime to anon, authenticated, service_role, postgres;

-- A project's migrations, run as `postgres`, may put triggers and foreign keys on the tables of the services.
alter default privileges for role supabase_auth_admin in schema auth
  grant all on tables to postgres;
alter default privileges for role supabase_auth_admin in schema auth
  grant all on sequences to postgres;
alter default privileges for role supabase_auth_admin in schema auth
  grant execute on functions to postgres;

grant usage on schema public to anon, authenticated, service_role;
grant all on schema public to postgres;
alter default privileges for role postgres in schema public
  grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on functions to anon, authenticated, service_role;
