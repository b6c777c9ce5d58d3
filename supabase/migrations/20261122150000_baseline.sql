-- The product's database, made from supabase/schemas by `npm run database-baseline`. Read and edit those files.

-- ./schemas/members.sql

-- The people on the team. Their rows live in the unexposed schema `private`; members read them through the view
-- public.users (users.sql), which shows each member's push token and chat lists to that member only.
-- Also here: the checks of the caller that every policy builds on.

create extension if not exists unaccent with schema extensions;
create extension if not exists pg_trgm with schema extensions;

create schema if not exists private;
comment on schema private is 'Tables and helpers behind the exposed schema. Never reachable through the Data API.';
revoke all on schema private from public;

-- Search ignores case and accents. These two bodies are parsed on creation, so they need no search_path and Postgres can
-- inline them into an index expression, which is evaluated with the rights of the writer of the row.
create function private.without_accents(words text) returns text
language sql immutable parallel safe
return extensions.unaccent('extensions.unaccent'::regdictionary, words);
create function private.member_words(first_name text, last_name text, email text) returns text
language sql immutable parallel safe
return lower(private.without_accents(first_name || ' ' || last_name || ' ' || coalesce(email, '')));

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
  status text not null default 'active',
  is_active boolean not null generated always as (status = 'active') stored,
  status_reason text not null default '',
  status_changed_at timestamptz,
  -- Stored, because stripping accents from 10,000 names on every two-letter search takes a tenth of a second.
  searchable text generated always as (private.member_words(first_name, last_name, email)) stored,
  constraint "Role must be user or admin" check (role in ('user', 'admin')),
  constraint "Status must be active, suspended, removed or deleted"
    check (status in ('active', 'suspended', 'removed', 'deleted')),
  constraint "Reason is at most 500 characters" check (char_length(status_reason) <= 500),
  constraint "First name is at most 100 characters" check (char_length(first_name) <= 100),
  constraint "Last name is at most 100 characters" check (char_length(last_name) <= 100),
  constraint "Push token is at most 4096 characters" check (char_length(push_token) <= 4096),
  constraint "At most 5000 chats can be hidden" check (cardinality(hidden_chats) <= 5000),
  constraint "At most 5000 chats can be archived" check (cardinality(archived_chats) <= 5000)
);
-- No foreign key to auth.users: the row outlives the account, so that a former member's messages keep an author.
comment on table private.members is 'One row per person who is or was on the team; id equals the auth user id.';
comment on column private.members.status is
  'suspended: until an admin lifts it. removed: no longer on the team. deleted: the account is gone, and the row carries no personal data.';
comment on column private.members.status_reason is 'Why an admin suspended or removed the member; for admins.';
comment on column private.members.searchable is 'Name and e-mail in lower case without accents, for searching.';

-- A new message takes its chat out of every archive; one probe of this index finds them.
create index members_archived_chats on private.members using gin (archived_chats) with (fastupdate = off);
create index members_admins on private.members (id) where role = 'admin' and is_active;
create index members_by_words on private.members using gin (searchable extensions.gin_trgm_ops) with (fastupdate = off)
  where is_active;
create index members_by_name on private.members (first_name, last_name, id) where is_active;

-- The words typed as patterns, the longest (most selective) first. At most five.
create function private.member_patterns(query text) returns text[]
language sql immutable set search_path = ''
as $$
  select array(
    select '%' || word || '%'
    from regexp_split_to_table(lower(private.without_accents(left(query, 200))), '[\s%_\\]+') word
    where word <> ''
    order by length(word) desc, word
    limit 5
  )
$$;

alter table private.members enable row level security;
revoke all on private.members from anon, authenticated, service_role;

-- Whether the account asks for a code at each sign-in.
create function private.has_second_factor(account_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from auth.mfa_factors f where f.user_id = account_id and f.status = 'verified') $$;

-- An access token outlives its session by up to an hour, so signing out everywhere, suspending or deleting an account
-- would leave open devices reading and writing. This is for storage and live topics; the Data API checks every request
-- (require_live_session). A token without a session is a trusted server's own. The session's level counts, not the token's:
-- setting up a second factor raises a session whose open channels still show the older token.
create function private.session_is_live() returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select auth.jwt()) ->> 'session_id' is null or exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and (s.aal >= 'aal2' or not private.has_second_factor(s.user_id))
  )
$$;

-- Both count, because a token outlives a factor that was taken away, and a session may be raised after a token was stolen.
create function private.has_shown_second_factor() returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((select auth.jwt()) ->> 'aal', '') >= 'aal2' and (
    (select auth.jwt()) ->> 'session_id' is null or exists (
      select from auth.sessions s where s.id = ((select auth.jwt()) ->> 'session_id')::uuid and s.aal >= 'aal2'
    )
  )
$$;

-- Not in SQL: the table comes later in the order of these files.
create function private.admin_rights_hold() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return not exists (select from public.team_settings where admins_need_second_factor)
    or private.has_shown_second_factor();
end
$$;

create function private.is_member() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.members where id = (select auth.uid()) and is_active) $$;

-- Where the team asks admins for a second factor, a session without one has a member's rights.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.members
    where id = (select auth.uid()) and is_active and role = 'admin' and private.admin_rights_hold()
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

-- True for the secret key, a migration or an operator's SQL console, false for a browser. Runs as the caller: in a
-- `security definer` function current_user would be the function's owner.
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

create function private.assert_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see this' using errcode = '42501';
  end if;
end
$$;

-- There is always an admin. Two admins who demote each other at the same moment both wait for this lock, so the second
-- sees the first one's change.
create function private.keep_an_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
  if exists (select from private.members where id <> old.id and is_active and role = 'admin') then
    return new;
  end if;
  -- The last member of all may leave; the next to join is the first member again.
  if new.status <> 'active' and not exists (select from private.members where id <> old.id and is_active) then
    return new;
  end if;
  raise exception 'The last admin cannot be removed'
    using errcode = '42501', hint = 'Make another member an admin first.';
end
$$;

create trigger keep_an_admin before update of role, status on private.members
  for each row
  when (old.role = 'admin' and old.status = 'active' and (new.role <> 'admin' or new.status <> 'active'))
  execute function private.keep_an_admin();

-- The first member of a team becomes its admin. The lock is taken only while the team is empty; the second to get it
-- finds the first member's row.
create function private.first_member_is_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from private.members where is_active) then
    perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
    if not exists (select from private.members where is_active) then
      new.role := 'admin';
    end if;
  end if;
  return new;
end
$$;

create trigger first_member_is_admin before insert on private.members
  for each row execute function private.first_member_is_admin();

revoke execute on all functions in schema private from public;
grant execute on function
  private.session_is_live(), private.is_member(), private.is_admin(), private.may_create_chats(), private.may_send_messages(),
  private.is_trusted_role(), private.without_accents(text)
to authenticated, service_role;

-- ./schemas/users.sql

-- public.users: the members as the product's clients see them. `select *` works on every row; the three columns that
-- are private to a member are null in other people's rows. Writes go through the triggers below, which alone decide what
-- a member may change. Why a view: docs/decisions/003-users-is-a-view.md

create view public.users with (security_barrier) as
select
  id, email, first_name, last_name, role, created_at,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then push_token end as push_token,
  rally_enabled, can_create_chats, can_send_messages,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then hidden_chats end as hidden_chats,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then archived_chats end as archived_chats,
  is_active, status
from private.members
where (select private.is_member()) or (select private.is_trusted_role());

comment on view public.users is 'The team. push_token, hidden_chats and archived_chats are null in every row but your own.';
comment on column public.users.is_active is 'False for who is suspended or left, and is left out of pickers and counts.';

revoke all on public.users from anon, authenticated, service_role;
grant select on public.users to authenticated, service_role;
grant insert (id, email, first_name, last_name, role) on public.users to authenticated, service_role;
grant update (
  first_name, last_name, push_token, hidden_chats, archived_chats,
  role, rally_enabled, can_create_chats, can_send_messages
) on public.users to authenticated, service_role;

-- The member of a confirmed account, created if missing.
create function private.ensure_member(member_id uuid, first_name text, last_name text)
returns private.members
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
  member private.members;
begin
  select u.id, u.email::text as email, u.email_confirmed_at, u.created_at,
    u.raw_user_meta_data as data
  into account from auth.users u where u.id = member_id;
  if account.id is null then
    raise exception 'There is no account for this profile' using errcode = '42501';
  elsif account.email_confirmed_at is null then
    raise exception 'Confirm your email address first' using errcode = '42501';
  end if;

  insert into private.members (id, email, first_name, last_name, created_at)
  values (
    account.id, account.email,
    left(coalesce(nullif(btrim(ensure_member.first_name), ''), btrim(account.data ->> 'first_name'), ''), 100),
    left(coalesce(nullif(btrim(ensure_member.last_name), ''), btrim(account.data ->> 'last_name'), ''), 100),
    coalesce(account.created_at, now())
  )
  on conflict (id) do nothing;

  select * into member from private.members m where m.id = account.id;
  return member;
end
$$;

-- Creates or finds the caller's own profile: always with the caller's id and confirmed e-mail, always with the role user.
create function private.insert_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
begin
  member := private.ensure_member(
    case when by_service then new.id else (select auth.uid()) end, new.first_name, new.last_name
  );
  select member.id, member.email, member.first_name, member.last_name, member.role, member.created_at,
    member.push_token, member.rally_enabled, member.can_create_chats, member.can_send_messages,
    member.hidden_chats, member.archived_chats, member.is_active, member.status into new;
  return new;
end
$$;

create trigger insert_user instead of insert on public.users
  for each row execute function private.insert_user();

-- When a trigger that runs with its owner's rights violates a constraint, Postgres adds the whole row to the error as its
-- detail, hidden columns included, and logs it. So such triggers check for nulls first, and re-raise without the detail.
create function private.refuse_nulls(changed jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  missing text;
begin
  select key into missing from jsonb_each(changed) where value = 'null' order by key limit 1;
  if found then
    raise not_null_violation using message = format('null value in column "%s" violates not-null constraint', missing);
  end if;
end
$$;

-- Writes only the columns that changed: the row the caller saw may be older than an admin's change to it.
create function private.update_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
  is_own constant boolean := old.id = (select auth.uid());
  own_part_changes constant boolean :=
    (new.first_name, new.last_name, new.push_token, new.hidden_chats, new.archived_chats)
    is distinct from (old.first_name, old.last_name, old.push_token, old.hidden_chats, old.archived_chats);
  rights_change constant boolean :=
    (new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages)
    is distinct from (old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages);
begin
  if (new.id, new.email, new.created_at, new.is_active, new.status)
    is distinct from (old.id, old.email, old.created_at, old.is_active, old.status)
  then
    raise exception 'A profile''s id, email and dates follow the account' using errcode = '42501';
  end if;
  if not by_service and own_part_changes and not is_own then
    raise exception 'Members change only their own profile' using errcode = '42501';
  end if;
  if not by_service and rights_change and not private.is_admin() then
    raise exception 'Only an admin may change roles and permissions' using errcode = '42501';
  end if;
  if not by_service and not is_own and not private.is_admin() then
    raise exception 'Members change only their own profile' using errcode = '42501';
  end if;
  if rights_change and not old.is_active then
    raise exception 'A former member has no permissions' using errcode = '42501';
  end if;

  perform private.refuse_nulls(jsonb_build_object(
    'first_name', new.first_name, 'last_name', new.last_name, 'role', new.role, 'rally_enabled', new.rally_enabled,
    'can_create_chats', new.can_create_chats, 'can_send_messages', new.can_send_messages,
    -- Null in other people's rows, where they cannot be changed.
    'hidden_chats', case when is_own or by_service then to_jsonb(new.hidden_chats) else '[]' end,
    'archived_chats', case when is_own or by_service then to_jsonb(new.archived_chats) else '[]' end
  ));
  update private.members m set
    first_name = case when new.first_name is distinct from old.first_name then btrim(new.first_name) else m.first_name end,
    last_name = case when new.last_name is distinct from old.last_name then btrim(new.last_name) else m.last_name end,
    push_token = case when new.push_token is distinct from old.push_token then new.push_token else m.push_token end,
    hidden_chats = case when new.hidden_chats is distinct from old.hidden_chats then new.hidden_chats else m.hidden_chats end,
    archived_chats = case when new.archived_chats is distinct from old.archived_chats then new.archived_chats else m.archived_chats end,
    role = case when new.role is distinct from old.role then new.role else m.role end,
    rally_enabled = case when new.rally_enabled is distinct from old.rally_enabled then new.rally_enabled else m.rally_enabled end,
    can_create_chats = case when new.can_create_chats is distinct from old.can_create_chats then new.can_create_chats else m.can_create_chats end,
    can_send_messages = case when new.can_send_messages is distinct from old.can_send_messages then new.can_send_messages else m.can_send_messages end
  where m.id = old.id;
  return new;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create trigger update_user instead of update on public.users
  for each row execute function private.update_user();

revoke execute on all functions in schema private from public;

-- ./schemas/chats.sql

-- Chats and their participants. A client creates a chat in three plain calls (the chat, its participants, the first
-- message), so the creator must see it before taking part in it; create_chat() does all three at once.

create table public.chats (
  id uuid primary key default gen_random_uuid(),
  name text,
  type text not null,
  created_by uuid references private.members (id),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint "Chat type must be mandatory, individual or group"
    check (type in ('mandatory', 'individual', 'group')),
  constraint "Group name must have 1 to 50 characters"
    check (type = 'individual' or char_length(btrim(coalesce(name, ''))) >= 1 and char_length(name) <= 50),
  constraint "Chat name is at most 200 characters" check (char_length(name) <= 200),
  constraint "A chat has a creator" check (type = 'mandatory' or created_by is not null)
);
comment on table public.chats is 'Conversations: the one mandatory team chat, individual and group chats.';
comment on column public.chats.is_active is 'False once the creator closed the chat: still readable, but nobody can write.';

create unique index "There is exactly one mandatory chat" on public.chats (type) where type = 'mandatory';
create index chats_created_by on public.chats (created_by);

-- The team chat. Every member joins it on joining the team.
insert into public.chats (name, type) values ('Rally Chat', 'mandatory');

-- Members read and write this table through the view public.chat_participants (participants.sql).
create table private.chat_participants (
  chat_id uuid not null references public.chats (id) on delete cascade,
  user_id uuid not null references private.members (id),
  is_active boolean not null default true,
  joined_at timestamptz not null default now(),
  last_read_at timestamptz,
  muted_until timestamptz,
  left_at timestamptz,
  left_by uuid,
  primary key (chat_id, user_id)
  -- last_read_at changes all the time; free space on each page keeps these updates out of the indexes.
) with (fillfactor = 80);
comment on table private.chat_participants is 'Who takes part in which chat; is_active is false after leaving.';
comment on column private.chat_participants.last_read_at is
  'At first the moment of joining a chat with a history. Null: never opened, so every message counts as unread.';
comment on column private.chat_participants.muted_until is 'No push until then; infinity mutes for good.';
comment on column private.chat_participants.left_by is 'Who ended it: the participant, or the one who removed them.';

create index chat_participants_by_member on private.chat_participants (user_id, is_active, chat_id);
create index chat_participants_active on private.chat_participants (chat_id, user_id) where is_active;

-- rally_enabled = false hides the mandatory chat here, and so in every policy that builds on this.
create function private.my_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select p.chat_id
  from private.chat_participants p
  where p.user_id = (select auth.uid()) and p.is_active
    and p.chat_id is distinct from (
      select c.id from public.chats c
      where c.type = 'mandatory' and exists (
        select from private.members m where m.id = (select auth.uid()) and not m.rally_enabled
      )
    )
$$;

create function private.my_left_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$ select chat_id from private.chat_participants where user_id = (select auth.uid()) and not is_active $$;

-- Chats the caller created and has not left, including those whose participants are not stored yet.
create function private.my_created_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select c.id
  from public.chats c
  where c.created_by = (select auth.uid()) and (select private.is_member())
    and c.id not in (select private.my_left_chat_ids())
$$;

create function private.my_created_group_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select c.id from public.chats c
  where c.type = 'group' and c.is_active and c.id in (select private.my_created_chat_ids())
$$;

create function private.mandatory_chat_id() returns uuid
language sql stable security definer set search_path = ''
as $$ select id from public.chats where type = 'mandatory' $$;

alter table public.chats enable row level security;
revoke all on public.chats from anon, authenticated;
grant select on public.chats to authenticated;
grant insert (id, name, type, created_by, is_active), update (name, is_active) on public.chats to authenticated;

create policy "members see the chats they are in or just made" on public.chats
  for select to authenticated
  using (
    id in (select private.my_chat_ids())
    -- Not my_created_chat_ids(): a function does not see the row that the same statement inserts and returns.
    or created_by = (select auth.uid()) and id not in (select private.my_left_chat_ids())
      and (select private.is_member())
  );

create policy "members who may create chats create them as themselves" on public.chats
  for insert to authenticated
  with check (
    created_by = (select auth.uid()) and type in ('individual', 'group') and is_active
    and (select private.may_create_chats())
  );

-- Groups are renamed by their creator or by an admin who takes part. Only the creator closes them: what an admin updates
-- must still be active.
create policy "creators rename and close their groups, admins rename groups they are in" on public.chats
  for update to authenticated
  using (
    id in (select private.my_created_group_ids())
    or type = 'group' and is_active and (select private.is_admin()) and id in (select private.my_chat_ids())
  )
  with check (
    type = 'group' and (
      created_by = (select auth.uid())
      or is_active and (select private.is_admin()) and id in (select private.my_chat_ids())
    )
  );

alter table private.chat_participants enable row level security;
revoke all on private.chat_participants from anon, authenticated;
grant select on private.chat_participants to authenticated;
grant all on private.chat_participants to service_role;

create policy "members see who is in their chats" on private.chat_participants
  for select to authenticated
  using (
    user_id = (select auth.uid())
    or chat_id in (select private.my_chat_ids())
    or chat_id in (select private.my_created_chat_ids())
  );

create function private.join_mandatory_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.chat_participants (chat_id, user_id, last_read_at)
  select id, new.id, now() from public.chats where type = 'mandatory'
  on conflict do nothing;
  return null;
end
$$;

create trigger join_mandatory_chat after insert on private.members
  for each row execute function private.join_mandatory_chat();

create function private.keep_mandatory_chat() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The mandatory chat cannot be changed or deleted' using errcode = '42501';
end
$$;

-- It may be muted, but stays in everybody's list.
create function private.keep_mandatory_chat_listed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.mandatory_chat_id() = any (new.hidden_chats || new.archived_chats) then
    raise exception 'The mandatory chat cannot be hidden or archived' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger keep_mandatory_chat_listed before update of hidden_chats, archived_chats on private.members
  for each row when (new.hidden_chats || new.archived_chats <> '{}')
  execute function private.keep_mandatory_chat_listed();

create trigger keep_mandatory_chat before update of name, type, is_active or delete on public.chats
  for each row when (old.type = 'mandatory') execute function private.keep_mandatory_chat();

revoke execute on all functions in schema private from public;
grant execute on function
  private.my_chat_ids(), private.my_left_chat_ids(), private.my_created_chat_ids(),
  private.my_created_group_ids(), private.mandatory_chat_id()
to authenticated, service_role;

-- ./schemas/participants.sql

-- public.chat_participants: who takes part in which chat. When a participant last read a chat and whether they muted it
-- is their own business: an admin can switch "Seen by" off, and the Data API must not reveal it anyway. So this is a
-- view, for the reasons in docs/decisions/003-users-is-a-view.md: `select *` works, with these two null in other
-- people's rows.

-- Runs with the caller's rights: the policy "members see who is in their chats" decides which rows there are.
create view public.chat_participants with (security_invoker) as
select
  chat_id, user_id, is_active, joined_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then last_read_at end as last_read_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then muted_until end as muted_until
from private.chat_participants;
alter view public.chat_participants alter column is_active set default true;
alter view public.chat_participants alter column joined_at set default now();

comment on view public.chat_participants is
  'Who takes part in which chat. last_read_at and muted_until are null in every row but your own.';
comment on column public.chat_participants.last_read_at is
  'At first the moment of joining a chat with a history. Null: never opened, so every message counts as unread.';
comment on column public.chat_participants.muted_until is 'No push until then; infinity mutes for good.';

revoke all on public.chat_participants from anon, authenticated, service_role;
grant select, insert, update, delete on public.chat_participants to service_role;
grant select on public.chat_participants to authenticated;
grant insert (chat_id, user_id, is_active), update (is_active, last_read_at, muted_until)
  on public.chat_participants to authenticated;

-- These triggers authorize writes, with their owner's rights.
create function private.insert_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role'
    and not (new.is_active and new.chat_id in (select private.my_created_chat_ids()))
  then
    raise exception 'Only the creator adds participants to a chat' using errcode = '42501';
  end if;
  perform private.refuse_nulls(jsonb_build_object(
    'chat_id', new.chat_id, 'user_id', new.user_id, 'is_active', new.is_active, 'joined_at', new.joined_at
  ));
  insert into private.chat_participants (chat_id, user_id, is_active, joined_at, last_read_at, muted_until)
  values (new.chat_id, new.user_id, new.is_active, new.joined_at, new.last_read_at, new.muted_until);
  return new;
end
$$;

create trigger insert_participant instead of insert on public.chat_participants
  for each row execute function private.insert_participant();

-- Members mark as read, mute and leave; creators add and remove. Writes only the columns that changed: callers do not
-- see everything in other people's rows.
create function private.update_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
  is_own constant boolean := old.user_id = (select auth.uid());
  own_part_changes constant boolean :=
    (new.last_read_at, new.muted_until) is distinct from (old.last_read_at, old.muted_until);
begin
  if not by_service then
    -- A participant who left has no row to update, and so cannot rejoin on their own.
    if not (
      is_own and old.chat_id in (select private.my_chat_ids())
      or old.chat_id in (select private.my_created_group_ids())
    ) then
      return null;
    end if;
    if own_part_changes and not is_own then
      raise exception 'Only the participant may mark a chat as read or mute it' using errcode = '42501';
    end if;
    if not new.is_active and old.chat_id = (select private.mandatory_chat_id()) then
      raise exception 'Nobody leaves the mandatory chat' using errcode = '42501';
    end if;
  end if;

  perform private.refuse_nulls(jsonb_build_object('is_active', new.is_active));
  update private.chat_participants p set
    chat_id = new.chat_id, user_id = new.user_id,
    is_active = case when new.is_active is distinct from old.is_active then new.is_active else p.is_active end,
    joined_at = case when new.joined_at is distinct from old.joined_at then new.joined_at else p.joined_at end,
    last_read_at = case when new.last_read_at is distinct from old.last_read_at then new.last_read_at else p.last_read_at end,
    muted_until = case when new.muted_until is distinct from old.muted_until then new.muted_until else p.muted_until end
  where p.chat_id = old.chat_id and p.user_id = old.user_id
  returning
    p.is_active, p.joined_at, case when is_own or by_service then p.last_read_at end
  into new.is_active, new.joined_at, new.last_read_at;
  return new;
end
$$;

create trigger update_participant instead of update on public.chat_participants
  for each row execute function private.update_participant();

-- Rules on the table itself, for every writer: they compare the old row with the new one or look at other rows, which a
-- policy cannot do.

-- Two people who open their chat at the same moment wait here; the second finds the first one's chat.
create function private.lock_pair(one uuid, other uuid) returns void
language sql security definer set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('individual chat ' || least(one, other) || greatest(one, other), 0))
$$;

