-- Who is on the team. The rows live in the unexposed schema `private`; members see them through the view
-- public.users (next migration), which keeps each member's push token and chat lists to that member.
-- Here too: the small questions every policy asks about the caller.

create extension if not exists unaccent with schema extensions;

create schema if not exists private;
comment on schema private is 'Tables and helpers behind the exposed schema. Never reachable through the Data API.';
revoke all on schema private from public;

create table private.members (
  id uuid primary key,
  email text,
  first_name text not null default '',
  last_name text not null default '',
  role text not null default 'user',
  created_at timestamptz not null default now(),
  push_token text,
  rally_enabled boolean not null default true,
  can_create_chats boolean not null default true,
  can_send_messages boolean not null default true,
  hidden_chats uuid[] not null default '{}',
  archived_chats uuid[] not null default '{}',
  is_active boolean not null default true,
  constraint "Role must be user or admin" check (role in ('user', 'admin')),
  constraint "First name is at most 100 characters" check (char_length(first_name) <= 100),
  constraint "Last name is at most 100 characters" check (char_length(last_name) <= 100),
  constraint "Push token is at most 4096 characters" check (char_length(push_token) <= 4096),
  constraint "At most 5000 chats can be hidden" check (cardinality(hidden_chats) <= 5000),
  constraint "At most 5000 chats can be archived" check (cardinality(archived_chats) <= 5000)
);
-- No foreign key to auth.users: the row outlives the account, so that a former member's messages keep an author.
comment on table private.members is 'One row per person who is or was on the team; id equals the auth user id.';
comment on column private.members.is_active is 'False once the account was deleted; the row then carries no personal data.';

-- A new message takes a chat out of every archive, found by one probe of this index.
create index members_archived_chats on private.members using gin (archived_chats) with (fastupdate = off);
create index members_admins on private.members (id) where role = 'admin' and is_active;

alter table private.members enable row level security;
revoke all on private.members from anon, authenticated, service_role;

create function private.is_member() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.members where id = (select auth.uid()) and is_active) $$;

create function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.members where id = (select auth.uid()) and is_active and role = 'admin'
  )
$$;

create function private.may_create_chats() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.members where id = (select auth.uid()) and is_active and can_create_chats
  )
$$;

create function private.may_send_messages() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.members where id = (select auth.uid()) and is_active and can_send_messages
  )
$$;

-- The secret key, a migration or an operator's SQL console, as opposed to somebody's browser. Runs as the caller:
-- inside a `security definer` function current_user would be the function's owner.
create function private.is_trusted_role() returns boolean
language sql stable set search_path = ''
as $$ select pg_has_role(current_user, 'service_role', 'usage') $$;

create function private.display_name(first_name text, last_name text, email text) returns text
language sql immutable set search_path = ''
as $$
  select coalesce(
    nullif(btrim(first_name || ' ' || last_name), ''), nullif(split_part(email, '@', 1), ''), 'User'
  )
$$;

revoke execute on all functions in schema private from public;
grant execute on function
  private.is_member(), private.is_admin(), private.may_create_chats(), private.may_send_messages(),
  private.is_trusted_role()
to authenticated, service_role;