-- An individual chat is its creator's with one other person, and two people share one.
create function private.check_new_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  creator uuid;
  other uuid;
begin
  -- Locked, so that two people added at the same moment cannot both become the second participant.
  select c.created_by into creator
  from public.chats c where c.id = new.chat_id and c.type = 'individual' for no key update;
  if found then
    if (
      select count(*) from private.chat_participants p where p.chat_id = new.chat_id and p.user_id <> new.user_id
    ) >= 2 then
      raise exception 'An individual chat has two participants' using errcode = '23514';
    end if;
    select p.user_id into other
    from private.chat_participants p where p.chat_id = new.chat_id and p.user_id <> new.user_id;
    -- The creator may be added first or last, so one place is reserved for them.
    if other is not null and creator not in (new.user_id, other) then
      raise exception 'An individual chat has its creator in it' using errcode = '42501';
    end if;
    if other is not null then
      perform private.lock_pair(new.user_id, other);
      if exists (
        select
        from private.chat_participants mine
        join public.chats c on c.id = mine.chat_id and c.type = 'individual' and c.is_active
          and c.created_by in (new.user_id, other)
        join private.chat_participants theirs on theirs.chat_id = c.id and theirs.user_id = other
        where mine.user_id = new.user_id and mine.chat_id <> new.chat_id
      ) then
        raise exception 'You already have a chat with this member' using errcode = '23505';
      end if;
    end if;
  end if;
  if exists (select from private.members m where m.id = new.user_id and not m.is_active) then
    raise exception 'A former member cannot join a chat' using errcode = '23514';
  end if;
  -- What was said before somebody joined is history, not unread.
  if new.last_read_at is null and exists (select from public.chat_messages m where m.chat_id = new.chat_id) then
    new.last_read_at := now();
  end if;
  return new;
end
$$;

create trigger check_new_participant before insert on private.chat_participants
  for each row execute function private.check_new_participant();

create function private.check_changed_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.user_id <> (select auth.uid())
    and (new.last_read_at, new.muted_until) is distinct from (old.last_read_at, old.muted_until)
  then
    raise exception 'Only the participant may mark a chat as read or mute it' using errcode = '42501';
  end if;
  if new.is_active and not old.is_active then
    if exists (select from private.members m where m.id = new.user_id and not m.is_active) then
      raise exception 'A former member cannot join a chat' using errcode = '23514';
    end if;
    new.joined_at := now();
    new.last_read_at := now();
  end if;
  if new.is_active is distinct from old.is_active then
    new.left_at := case when not new.is_active then now() end;
    new.left_by := case when not new.is_active then (select auth.uid()) end;
  end if;
  -- A device whose clock is ahead must not mark future messages as read.
  if new.last_read_at > now() then
    new.last_read_at := now();
  end if;
  return new;
end
$$;

create trigger check_changed_participant before update on private.chat_participants
  for each row execute function private.check_changed_participant();

-- The time is the server's, so that a device whose clock is behind leaves no messages unread. A mark that could not be
-- sent is sent later and must not cover messages that arrived in between, so it says how far the caller has read.
create function public.mark_chat_read(chat_id uuid, read_until timestamptz default now()) returns void
language sql security definer set search_path = ''
as $$
  update private.chat_participants p
  set last_read_at = greatest(p.last_read_at, least(read_until, now()))
  where p.chat_id = mark_chat_read.chat_id and p.user_id = (select auth.uid()) and p.is_active
    and p.last_read_at is distinct from greatest(p.last_read_at, least(read_until, now()))
$$;
comment on function public.mark_chat_read is
  'Marks this chat as read up to that moment of the server''s clock, or completely.';

-- A page of a chat's participants by name, the creator first. Serves the member list and mentions. Matches names only:
-- nobody mentions an e-mail address.
create function public.chat_members(
  chat_id uuid, query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, is_creator boolean, joined_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, m.email, coalesce(c.created_by = m.id, false), p.joined_at
  from private.chat_participants p
  join private.members m on m.id = p.user_id
  join public.chats c on c.id = p.chat_id
  where p.chat_id = chat_members.chat_id and p.is_active and m.is_active
    and p.chat_id in (select private.my_chat_ids())
    and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
  order by coalesce(c.created_by = m.id, false) desc, m.first_name, m.last_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

create function public.add_chat_members(chat_id uuid, member_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if chat_id not in (select private.my_created_group_ids()) then
    raise exception 'Only the creator adds members to a group' using errcode = '42501';
  end if;
  insert into private.chat_participants as p (chat_id, user_id, is_active)
  select add_chat_members.chat_id, id, true from unnest(member_ids) id
  on conflict on constraint chat_participants_pkey do update set is_active = true where not p.is_active;
end
$$;

-- The caller's chats that a person of this name takes part in, for the chat list's search.
create function public.chats_with_member(query text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select distinct p.chat_id
  from private.members m
  join private.chat_participants p on p.user_id = m.id and p.is_active
  where private.member_patterns(query) <> '{}' and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
    and p.chat_id in (select private.my_chat_ids())
$$;

revoke execute on function
  public.mark_chat_read(uuid, timestamptz), public.chat_members(uuid, text, integer, integer),
  public.add_chat_members(uuid, uuid[]), public.chats_with_member(text)
from public, anon;
grant execute on function
  public.mark_chat_read(uuid, timestamptz), public.chat_members(uuid, text, integer, integer),
  public.add_chat_members(uuid, uuid[]), public.chats_with_member(text)
to authenticated, service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/live_updates.sql

-- Live updates, published by the database itself so that nobody has to poll and nobody can forge one.
--   chat:<chat id>    message_inserted, message_updated   the message
--                     participant_read                    { chat_id, user_id }
--   typing:<chat id>  typing                              { user_id }; presence of members who have the chat open
--   user:<user id>    chat_changed                        { chat_id }: new message, read elsewhere, joined, left
--                     reaction_changed                    { message_id, emoji, is_on }: the member's own reactions
--                     permissions_changed                 the member's role or permissions changed
--                     session_ended                       one of the member's sessions ended, or the account is suspended
--   online:<user id>  presence of that member's devices while the app is in view
--   team              content_changed                     { table }: members, content, settings or notices changed
--   admins            content_changed                     { table: "onboarding_progress" }
-- The publishing triggers are in their tables' files; those on members, chats and participants are here.

-- A new message in a chat with more participants than this is not published to each of them, because that would store one
-- row per participant and message. Members of such a chat get it on the chat's own topic.
create function private.most_notified_participants() returns int
language sql immutable set search_path = ''
as $$ select 50 $$;

-- The embedded backend has a function for this. Elsewhere one insert writes what realtime.send would, row by row, and
-- like it never fails the surrounding transaction.
create function private.publish_to_members(recipients uuid[], event text, payload jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.send_to_topics(jsonb,text,text[],boolean)') is not null then
    perform realtime.send_to_topics(payload, event, array(select 'user:' || r from unnest(recipients) r), true);
    return;
  end if;
  insert into realtime.messages (payload, event, topic, private, extension)
  select publish_to_members.payload, publish_to_members.event, 'user:' || recipient, true, 'broadcast'
  from unnest(recipients) recipient;
exception when others then
  raise warning 'WarnSendingBroadcastMessage: % to members: %', event, sqlerrm;
end
$$;

-- Publishes to the team that a table changed. Shared by the tables that the whole team reads.
create function private.publish_content() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(jsonb_build_object('table', tg_table_name), 'content_changed', 'team', true);
  return null;
end
$$;

create function private.publish_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "users"}'::jsonb, 'content_changed', 'team', true);
  return null;
end
$$;

create trigger publish_new_member after insert on private.members
  for each row execute function private.publish_team();
create trigger publish_changed_member after update on private.members
  for each row
  when (
    (old.first_name, old.last_name, old.email, old.is_active)
    is distinct from (new.first_name, new.last_name, new.email, new.is_active)
  )
  execute function private.publish_team();

create function private.publish_permissions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{}'::jsonb, 'permissions_changed', 'user:' || new.id, true);
  return null;
end
$$;

create trigger publish_permissions after update on private.members
  for each row
  when (
    (old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages)
    is distinct from (new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages)
  )
  execute function private.publish_permissions();

create function private.publish_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('chat_id', new.chat_id), 'chat_changed', 'user:' || new.user_id, true
  );
  return null;
end
$$;

create trigger publish_new_participant after insert on private.chat_participants
  for each row execute function private.publish_participant();
create trigger publish_changed_participant after update on private.chat_participants
  for each row
  when (
    old.is_active <> new.is_active
    or old.last_read_at is distinct from new.last_read_at
    or old.muted_until is distinct from new.muted_until
  )
  execute function private.publish_participant();

-- A renamed or closed chat is published to all participants, however many there are.
create function private.publish_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_members(
    array(select p.user_id from private.chat_participants p where p.chat_id = new.id and p.is_active),
    'chat_changed',
    jsonb_build_object('chat_id', new.id)
  );
  return null;
end
$$;

create trigger publish_chat after update of name, is_active on public.chats
  for each row execute function private.publish_chat();

-- Publishes to a chat that a participant has read it. Small chats only: in a large one every message would be followed
-- by one broadcast per reader to every reader.
create function private.publish_reading() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select s.seen_by_enabled from public.team_settings s) and (
    select count(*) from (
      select from private.chat_participants p where p.chat_id = new.chat_id and p.is_active
      limit private.most_notified_participants() + 1
    ) as chosen
  ) <= private.most_notified_participants() then
    perform realtime.send(
      jsonb_build_object('chat_id', new.chat_id, 'user_id', new.user_id), 'participant_read',
      'chat:' || new.chat_id, true
    );
  end if;
  return null;
end
$$;

create trigger publish_reading after update on private.chat_participants
  for each row when (new.last_read_at is distinct from old.last_read_at)
  execute function private.publish_reading();

-- Who may subscribe and publish. Why presence has one topic per person: docs/decisions/004-presence-per-person.md

create function private.online_member(topic text) returns uuid
language sql immutable set search_path = ''
as $$ select case when topic ~ '^online:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 8)::uuid end $$;

create function private.shares_individual_chat(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.chat_participants theirs
    join public.chats c on c.id = theirs.chat_id and c.type = 'individual' and c.is_active
    where theirs.user_id = member_id and theirs.is_active and theirs.chat_id in (select private.my_chat_ids())
  )
$$;

create function private.can_receive(topic text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.session_is_live() and private.is_member() and (
    topic = 'team'
    or topic in ('user:' || (select auth.uid()), 'online:' || (select auth.uid()))
    or topic in (
      select kind || id from private.my_chat_ids() id cross join (values ('chat:'), ('typing:')) kinds (kind)
    )
    or private.online_member(topic) is not null
      and private.shares_individual_chat(private.online_member(topic))
  )
$$;

-- Members publish nothing but presence, and only where the app looks at it: while they have a chat open, and on their own
-- online:<user id>. Broadcasts come from the database alone.
create function private.can_send(topic text, extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select extension = 'presence' and private.can_receive(topic)
    and (topic like 'typing:%' or topic = 'online:' || (select auth.uid()))
$$;

create policy "members receive from the team, their own topic and their chats" on realtime.messages
  for select to authenticated
  using (extension in ('broadcast', 'presence') and (select private.can_receive((select realtime.topic()))));

create policy "members show that they are online and have a chat open" on realtime.messages
  for insert to authenticated
  with check (private.can_send((select realtime.topic()), extension));

-- Payloads on this topic name a table and no member; what changed is then read as an admin.
create policy "admins receive what concerns admins" on realtime.messages
  for select to authenticated
  using (extension = 'broadcast' and (select realtime.topic()) = 'admins' and (select private.is_admin()) and (select private.session_is_live()));

revoke execute on all functions in schema private from public;
grant execute on function private.can_receive(text), private.can_send(text, text) to authenticated, service_role;

-- ./schemas/live_rechecks.sql

-- A member who loses a right loses the live topics that depend on it, whichever way the right was lost. Hosted Supabase
-- re-checks rights when it renews the token; the embedded backend does so on request.

create function private.recheck_user(user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.recheck(text)') is not null then
    execute 'select realtime.recheck($1)' using user_id::text;
  end if;
end
$$;

create function private.recheck_topic(topic text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.recheck(text)') is not null then
    execute 'select realtime.recheck($1)' using topic;
  end if;
end
$$;

-- Includes those who may see the member online because they share an individual chat.
create function private.recheck_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(old.user_id);
  perform private.recheck_topic('online:' || old.user_id);
  return null;
end
$$;

create trigger recheck_changed_participant after update on private.chat_participants
  for each row
  when (old.is_active and (old.chat_id, old.user_id, true) is distinct from (new.chat_id, new.user_id, new.is_active))
  execute function private.recheck_participant();
create trigger recheck_removed_participant after delete on private.chat_participants
  for each row when (old.is_active) execute function private.recheck_participant();

create function private.recheck_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(old.id);
  return null;
end
$$;

create trigger recheck_changed_member after update on private.members
  for each row
  when (
    (old.id, old.is_active, old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages)
    is distinct from (new.id, new.is_active, new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages)
  )
  execute function private.recheck_member();
create trigger recheck_removed_member after delete on private.members
  for each row execute function private.recheck_member();

create function private.recheck_pair() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_topic('online:' || p.user_id)
  from private.chat_participants p where p.chat_id = new.id;
  return null;
end
$$;

create trigger recheck_pair after update on public.chats
  for each row
  when (old.type = 'individual' and (old.type, old.is_active) is distinct from (new.type, new.is_active))
  execute function private.recheck_pair();

revoke execute on all functions in schema private from public;
revoke execute on function private.recheck_topic(text) from anon, authenticated;

-- ./schemas/team_settings.sql

-- Settings of the whole team: one row, read by members, changed by admins.

create table public.team_settings (
  id boolean primary key default true,
  time_zone text not null default 'America/New_York',
  seen_by_enabled boolean not null default true,
  admins_need_second_factor boolean not null default false,
  vice_presidents uuid[] not null default '{}',
  constraint "There is one row of team settings" check (id),
  constraint "At most 10 vice presidents" check (cardinality(vice_presidents) <= 10)
);
comment on table public.team_settings is 'One row of settings shared by everybody.';
comment on column public.team_settings.time_zone is 'IANA name; the times of schedule_content are local to it.';
comment on column public.team_settings.seen_by_enabled is 'Whether a thread shows who has read a message.';
comment on column public.team_settings.admins_need_second_factor is
  'Whether admin rights hold only in sessions that have shown a second factor (aal2).';
comment on column public.team_settings.vice_presidents is 'Members, in the order in which Home names them.';

insert into public.team_settings default values;

alter table public.team_settings enable row level security;
revoke all on public.team_settings from anon, authenticated, service_role;
grant select, update on public.team_settings to service_role;
grant select, update (time_zone, seen_by_enabled, admins_need_second_factor) on public.team_settings to authenticated;

create policy "members read the team's settings" on public.team_settings
  for select to authenticated using ((select private.is_member()));
create policy "admins change the team's settings" on public.team_settings
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

create function private.check_time_zone() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if not exists (select from pg_catalog.pg_timezone_names z where z.name = new.time_zone) then
    raise exception 'Time zone must be a name such as America/New_York' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_time_zone before insert or update of time_zone on public.team_settings
  for each row execute function private.check_time_zone();
create trigger publish_content after update on public.team_settings
  for each statement execute function private.publish_content();

-- Who is suspended or left is not named; their place is kept.
create function public.vice_presidents() returns table (id uuid, first_name text, last_name text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name
  from public.team_settings s
  cross join unnest(s.vice_presidents) with ordinality as chosen (member_id, place)
  join private.members m on m.id = chosen.member_id and m.is_active
  where (select private.is_member())
  order by chosen.place
$$;
comment on function public.vice_presidents is 'The vice presidents whom the admins chose, in their order.';

create function public.set_vice_president(member_id uuid, is_vice_president boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  if is_vice_president and not exists (select from private.members m where m.id = member_id and m.is_active) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  update public.team_settings s
  set vice_presidents = array_remove(s.vice_presidents, member_id)
    || case when is_vice_president then array[member_id] else '{}' end
  where is_vice_president <> (member_id = any (s.vice_presidents));
exception
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_vice_president is 'For admins: adds a member at the end of the vice presidents, or takes them out.';

revoke execute on function public.vice_presidents(), public.set_vice_president(uuid, boolean) from public, anon, service_role;
grant execute on function public.vice_presidents(), public.set_vice_president(uuid, boolean) to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/messages.sql

-- Messages. The sender is the caller, the time is the server's, and a deletion keeps the row. The client may choose the
-- id, so that sending again after a lost response cannot store a message twice.

create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references public.chats (id) on delete cascade,
  sender_id uuid not null references private.members (id),
  message text not null,
  -- Not now(): messages stored by one statement keep their order.
  sent_at timestamptz not null default clock_timestamp(),
  is_deleted boolean not null default false,
  edited_at timestamptz,
  changed_at timestamptz,
  reply_to uuid references public.chat_messages (id),
  mentions uuid[] not null default '{}',
  attachment jsonb,
  reaction_counts jsonb not null default '{}',
  deleted_by uuid references private.members (id),
  deleted_reason text,
  constraint "Message must not be blank" check (message ~ '\S' or attachment is not null),
  constraint "Message is at most 4000 characters" check (char_length(message) <= 4000),
  constraint "At most 50 members are mentioned" check (cardinality(mentions) <= 50),
  constraint "Reason is at most 200 characters" check (char_length(deleted_reason) <= 200)
);
comment on table public.chat_messages is 'Messages. Deleted ones stay, readable by their sender and admins only.';
comment on column public.chat_messages.edited_at is 'When the text last changed; null if it never did.';
comment on column public.chat_messages.changed_at is 'Last edit, deletion or reaction; null if there was none.';
comment on column public.chat_messages.attachment is 'An image in the bucket chat-images: {path, width, height}.';
comment on column public.chat_messages.reaction_counts is 'Number of members by emoji, maintained by a trigger on chat_reactions.';

-- Serves a thread (newest first), the last message of a chat and the unread count. The included columns let the count
-- skip the reader's own and deleted messages without visiting them.
create index chat_messages_by_time on public.chat_messages (chat_id, sent_at desc, id desc)
  include (sender_id, is_deleted);
create index chat_messages_sender_id on public.chat_messages (sender_id);
-- Few messages are ever changed, quoted, removed or mention anybody, so these stay tiny and cost an insert nothing.
create index chat_messages_by_change on public.chat_messages (chat_id, changed_at) where changed_at is not null;
create index chat_messages_reply_to on public.chat_messages (reply_to) where reply_to is not null;
create index chat_messages_deleted_by on public.chat_messages (deleted_by) where deleted_by is not null;
create index chat_messages_mentions on public.chat_messages using gin (mentions) with (fastupdate = off)
  where mentions <> '{}';

-- Checks one new row: cheaper here than listing all chats of the caller.
create function private.may_send_to(chat_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select
    from private.chat_participants p
    join public.chats c on c.id = p.chat_id
    join private.members m on m.id = p.user_id
    where p.chat_id = may_send_to.chat_id and p.user_id = (select auth.uid()) and p.is_active
      and c.is_active and m.is_active and m.can_send_messages
      and (c.type <> 'mandatory' or m.rally_enabled)
  )
$$;

alter table public.chat_messages enable row level security;
revoke all on public.chat_messages from anon, authenticated;
grant select on public.chat_messages to authenticated;
grant insert (id, chat_id, sender_id, message, reply_to, mentions, attachment) on public.chat_messages to authenticated;
grant update (message, is_deleted, deleted_reason) on public.chat_messages to authenticated;

create policy "participants read the messages of their chats" on public.chat_messages
  for select to authenticated
  using (
    chat_id in (select private.my_chat_ids())
    and (not is_deleted or sender_id = (select auth.uid()) or (select private.is_admin()))
  );

create policy "participants send as themselves" on public.chat_messages
  for insert to authenticated
  with check (sender_id = (select auth.uid()) and not is_deleted and private.may_send_to(chat_id));

-- `true`, because the columns that could move or forge a message are not granted, and the trigger checks the text.
create policy "senders edit and delete their messages, admins delete any in their chats" on public.chat_messages
  for update to authenticated
  using (
    not is_deleted and chat_id in (select private.my_chat_ids())
    and (sender_id = (select auth.uid()) or (select private.is_admin()))
  )
  with check (true);

-- Quotes, mentions and images: a quote stays within its chat, only participants are mentioned, and an image is the
-- sender's own upload for this very message. A reply waits on a device that is offline, and the message it quotes may
-- be deleted meanwhile; it is then stored without the quote.
create function private.check_message_extras() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_quote_deleted boolean;
begin
  if new.reply_to is not null then
    select m.is_deleted into is_quote_deleted
    from public.chat_messages m where m.id = new.reply_to and m.chat_id = new.chat_id
      -- Before the policy looks: the answer must not say whether a foreign chat has the message.
      and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()));
    if is_quote_deleted is null then
      raise exception 'The quoted message is not in this chat' using errcode = '23514';
    elsif is_quote_deleted then
      new.reply_to := null;
    end if;
  end if;
  new.mentions := array(
    select p.user_id from private.chat_participants p
    where p.chat_id = new.chat_id and p.is_active and p.user_id = any (new.mentions)
  );
  if new.attachment is not null then
    new.attachment := private.checked_attachment(new.chat_id, new.id, new.sender_id, new.attachment);
  end if;
  return new;
end
$$;

-- A plain text message, the usual case, does not pay for the checks.
create trigger check_message_extras before insert on public.chat_messages
  for each row
  when (new.reply_to is not null or new.mentions <> '{}' or new.attachment is not null)
  execute function private.check_message_extras();

create function private.check_changed_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.message is distinct from old.message then
    if (select auth.uid()) is not null and not (
      old.sender_id = (select auth.uid()) and private.may_send_to(old.chat_id)
    ) then
      raise exception 'Only the sender may edit a message, and only while allowed to send' using errcode = '42501';
    end if;
    new.edited_at := now();
  end if;
  return new;
end
$$;

create trigger check_changed_message before update on public.chat_messages
  for each row execute function private.check_changed_message();

-- Runs after check_changed_message, which refuses what is forbidden: triggers fire in the order of their names.
create function private.note_message_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.changed_at := clock_timestamp();
  if new.is_deleted and not old.is_deleted then
    new.deleted_by := (select auth.uid());
    if new.deleted_by <> old.sender_id and coalesce(new.deleted_reason, '') !~ '\S' then
      raise exception 'Give a reason for removing a member''s message' using errcode = '23514';
    end if;
  else
    new.deleted_reason := old.deleted_reason;
  end if;
  return new;
end
$$;

create trigger note_message_change before update on public.chat_messages
  for each row execute function private.note_message_change();

-- A reaction changes the message but not the chat list.
create function private.publish_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipients uuid[];
begin
  perform realtime.send(
    jsonb_build_object(
      'id', new.id, 'chat_id', new.chat_id, 'sender_id', new.sender_id,
      'message', case when new.is_deleted then '' else new.message end,
      'sent_at', new.sent_at, 'is_deleted', new.is_deleted, 'edited_at', new.edited_at,
      'changed_at', new.changed_at, 'reply_to', new.reply_to, 'mentions', new.mentions,
      'reaction_counts', new.reaction_counts,
      'attachment', case when new.is_deleted then null else new.attachment end
    ),
    case tg_op when 'INSERT' then 'message_inserted' else 'message_updated' end,
    'chat:' || new.chat_id,
    true
  );
  if tg_op = 'UPDATE' and (new.message, new.is_deleted) is not distinct from (old.message, old.is_deleted) then
    return null;
  end if;

  recipients := array(
    select p.user_id from private.chat_participants p
    where p.chat_id = new.chat_id and p.is_active
    limit private.most_notified_participants() + 1
  );
  if cardinality(recipients) <= private.most_notified_participants() then
    perform private.publish_to_members(recipients, 'chat_changed', jsonb_build_object('chat_id', new.chat_id));
  end if;
  return null;
end
$$;

create trigger publish_message after insert or update on public.chat_messages
  for each row execute function private.publish_message();

-- Changes to one chat's messages since a moment, for a device that was offline. Includes deleted messages, whose rows
-- nobody else may read, so that the device stops showing them; without their text. Why an admin removed one is between
-- admins and the sender.
create function public.chat_changes(chat_id uuid, since timestamptz, max_results integer default 200)
returns table (
  id uuid, chat_id uuid, sender_id uuid, message text, sent_at timestamptz, is_deleted boolean,
  changed_at timestamptz, edited_at timestamptz, deleted_reason text, reply_to uuid, mentions uuid[],
  attachment jsonb, reaction_counts jsonb
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.chat_id, m.sender_id, case when m.is_deleted then '' else m.message end, m.sent_at, m.is_deleted,
    m.changed_at, m.edited_at,
    case when m.sender_id = (select auth.uid()) or (select private.is_admin()) then m.deleted_reason end,
    m.reply_to, m.mentions,
    case when m.is_deleted then null else m.attachment end, m.reaction_counts
  from public.chat_messages m
  where m.chat_id = chat_changes.chat_id and m.chat_id in (select private.my_chat_ids())
    and m.changed_at >= since
  order by m.changed_at
  limit least(max_results, 500)
$$;

-- Who has read up to a message, latest first, with the total; nothing while the team has this switched off. A member who
-- joined later has it marked as read without having seen it.
create function public.message_seen_by(message_id uuid, max_results integer default 50, skip integer default 0)
returns table (id uuid, first_name text, last_name text, seen_at timestamptz, total bigint)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.first_name, u.last_name, p.last_read_at, count(*) over ()
  from public.chat_messages m
  join private.chat_participants p on p.chat_id = m.chat_id and p.is_active
    and p.user_id <> m.sender_id and p.last_read_at >= m.sent_at and p.joined_at <= m.sent_at
  join private.members u on u.id = p.user_id
  where m.id = message_id and m.chat_id in (select private.my_chat_ids())
    and (select s.seen_by_enabled from public.team_settings s)
  order by p.last_read_at desc, u.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

revoke execute on function public.chat_changes(uuid, timestamptz, integer), public.message_seen_by(uuid, integer, integer)
from public, anon;
grant execute on function public.chat_changes(uuid, timestamptz, integer), public.message_seen_by(uuid, integer, integer)
to authenticated, service_role;
revoke execute on all functions in schema private from public;
grant execute on function private.may_send_to(uuid) to authenticated, service_role;

-- ./schemas/typing.sql

-- The database publishes that a member is typing, in the caller's own name. Members do not broadcast it themselves: a policy
-- sees the topic of a broadcast, not whose name is in it.

create function public.publish_typing(chat_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  typing_topic constant text := 'typing:' || chat_id;
begin
  if not private.may_send_to(chat_id) then
    raise exception 'You may not send messages to this chat' using errcode = '42501';
  end if;
  -- The app calls every 2.5 seconds while the member types. More frequent calls are not published.
  if exists (
    select from realtime.messages m
    where m.topic = typing_topic and m.extension = 'broadcast' and m.private
      and m.inserted_at > (now() at time zone 'utc') - interval '2 seconds'
      and m.payload ->> 'user_id' = me::text
  ) then
    return;
  end if;
  perform realtime.send(jsonb_build_object('user_id', me), 'typing', typing_topic, true);
end
$$;
comment on function public.publish_typing is 'Shows the other participants for a few seconds that the caller is typing.';
revoke execute on function public.publish_typing(uuid) from public, anon, service_role;
grant execute on function public.publish_typing(uuid) to authenticated;

-- ./schemas/message_images.sql

-- Images in messages: a private bucket, one folder per chat, readable by its participants only.

-- The chat an object belongs to, from its folder; null if that is not a uuid.
create function private.chat_of_image(object_name text) returns uuid
language sql immutable set search_path = ''
as $$
  select case when split_part(object_name, '/', 1) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then split_part(object_name, '/', 1)::uuid end
$$;

-- The attachment of a new message, reduced to its known fields. Refused unless it is the sender's own upload for that
-- message. Takes the image off the list of unused ones (image_uploads.sql): if a message and a clean-up want it at the
-- same moment, one of them gets it.
create function private.checked_attachment(
  chat_id uuid, message_id uuid, sender_id uuid, attachment jsonb
)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  path constant text := attachment ->> 'path';
  sides constant jsonb := jsonb_build_array(attachment -> 'width', attachment -> 'height');
begin
  if exists (
    select from jsonb_array_elements(sides) side
    where jsonb_typeof(side) is distinct from 'number' or side::numeric not between 1 and 20000
      or side::numeric <> trunc(side::numeric)
  ) then
    raise exception 'An image needs its width and height' using errcode = '23514';
  end if;
  if path is null or not starts_with(path, chat_id || '/' || message_id || '.') then
    raise exception 'The image of this message was not uploaded' using errcode = '23514';
  end if;
  delete from private.unused_images i
  where i.name = path and i.owner_id = checked_attachment.sender_id::text and i.taken_at is null;
  if not found then
    raise exception 'The image of this message was not uploaded' using errcode = '23514';
  end if;
  return jsonb_build_object('path', path, 'width', sides -> 0, 'height', sides -> 1);
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.chat_of_image(text) to authenticated, service_role;

-- Skipped where there is no file storage, so that the database also runs without it.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;

  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values (
    'chat-images', 'chat-images', false, 10 * 1024 * 1024,
    array['image/png', 'image/jpeg', 'image/webp', 'image/gif']
  )
  on conflict (id) do update set
    public = excluded.public, file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types;

  create policy "participants see the images of their chats" on storage.objects
    for select to authenticated
    using (bucket_id = 'chat-images' and (select private.session_is_live()) and private.chat_of_image(name) in (select private.my_chat_ids()));
  create policy "participants who may send upload images to their chats" on storage.objects
    for insert to authenticated
    with check (bucket_id = 'chat-images' and (select private.session_is_live()) and private.may_send_to(private.chat_of_image(name)));
  create policy "senders and admins delete images" on storage.objects
    for delete to authenticated
    using (
      bucket_id = 'chat-images' and (select private.session_is_live())
      and private.chat_of_image(name) in (select private.my_chat_ids())
      and (owner_id = (select auth.uid())::text or (select private.is_admin()))
    );
end
$$;

-- ./schemas/reactions.sql

-- Emoji reactions. The rows say who reacted; the message itself carries the counts, so that a thread shows them without
-- reading a row per member, and one broadcast reaches everybody.

-- Matches one emoji. Pictures are in the blocks below, which hold no letters of any script. A picture may be followed by
-- the selector for its colored form or by a skin tone, and joined to further pictures (families, professions). Then
-- there are flags of two letters, flags of regions spelled in tags, and keycaps.
create function private.is_emoji(text) returns boolean
language sql immutable set search_path = ''
as $$
  select char_length($1) <= 12 and $1 ~ (
    with parts as (
      select '[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2194-\u21AA\u231A-\u23FF\u24C2\u25AA-\u25FE\u2600-\u27BF'
        || '\u2934\u2935\u2B05-\u2B07\u2B1B\u2B1C\u2B50\u2B55\u3030\u303D\u3297\u3299'
        || '\U0001F004\U0001F0CF\U0001F170-\U0001F19A\U0001F201-\U0001F251\U0001F300-\U0001F64F'
        || '\U0001F680-\U0001F6FF\U0001F7E0-\U0001F7F0\U0001F90C-\U0001F9FF\U0001FA70-\U0001FAFF]'
        || '[\uFE0F\U0001F3FB-\U0001F3FF]?' as picture
    )
    select '^(' || picture || '(\u200D' || picture || ')*'
      || '|[\U0001F1E6-\U0001F1FF]{2}'
      || '|\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]+\U000E007F'
      || '|[0-9#*]\uFE0F?\u20E3)$'
    from parts
  )
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.is_emoji(text) to authenticated, service_role;

create table public.chat_reactions (
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  user_id uuid not null references private.members (id),
  emoji text not null,
  -- The message's chat, filled in by a trigger: the policies need it.
  chat_id uuid not null references public.chats (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (message_id, user_id, emoji),
  constraint "A reaction is one emoji" check (private.is_emoji(emoji))
);
comment on table public.chat_reactions is 'Which member reacted to which message with which emoji.';
create index chat_reactions_user_id on public.chat_reactions (user_id);
create index chat_reactions_chat_id on public.chat_reactions (chat_id);

alter table public.chat_reactions enable row level security;
revoke all on public.chat_reactions from anon, authenticated;
grant select, delete, insert (message_id, user_id, emoji) on public.chat_reactions to authenticated;

create policy "participants see the reactions of their chats" on public.chat_reactions
  for select to authenticated using (chat_id in (select private.my_chat_ids()));
create policy "participants who may send react as themselves" on public.chat_reactions
  for insert to authenticated
  with check (user_id = (select auth.uid()) and private.may_send_to(chat_id));
create policy "members take back their own reactions" on public.chat_reactions
  for delete to authenticated
  using (user_id = (select auth.uid()) and chat_id in (select private.my_chat_ids()));

create function private.check_new_reaction() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  counts jsonb;
begin
  select m.chat_id, m.reaction_counts into new.chat_id, counts
  from public.chat_messages m where m.id = new.message_id and not m.is_deleted
    -- Before the policy looks: the answer must not say whether a foreign chat has the message.
    and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()));
  if new.chat_id is null then
    raise exception 'There is no such message' using errcode = '23503';
  end if;
  if not counts ? new.emoji and (select count(*) from jsonb_object_keys(counts)) >= 20 then
    raise exception 'A message holds at most 20 different reactions' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_new_reaction before insert on public.chat_reactions
  for each row execute function private.check_new_reaction();

-- The update locks the message, so that simultaneous reactions of several members add up.
create function private.count_reaction() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  reaction constant public.chat_reactions := case tg_op when 'INSERT' then new else old end;
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update public.chat_messages m
  set reaction_counts = jsonb_strip_nulls(
    m.reaction_counts || jsonb_build_object(
      reaction.emoji, nullif(coalesce((m.reaction_counts ->> reaction.emoji)::integer, 0) + step, 0)
    )
  )
  where m.id = reaction.message_id;
  -- The member's other devices learn which reactions are their own.
  perform realtime.send(
    jsonb_build_object('message_id', reaction.message_id, 'emoji', reaction.emoji, 'is_on', step > 0),
    'reaction_changed', 'user:' || reaction.user_id, true
  );
  return null;
end
$$;

create trigger count_reaction after insert or delete on public.chat_reactions
  for each row execute function private.count_reaction();

revoke execute on all functions in schema private from public;

-- ./schemas/chat_undo.sql

-- Taking back a deletion or a departure right away: what the Undo of the screen calls. Also what became of a chat that
-- the caller is no longer in.

create function private.undo_period() returns interval
language sql immutable set search_path = ''
as $$ select interval '1 minute' $$;

-- Only the sender's own deletion: what an admin removed stays removed. An image is gone for good.
create function public.restore_message(message_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.chat_messages m set is_deleted = false, deleted_by = null
  where m.id = restore_message.message_id and m.is_deleted and m.attachment is null
    and m.sender_id = (select auth.uid()) and m.deleted_by = m.sender_id
    and m.changed_at > now() - private.undo_period()
    and private.may_send_to(m.chat_id);
  if not found then
    raise exception 'It is too late to undo this' using errcode = '42501';
  end if;
end
$$;

-- Only the caller's own departure: who was removed does not come back on their own.
create function public.rejoin_chat(chat_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.chat_participants p set is_active = true
  where p.chat_id = rejoin_chat.chat_id and p.user_id = (select auth.uid()) and not p.is_active
    and p.left_by = p.user_id and p.left_at > now() - private.undo_period()
    and (select private.is_member())
    and exists (select from public.chats c where c.id = p.chat_id and c.is_active);
  if not found then
    raise exception 'It is too late to undo this' using errcode = '42501';
  end if;
end
$$;

create function public.chat_departure(chat_id uuid) returns table (title text, was_removed boolean)
language sql stable security definer set search_path = ''
as $$
  select c.name, p.left_by is distinct from p.user_id
  from private.chat_participants p
  join public.chats c on c.id = p.chat_id and c.type = 'group'
  where p.chat_id = chat_departure.chat_id and p.user_id = (select auth.uid()) and not p.is_active
$$;
comment on function public.chat_departure is 'Whether the caller left this group or was removed from it; nothing if neither.';

revoke execute on function
  public.restore_message(uuid), public.rejoin_chat(uuid), public.chat_departure(uuid)
from public, anon;
grant execute on function
  public.restore_message(uuid), public.rejoin_chat(uuid), public.chat_departure(uuid)
to authenticated, service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/chat_list.sql

-- chat_list(): the whole list in one call. Every part is a bounded index probe, so a long history costs nothing: one
-- probe for the last message, at most 100 unread ones counted. Runs with the owner's rights, because the policies would
-- otherwise be evaluated for every row; it starts from the caller's own participations only.

create function public.chat_list(with_hidden boolean default false) returns table (
  chat_id uuid,
  name text,
  type text,
  title text,
  other_user_id uuid,
  other_email text,
  other_is_admin boolean,
  member_count int,
  last_message_id uuid,
  last_message text,
  last_message_at timestamptz,
  last_sender_id uuid,
  last_sender_name text,
  unread_count int,
  last_read_at timestamptz,
  created_at timestamptz,
  is_archived boolean,
  is_hidden boolean,
  muted_until timestamptz
)
language plpgsql stable security definer set search_path = ''
-- On small tables the planner prefers a full scan, and keeps that plan as the tables grow.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query
  select
    c.id, c.name, c.type,
    case when c.type = 'individual' then coalesce(other.name, c.name, '') else c.name end,
    other.id, other.email, coalesce(other.role = 'admin', false),
    members.count::int,
    last.id, last.message, last.sent_at, last.sender_id,
    case when sender.id is not null
      then private.display_name(sender.first_name, sender.last_name, sender.email) end,
    unread.count::int,
    p.last_read_at, c.created_at,
    c.id = any (me.archived_chats),
    c.id = any (me.hidden_chats),
    p.muted_until
  from private.members me
  join private.chat_participants p on p.user_id = me.id and p.is_active
  join public.chats c on c.id = p.chat_id and c.is_active
  cross join lateral (
    select count(*) from private.chat_participants others where others.chat_id = c.id and others.is_active
  ) members
  left join lateral (
    select o.id, private.display_name(o.first_name, o.last_name, o.email) as name, o.email, o.role
    from private.chat_participants others
    join private.members o on o.id = others.user_id
    where c.type = 'individual' and others.chat_id = c.id and others.user_id <> me.id
    limit 1
  ) other on true
  left join lateral (
    select m.id, m.message, m.sent_at, m.sender_id
    from public.chat_messages m
    where m.chat_id = c.id and not m.is_deleted
    order by m.sent_at desc, m.id desc
    limit 1
  ) last on true
  left join private.members sender on sender.id = last.sender_id
  cross join lateral (
    select count(*) from (
      -- Bounded even for a member who wrote a thousand messages without reading one.
      select newest.sender_id, newest.is_deleted
      from (
        select m.sender_id, m.is_deleted
        from public.chat_messages m
        where m.chat_id = c.id and m.sent_at > coalesce(p.last_read_at, '-infinity')
        order by m.sent_at desc
        limit 1000
      ) newest
      where newest.sender_id <> me.id and not newest.is_deleted
      limit 100
    ) counted
  ) unread
  where me.id = (select auth.uid()) and me.is_active
    and (with_hidden or c.id <> all (me.hidden_chats))
    and (c.type <> 'mandatory' or me.rally_enabled)
  order by c.type = 'mandatory' desc, unread.count > 0 desc, coalesce(last.sent_at, c.created_at) desc, c.id;
end
$$;
comment on function public.chat_list is
  'The caller''s chats, the mandatory one first, then unread ones, then by latest message. Unread stops at 100.'
  ' Hidden chats are left out unless asked for.';

revoke execute on function public.chat_list from public, anon;
grant execute on function public.chat_list to authenticated, service_role;

-- An archived chat returns to the list when a message arrives in it.
create function private.unarchive_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.members m set archived_chats = array_remove(m.archived_chats, new.chat_id)
  where m.archived_chats @> array[new.chat_id];
  return null;
end
$$;

create trigger unarchive_chat after insert on public.chat_messages
  for each row execute function private.unarchive_chat();

revoke execute on all functions in schema private from public;

-- ./schemas/create_chat.sql

-- create_chat(): chat, participants and first message, all or nothing. Two people share one individual chat; asking for
-- it again finds it. Repeating a request with the same message id finds the chat that the first one created, also while
-- that one is still under way: a button pressed twice.

create function public.create_chat(
  member_ids uuid[], name text, first_message text, message_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  others constant uuid[] := array(select distinct m from unnest(member_ids) m where m is not null and m <> me);
  found_chat uuid;
begin
  if not private.is_member() then
    raise exception 'You do not have permission to create chats.' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('new chat ' || message_id, 0));
  select m.chat_id into found_chat from public.chat_messages m where m.id = message_id and m.sender_id = me;
  if found then
    return found_chat;
  end if;

  if cardinality(others) = 0 then
    raise exception 'Please select at least one team member' using errcode = '22023';
  elsif coalesce(first_message, '') !~ '\S' then
    raise exception 'Please write a first message' using errcode = '22023';
  elsif cardinality(others) > 1 and coalesce(create_chat.name, '') !~ '\S' then
    raise exception 'Please enter a group name' using errcode = '22023';
  elsif (select count(*) from private.members where id = any (others) and is_active) < cardinality(others) then
    raise exception 'Somebody you selected is not on the team any more' using errcode = '22023';
  elsif not private.may_send_messages() then
    raise exception 'You do not have permission to send messages.' using errcode = '42501';
  end if;

  if cardinality(others) = 1 then
    found_chat := private.open_individual_chat(me, others[1]);
  end if;
  if found_chat is null then
    if not private.may_create_chats() then
      raise exception 'You do not have permission to create chats.' using errcode = '42501';
    end if;
    insert into public.chats (name, type, created_by)
    values (
      case when cardinality(others) > 1 then btrim(create_chat.name) end,
      case when cardinality(others) > 1 then 'group' else 'individual' end,
      me
    )
    returning id into found_chat;
    insert into private.chat_participants (chat_id, user_id) select found_chat, unnest(me || others);
  end if;

  insert into public.chat_messages (id, chat_id, sender_id, message) values (message_id, found_chat, me, first_message);
  update private.chat_participants set last_read_at = now() where chat_id = found_chat and user_id = me;
  return found_chat;
exception
  when not_null_violation or check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.create_chat is
  'Creates a chat with these members and its first message; returns its id. One member: the individual chat with them.';

-- The individual chat of these two, with both of them in it and back on the caller's list; null if there is none.
create function private.open_individual_chat(me uuid, other uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  found_chat uuid;
begin
  perform private.lock_pair(me, other);
  -- Created by one of the two: older chats may have been created by somebody else.
  select c.id into found_chat
  from private.chat_participants mine
  join public.chats c on c.id = mine.chat_id and c.type = 'individual' and c.is_active and c.created_by in (me, other)
  join private.chat_participants theirs on theirs.chat_id = c.id and theirs.user_id = other
  where mine.user_id = me
  order by c.created_at
  limit 1;
  if found_chat is null then
    return null;
  end if;
  update private.chat_participants set is_active = true where chat_id = found_chat and not is_active;
  update private.members m set
    hidden_chats = array_remove(m.hidden_chats, found_chat), archived_chats = array_remove(m.archived_chats, found_chat)
  where m.id = me and found_chat = any (m.hidden_chats || m.archived_chats);
  return found_chat;
end
$$;

revoke execute on function public.create_chat from public, anon;
grant execute on function public.create_chat to authenticated, service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/search.sql

-- Search. Messages: full-text search over the caller's chats, by English word forms and, for every other language and
-- for a word still being typed, by plain words without accents. Members: every word typed occurs in name or e-mail.

-- Parsed on creation and inlined into the index expression, like private.without_accents().
create function private.message_words(message text) returns tsvector
language sql immutable parallel safe
return to_tsvector('pg_catalog.simple'::regconfig, private.without_accents(message))
  || to_tsvector('pg_catalog.english'::regconfig, private.without_accents(message));

create index chat_messages_words on public.chat_messages using gin (private.message_words(message))
  where not is_deleted;

-- The query read both ways; its last word may be unfinished.
create function private.message_query(query text) returns tsquery
language plpgsql immutable set search_path = ''
as $$
declare
  typed constant text := private.without_accents(left(query, 200));
  words tsquery := websearch_to_tsquery('pg_catalog.simple', typed);
  -- Letters and digits only, so that user input cannot contain an operator.
  last_word constant text := substring(typed from '([[:alnum:]]+)$');
  earlier constant tsquery := websearch_to_tsquery(
    'pg_catalog.simple', left(typed, length(typed) - coalesce(length(last_word), 0))
  );
begin
  -- Quoted or excluded words are meant exactly.
  if typed ~ '["-]' then
    return words;
  end if;
  words := words || websearch_to_tsquery('pg_catalog.english', typed);
  if length(last_word) >= 2 then
    words := words || case when numnode(earlier) > 0
      then earlier && to_tsquery('pg_catalog.simple', last_word || ':*')
      else to_tsquery('pg_catalog.simple', last_word || ':*') end;
  end if;
  return words;
end
$$;

-- Runs with the owner's rights: under row-level security Postgres may not use the word index. The condition on
-- my_chat_ids() restricts it as the policy does. For a very common word, only the newest 500 messages are ranked.
create function public.search_messages(query text, max_results int default 50) returns table (
  message_id uuid,
  chat_id uuid,
  chat_title text,
  sender_id uuid,
  sender_name text,
  snippet text,
  sent_at timestamptz,
  rank real
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  words constant tsquery := private.message_query(query);
  me constant uuid := (select auth.uid());
begin
  if numnode(words) = 0 or not private.is_member() then
    return;
  end if;
  return query
  with candidates as (
    select m.id, m.chat_id, m.sender_id, m.message, m.sent_at
    from public.chat_messages m
    where private.message_words(m.message) @@ words and not m.is_deleted
      and m.chat_id in (select private.my_chat_ids())
    order by m.sent_at desc
    limit 500
  ), best as (
    select f.*, ts_rank(private.message_words(f.message), words) as rank
    from candidates f
    order by rank desc, f.sent_at desc
    limit least(greatest(coalesce(max_results, 50), 0), 100)
  )
  select
    b.id, b.chat_id,
    case when c.type = 'individual' then coalesce(other.name, c.name, '') else c.name end,
    b.sender_id,
    private.display_name(sender.first_name, sender.last_name, sender.email),
    case when char_length(b.message) <= 160 then b.message else ts_headline(
      'pg_catalog.english', b.message, words, 'StartSel="", StopSel="", MaxWords=28, MinWords=16, ShortWord=2'
    ) end,
    b.sent_at, b.rank
  from best b
  join public.chats c on c.id = b.chat_id
  join private.members sender on sender.id = b.sender_id
  left join lateral (
    select private.display_name(o.first_name, o.last_name, o.email) as name
    from private.chat_participants p
    join private.members o on o.id = p.user_id
    where c.type = 'individual' and p.chat_id = c.id and p.user_id <> me
    limit 1
  ) other on true
  where c.is_active
  order by b.rank desc, b.sent_at desc;
end
$$;
comment on function public.search_messages is 'Matching messages of the caller''s chats, best first, with the words around the match.';

-- Finds people in a team of 10,000. Through the view public.users the search would read everybody: a security barrier
-- keeps `ilike` away from the rows, and so from every index.
create function public.search_members(query text default '', max_results integer default 50, skip integer default 0)
returns table (id uuid, first_name text, last_name text, email text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
begin
  if not private.is_member() then
    return;
  end if;
  -- Dynamic, so that it is planned for these words: the trigram index suits a rare name, the name index a common letter.
  return query execute $search$
    select m.id, m.first_name, m.last_name, m.email
    from private.members m
    where m.is_active and m.id <> $1
      and ($2 is null or m.searchable like $2) and m.searchable like all ($3)
    order by m.first_name, m.last_name, m.id
    limit $4 offset $5
  $search$ using (select auth.uid()), patterns[1], patterns[2:], least(max_results, 200), greatest(skip, 0);
end
$$;
comment on function public.search_members is 'A page of the other members whose name or e-mail contains every word of the query, by first name.';

revoke execute on function public.search_messages, public.search_members from public, anon;
grant execute on function public.search_messages, public.search_members to authenticated, service_role;
revoke execute on all functions in schema private from public;
grant execute on function private.message_words(text) to authenticated, service_role;

-- ./schemas/content.sql

-- What admins publish: one table per type, alike except for the category and the schedule's own columns. Members read
-- active items; retiring an item sets is_active to false, so that it can be restored.

create table public.home_content (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  description text,
  url text,
  image_url text,
  category text not null default 'General',
  sort_order integer not null default 0,
  is_active boolean not null default true,
  image_alt text,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint "Title is required" check (title ~ '\S'),
  constraint "Title is at most 200 characters" check (char_length(title) <= 200),
  constraint "Description is at most 10000 characters" check (char_length(description) <= 10000),
  constraint "URL must be a web address (https://…)"
    check (url ~* '^https?://[^\s/?#]+[^\s]*$' and char_length(url) <= 2000),
  constraint "Image URL must be a web address or a path"
    check (image_url ~* '^(https?://[^\s/?#]+|/)[^\s]*$' and char_length(image_url) <= 2000),
  constraint "Image description is at most 300 characters" check (char_length(image_alt) <= 300)
);
comment on table public.home_content is 'Cards on the welcome screen.';
comment on column public.home_content.version is 'Grows with every edit; a save names the version it edited.';

create table public.training_content (like public.home_content including all);
comment on table public.training_content is 'Training resources in eight categories.';

create table public.newrepstart_content (like public.home_content including all);
comment on table public.newrepstart_content is 'The onboarding list of a new representative.';

create table public.licensing_content (like public.home_content including all);
comment on table public.licensing_content is 'Study material for the two licenses.';

create table public.schedule_content (
  like public.home_content including all,
  day_of_week text not null default 'Monday',
  start_time time not null,
  end_time time not null,
  meeting_id text,
  meeting_password text,
  constraint "Day must be Monday to Sunday" check (
    day_of_week in ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')
  ),
  constraint "Start time must be before end time" check (start_time < end_time),
  constraint "Meeting ID is at most 100 characters" check (char_length(meeting_id) <= 100),
  constraint "Meeting password is at most 100 characters" check (char_length(meeting_password) <= 100)
);
comment on table public.schedule_content is 'Weekly meetings, in the time zone of team_settings.';

alter table public.training_content
  alter category drop default,
  add constraint "Category must be a training category" check (category in (
    'Setting appointments', 'First appointment', 'Preparing a plan', 'Second appointment', 'Investments',
    'Deliver Policy', 'Leadership training', 'Additional content'
  ));
alter table public.licensing_content
  alter category drop default,
  add constraint "Category must be a licensing category"
    check (category in ('Life insurance license', 'Securities license'));
alter table public.home_content add constraint "Category must be General" check (category = 'General');
alter table public.newrepstart_content add constraint "Category must be General" check (category = 'General');
alter table public.schedule_content add constraint "Category must be General" check (category = 'General');

create index home_content_order on public.home_content (sort_order) where is_active;
create index training_content_order on public.training_content (category, sort_order) where is_active;
create index newrepstart_content_order on public.newrepstart_content (sort_order) where is_active;
create index licensing_content_order on public.licensing_content (category, sort_order) where is_active;
create index schedule_content_order on public.schedule_content (day_of_week, sort_order) where is_active;

-- A form sends '' for what was left empty; null is stored, so that "has a url" has one meaning.
create function private.tidy_content() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.title := btrim(coalesce(new.title, ''));
  new.description := nullif(btrim(new.description), '');
  new.url := nullif(btrim(new.url), '');
  new.image_url := nullif(btrim(new.image_url), '');
  new.sort_order := coalesce(new.sort_order, 0);
  return new;
end
$$;

-- Runs after tidy_content: triggers fire in the order of their names.
create function private.tidy_schedule() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.start_time is null or new.end_time is null then
    raise exception 'Start time and end time are required for schedule items' using errcode = '23502';
  end if;
  new.meeting_id := nullif(btrim(new.meeting_id), '');
  new.meeting_password := nullif(btrim(new.meeting_password), '');
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

-- Moving an item changes nothing but its sort_order, which must not turn another admin's open form into a conflict.
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

-- Rights and triggers are the same for all five tables, so they are written once.
do $$
declare
  content text;
begin
  foreach content in array array[
    'home_content', 'training_content', 'newrepstart_content', 'licensing_content', 'schedule_content'
  ] loop
    execute format($sql$
      alter table public.%1$I enable row level security;
      revoke all on public.%1$I from anon, authenticated;
      grant select, insert, update on public.%1$I to authenticated;

      create policy "members read active items, admins all" on public.%1$I
        for select to authenticated
        using (is_active and (select private.is_member()) or (select private.is_admin()));
      create policy "admins add items" on public.%1$I
        for insert to authenticated with check ((select private.is_admin()));
      create policy "admins edit and retire items" on public.%1$I
        for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

      create trigger tidy_content before insert or update on public.%1$I
        for each row execute function private.tidy_content();
      -- These names sort after tidy_content, so that trimmed blanks do not count as a change.
      create trigger version_content before update on public.%1$I
        for each row execute function private.version_content();
      create trigger version_content_start before insert on public.%1$I
        for each row execute function private.start_content_version();
      create trigger publish_content after insert or update or delete on public.%1$I
        for each statement execute function private.publish_content();
    $sql$, content);
  end loop;
end
$$;

create trigger tidy_schedule before insert or update on public.schedule_content
  for each row execute function private.tidy_schedule();

-- All positions of a list change in one statement, or none.
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
comment on function public.reorder_content is 'Admins only: puts the items in the order of the list.';

revoke execute on all functions in schema private from public;
revoke execute on function public.reorder_content(text, uuid[]) from public, anon;
grant execute on function public.reorder_content(text, uuid[]) to authenticated;

-- ./schemas/content_images.sql

-- Images of content items: public to anyone who has the address, uploaded by admins only, and nothing but images. SVG is
-- left out, because it can carry scripts. Skipped where there is no file storage, so that the database also runs
-- without it.

do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;

  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values (
    'images', 'images', true, 10 * 1024 * 1024,
    array['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']
  )
  on conflict (id) do update set
    public = excluded.public, file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types;

  create policy "members see which images there are" on storage.objects
    for select to authenticated using (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_member()));
  create policy "admins upload images" on storage.objects
    for insert to authenticated with check (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_admin()));
  create policy "admins replace images" on storage.objects
    for update to authenticated
    using (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_admin()))
    with check (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_admin()));
  create policy "admins delete images" on storage.objects
    for delete to authenticated using (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_admin()));
end
$$;

-- ./schemas/image_uploads.sql

-- Uploads have a quota per member, and an image that no message uses is removed after a day. Triggers on storage.objects
-- keep count, so both hold on hosted Supabase too, where the service makes the final write.

-- What one member may upload to one bucket. Deleting frees room, but does not restore the day's share.
create function private.image_quota(
  out files_per_day int, out bytes_per_day bigint, out files int, out bytes bigint
)
language sql immutable set search_path = ''
as $$ select 200, 500::bigint * 1024 * 1024, 20000, 20::bigint * 1024 * 1024 * 1024 $$;

-- An image that no message uses is removed after this. A device that was offline for longer uploads it again.
create function private.unused_image_life() returns interval
language sql immutable set search_path = ''
as $$ select interval '24 hours' $$;

create table private.image_usage (
  bucket_id text not null,
  owner_id text not null,
  day date not null,
  files_today int not null,
  bytes_today bigint not null,
  files int not null,
  bytes bigint not null,
  primary key (bucket_id, owner_id)
) with (fillfactor = 70);
comment on table private.image_usage is 'How much each member has uploaded: in total, and on the day of the last upload (UTC).';

create table private.unused_images (
  name text primary key,
  owner_id text,
  created_at timestamptz not null,
  taken_at timestamptz
);
comment on table private.unused_images is 'Images in the bucket chat-images that no message uses yet.';
comment on column private.unused_images.taken_at is 'When a clean-up took it for removal; from then on no message can use it.';
create index unused_images_by_age on private.unused_images (created_at);

alter table private.image_usage enable row level security;
alter table private.unused_images enable row level security;
revoke all on private.image_usage, private.unused_images from anon, authenticated, service_role;

-- The size the storage service measured; during its rights check it is the declared one, which cannot be trusted.
create function private.image_bytes(metadata jsonb) returns bigint
language sql immutable set search_path = ''
as $$
  select case when jsonb_typeof(metadata -> 'size') = 'number'
    then greatest(least((metadata ->> 'size')::numeric, 1e12), 0)::bigint else 0 end
$$;

create function private.count_image() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  buckets constant text[] := '{chat-images,images}';
  today constant date := (now() at time zone 'utc')::date;
  -- Replacing an image is one more upload; other changes to its row are not.
  is_upload constant boolean := tg_op = 'INSERT' or tg_op = 'UPDATE' and new.version is distinct from old.version;
  size constant bigint := case when tg_op = 'DELETE' then 0 else private.image_bytes(new.metadata) end;
  old_size constant bigint := case when tg_op = 'INSERT' then 0 else private.image_bytes(old.metadata) end;
  quota record;
  usage private.image_usage;
begin
  if tg_op <> 'INSERT' and old.bucket_id = any (buckets) then
    update private.image_usage u set files = greatest(u.files - 1, 0), bytes = greatest(u.bytes - old_size, 0)
    where u.bucket_id = old.bucket_id and u.owner_id = old.owner_id;
  end if;
  if tg_op <> 'DELETE' and new.owner_id is not null and new.bucket_id = any (buckets) then
    insert into private.image_usage as u (bucket_id, owner_id, day, files_today, bytes_today, files, bytes)
    values (
      new.bucket_id, new.owner_id, today, is_upload::int,
      case when is_upload then size else greatest(size - old_size, 0) end, 1, size
    )
    on conflict (bucket_id, owner_id) do update set
      day = excluded.day,
      files_today = case when u.day = excluded.day then u.files_today else 0 end + excluded.files_today,
      bytes_today = case when u.day = excluded.day then u.bytes_today else 0 end + excluded.bytes_today,
      files = u.files + 1, bytes = u.bytes + size
    returning * into usage;
    select * into quota from private.image_quota();
    if usage.files_today > quota.files_per_day or usage.bytes_today > quota.bytes_per_day then
      raise exception 'You have uploaded too many images today' using errcode = '42501';
    elsif usage.files > quota.files or usage.bytes > quota.bytes then
      raise exception 'You have uploaded more images than there is room for' using errcode = '42501';
    end if;
  end if;

  if tg_op = 'DELETE' or tg_op = 'UPDATE' and (old.bucket_id, old.name) <> (new.bucket_id, new.name) then
    delete from private.unused_images i where old.bucket_id = 'chat-images' and i.name = old.name;
  elsif tg_op = 'INSERT' and new.bucket_id = 'chat-images' then
    insert into private.unused_images (name, owner_id, created_at) values (new.name, new.owner_id, now())
    on conflict (name) do update set owner_id = excluded.owner_id, created_at = excluded.created_at, taken_at = null;
  end if;
  return null;
end
$$;

-- Claims images that no message has used in time, for removal through the storage service, which alone can remove their
-- bytes. What a clean-up claimed but did not remove is claimed again later.
create function public.take_unused_images(max_results int default 100) returns setof text
language sql security definer set search_path = ''
as $$
  update private.unused_images i set taken_at = now()
  where i.name in (
    select u.name from private.unused_images u
    where u.created_at < now() - private.unused_image_life()
      and coalesce(u.taken_at < now() - interval '10 minutes', true)
    order by u.created_at limit least(max_results, 1000)
    for update skip locked
  )
  returning i.name
$$;
comment on function public.take_unused_images is
  'For servers: names of images in the bucket chat-images to remove.';

-- Counts what a project already holds, and from then on every upload. Skipped where there is no file storage.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  insert into private.image_usage
  select o.bucket_id, o.owner_id, (now() at time zone 'utc')::date, 0, 0, count(*), sum(private.image_bytes(o.metadata))
  from storage.objects o
  where o.bucket_id in ('chat-images', 'images') and o.owner_id is not null
  group by o.bucket_id, o.owner_id;
  insert into private.unused_images
  select o.name, o.owner_id, o.created_at from storage.objects o
  where o.bucket_id = 'chat-images' and not exists (
    select from public.chat_messages m where m.attachment ->> 'path' = o.name
  );
  create trigger count_image after insert or delete or update of bucket_id, name, owner_id, version, metadata on storage.objects
    for each row execute function private.count_image();
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.take_unused_images from public, anon, authenticated;
grant execute on function public.take_unused_images to service_role;

-- ./schemas/onboarding.sql

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

-- ./schemas/goals.sql

-- A member's calculator goal and what they did towards it. Both are private to the member: leaders see training
-- progress, never who is behind on sales. One goal is active at a time; earlier ones stay, because a member's own ratios
-- are measured from the activity logged against them.

create table public.goals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  position text not null check (
    position in (
      'representative',
      'district_leader',
      'division_leader',
      'regional_leader',
      'regional_vp'
    )
  ),
  metric text not null check (
    metric in (
      'appointments',
      'premium',
      'cash',
      'warm',
      'cold',
      'warm_recruits',
      'cold_recruits',
      'warm_leaders',
      'cold_leaders'
    )
  ),
  -- The calculator's own bounds: no negatives, and above ten million a typo is likelier than a goal.
  value numeric(10, 2) not null check (value > 0 and value <= 10000000),
  period text not null check (period in ('month', 'week', 'day')),
  own_ratios jsonb not null default '{}' check (
    jsonb_typeof(own_ratios) = 'object' and length(own_ratios::text) <= 1000
  ),
  created_at timestamptz not null default now(),
  ended_at timestamptz check (ended_at >= created_at),
  constraint goals_id_and_member unique (id, user_id)
);
comment on table public.goals is 'A member''s saved calculator goals; the one without ended_at is current.';
comment on column public.goals.own_ratios is 'Ratios that replace the defaults, by name.';

-- Also serves the policies, which look goals up by member.
create index goals_by_member on public.goals (user_id, created_at desc);
create unique index one_active_goal_per_member on public.goals (user_id) where ended_at is null;

alter table public.goals enable row level security;
revoke all on public.goals from anon, authenticated;
grant select on public.goals to authenticated;
grant insert (id, user_id, position, metric, value, period, own_ratios) on public.goals to authenticated;
grant update (ended_at) on public.goals to authenticated;

create policy "members read their own goals" on public.goals
for select to authenticated using (user_id = (select auth.uid()));

create policy "members save goals of their own" on public.goals
for insert to authenticated with check (user_id = (select auth.uid()));

create policy "members end their own goals" on public.goals
for update to authenticated using (user_id = (select auth.uid()))
with check (user_id = (select auth.uid()));

create table public.goal_activity (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  goal_id uuid not null,
  stage text not null check (
    stage in ('appointments', 'plans', 'sales', 'interviews', 'shows', 'intros', 'recruits')
  ),
  quantity integer not null default 1 check (quantity between 1 and 500),
  premium numeric(10, 2) check (premium is null or premium > 0 and stage = 'sales'),
  -- The member's calendar day, not the server's: an evening appointment belongs to that day everywhere.
  happened_on date not null,
  created_at timestamptz not null default now(),
  -- Both columns, so that an entry cannot be filed under another member's goal.
  constraint goal_activity_goal foreign key (goal_id, user_id)
    references public.goals (id, user_id) on delete cascade
);
comment on table public.goal_activity is 'What a member did on a day towards a goal, one row per entry.';
comment on column public.goal_activity.premium is 'The total premium of these sales, if the member entered it.';

create index goal_activity_by_day on public.goal_activity (user_id, happened_on);
create index goal_activity_by_goal on public.goal_activity (goal_id, user_id);

alter table public.goal_activity enable row level security;
revoke all on public.goal_activity from anon, authenticated;
grant select, delete on public.goal_activity to authenticated;
grant insert (id, user_id, goal_id, stage, quantity, premium, happened_on)
on public.goal_activity to authenticated;
grant update (premium) on public.goal_activity to authenticated;

create policy "members read their own activity" on public.goal_activity
for select to authenticated using (user_id = (select auth.uid()));

create policy "members log activity of their own" on public.goal_activity
for insert to authenticated with check (user_id = (select auth.uid()));

create policy "members add the premium to their own sales" on public.goal_activity
for update to authenticated using (user_id = (select auth.uid()))
with check (user_id = (select auth.uid()));

create policy "members take back their own entries" on public.goal_activity
for delete to authenticated using (user_id = (select auth.uid()));

-- Ends the old goal and saves the new one in one transaction, so that a member is never left with none.
create function public.save_goal(
  "position" text, metric text, value numeric, period text, own_ratios jsonb default '{}'
) returns uuid
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  new_id uuid;
begin
  update public.goals as goal set ended_at = now()
  where goal.user_id = (select auth.uid()) and goal.ended_at is null;
  insert into public.goals as goal (position, metric, value, period, own_ratios)
  values ($1, $2, $3, $4, $5)
  returning goal.id into new_id;
  return new_id;
end
$$;

comment on function public.save_goal is 'Makes this the member''s current goal and ends the previous one.';

-- Summed on the server: half a year of entries need not travel to a phone to become eight numbers.
create function public.activity_totals(since date)
returns table (stage text, market text, quantity bigint, premium numeric, with_premium bigint)
language sql stable security invoker set search_path = ''
as $$
  select
    activity.stage,
    case
      when goal.metric like 'warm%' then 'warm'
      when goal.metric like 'cold%' then 'cold'
    end,
    sum(activity.quantity),
    coalesce(sum(activity.premium), 0),
    coalesce(sum(activity.quantity) filter (where activity.premium is not null), 0)
  from public.goal_activity as activity
  join public.goals as goal on goal.id = activity.goal_id
  where activity.user_id = (select auth.uid()) and activity.happened_on >= since
  group by 1, 2
$$;

comment on function public.activity_totals is 'The member''s own activity since a day, by stage and market.';

revoke all on function public.save_goal, public.activity_totals from public, anon;
grant execute on function public.save_goal, public.activity_totals to authenticated;

-- ./schemas/push_devices.sql

-- Where push notifications reach a member. A device belongs to the member who registered it last, so that a shared phone never
-- shows one person another's messages. Only the push worker reads tokens.

create table public.push_devices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.members (id) on delete cascade,
  platform text not null,
  channel text not null,
  token text not null,
  p256dh text,
  auth text,
  label text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  constraint "Platform must be ios, android or web" check (platform in ('ios', 'android', 'web')),
  constraint "Channel must be apns, fcm or web" check (channel in ('apns', 'fcm', 'web')),
  constraint "Token must be 1 to 2000 visible characters" check (token ~ '^[\x21-\x7e]+$' and char_length(token) <= 2000),
  constraint "A web subscription is an https address with its two keys" check (
    channel <> 'web'
    or (token ~ '^https?://' and p256dh ~ '^[\w-]{80,100}=*$' and auth ~ '^[\w-]{20,30}=*$') is true
  ),
  constraint "Label is at most 100 characters" check (char_length(label) <= 100)
);
comment on table public.push_devices is 'Devices that receive push notifications, each with the address its provider assigned.';
comment on column public.push_devices.token is 'FCM or APNs token, or the endpoint of a web subscription.';

create unique index push_devices_token on public.push_devices (token);
create index push_devices_user_id on public.push_devices (user_id, last_seen_at desc);

alter table public.push_devices enable row level security;
revoke all on public.push_devices from anon, authenticated;
grant select (id, user_id, platform, channel, label, created_at, last_seen_at), delete
  on public.push_devices to authenticated;
create policy "members see their own devices" on public.push_devices
  for select to authenticated using (user_id = (select auth.uid()));
create policy "members remove their own devices" on public.push_devices
  for delete to authenticated using (user_id = (select auth.uid()));

create function private.most_devices() returns int
language sql immutable set search_path = ''
as $$ select 10 $$;

create function private.add_device(
  owner_id uuid, token text, platform text, channel text, p256dh text, auth text, label text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  device_id uuid;
begin
  insert into public.push_devices as d (user_id, token, platform, channel, p256dh, auth, label)
  values (owner_id, add_device.token, add_device.platform, add_device.channel, add_device.p256dh,
    add_device.auth, left(add_device.label, 100))
  on conflict (token) do update set
    user_id = excluded.user_id, platform = excluded.platform, channel = excluded.channel,
    p256dh = excluded.p256dh, auth = excluded.auth, label = coalesce(excluded.label, d.label),
    last_seen_at = now()
  returning d.id into device_id;

  delete from public.push_devices d where d.id in (
    select old.id from public.push_devices old where old.user_id = owner_id
    order by old.last_seen_at desc, old.id = device_id desc offset private.most_devices()
  );
  return device_id;
end
$$;

create function public.register_push_device(
  token text, platform text, channel text default null,
  p256dh text default null, auth text default null, label text default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_member() then
    raise exception 'Only members register devices' using errcode = '42501';
  end if;
  return private.add_device(
    (select auth.uid()), token, platform,
    coalesce(channel, case platform when 'ios' then 'apns' when 'android' then 'fcm' else 'web' end),
    p256dh, register_push_device.auth, label
  );
exception
  when not_null_violation or check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.register_push_device is 'Sends push for the caller to this device from now on. Returns its id.';

create function public.remove_push_device(token text) returns void
language sql security definer set search_path = ''
as $$
  update private.members m set push_token = null
  where m.id = (select auth.uid()) and m.push_token = remove_push_device.token;
  delete from public.push_devices d where d.user_id = (select auth.uid()) and d.token = remove_push_device.token;
$$;
comment on function public.remove_push_device is 'At sign-out: stops push for the caller on this device.';

-- For signing out everywhere, or everywhere else: a session that was ended from another device cannot remove its own.
create function public.forget_push_devices(except_token text default null) returns void
language sql security definer set search_path = ''
as $$
  update private.members m set push_token = null
  where m.id = (select auth.uid()) and m.push_token is distinct from except_token and m.push_token is not null;
  delete from public.push_devices d
  where d.user_id = (select auth.uid()) and d.token is distinct from except_token;
$$;
comment on function public.forget_push_devices is
  'Stops push for the caller on every device, or on all but the one with this token.';

revoke execute on function public.register_push_device, public.remove_push_device, public.forget_push_devices
from public, anon;
grant execute on function public.register_push_device, public.remove_push_device, public.forget_push_devices
to authenticated;

-- users.push_token, which the app writes on registration, adds a device too. Tokens are recognized by their shape: APNs
-- tokens are hexadecimal. Web subscriptions need keys and come only through register_push_device.
create function private.follow_push_token() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_apple constant boolean := new.push_token ~* '^[0-9a-f]{64,200}$';
begin
  if old.push_token is not null then
    delete from public.push_devices d
    where d.user_id = new.id and d.token = old.push_token and new.push_token is null;
  end if;
  if new.push_token ~ '^[\x21-\x7e]+$' and char_length(new.push_token) between 20 and 2000
    and new.push_token !~ '^https?:' and not exists (
    select from public.push_devices d where d.token = new.push_token and d.user_id = new.id
  ) then
    perform private.add_device(
      new.id, new.push_token, case when is_apple then 'ios' else 'android' end,
      case when is_apple then 'apns' else 'fcm' end, null, null, null
    );
  end if;
  return null;
end
$$;

create trigger follow_push_token after update of push_token on private.members
  for each row when (old.push_token is distinct from new.push_token)
  execute function private.follow_push_token();

create function private.forget_devices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.push_devices d where d.user_id = new.id;
  return null;
end
$$;

create trigger forget_devices after update of is_active on private.members
  for each row when (old.is_active and not new.is_active) execute function private.forget_devices();

-- A device whose provider no longer knows it.
create function private.drop_dead_device(device_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  dead public.push_devices;
begin
  delete from public.push_devices d where d.id = drop_dead_device.device_id returning * into dead;
  update private.members m set push_token = null where m.id = dead.user_id and m.push_token = dead.token;
end
$$;

-- The push channels this installation can use; the worker reports them when it starts.
create table public.push_channels (
  channel text primary key,
  is_on boolean not null,
  detail text not null default '',
  public_key text,
  checked_at timestamptz not null default now(),
  constraint "Channel must be apns, fcm or web" check (channel in ('apns', 'fcm', 'web'))
);
comment on table public.push_channels is 'Which push providers this installation has credentials for.';
insert into public.push_channels (channel, is_on, detail) values
  ('apns', false, 'No worker has reported yet'),
  ('fcm', false, 'No worker has reported yet'),
  ('web', false, 'No worker has reported yet');

alter table public.push_channels enable row level security;
revoke all on public.push_channels from anon, authenticated;
grant select on public.push_channels to authenticated;
create policy "admins see which channels work" on public.push_channels
  for select to authenticated using ((select private.is_admin()));

create function public.push_public_key() returns text
language sql stable security definer set search_path = ''
as $$
  select c.public_key from public.push_channels c
  where c.channel = 'web' and c.is_on and (select private.is_member())
$$;
comment on function public.push_public_key is 'The key that browsers subscribe with; null while web push is off.';

create function public.report_push_channels(channels jsonb) returns void
language sql security definer set search_path = ''
as $$
  update public.push_channels c set
    is_on = r.is_on, detail = coalesce(r.detail, ''), public_key = r.public_key, checked_at = now()
  from jsonb_to_recordset(channels) as r (channel text, is_on boolean, detail text, public_key text)
  where c.channel = r.channel
$$;
comment on function public.report_push_channels is 'The worker reports which channels it has credentials for.';

revoke execute on function public.push_public_key, public.report_push_channels from public, anon, authenticated;
grant execute on function public.push_public_key to authenticated;
grant execute on function public.report_push_channels to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/notification_settings.sql

-- Which push notifications a member wants, and when. No row means all of them, at any time.

create table public.notification_settings (
  user_id uuid primary key default auth.uid() references private.members (id) on delete cascade,
  messages boolean not null default true,
  mentions boolean not null default true,
  notices boolean not null default true,
  quiet_from time,
  quiet_to time,
  time_zone text,
  mentions_pass_quiet boolean not null default true,
  constraint "Quiet hours have a beginning and an end" check ((quiet_from is null) = (quiet_to is null)),
  constraint "Quiet hours must not be empty" check (quiet_from <> quiet_to)
);
comment on table public.notification_settings is 'A member''s own choice of push notifications. Urgent notices always get through.';
comment on column public.notification_settings.quiet_from is 'Local time; push waits from then until quiet_to.';
comment on column public.notification_settings.time_zone is 'IANA name; null means the team''s.';

alter table public.notification_settings enable row level security;
revoke all on public.notification_settings from anon, authenticated;
grant select, insert, update on public.notification_settings to authenticated;
create policy "members read their own settings" on public.notification_settings
  for select to authenticated using (user_id = (select auth.uid()));
create policy "members make their own settings" on public.notification_settings
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members change their own settings" on public.notification_settings
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create function private.check_optional_time_zone() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.time_zone is not null and not exists (
    select from pg_catalog.pg_timezone_names z where z.name = new.time_zone
  ) then
    raise exception 'Time zone must be a name such as America/New_York' using errcode = '23514';
  end if;
  return new;
end
$$;
create trigger check_time_zone before insert or update of time_zone on public.notification_settings
  for each row execute function private.check_optional_time_zone();

-- The end of the quiet hours that contain `at`; null outside of them.
create function private.quiet_until(user_id uuid, at timestamptz) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select case
    when s.quiet_from < s.quiet_to and l.time >= s.quiet_from and l.time < s.quiet_to
      then (l.day + s.quiet_to) at time zone l.zone
    when s.quiet_from > s.quiet_to and l.time >= s.quiet_from
      then (l.day + 1 + s.quiet_to) at time zone l.zone
    when s.quiet_from > s.quiet_to and l.time < s.quiet_to
      then (l.day + s.quiet_to) at time zone l.zone
  end
  from public.notification_settings s
  cross join lateral (
    select z.zone, (at at time zone z.zone)::time as time, (at at time zone z.zone)::date as day
    from (select coalesce(s.time_zone, (select t.time_zone from public.team_settings t)) as zone) z
  ) l
  where s.user_id = quiet_until.user_id
$$;

revoke execute on all functions in schema private from public;

-- ./schemas/notices.sql

-- Notices from admins to the team: now or later, to everyone or some, to be read or to be acknowledged. Publishing
-- writes one receipt per recipient; the receipts define who may read a notice and who has not acknowledged it.

create table public.team_notices (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  body text not null default '',
  link text,
  audience text not null default 'all',
  audience_role text,
  audience_chat_id uuid references public.chats (id) on delete set null,
  audience_members uuid[] not null default '{}',
  is_urgent boolean not null default false,
  must_acknowledge boolean not null default false,
  scheduled_for timestamptz,
  published_at timestamptz,
  cancelled_at timestamptz,
  created_by uuid default auth.uid() references private.members (id),
  created_at timestamptz not null default now(),
  constraint "Title is required" check (title ~ '\S'),
  constraint "Title is at most 100 characters" check (char_length(title) <= 100),
  constraint "Text is at most 2000 characters" check (char_length(body) <= 2000),
  constraint "Link must be a web address or a path"
    check (link ~* '^(https?://[^\s/?#]+|/(?!/))[^\s]*$' and char_length(link) <= 2000),
  constraint "Audience must be all, role, chat or members" check (audience in ('all', 'role', 'chat', 'members')),
  constraint "Choose a role" check (audience <> 'role' or (audience_role in ('user', 'admin')) is true),
  constraint "Choose at least one member" check (audience <> 'members' or cardinality(audience_members) between 1 and 2000)
);
comment on table public.team_notices is 'Announcements by admins. Published ones can only be withdrawn, not changed.';
comment on column public.team_notices.scheduled_for is 'Null: immediately.';
comment on column public.team_notices.is_urgent is 'Overrides quiet hours and switched-off notices; each time is recorded.';

create index team_notices_audience_chat_id on public.team_notices (audience_chat_id) where audience_chat_id is not null;
create index team_notices_created_by on public.team_notices (created_by);
create index team_notices_due on public.team_notices (scheduled_for) where published_at is null and cancelled_at is null;

create table public.notice_receipts (
  notice_id uuid not null references public.team_notices (id) on delete cascade,
  user_id uuid not null references private.members (id) on delete cascade,
  received_at timestamptz not null default now(),
  shown_at timestamptz,
  opened_at timestamptz,
  acknowledged_at timestamptz,
  reminded_at timestamptz,
  mailed_at timestamptz,
  primary key (notice_id, user_id)
);
comment on table public.notice_receipts is 'One row per member a notice was published to, and what they did with it.';
create index notice_receipts_reminded on public.notice_receipts (reminded_at)
  where acknowledged_at is null and reminded_at is not null;
create index notice_receipts_user_id on public.notice_receipts (user_id, received_at desc);

create function private.my_notice_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$ select r.notice_id from public.notice_receipts r where r.user_id = (select auth.uid()) $$;

alter table public.team_notices enable row level security;
revoke all on public.team_notices from anon, authenticated;
grant select on public.team_notices to authenticated;
grant insert (
  id, title, body, link, audience, audience_role, audience_chat_id, audience_members, is_urgent, must_acknowledge,
  scheduled_for
), update (
  title, body, link, audience, audience_role, audience_chat_id, audience_members, is_urgent, must_acknowledge,
  scheduled_for, cancelled_at
) on public.team_notices to authenticated;

create policy "members read what was published to them, admins all" on public.team_notices
  for select to authenticated
  using (
    (select private.is_admin())
    or cancelled_at is null and id in (select private.my_notice_ids()) and (select private.is_member())
  );
create policy "admins write notices" on public.team_notices
  for insert to authenticated with check ((select private.is_admin()) and created_by = (select auth.uid()));
create policy "admins change and withdraw notices" on public.team_notices
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

alter table public.notice_receipts enable row level security;
revoke all on public.notice_receipts from anon, authenticated;
grant select on public.notice_receipts to authenticated;

create policy "members see their own receipts, admins all" on public.notice_receipts
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

create function private.guard_notice() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.title := btrim(new.title);
  new.link := nullif(btrim(new.link), '');
  if new.audience = 'chat' and new.audience_chat_id is null and tg_op = 'INSERT' then
    raise exception 'Choose a chat' using errcode = '23514';
  end if;
  if tg_op = 'UPDATE' and old.published_at is not null and
    (new.title, new.body, new.link, new.audience, new.audience_role, new.audience_members, new.is_urgent,
      new.must_acknowledge, new.scheduled_for)
    is distinct from
    (old.title, old.body, old.link, old.audience, old.audience_role, old.audience_members, old.is_urgent,
      old.must_acknowledge, old.scheduled_for)
  then
    raise exception 'A published notice cannot be changed' using errcode = '42501', hint = 'Withdraw it and write another.';
  end if;
  return new;
end
$$;
create trigger guard_notice before insert or update on public.team_notices
  for each row execute function private.guard_notice();

create function private.notice_audience(notice public.team_notices) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.id from private.members m
  where m.is_active and case notice.audience
    when 'all' then true
    when 'role' then m.role = notice.audience_role
    when 'members' then m.id = any (notice.audience_members)
    when 'chat' then exists (
      select from private.chat_participants p
      where p.chat_id = notice.audience_chat_id and p.user_id = m.id and p.is_active
    )
    else false
  end
$$;

create function private.publish_notice(notice_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  notice public.team_notices;
begin
  update public.team_notices n set published_at = now()
  where n.id = publish_notice.notice_id and n.published_at is null and n.cancelled_at is null
  returning * into notice;
  if notice.id is null then
    return;
  end if;
  insert into public.notice_receipts (notice_id, user_id)
  select notice.id, member_id from private.notice_audience(notice) member_id
  on conflict do nothing;
  perform private.queue_notice(notice.id, false);
  perform realtime.send('{"table": "team_notices"}'::jsonb, 'content_changed', 'team', true);
end
$$;

-- What has to be acknowledged reaches those who join the team, the role or the chat later as well.
create function private.give_standing_notices(member_id uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into public.notice_receipts (notice_id, user_id)
  select n.id, m.id
  from private.members m
  join public.team_notices n on n.must_acknowledge and n.published_at is not null and n.cancelled_at is null
    and case n.audience
      when 'all' then true
      when 'role' then n.audience_role = m.role
      when 'chat' then exists (
        select from private.chat_participants p
        where p.chat_id = n.audience_chat_id and p.user_id = m.id and p.is_active
      )
      else false
    end
  where m.id = member_id and m.is_active
  on conflict do nothing
$$;

create function private.give_new_member_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.give_standing_notices(new.id);
  return null;
end
$$;
create trigger give_new_member_notices after insert or update of is_active, role on private.members
  for each row execute function private.give_new_member_notices();

create function private.give_new_participant_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.team_notices n where n.audience_chat_id = new.chat_id and n.must_acknowledge) then
    perform private.give_standing_notices(new.user_id);
  end if;
  return null;
end
$$;
create trigger give_new_participant_notices after insert or update of is_active on private.chat_participants
  for each row when (new.is_active) execute function private.give_new_participant_notices();

-- The push worker calls this every few seconds.
create function private.publish_due_notices() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  due uuid;
begin
  for due in
    select n.id from public.team_notices n
    where n.published_at is null and n.cancelled_at is null and coalesce(n.scheduled_for, n.created_at) <= now()
    order by n.scheduled_for limit 20 for update skip locked
  loop
    perform private.publish_notice(due);
  end loop;
end
$$;

create function private.publish_new_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(new.scheduled_for, now()) <= now() then
    perform private.publish_notice(new.id);
  end if;
  return null;
end
$$;
create trigger publish_notice after insert or update of scheduled_for on public.team_notices
  for each row when (new.published_at is null and new.cancelled_at is null)
  execute function private.publish_new_notice();

-- A withdrawn notice disappears from every open screen at once.
create function private.publish_withdrawn_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "team_notices"}'::jsonb, 'content_changed', 'team', true);
  return null;
end
$$;

create trigger publish_withdrawn_notice after update of cancelled_at on public.team_notices
  for each row when (old.published_at is not null and old.cancelled_at is distinct from new.cancelled_at)
  execute function private.publish_withdrawn_notice();

create function public.mark_notices_shown(notice_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  update public.notice_receipts r set shown_at = now()
  where r.user_id = (select auth.uid()) and r.notice_id = any (notice_ids) and r.shown_at is null
$$;
create function public.mark_notice_opened(notice_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.notice_receipts r set
    opened_at = case when r.opened_at >= coalesce(r.reminded_at, '-infinity') then r.opened_at else now() end,
    shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and r.notice_id = mark_notice_opened.notice_id
$$;
create function public.acknowledge_notice(notice_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.notice_receipts r set
    acknowledged_at = coalesce(r.acknowledged_at, now()), opened_at = coalesce(r.opened_at, now()),
    shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and r.notice_id = acknowledge_notice.notice_id
$$;

revoke execute on function
  public.mark_notices_shown, public.mark_notice_opened, public.acknowledge_notice
from public, anon;
grant execute on function
  public.mark_notices_shown, public.mark_notice_opened, public.acknowledge_notice
to authenticated;
revoke execute on all functions in schema private from public;
grant execute on function private.my_notice_ids() to authenticated, service_role;

-- ./schemas/notice_reminders.sql

-- Reminders of notices that have to be acknowledged: in the app at once, on devices, and by mail a day later.

create table private.reminder_mailer (
  is_only_row boolean primary key default true check (is_only_row),
  seen_at timestamptz not null
);
comment on table private.reminder_mailer is 'When a server last asked which reminders to mail; without one, none are promised.';
alter table private.reminder_mailer enable row level security;
revoke all on private.reminder_mailer from anon, authenticated, service_role;

create function private.sends_reminder_mails() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.reminder_mailer r where r.seen_at > now() - interval '1 hour') $$;

-- A reminder makes the notice unread again, on top of the Notifications page, and is pushed to the devices there are.
create function public.remind_notice(notice_id uuid)
returns table (reminded int, with_device int, with_mail int, reminded_just_now int)
language plpgsql security definer set search_path = ''
as $$
declare
  -- So that a double click sends one.
  between_reminders constant interval := interval '1 minute';
begin
  if not private.is_admin() then
    raise exception 'Only admins send reminders' using errcode = '42501';
  end if;
  with receipts as (
    update public.notice_receipts r set reminded_at = now()
    from public.team_notices n, private.members m
    where n.id = remind_notice.notice_id and n.cancelled_at is null and r.notice_id = n.id
      and m.id = r.user_id and m.is_active
      and r.acknowledged_at is null and coalesce(r.reminded_at, '-infinity') < now() - between_reminders
    returning r.user_id, m.email
  )
  select count(*), count(*) filter (
    where exists (
      select from public.push_devices d join public.push_channels c on c.channel = d.channel and c.is_on
      where d.user_id = receipts.user_id
    )
  ), count(email) filter (where private.sends_reminder_mails())
  into reminded, with_device, with_mail from receipts;

  -- After the update, which waits for a reminder sent at the same moment.
  select count(*) - reminded into reminded_just_now
  from public.notice_receipts r
  where r.notice_id = remind_notice.notice_id and r.acknowledged_at is null
    and r.reminded_at >= now() - between_reminders;

  if reminded > 0 then
    perform private.queue_notice(notice_id, true);
    perform realtime.send('{"table": "team_notices"}'::jsonb, 'content_changed', 'team', true);
  end if;
  return next;
end
$$;
comment on function public.remind_notice is
  'Sends the notice again to members who have not acknowledged it: how many, and how many of them a device or a mail reaches.';

-- Marks them as mailed before they are: a crash loses a mail rather than sending it twice.
create function public.claim_reminder_mails(max_results int default 50)
returns table (email text, language text, title text, body text)
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.reminder_mailer (seen_at) values (now())
  on conflict (is_only_row) do update set seen_at = excluded.seen_at;
  return query
  with due as (
    select r.notice_id, r.user_id, m.email, n.title, n.body
    from public.notice_receipts r
    join public.team_notices n on n.id = r.notice_id and n.cancelled_at is null
    join private.members m on m.id = r.user_id and m.is_active and m.email is not null
    where r.acknowledged_at is null and r.reminded_at <= now() - interval '1 day'
      and coalesce(r.mailed_at, '-infinity') < r.reminded_at
    order by r.reminded_at limit max_results
    for update of r skip locked
  ), mailed as (
    update public.notice_receipts r set mailed_at = now()
    from due d where r.notice_id = d.notice_id and r.user_id = d.user_id
  )
  select d.email, coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language', 'en'), d.title, d.body
  from due d join auth.users u on u.id = d.user_id;
end
$$;
comment on function public.claim_reminder_mails is
  'For the server: reminders not acknowledged after a day, each returned once.';

revoke execute on function public.remind_notice, public.claim_reminder_mails from public, anon, authenticated;
grant execute on function public.remind_notice to authenticated;
grant execute on function public.claim_reminder_mails to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/push_outbox.sql

-- Push notifications still to be sent. A message or notice writes one row to the outbox in its own transaction, whatever
-- the size of the team, so it is pushed exactly if it was stored; the worker later spreads it over devices.

create table private.push_outbox (
  id bigserial primary key,
  kind text not null,
  -- No foreign keys to messages and devices: inserting a message must not pay for them, and missing ones are skipped.
  message_id uuid,
  notice_id uuid references public.team_notices (id) on delete cascade,
  device_id uuid,
  is_reminder boolean not null default false,
  created_at timestamptz not null default now(),
  spread_at timestamptz,
  constraint "Kind must be message, notice or test" check (kind in ('message', 'notice', 'test')),
  constraint "An entry is about one thing" check (num_nonnulls(message_id, notice_id, device_id) = 1)
);
comment on table private.push_outbox is 'Messages, notices and tests whose push notifications are still to be sent.';
create index push_outbox_waiting on private.push_outbox (id) where spread_at is null;
create index push_outbox_notice_id on private.push_outbox (notice_id) where notice_id is not null;
create index push_outbox_created_at on private.push_outbox (created_at);

create table private.push_deliveries (
  id bigserial primary key,
  outbox_id bigint not null references private.push_outbox (id) on delete cascade,
  user_id uuid not null references private.members (id) on delete cascade,
  device_id uuid references public.push_devices (id) on delete set null,
  channel text not null,
  collapse_key text not null,
  is_pressing boolean not null default false,
  passed_quiet_hours boolean not null default false,
  state text not null default 'waiting',
  reason text,
  attempts int not null default 0,
  due_at timestamptz not null,
  claimed_until timestamptz,
  finished_at timestamptz,
  constraint "State must be known" check (
    state in ('waiting', 'sending', 'sent', 'skipped', 'collapsed', 'failed', 'uncertain')
  )
);
comment on table private.push_deliveries is 'One notification for one device, and its outcome.';
comment on column private.push_deliveries.is_pressing is 'A mention or an urgent notice: may override quiet hours.';
comment on column private.push_deliveries.state is
  'uncertain: a worker died or lost its connection while sending; reported, never retried, since it may have arrived.';
create index push_deliveries_due on private.push_deliveries (due_at) where state = 'waiting';
create index push_deliveries_claimed on private.push_deliveries (claimed_until) where state = 'sending';
create index push_deliveries_collapse on private.push_deliveries (device_id, collapse_key) where state = 'waiting';
create index push_deliveries_outbox_id on private.push_deliveries (outbox_id);
create index push_deliveries_user_id on private.push_deliveries (user_id);
create index push_deliveries_device_id on private.push_deliveries (device_id);
create index push_deliveries_finished_at on private.push_deliveries (finished_at);

alter table private.push_outbox enable row level security;
alter table private.push_deliveries enable row level security;
revoke all on private.push_outbox, private.push_deliveries from anon, authenticated, service_role;

-- An open thread marks itself as read within this time, and then nothing needs to be pushed.
create function private.push_delay() returns interval
language sql immutable set search_path = ''
as $$ select interval '2 seconds' $$;

create function private.queue_message_push() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Costs one index probe while the team has no device.
  if exists (select from public.push_devices) then
    insert into private.push_outbox (kind, message_id) values ('message', new.id);
    perform pg_notify('push_outbox', '');
  end if;
  return null;
end
$$;
create trigger queue_message_push after insert on public.chat_messages
  for each row execute function private.queue_message_push();

create function private.queue_notice(notice_id uuid, is_reminder boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.push_outbox (kind, notice_id, is_reminder)
  values ('notice', queue_notice.notice_id, queue_notice.is_reminder);
  perform pg_notify('push_outbox', '');
end
$$;

-- A test that cannot arrive is refused with the reason, instead of failing where only admins look.
create function public.send_test_push(device_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  device public.push_devices;
begin
  select * into device from public.push_devices d
  where d.id = send_test_push.device_id and d.user_id = (select auth.uid());
  if device.id is null then
    raise exception 'This is not one of your devices' using errcode = '42501';
  end if;
  if not exists (select from public.push_channels c where c.channel = device.channel and c.is_on) then
    raise exception 'Your team''s server does not send push notifications to this kind of device'
      using errcode = 'PT409';
  end if;
  if exists (
    select from private.push_outbox o
    where o.kind = 'test' and o.device_id = send_test_push.device_id and o.created_at > now() - interval '10 seconds'
  ) then
    raise exception 'Wait a moment before the next test' using errcode = 'PT429';
  end if;
  insert into private.push_outbox (kind, device_id) values ('test', send_test_push.device_id);
  perform pg_notify('push_outbox', '');
end
$$;
comment on function public.send_test_push is 'Sends a test notification to one of the caller''s own devices.';
revoke execute on function public.send_test_push from public, anon;
grant execute on function public.send_test_push to authenticated;

-- The recipients of an entry. Decides only what cannot change any more; push_verdict decides the rest when it is sent.
create function private.push_recipients(entry private.push_outbox)
returns table (user_id uuid, device_id uuid, channel text, collapse_key text, is_pressing boolean, due_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select p.user_id, d.id, d.channel, m.chat_id::text, p.user_id = any (m.mentions), m.sent_at + private.push_delay()
  from public.chat_messages m
  join private.chat_participants p on p.chat_id = m.chat_id and p.is_active and p.user_id <> m.sender_id
  join public.push_devices d on d.user_id = p.user_id
  where entry.kind = 'message' and m.id = entry.message_id
  union all
  select r.user_id, d.id, d.channel, n.id::text, n.is_urgent, now()
  from public.team_notices n
  join public.notice_receipts r on r.notice_id = n.id and (not entry.is_reminder or r.acknowledged_at is null)
  join public.push_devices d on d.user_id = r.user_id
  where entry.kind = 'notice' and n.id = entry.notice_id
  union all
  select d.user_id, d.id, d.channel, 'test', true, now()
  from public.push_devices d
  where entry.kind = 'test' and d.id = entry.device_id
$$;

create function private.spread_push_outbox() returns void
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  entry private.push_outbox;
begin
  for entry in
    select o.* from private.push_outbox o where o.spread_at is null order by o.id limit 100 for update skip locked
  loop
    -- The newest message of a chat replaces earlier ones, except those that are pressing.
    with recipients as (select * from private.push_recipients(entry)),
    collapsed as (
      update private.push_deliveries old set state = 'collapsed', finished_at = now()
      from recipients r
      where old.device_id = r.device_id and old.collapse_key = r.collapse_key and old.state = 'waiting'
        and (r.is_pressing or not old.is_pressing)
    )
    insert into private.push_deliveries (outbox_id, user_id, device_id, channel, collapse_key, is_pressing, due_at)
    select entry.id, r.user_id, r.device_id, r.channel, r.collapse_key, r.is_pressing, r.due_at from recipients r;

    update private.push_outbox o set spread_at = now() where o.id = entry.id;
  end loop;
end
$$;

revoke execute on all functions in schema private from public;

-- ./schemas/push_worker.sql

-- The push worker's calls, with the secret key: claim what is due, report what became of it. A delivery is marked as being
-- sent, and that is committed, before the provider is called. If the worker dies then, it is not retried: nobody gets
-- a notification twice, and the admin page counts those whose outcome is unknown.

create function private.most_push_attempts() returns int
language sql immutable set search_path = ''
as $$ select 6 $$;

-- Unread messages in all of a member's chats, for the number on the app's icon; stops counting at 100. Muted and archived
-- chats are left out, as in the number on the Chat tab.
create function private.unread_badge(member_id uuid) returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from (
    select
    from private.members me
    join private.chat_participants p on p.user_id = me.id and p.is_active
      and p.chat_id <> all (me.hidden_chats || me.archived_chats)
      and coalesce(p.muted_until, '-infinity') <= now()
    join public.chats c on c.id = p.chat_id and c.is_active and (c.type <> 'mandatory' or me.rally_enabled)
    cross join lateral (
      select newest.sender_id, newest.is_deleted from (
        select m.sender_id, m.is_deleted from public.chat_messages m
        where m.chat_id = c.id and m.sent_at > coalesce(p.last_read_at, '-infinity')
        order by m.sent_at desc limit 200
      ) newest
      where newest.sender_id <> me.id and not newest.is_deleted
    ) unread
    where me.id = member_id
    limit 100
  ) counted
$$;

-- Whether a delivery is still wanted now: a reason to skip it, a time to hold it back until, or neither.
create function private.push_verdict(
  delivery private.push_deliveries, entry private.push_outbox, out skip text, out hold_until timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  member private.members;
  settings public.notification_settings;
  message public.chat_messages;
  notice public.team_notices;
begin
  select * into member from private.members m where m.id = delivery.user_id;
  select * into settings from public.notification_settings s where s.user_id = delivery.user_id;
  if delivery.device_id is null then
    skip := 'device removed';
  elsif not exists (
    select from public.push_devices d where d.id = delivery.device_id and d.user_id = delivery.user_id
  ) then
    skip := 'device has another owner';
  elsif not member.is_active then
    skip := 'former member';
  elsif entry.created_at < now() - interval '1 day' then
    skip := 'too old';
  elsif entry.kind = 'message' then
    select * into message from public.chat_messages m where m.id = entry.message_id;
    skip := case
      when message.id is null or message.is_deleted then 'deleted'
      when message.chat_id = any (member.hidden_chats) then 'hidden'
      when not coalesce(case when delivery.is_pressing then settings.mentions else settings.messages end, true)
        then 'switched off'
      else (
        select case
          when not p.is_active then 'left the chat'
          when c.type = 'mandatory' and not member.rally_enabled then 'chat disabled'
          when not c.is_active then 'chat closed'
          when p.last_read_at >= message.sent_at then 'read'
          when p.muted_until > now() then 'muted'
        end
        from private.chat_participants p join public.chats c on c.id = p.chat_id
        where p.chat_id = message.chat_id and p.user_id = delivery.user_id
      )
    end;
    if not delivery.is_pressing or not coalesce(settings.mentions_pass_quiet, true) then
      hold_until := private.quiet_until(delivery.user_id, now());
    end if;
  elsif entry.kind = 'notice' then
    select * into notice from public.team_notices n where n.id = entry.notice_id;
    skip := case
      when notice.cancelled_at is not null then 'withdrawn'
      when not notice.is_urgent and not coalesce(settings.notices, true) then 'switched off'
      when exists (
        select from public.notice_receipts r
        where r.notice_id = notice.id and r.user_id = delivery.user_id
          and (r.acknowledged_at is not null or r.opened_at is not null and not notice.must_acknowledge)
      ) then 'read'
    end;
    if not notice.is_urgent then
      hold_until := private.quiet_until(delivery.user_id, now());
    end if;
  end if;
end
$$;

-- A test is in the member's language, read from where the auth service reads the language of its mails.
create function private.push_text(
  entry private.push_outbox,
  out title text, out body text, out chat_id uuid, out message_id uuid, out notice_id uuid, out link text,
  out sent_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  if entry.kind = 'message' then
    select
      case when c.type = 'individual' then sender.name else c.name end,
      case when c.type = 'individual' then '' else sender.name || ': ' end
        || case when m.message ~ '\S' then left(m.message, 300) else '📷' end,
      m.chat_id, m.id, '/chat/' || m.chat_id, m.sent_at
    into title, body, chat_id, message_id, link, sent_at
    from public.chat_messages m
    join public.chats c on c.id = m.chat_id
    cross join lateral (
      select private.display_name(s.first_name, s.last_name, s.email) as name
      from private.members s where s.id = m.sender_id
    ) sender
    where m.id = entry.message_id;
  elsif entry.kind = 'notice' then
    select n.title, left(n.body, 300), n.id, '/notifications', n.published_at
    into title, body, notice_id, link, sent_at
    from public.team_notices n where n.id = entry.notice_id;
  else
    if exists (
      select from public.push_devices d join auth.users u on u.id = d.user_id
      where d.id = entry.device_id
        and coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language') ~* '^es\M'
    ) then
      title := 'Prueba';
      body := 'Las notificaciones llegan a este dispositivo.';
    else
      title := 'Test';
      body := 'Notifications reach this device.';
    end if;
    link := '/notifications';
    sent_at := entry.created_at;
  end if;
end
$$;

create function public.claim_push_deliveries(channels text[], max_results int default 50, lease_seconds int default 120)
returns table (
  id bigint, attempt int, channel text, token text, p256dh text, auth text, kind text, title text, body text,
  chat_id uuid, message_id uuid, notice_id uuid, link text, sent_at timestamptz, badge int, collapse_key text,
  is_pressing boolean
)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  delivery private.push_deliveries;
  entry private.push_outbox;
  verdict record;
  claimed int := 0;
begin
  update private.push_deliveries d set state = 'uncertain', reason = 'the worker stopped while sending', finished_at = now()
  where d.state = 'sending' and d.claimed_until < now();
  perform private.publish_due_notices();
  perform private.spread_push_outbox();

  for delivery in
    select d.* from private.push_deliveries d
    where d.state = 'waiting' and d.due_at <= now()
    order by d.due_at, d.id limit 500 for update skip locked
  loop
    exit when claimed >= max_results;
    select * into entry from private.push_outbox o where o.id = delivery.outbox_id;
    select * into verdict from private.push_verdict(delivery, entry);
    if verdict.skip is null and delivery.channel <> all (channels) then
      update private.push_deliveries d set state = 'failed', reason = 'channel is off', finished_at = now()
      where d.id = delivery.id;
    elsif verdict.skip is not null then
      update private.push_deliveries d set state = 'skipped', reason = verdict.skip, finished_at = now()
      where d.id = delivery.id;
    elsif verdict.hold_until is not null then
      update private.push_deliveries d set due_at = verdict.hold_until, reason = 'quiet hours' where d.id = delivery.id;
    else
      claimed := claimed + 1;
      update private.push_deliveries d set
        state = 'sending', reason = null, attempts = d.attempts + 1,
        claimed_until = now() + make_interval(secs => lease_seconds),
        passed_quiet_hours = private.quiet_until(d.user_id, now()) is not null
      where d.id = delivery.id;
      return query
        select delivery.id, delivery.attempts + 1, delivery.channel, v.token, v.p256dh, v.auth, entry.kind, t.title, t.body,
          t.chat_id, t.message_id, t.notice_id, t.link, t.sent_at, private.unread_badge(delivery.user_id),
          delivery.collapse_key, delivery.is_pressing
        from public.push_devices v, private.push_text(entry) t where v.id = delivery.device_id;
    end if;
  end loop;

  delete from private.push_outbox o where o.id in (
    select old.id from private.push_outbox old where old.created_at < now() - interval '30 days' limit 100
  );
end
$$;
comment on function public.claim_push_deliveries is 'For the push worker: due notifications, each claimed for the length of the lease.';

-- outcome: sent, retry (not sent, try again), gone (the device does not exist), failed, uncertain (sent, or not).
create function public.settle_push_deliveries(results jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  result record;
  delivery private.push_deliveries;
begin
  for result in
    select * from jsonb_to_recordset(results)
      as r (id bigint, attempt int, outcome text, reason text, retry_after_seconds double precision)
  loop
    select * into delivery from private.push_deliveries d
    where d.id = result.id and d.state = 'sending' and d.attempts = result.attempt for update;
    -- The lease expired in the meantime; what was recorded then stands.
    continue when not found;

    if result.outcome = 'retry' and delivery.attempts < private.most_push_attempts() then
      update private.push_deliveries d set
        state = 'waiting', reason = left(result.reason, 300), claimed_until = null,
        due_at = now() + greatest(
          make_interval(secs => least(coalesce(result.retry_after_seconds, 0), 3600)),
          -- 5 s, 10 s, 20 s …, with a quarter of jitter so that a recovering provider is not stampeded.
          interval '5 seconds' * 2 ^ (d.attempts - 1) * (1 + random() / 4)
        )
      where d.id = delivery.id;
      continue;
    end if;

    update private.push_deliveries d set
      state = case when result.outcome in ('sent', 'uncertain') then result.outcome else 'failed' end,
      reason = left(result.reason, 300), claimed_until = null, finished_at = now()
    where d.id = delivery.id;
    if result.outcome = 'gone' then
      perform private.drop_dead_device(delivery.device_id);
    end if;
  end loop;
end
$$;
comment on function public.settle_push_deliveries is 'For the push worker: the outcome of what it claimed.';

revoke execute on function public.claim_push_deliveries, public.settle_push_deliveries from public, anon, authenticated;
grant execute on function public.claim_push_deliveries, public.settle_push_deliveries to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/notification_pages.sql

-- What the Notifications page and Notification Management show, each in one call.

-- A page ends at (at, id): several notices may be published at the same moment.
create function public.my_notifications(
  max_results int default 50, before timestamptz default 'infinity',
  before_id uuid default '00000000-0000-0000-0000-000000000000'
)
returns table (
  kind text, id uuid, chat_id uuid, title text, body text, link text, at timestamptz, is_unread boolean,
  is_urgent boolean, must_acknowledge boolean, acknowledged_at timestamptz, reminded_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  (
    select 'notice', n.id, null::uuid, n.title, n.body, n.link, greatest(r.received_at, r.reminded_at),
      r.opened_at is null or r.acknowledged_at is null and r.opened_at < coalesce(r.reminded_at, '-infinity'), n.is_urgent,
      n.must_acknowledge, r.acknowledged_at, r.reminded_at
    from public.notice_receipts r join public.team_notices n on n.id = r.notice_id
    where r.user_id = (select auth.uid()) and (select private.is_member())
      and n.cancelled_at is null and (greatest(r.received_at, r.reminded_at), n.id) < (before, before_id)
    order by 7 desc, 2 desc limit least(max_results, 200)
  )
  union all
  (
    select 'mention', m.id, m.chat_id, private.display_name(s.first_name, s.last_name, s.email), left(m.message, 300),
      '/chat/' || m.chat_id, m.sent_at, m.sent_at > coalesce(p.last_read_at, '-infinity'), false, false,
      null::timestamptz, null::timestamptz
    from public.chat_messages m
    join private.chat_participants p on p.chat_id = m.chat_id and p.user_id = (select auth.uid())
    join private.members s on s.id = m.sender_id
    where m.mentions <> '{}' and m.mentions @> array[(select auth.uid())] and not m.is_deleted
      and (m.sent_at, m.id) < (before, before_id)
      and m.chat_id in (select private.my_chat_ids())
    order by m.sent_at desc, m.id desc limit least(max_results, 200)
  )
  order by 7 desc, 2 desc limit least(max_results, 200)
$$;
comment on function public.my_notifications is 'Notices to the caller and messages that mention them, newest first.';

create function public.unread_notification_count() returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from (select from public.my_notifications(100) n where n.is_unread limit 100) unread
$$;
comment on function public.unread_notification_count is 'Unread notices and mentions of the caller, at most 100.';

create function public.notice_results(notice_id uuid)
returns table (recipients int, sent int, shown int, opened int, acknowledged int, failed int, uncertain int, waiting int)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select r.recipients, d.sent, r.shown, r.opened, r.acknowledged, d.failed, d.uncertain, d.waiting
  from (
    select count(*)::int as recipients, count(c.shown_at)::int as shown, count(c.opened_at)::int as opened,
      count(c.acknowledged_at)::int as acknowledged
    from public.notice_receipts c join private.members m on m.id = c.user_id and m.is_active
    where c.notice_id = notice_results.notice_id
  ) r
  cross join (
    select
      (count(distinct e.user_id) filter (where e.state = 'sent'))::int as sent,
      (count(*) filter (where e.state = 'failed'))::int as failed,
      (count(*) filter (where e.state = 'uncertain'))::int as uncertain,
      (count(*) filter (where e.state in ('waiting', 'sending')))::int as waiting
    from private.push_outbox o join private.push_deliveries e on e.outbox_id = o.id
    where o.notice_id = notice_results.notice_id
  ) d;
end
$$;
comment on function public.notice_results is 'For admins: members addressed and reached; failed counts devices.';

create function public.notice_unacknowledged(notice_id uuid, max_results int default 50, skip int default 0)
returns table (id uuid, first_name text, last_name text, email text, reminded_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, r.reminded_at
  from public.notice_receipts r join private.members m on m.id = r.user_id and m.is_active
  where r.notice_id = notice_unacknowledged.notice_id and r.acknowledged_at is null
  order by m.first_name, m.last_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0);
end
$$;
comment on function public.notice_unacknowledged is
  'For admins: a page of the members who have not acknowledged a notice, by first name.';

create function public.push_health()
returns table (
  channel text, is_on boolean, detail text, checked_at timestamptz, devices int, sent int, failed int, uncertain int,
  waiting int, passed_quiet_hours int, oldest_waiting_at timestamptz, last_error text
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.assert_admin();
  return query
  select c.channel, c.is_on, c.detail, c.checked_at,
    (select count(*)::int from public.push_devices d where d.channel = c.channel),
    e.sent, e.failed, e.uncertain, e.waiting, e.passed,
    e.oldest,
    (select f.reason from private.push_deliveries f
      where f.channel = c.channel and f.state in ('failed', 'uncertain') and f.finished_at > now() - interval '1 day'
      order by f.finished_at desc limit 1)
  from public.push_channels c
  cross join lateral (
    select
      (count(*) filter (where d.state = 'sent'))::int as sent,
      (count(*) filter (where d.state = 'failed'))::int as failed,
      (count(*) filter (where d.state = 'uncertain'))::int as uncertain,
      (count(*) filter (where d.state in ('waiting', 'sending')))::int as waiting,
      (count(*) filter (where d.state = 'sent' and d.passed_quiet_hours))::int as passed,
      min(d.due_at) filter (where d.state = 'waiting' and d.due_at < now()) as oldest
    from private.push_deliveries d
    where d.channel = c.channel and (d.finished_at > now() - interval '1 day' or d.finished_at is null)
  ) e
  order by c.channel;
end
$$;
comment on function public.push_health is 'For admins: channels, devices and the last 24 hours of deliveries.';

revoke execute on function
  public.my_notifications, public.unread_notification_count, public.notice_results,
  public.notice_unacknowledged, public.push_health
from public, anon;
grant execute on function
  public.my_notifications, public.unread_notification_count, public.notice_results,
  public.notice_unacknowledged, public.push_health
to authenticated;

-- ./schemas/accounts.sql

-- A member's life follows the account: confirming the e-mail creates the profile, changing it updates the profile, and
-- deleting the account removes every personal detail while the messages stay readable.

create function private.follow_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.deleted_at is not null then
    perform private.forget_member(new.id);
    return null;
  end if;
  update private.members m set email = new.email where m.id = new.id and m.status <> 'deleted';
  if not found then
    perform private.ensure_member(new.id, null, null);
  end if;
  return null;
end
$$;

create function private.forget_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.forget_member(old.id);
  return null;
end
$$;

create function private.forget_member(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.members set
    status = 'deleted', status_reason = '', email = null, first_name = 'Former', last_name = 'member', role = 'user',
    push_token = null, hidden_chats = '{}', archived_chats = '{}',
    rally_enabled = false, can_create_chats = false, can_send_messages = false
  where id = member_id and status <> 'deleted';
  update private.chat_participants set is_active = false, last_read_at = null, muted_until = null
  where user_id = member_id and is_active;
  perform private.forget_in_audit_log(member_id);
end
$$;

-- The auth service's audit log outlives the accounts it names, with their e-mail and network address in it. Deleting an
-- account removes both: what was done and when stays, under an id that leads to nobody.
create function private.forget_in_audit_log(account_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.audit_log_entries
  set ip_address = '', payload = payload::jsonb || '{"actor_username": ""}' #- '{traits,user_email}'
  where payload ->> 'actor_id' = account_id::text;
  -- Entries about what admins did to the account.
  update auth.audit_log_entries
  set payload = payload::jsonb #- '{traits,user_email}'
  where payload #>> '{traits,user_id}' = account_id::text;
exception
  -- A hosted project's log belongs to the service. Accounts can still be deleted if it denies access.
  when insufficient_privilege then null;
end
$$;

create trigger follow_new_account after insert on auth.users
  for each row when (new.email_confirmed_at is not null) execute function private.follow_account();
-- Not on every sign-in, which updates the row as well.
create trigger follow_changed_account after update on auth.users
  for each row
  when (
    new.email_confirmed_at is not null
    and (old.email, old.email_confirmed_at, old.deleted_at)
      is distinct from (new.email, new.email_confirmed_at, new.deleted_at)
  )
  execute function private.follow_account();
create trigger forget_account after delete on auth.users
  for each row execute function private.forget_account();

-- For the screen that waits for the link in the mail, which may be opened on another device: one bit about one id that
-- nobody can guess.
-- Anyone may call it, and Postgres would log a text that is no uuid, however long. So the text is checked before the cast.
create function public.email_confirmed(user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- The length first: a pattern would read all of a long text.
  if char_length(user_id) is distinct from 36 or user_id !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    raise invalid_text_representation using message = 'user_id must be a uuid';
  end if;
  return exists (
    select from auth.users u where u.id = email_confirmed.user_id::uuid and u.email_confirmed_at is not null
  );
end
$$;
comment on function public.email_confirmed is 'Whether this account has confirmed its e-mail address.';
revoke execute on function public.email_confirmed from public;
grant execute on function public.email_confirmed to anon, authenticated, service_role;

-- The Data API calls this before every request, so it does nothing twice; 401 makes the app check its session. Public only
-- because the Data API calls it as the caller.
create function public.require_live_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  claims constant json := nullif(current_setting('request.jwt.claims', true), '');
  session_id constant text := claims ->> 'session_id';
  session record;
begin
  if session_id is null then
    return;
  end if;
  select s.user_id, s.aal into session from auth.sessions s where s.id = session_id::uuid;
  if not found then
    raise exception 'Your session has ended' using errcode = 'PT401';
  end if;
  -- Token and session: one that was stolen before the code was entered stays worthless.
  if session.aal >= 'aal2' and claims ->> 'aal' >= 'aal2' then
    return;
  end if;
  if private.has_second_factor(session.user_id)
    and current_setting('request.path', true) is distinct from '/rpc/use_recovery_code'
  then
    raise exception 'Enter your two-step code first' using errcode = 'PT403';
  end if;
end
$$;
comment on function public.require_live_session is
  'Refuses a caller whose session has ended, or has yet to show the account''s second factor. Called before every request.';
revoke execute on function public.require_live_session() from public;
grant execute on function public.require_live_session() to anon, authenticated, service_role, authenticator;

do $$
begin
  execute format(
    'alter role authenticator in database %I set pgrst.db_pre_request = %L',
    current_database(), 'public.require_live_session'
  );
end
$$;
notify pgrst, 'reload config';

-- Devices that are open check their session when one of the member's ends.
create function private.publish_ended_sessions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_members(array(select distinct e.user_id from ended e), 'session_ended', '{}');
  return null;
end
$$;

-- A session is looked up on each request, its account is not: a suspended or deleted account has none.
create function private.end_sessions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.sessions where user_id = new.id;
  return null;
end
$$;

create trigger publish_ended_sessions after delete on auth.sessions
  referencing old table as ended for each statement execute function private.publish_ended_sessions();
-- Waits for a suspension in progress, so that no session begins between its check and its end.
create function private.refuse_session() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
begin
  select u.banned_until, u.deleted_at into account from auth.users u where u.id = new.user_id for no key update;
  if account.banned_until > now() or account.deleted_at is not null then
    raise exception 'User is banned' using errcode = '42501';
  end if;
  return new;
end
$$;

create trigger refuse_session before insert on auth.sessions
  for each row execute function private.refuse_session();
create trigger end_sessions after update on auth.users
  for each row
  when ((old.banned_until, old.deleted_at) is distinct from (new.banned_until, new.deleted_at)
    and (new.banned_until > now() or new.deleted_at is not null))
  execute function private.end_sessions();

create function public.get_user_count() returns bigint
language sql stable security definer set search_path = ''
as $$
  select case when (select private.is_member()) or auth.role() = 'service_role'
    then (select count(*) from private.members where is_active) else 0 end
$$;
comment on function public.get_user_count is 'How many people are on the team.';
revoke execute on function public.get_user_count from public, anon;
grant execute on function public.get_user_count to authenticated, service_role;

-- A member's own account: export everything that is theirs, and delete the account. Both run with the owner's rights,
-- because accounts live in the schema auth, and both touch nothing but the caller's own rows.

-- Whether the caller's session just began with the password. The token says how and when; comparing the password here is
-- no option, since only the auth service can read every kind of hash.
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
  -- Triggers do the rest: messages stay readable under "Former member", personal data is removed, and a team's last
  -- admin is refused.
  delete from auth.users where id = (select auth.uid());
end
$$;
comment on function public.delete_my_account is
  'Deletes the caller''s account for good, within five minutes of signing in with the password.';

-- Finds tables and views by their owner column, so that tables added later are included automatically. A page has at most
-- 250 rows of each, which is 4 MB of the longest messages: an answer of the Data API is limited to 8.
create function public.export_my_data(page integer default 0) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  page_size constant integer := 250;
  copy jsonb;
  owned record;
  found_rows jsonb;
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
    select c.relname as table_name, (array_agg(a.attname order by a.attname desc))[1] as owner_column
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
      and a.attname in ('user_id', 'sender_id', 'created_by') and a.atttypid = 'uuid'::regtype
    group by c.relname order by c.relname
  loop
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from (
         select * from public.%I r where r.%I = $1 order by r limit $2 offset $3
       ) r',
      owned.table_name, owned.owner_column
    ) into found_rows using me, page_size, greatest(page, 0)::bigint * page_size;
    copy := copy || jsonb_build_object(owned.table_name, found_rows);
    has_more := has_more or jsonb_array_length(found_rows) = page_size;
  end loop;
  return copy || jsonb_build_object('has_more', has_more);
end
$$;
comment on function public.export_my_data is
  'A page of everything the caller owns: an array of rows for each table. `has_more`: the next page may have further rows.';

revoke execute on all functions in schema private from public;
-- Called by its definer only.
revoke execute on function private.typed_password_recently() from anon, authenticated;
revoke execute on function public.delete_my_account(), public.export_my_data(integer) from public, anon, service_role;
grant execute on function public.delete_my_account(), public.export_my_data(integer) to authenticated;

-- Accounts of a project that is older than the product, the oldest first: the first of them becomes the admin.
do $$
declare
  account record;
begin
  for account in
    select id from auth.users
    where email_confirmed_at is not null and deleted_at is null
    order by email_confirmed_at, created_at
  loop
    perform private.ensure_member(account.id, null, null);
  end loop;
end
$$;

-- ./schemas/second_factor.sql

-- The second factor (TOTP) is the auth service's. Here is what it has no words for: recovery codes for a lost phone, an
-- admin's reset, and the team's rule that admins need one. All of it works the same on hosted Supabase.

-- The codes of a member share one salt, so that a try costs one slow hash and not ten. A used code's row goes.
create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is 'Hashes of unused recovery codes.';
alter table private.recovery_codes enable row level security;
revoke all on private.recovery_codes from anon, authenticated, service_role;

create table private.recovery_attempts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  attempts integer not null default 1,
  since timestamptz not null default now()
);
comment on table private.recovery_attempts is 'Recovery codes tried lately, for rate limiting.';
alter table private.recovery_attempts enable row level security;
revoke all on private.recovery_attempts from anon, authenticated, service_role;

-- Digits and letters that nobody confuses (Crockford's base 32): 60 random bits in three groups of four.
create function private.new_recovery_code() returns text
language sql volatile set search_path = ''
as $$
  select regexp_replace(
    string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(random.bytes, place) & 31) + 1, 1), '' order by place),
    '(....)(....)(....)', '\1-\2-\3'
  )
  from (select extensions.gen_random_bytes(12) as bytes) random, generate_series(0, 11) place
$$;

-- As typed from paper: spaces, dashes and case do not count, and look-alikes stand for each other.
create function private.plain_recovery_code(typed text) returns text
language sql immutable set search_path = ''
as $$ select translate(regexp_replace(lower(left(typed, 100)), '[^0-9a-z]', '', 'g'), 'oil', '011') $$;

-- Ten new codes; those before are worth nothing.
create function public.create_recovery_codes() returns text[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  salt constant text := extensions.gen_salt('bf', 8);
  codes constant text[] := array(select private.new_recovery_code() from generate_series(1, 10));
begin
  if not private.has_second_factor(me) or not private.has_shown_second_factor() then
    raise exception 'Turn on two-step verification first' using errcode = '42501';
  end if;
  -- Serializes two calls, of which the later one's codes count.
  perform from auth.users u where u.id = me for update;
  delete from private.recovery_codes r where r.user_id = me;
  insert into private.recovery_codes (user_id, code_hash)
  select me, extensions.crypt(private.plain_recovery_code(code), salt) from unnest(codes) code;
  return codes;
end
$$;
comment on function public.create_recovery_codes is
  'Ten codes, each of which stands in once for the second factor. Shown only now; earlier ones become invalid.';

create function public.recovery_codes_left() returns integer
language sql stable security definer set search_path = ''
as $$ select count(*)::integer from private.recovery_codes r where r.user_id = (select auth.uid()) $$;
comment on function public.recovery_codes_left is 'How many of the caller''s recovery codes are unused.';

-- The one call open to a session that has yet to show its second factor (require_live_session). A wrong code returns
-- false instead of raising, so that the attempt stays counted.
--
-- The session is raised as the auth service does it: its access token says `aal2` after the next refresh. The member's
-- other sessions end, because the phone that is lost may still be signed in.
create function public.use_recovery_code(code text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 10;
  me constant uuid := (select auth.uid());
  this_session constant uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
  tried integer;
  salt text;
  factor uuid;
begin
  -- A trusted server's own token has no session to raise.
  if this_session is null then
    return false;
  end if;
  insert into private.recovery_attempts as known (user_id) values (me)
  on conflict (user_id) do update set
    attempts = case when known.since < now() - interval '1 hour' then 1 else known.attempts + 1 end,
    since = case when known.since < now() - interval '1 hour' then now() else known.since end
  returning attempts into tried;
  if tried > most_an_hour then
    raise exception 'Too many recovery codes: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;

  select left(r.code_hash, 29) into salt from private.recovery_codes r where r.user_id = me limit 1;
  delete from private.recovery_codes r
  where r.user_id = me and r.code_hash = extensions.crypt(private.plain_recovery_code(code), salt);
  if not found then
    return false;
  end if;

  delete from private.recovery_attempts a where a.user_id = me;
  select f.id into factor from auth.mfa_factors f
  where f.user_id = me and f.status = 'verified' order by f.created_at limit 1;
  update auth.sessions s set aal = 'aal2', factor_id = factor where s.id = this_session and s.user_id = me;
  insert into auth.mfa_amr_claims as known (id, session_id, created_at, updated_at, authentication_method)
  values (gen_random_uuid(), this_session, now(), now(), 'totp')
  on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at;
  delete from auth.sessions s where s.user_id = me and s.id <> this_session;
  perform private.log_second_factor('recovery_code_used', me, '{}');
  return true;
end
$$;
comment on function public.use_recovery_code is
  'Uses up one recovery code in place of the second factor; refresh the session afterwards. False: there is no such code.';

-- Codes without a factor would let nobody in, and must not come back to life with the next one.
create function private.drop_recovery_codes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.has_second_factor(old.user_id) then
    delete from private.recovery_codes r where r.user_id = old.user_id;
  end if;
  return null;
end
$$;
create trigger drop_recovery_codes after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function private.drop_recovery_codes();

-- For a member who lost the phone and the codes. They sign in with the password alone and set up a new factor.
create function public.reset_second_factor(member_id uuid, reason text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  why constant text := btrim(coalesce(reason, ''));
begin
  if not private.is_admin() then
    raise exception 'Only an admin resets two-step verification' using errcode = '42501';
  end if;
  if member_id = (select auth.uid()) then
    raise exception 'Turn off your own two-step verification in your profile' using errcode = '42501';
  end if;
  if why = '' then
    raise exception 'Give a reason' using errcode = '22023';
  end if;
  if char_length(why) > 200 then
    raise exception 'Reason is at most 200 characters' using errcode = '22023';
  end if;
  delete from auth.mfa_factors f where f.user_id = member_id;
  if not found then
    return false;
  end if;
  -- Whoever holds the lost phone is signed out with it.
  delete from auth.sessions s where s.user_id = member_id;
  perform private.log_second_factor('factor_deleted', member_id, jsonb_build_object('reason', why));
  return true;
end
$$;
comment on function public.reset_second_factor is
  'For admins: removes a member''s second factor and recovery codes and ends their sessions. False: they had none.';

-- Into the auth service's own audit log, in its format.
create function private.log_second_factor(action text, account_id uuid, details jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into auth.audit_log_entries (id, payload, created_at, ip_address)
  select gen_random_uuid(), jsonb_build_object(
    'action', action, 'actor_id', actor.id, 'actor_username', coalesce(actor.email, ''), 'actor_via_sso', false,
    'log_type', 'factor', 'traits', details || jsonb_build_object('user_id', account_id)
  ), now(), ''
  from auth.users actor where actor.id = (select auth.uid());
exception
  -- A hosted project's log belongs to the service.
  when insufficient_privilege then null;
end
$$;

-- Whoever turns the rule on must be able to turn it off again.
create function private.require_own_second_factor() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role' and not private.has_shown_second_factor() then
    raise exception 'Turn on two-step verification for yourself first' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger require_own_second_factor before update of admins_need_second_factor on public.team_settings
  for each row when (new.admins_need_second_factor and not old.admins_need_second_factor)
  execute function private.require_own_second_factor();

-- For what the policies do not cover: the admin area's screens, and the embedded server's mailbox.
create function public.acts_as_admin() returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_admin() $$;
comment on function public.acts_as_admin is
  'Whether the caller is an admin and, where the team asks for it, has shown a second factor.';

-- Admins without a second factor lose the admins' live topics at once.
create function private.recheck_admins() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(m.id) from private.members m where m.role = 'admin' and m.is_active;
  return null;
end
$$;
create trigger recheck_admins after update of admins_need_second_factor on public.team_settings
  for each row when (new.admins_need_second_factor <> old.admins_need_second_factor)
  execute function private.recheck_admins();

revoke execute on all functions in schema private from public;
revoke execute on function
  public.create_recovery_codes(), public.recovery_codes_left(), public.use_recovery_code(text),
  public.reset_second_factor(uuid, text), public.acts_as_admin()
from public, anon, service_role;
grant execute on function
  public.create_recovery_codes(), public.recovery_codes_left(), public.use_recovery_code(text),
  public.reset_second_factor(uuid, text), public.acts_as_admin()
to authenticated;

-- ./schemas/membership.sql

-- Suspending, removing and readmitting members, and what follows from it, whichever way a status changed.

create table private.handed_over_groups (
  chat_id uuid primary key references public.chats (id) on delete cascade,
  member_id uuid not null references private.members (id)
);
comment on table private.handed_over_groups is 'Groups whose creator is suspended or was removed; they return with the creator.';
create index handed_over_groups_member_id on private.handed_over_groups (member_id);
alter table private.handed_over_groups enable row level security;
revoke all on private.handed_over_groups from anon, authenticated, service_role;

create function public.set_member_status(member_id uuid, status text, reason text default '') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
begin
  if not by_service and not private.is_admin() then
    raise exception 'Only an admin may suspend or remove members' using errcode = '42501';
  end if;
  if member_id = (select auth.uid()) then
    raise exception 'Ask another admin to do this' using errcode = '42501';
  end if;
  select * into member from private.members m where m.id = set_member_status.member_id for update;
  if member.id is null or member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif set_member_status.status not in ('active', 'suspended', 'removed')
    or (member.status, set_member_status.status) = ('removed', 'suspended')
  then
    raise exception 'A member can be suspended, removed or readmitted' using errcode = '22023';
  elsif set_member_status.status <> 'active' and reason !~ '\S' then
    raise exception 'Give a reason for suspending or removing a member' using errcode = '23514';
  elsif member.status = set_member_status.status then
    return;
  end if;
  update private.members m set
    status = set_member_status.status, status_reason = btrim(reason), status_changed_at = now(),
    role = case when set_member_status.status = 'removed' then 'user' else m.role end
  where m.id = set_member_status.member_id;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_member_status is
  'For admins: suspends, removes or readmits a member (`active`), with a reason. The first two end every session at once.';
revoke execute on function public.set_member_status(uuid, text, text) from public, anon;
grant execute on function public.set_member_status(uuid, text, text) to authenticated, service_role;

-- The far date stands for "until lifted": the auth service reads no infinite one.
create function private.follow_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status in ('suspended', 'removed') then
    update auth.users set banned_until = '2999-12-31' where id = new.id;
    update private.members set push_token = null where id = new.id and push_token is not null;
  elsif new.status = 'active' then
    update auth.users set banned_until = null where id = new.id;
  end if;
  return null;
end
$$;
create trigger follow_status after update of status on private.members
  for each row when (old.status <> new.status) execute function private.follow_status();

-- Each group gets its longest-standing participant as creator, an admin first; a group of which
-- nobody is left keeps its creator. Scheduled notices are published as planned, in the name of who ended the membership.
create function private.hand_over() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with heirs as (
    select c.id, (
      select p.user_id
      from private.chat_participants p
      join private.members m on m.id = p.user_id and m.is_active
      where p.chat_id = c.id and p.is_active
      order by m.role = 'admin' desc, p.joined_at, p.user_id
      limit 1
    ) as heir
    from public.chats c
    where c.created_by = new.id and c.type = 'group'
  ), given as (
    update public.chats c set created_by = heirs.heir from heirs where c.id = heirs.id and heirs.heir is not null
    returning c.id
  )
  insert into private.handed_over_groups (chat_id, member_id) select given.id, new.id from given
  on conflict (chat_id) do update set member_id = excluded.member_id;

  update public.team_notices n set created_by = (select auth.uid())
  where n.created_by = new.id and n.published_at is null and n.cancelled_at is null
    and (select auth.uid()) is not null and (select auth.uid()) <> new.id;
  return null;
end
$$;
create trigger hand_over after update of status on private.members
  for each row when (old.status = 'active' and new.status <> 'active') execute function private.hand_over();

create function private.take_back_groups() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.chats c set created_by = new.id
  from private.handed_over_groups h
  where h.member_id = new.id and c.id = h.chat_id and exists (
    select from private.chat_participants p where p.chat_id = c.id and p.user_id = new.id and p.is_active
  );
  delete from private.handed_over_groups where member_id = new.id;
  return null;
end
$$;
create trigger take_back_groups after update of status on private.members
  for each row when (old.status in ('suspended', 'removed') and new.status = 'active')
  execute function private.take_back_groups();

revoke execute on all functions in schema private from public;

-- ./schemas/member_list.sql

-- The admins' view of who belongs to the team: a list to search and filter, and everything about one member.

-- The last sign of life: a session that was refreshed, or a sign-in.
create function private.last_active_at(member_id uuid) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select greatest(
    (select u.last_sign_in_at from auth.users u where u.id = member_id),
    (select max(coalesce(s.refreshed_at at time zone 'utc', s.updated_at, s.created_at))
     from auth.sessions s where s.user_id = member_id)
  )
$$;

-- `never_opened`: has an account and never signed in. `silent`: signed in before, and not in the last 14 days.
create function private.member_matches(member private.members, filter text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case filter
    when 'admins' then member.is_active and member.role = 'admin'
    when 'never_opened' then member.is_active and private.last_active_at(member.id) is null
    when 'silent' then member.is_active and private.last_active_at(member.id) < now() - interval '14 days'
    when 'suspended' then member.status = 'suspended'
    when 'removed' then member.status = 'removed'
    else member.is_active
  end
$$;

create function public.list_members(
  filter text default 'active', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, joined_at timestamptz,
  last_active_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.created_at, private.last_active_at(m.id)
  from private.members m
  where m.status <> 'deleted' and private.member_matches(m, filter)
    and m.searchable like all (private.member_patterns(query))
  order by m.first_name, m.last_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0);
end
$$;
comment on function public.list_members is
  'For admins: a page of members by first name. filter: active, admins, never_opened, silent, suspended or removed.';

create function public.count_members()
returns table (active bigint, admins bigint, never_opened bigint, silent bigint, suspended bigint, removed bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  with seen as materialized (
    select m.status, m.role, private.last_active_at(m.id) as at from private.members m where m.status <> 'deleted'
  )
  select
    count(*) filter (where s.status = 'active'),
    count(*) filter (where s.status = 'active' and s.role = 'admin'),
    count(*) filter (where s.status = 'active' and s.at is null),
    count(*) filter (where s.status = 'active' and s.at < now() - interval '14 days'),
    count(*) filter (where s.status = 'suspended'),
    count(*) filter (where s.status = 'removed')
  from seen s;
end
$$;
comment on function public.count_members is 'For admins: how many members each filter of list_members finds.';

create function public.member_details(member_id uuid)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, status_reason text,
  status_changed_at timestamptz, joined_at timestamptz, last_active_at timestamptz,
  rally_enabled boolean, can_create_chats boolean, can_send_messages boolean,
  is_vice_president boolean, has_second_factor boolean, sessions bigint, devices bigint, groups_led bigint, steps_done bigint, steps_total bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.status_reason, m.status_changed_at, m.created_at,
    private.last_active_at(m.id), m.rally_enabled, m.can_create_chats, m.can_send_messages,
    (select m.id = any (s.vice_presidents) from public.team_settings s),
    private.has_second_factor(m.id),
    (select count(*) from auth.sessions s where s.user_id = m.id),
    (select count(*) from public.push_devices d where d.user_id = m.id),
    (select count(*) from public.chats c where c.created_by = m.id and c.type = 'group' and c.is_active),
    (select count(*) from public.onboarding_progress p
     join public.newrepstart_content i on i.id = p.item_id and i.is_active where p.user_id = m.id),
    (select count(*) from public.newrepstart_content i where i.is_active)
  from private.members m
  where m.id = member_details.member_id and m.status <> 'deleted';
end
$$;
comment on function public.member_details is 'For admins: one member, with what they use and lead.';

revoke execute on function
  public.list_members(text, text, integer, integer), public.count_members(), public.member_details(uuid)
from public, anon, service_role;
grant execute on function
  public.list_members(text, text, integer, integer), public.count_members(), public.member_details(uuid)
to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/invitations.sql

-- Invitations by link: with an end date, handed out by an admin as text, mail or QR code. A link opens Create Account;
-- the account is confirmed by mail like every other.

create table public.join_links (
  id uuid primary key default gen_random_uuid(),
  token text not null unique default replace(gen_random_uuid()::text, '-', ''),
  created_by uuid not null default auth.uid() references private.members (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  constraint "An invitation lasts at most 90 days" check (expires_at <= created_at + interval '90 days')
);
comment on table public.join_links is 'Invitations that admins hand out; one is open until expires_at.';
create index join_links_created_by on public.join_links (created_by);

alter table public.join_links enable row level security;
revoke all on public.join_links from anon, authenticated, service_role;
grant select, delete, insert (expires_at) on public.join_links to authenticated;
grant select, delete on public.join_links to service_role;

create policy "admins read invitations" on public.join_links
  for select to authenticated using ((select private.is_admin()));
create policy "admins make invitations in their own name" on public.join_links
  for insert to authenticated
  with check ((select private.is_admin()) and created_by = (select auth.uid()));
create policy "admins take invitations back" on public.join_links
  for delete to authenticated using ((select private.is_admin()));

-- For someone who opens the link and has no account yet: one bit about one token that nobody can guess.
create function public.join_link_is_open(token text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.join_links l where l.token = join_link_is_open.token and l.expires_at > now()
  )
$$;
comment on function public.join_link_is_open is 'Whether this invitation can still be used.';
revoke execute on function public.join_link_is_open from public;
grant execute on function public.join_link_is_open to anon, authenticated, service_role;

-- Invitations by mail. The function `invite` has the auth service send them, with the secret key; it first asks here,
-- with the caller's own token, whether the caller may, how many more, and who is already on the team.

create table private.invitation_mails (
  id bigint generated always as identity primary key,
  invited_by uuid not null references private.members (id),
  sent_at timestamptz not null default now()
);
comment on table private.invitation_mails is 'Invitations mailed in the last hour, for rate limiting.';
create index invitation_mails_invited_by on private.invitation_mails (invited_by, sent_at);
alter table private.invitation_mails enable row level security;
revoke all on private.invitation_mails from anon, authenticated, service_role;

-- An address that was signed up and never confirmed is `pending`: its password may be a stranger's, so the
-- invitation must not confirm that account.
create function public.plan_invitations(emails text[])
returns table (email text, state text, account_id uuid)
language plpgsql security definer set search_path = ''
as $$
declare
  most_at_once constant int := 100;
  most_an_hour constant int := 200;
  asked constant int := cardinality(emails);
  me constant uuid := (select auth.uid());
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  if asked is null or asked not between 1 and most_at_once then
    raise exception 'Invite between 1 and % people at once', most_at_once using errcode = '22023';
  end if;
  -- Serializes calls of one admin, so that two cannot both use what is left of the limit.
  perform from private.members m where m.id = me for update;
  delete from private.invitation_mails old where old.sent_at < now() - interval '1 hour';
  if asked + (select count(*) from private.invitation_mails sent where sent.invited_by = me) > most_an_hour then
    raise exception 'Too many invitations: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;

  return query
    select wanted.email,
      case when known.id is null then 'new' when known.is_confirmed then 'member' else 'pending' end,
      case when not known.is_confirmed then known.id end
    from unnest(emails) wanted (email)
    left join lateral (
      select u.id, u.email_confirmed_at is not null as is_confirmed
      from auth.users u
      where u.email = lower(wanted.email) and u.deleted_at is null
      order by u.email_confirmed_at nulls last
      limit 1
    ) known on true;
  insert into private.invitation_mails (invited_by) select me from unnest(emails);
end
$$;
comment on function public.plan_invitations is
  'For admins: which of these addresses are new, were signed up but never confirmed, or belong to a member. Counts them against the hourly limit.';
revoke execute on function public.plan_invitations(text[]) from public, anon, service_role;
grant execute on function public.plan_invitations(text[]) to authenticated;
