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

-- Whether a text shows nothing: it is empty, or all of it is space and characters without a shape, such as zero-width
-- spaces, direction marks and fillers. Parsed on creation as well.
create function private.is_blank(words text) returns boolean
language sql immutable parallel safe
return coalesce(words, '') !~ (
  '[^\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F'
  '\u205F-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U00013430-\U00013438\U00016FE4\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
);
-- A text without what has neither shape nor width, so that words that look alike are alike.
create function private.without_invisible(words text) returns text
language sql immutable parallel safe
return regexp_replace(
  words,
  '[\u00AD\u034F\u061C\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\uFFF0-\uFFFB'
  '\U00013430-\U00013438\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]', '', 'g'
);
-- What is kept of a text: without the spaces around it, and empty if it shows nothing.
create function private.trimmed(words text) returns text
language sql immutable parallel safe
return case when private.is_blank(words) then '' else btrim(words) end;
-- A person's name: nothing in it turns the direction of writing or hides, which would let one name pass for another. Joiners
-- stay, because some scripts need them.
create function private.name_from(words text) returns text
language sql immutable parallel safe
return private.trimmed(regexp_replace(
  words,
  '[\u00AD\u034F\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]', '', 'g'
));

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
  can_supervise boolean not null default false,
  hidden_chats uuid[] not null default '{}',
  archived_chats uuid[] not null default '{}',
  status text not null default 'active',
  is_active boolean not null generated always as (status = 'active') stored,
  status_reason text not null default '',
  status_changed_at timestamptz,
  admitted_at timestamptz,
  sponsor_id uuid references private.members (id),
  newcomers_seen_at timestamptz not null default '-infinity',
  phone text,
  phone_audience text not null default 'leaders',
  email_audience text not null default 'everyone',
  state text,
  about text not null default '',
  -- Stored, because stripping accents from 10,000 names on every two-letter search takes a tenth of a second.
  searchable text generated always as (
    private.member_words(first_name, last_name, case when email_audience = 'everyone' then email end)
  ) stored,
  constraint "Role must be user or admin" check (role in ('user', 'admin')),
  constraint "Status must be waiting, active, suspended, removed or deleted"
    check (status in ('waiting', 'active', 'suspended', 'removed', 'deleted')),
  constraint "Nobody brought in themselves" check (sponsor_id <> id),
  constraint "Reason is at most 500 characters" check (char_length(status_reason) <= 500),
  constraint "First name is at most 100 characters" check (char_length(first_name) <= 100),
  constraint "Last name is at most 100 characters" check (char_length(last_name) <= 100),
  constraint "Phone numbers are stored as +13125550142" check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  constraint "A phone number is for everyone, leaders or nobody" check (phone_audience in ('everyone', 'leaders', 'nobody')),
  constraint "An e-mail address is for everyone, leaders or nobody" check (email_audience in ('everyone', 'leaders', 'nobody')),
  -- Whoever has no name is called by their address.
  constraint "Enter your name before you hide your e-mail address"
    check (email_audience = 'everyone' or not private.is_blank(first_name || last_name)),
  constraint "State is one of the two-letter codes" check (state in (
    'AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'DC', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS', 'KY', 'LA',
    'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY', 'NC', 'ND', 'OH', 'OK', 'OR',
    'PA', 'PR', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY'
  )),
  constraint "About you is at most 140 characters" check (char_length(about) <= 140),
  constraint "Push token is at most 4096 characters" check (char_length(push_token) <= 4096),
  constraint "At most 5000 chats can be hidden" check (cardinality(hidden_chats) <= 5000),
  constraint "At most 5000 chats can be archived" check (cardinality(archived_chats) <= 5000)
);
-- No foreign key to auth.users: the row outlives the account, so that a former member's messages keep an author.
comment on table private.members is 'One row per person who is or was on the team; id equals the auth user id.';
comment on column private.members.status is
  'waiting: until an admin lets them in. suspended: until an admin lifts it. removed: no longer on the team. deleted: the account is gone, and the row carries no personal data.';
comment on column private.members.status_reason is 'Why an admin suspended or removed the member; for admins.';
comment on column private.members.admitted_at is 'When they first came onto the team; null: never.';
comment on column private.members.sponsor_id is 'Who brought them in.';
comment on column private.members.can_supervise is 'Reviews what the team writes; a permission of its own, which admins give.';
comment on column private.members.newcomers_seen_at is 'When an admin last looked at who waits.';
comment on column private.members.phone is 'In E.164, such as +13125550142.';
comment on column private.members.phone_audience is 'Who sees the number (contact_details.sql).';
comment on column private.members.email_audience is 'Who sees the address (contact_details.sql).';
comment on column private.members.state is 'Where they work: a two-letter code of the United States.';
comment on column private.members.about is 'A short line about themselves.';
comment on column private.members.searchable is 'Name and e-mail, unless that is hidden, in lower case without accents, for searching.';

-- A new message takes its chat out of every archive; one probe of this index finds them.
create index members_archived_chats on private.members using gin (archived_chats) with (fastupdate = off);
create index members_admins on private.members (id) where role = 'admin' and is_active;
create index members_supervisors on private.members (id) where can_supervise and is_active;
create index members_waiting on private.members (status_changed_at, id) where status = 'waiting';
create index members_sponsor_id on private.members (sponsor_id);
create index members_by_words on private.members using gin (searchable extensions.gin_trgm_ops) with (fastupdate = off)
  where is_active;
create index members_by_state on private.members (state, first_name, last_name, id) where is_active and state is not null;
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

-- A permission of its own: an admin without it has none of its rights, a supervisor none of an admin's. Where the team asks
-- admins for a second factor, this right to read foreign chats takes one too.
create function private.is_supervisor() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.members
    where id = (select auth.uid()) and is_active and can_supervise and private.admin_rights_hold()
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

-- Parsed on creation, so that Postgres can inline it: a list shows many names.
create function private.display_name(first_name text, last_name text, email text) returns text
language sql immutable parallel safe
return coalesce(
  nullif(private.trimmed(first_name || ' ' || last_name), ''), nullif(split_part(email, '@', 1), ''), 'User'
);

create function private.assert_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see this' using errcode = '42501';
  end if;
end
$$;

create function private.assert_supervisor() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_supervisor() then
    raise exception 'Only supervisors see this' using errcode = '42501';
  end if;
end
$$;

create function private.note_admission() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.admitted_at := coalesce(new.admitted_at, now());
  return new;
end
$$;

create trigger note_admission before insert or update of status on private.members
  for each row when (new.status = 'active') execute function private.note_admission();

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
  -- The last of all may leave; the next to join is the first member again. Who waits or is suspended needs somebody who decides.
  if new.status <> 'active' and not exists (
    select from private.members where id <> old.id and status in ('active', 'waiting', 'suspended')
  ) then
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

create function private.has_admin() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.members where is_active and role = 'admin') $$;

-- The first member of a team that is open to everybody becomes its admin; elsewhere that takes the set-up code. The lock is
-- taken only while the team is empty; the second to get it finds the first member's row.
create function private.first_member_is_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select s.registration = 'open' from public.team_settings s)
    and not exists (select from private.members where is_active)
  then
    perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
    if not exists (select from private.members where is_active) then
      new.role := 'admin';
    end if;
  end if;
  return new;
end
$$;

create trigger first_member_is_admin before insert on private.members
  for each row when (new.status = 'active') execute function private.first_member_is_admin();

revoke execute on all functions in schema private from public;
grant execute on function
  private.session_is_live(), private.is_member(), private.is_admin(), private.is_supervisor(), private.may_create_chats(), private.may_send_messages(),
  private.is_trusted_role(), private.without_accents(text), private.is_blank(text)
to authenticated, service_role;

-- ./schemas/contact_details.sql

-- How members reach each other. Who sees a phone number and an e-mail address is the member's choice, decided here for every
-- way there is to read them: docs/decisions/022-contact-details.md

-- "Leaders" are admins, supervisors, and everybody above the member. Blocking somebody hides the number from them as well.
-- In PL/pgSQL, because blocks and sponsors come later in the order of these files.
create function private.sees_phone_of(member_id uuid, audience text, is_active boolean) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if member_id = me then
    return true;
  elsif not is_active or audience = 'nobody' or not private.is_member() or member_id = any (private.apart_from(me)) then
    return false;
  end if;
  return audience = 'everyone' or private.leads(member_id);
end
$$;

-- Admins always see the address: it names the account that they manage.
create function private.sees_email_of(member_id uuid, audience text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return audience = 'everyone' or member_id = (select auth.uid()) or private.is_admin()
    or audience = 'leaders' and private.is_member() and private.leads(member_id);
end
$$;

create function private.leads(member_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_admin() or private.is_supervisor() or private.is_in_downline(member_id, (select auth.uid()));
end
$$;

-- Parsed on creation, so that Postgres can inline them: most rows are settled without a call.
create function private.shown_email(member_id uuid, email text, audience text) returns text
language sql stable
return case when audience = 'everyone' then email when email is not null and private.sees_email_of(member_id, audience) then email end;
create function private.shown_phone(member_id uuid, phone text, audience text, is_active boolean) returns text
language sql stable
return case when phone is not null and private.sees_phone_of(member_id, audience, is_active) then phone end;

-- A number as people type or paste it becomes E.164; without a country it is one of the North American plan.
create function private.phone_from(typed text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  plain constant text := private.trimmed(private.without_invisible(left(typed, 100)));
  digits constant text := regexp_replace(plain, '[^0-9]', '', 'g');
  phone text;
begin
  if plain is null or plain = '' then
    return null;
  end if;
  -- Digits, and what people group them with.
  if plain ~ '^\+?[0-9 \u00A0\u2007\u202F()./\u2010-\u2015-]+$' then
    phone := case
      when plain like '+%' then '+' || digits
      when digits like '011%' then '+' || substr(digits, 4)
      when digits like '00%' then '+' || substr(digits, 3)
      when length(digits) = 11 and digits like '1%' then '+' || digits
      when length(digits) = 10 then '+1' || digits
    end;
  end if;
  if phone is null or phone !~ '^\+(1[2-9][0-9]{2}[2-9][0-9]{6}|[2-9][0-9]{6,14})$' then
    raise exception 'Enter a phone number with its area code, such as (312) 555-0142' using errcode = '22023';
  end if;
  return phone;
end
$$;

-- Without line breaks, and without what hides in a text or turns its direction.
create function private.one_line(words text) returns text
language sql immutable parallel safe
return private.name_from(regexp_replace(words, '\s+', ' ', 'g'));

revoke execute on all functions in schema private from public;
-- A view's functions are called with the rights of its reader.
grant execute on function
  private.sees_phone_of(uuid, text, boolean), private.sees_email_of(uuid, text),
  private.shown_email(uuid, text, text), private.shown_phone(uuid, text, text, boolean)
to authenticated, service_role;

-- ./schemas/users.sql

-- public.users: the members as the product's clients see them. `select *` works on every row; the three columns that
-- are private to a member are null in other people's rows. Writes go through the triggers below, which alone decide what
-- a member may change. Why a view: docs/decisions/003-users-is-a-view.md

create view public.users with (security_barrier) as
select
  id,
  case when (select private.is_trusted_role()) then email else private.shown_email(id, email, email_audience) end as email,
  first_name, last_name, role, created_at,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then push_token end as push_token,
  rally_enabled, can_create_chats, can_send_messages,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then hidden_chats end as hidden_chats,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then archived_chats end as archived_chats,
  is_active, status, sponsor_id, can_supervise,
  case when (select private.is_trusted_role()) then phone
    else private.shown_phone(id, phone, phone_audience, is_active) end as phone,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then phone_audience end as phone_audience,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then email_audience end as email_audience,
  state, about
from private.members
where (select private.is_member()) and admitted_at is not null or (select private.is_trusted_role());

comment on view public.users is
  'Who is or was on the team, not who waits to be let in. push_token, hidden_chats, archived_chats and who sees phone and e-mail are null in every row but your own.';
comment on column public.users.email is 'Null where the member does not show it to the caller.';
comment on column public.users.phone is 'Null where the member does not show it to the caller.';
comment on column public.users.sponsor_id is 'Who brought them in.';
comment on column public.users.can_supervise is 'Reviews what the team writes; changed by set_supervisor.';
comment on column public.users.is_active is 'False for who is suspended or left, and is left out of pickers and counts.';

revoke all on public.users from anon, authenticated, service_role;
grant select on public.users to authenticated, service_role;
grant insert (id, email, first_name, last_name, role) on public.users to authenticated, service_role;
grant update (
  first_name, last_name, push_token, hidden_chats, archived_chats, phone, phone_audience, email_audience, state, about,
  role, rally_enabled, can_create_chats, can_send_messages
) on public.users to authenticated, service_role;

-- Creates or finds the caller's own profile: always with the caller's id and confirmed e-mail, always with the role user.
-- Whoever waits to be let in is stored and reads nothing back.
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
  if member.id is null then
    raise exception 'You need an invitation to join this team' using errcode = '42501';
  elsif not member.is_active and not by_service then
    return null;
  end if;
  select member.id, member.email, member.first_name, member.last_name, member.role, member.created_at,
    member.push_token, member.rally_enabled, member.can_create_chats, member.can_send_messages,
    member.hidden_chats, member.archived_chats, member.is_active, member.status, member.sponsor_id,
    member.can_supervise, member.phone, member.phone_audience, member.email_audience, member.state, member.about into new;
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
    (
      new.first_name, new.last_name, new.push_token, new.hidden_chats, new.archived_chats,
      new.phone, new.phone_audience, new.email_audience, new.state, new.about
    ) is distinct from (
      old.first_name, old.last_name, old.push_token, old.hidden_chats, old.archived_chats,
      old.phone, old.phone_audience, old.email_audience, old.state, old.about
    );
  rights_change constant boolean :=
    (new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages)
    is distinct from (old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages);
begin
  if (new.id, new.email, new.created_at, new.is_active, new.status, new.sponsor_id, new.can_supervise)
    is distinct from (old.id, old.email, old.created_at, old.is_active, old.status, old.sponsor_id, old.can_supervise)
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

  -- As they are stored, so that the caller gets back what there is.
  if new.phone is distinct from old.phone then
    new.phone := private.phone_from(new.phone);
  end if;
  if new.state is distinct from old.state then
    new.state := nullif(upper(private.trimmed(new.state)), '');
  end if;
  if new.about is distinct from old.about then
    new.about := private.one_line(new.about);
  end if;
  perform private.refuse_nulls(jsonb_build_object(
    'first_name', new.first_name, 'last_name', new.last_name, 'role', new.role, 'rally_enabled', new.rally_enabled,
    'can_create_chats', new.can_create_chats, 'can_send_messages', new.can_send_messages,
    -- Null in other people's rows, where they cannot be changed.
    'hidden_chats', case when is_own or by_service then to_jsonb(new.hidden_chats) else '[]' end,
    'archived_chats', case when is_own or by_service then to_jsonb(new.archived_chats) else '[]' end,
    'phone_audience', case when is_own or by_service then to_jsonb(new.phone_audience) else '""' end,
    'email_audience', case when is_own or by_service then to_jsonb(new.email_audience) else '""' end
  ));
  update private.members m set
    first_name = case when new.first_name is distinct from old.first_name then private.name_from(new.first_name) else m.first_name end,
    last_name = case when new.last_name is distinct from old.last_name then private.name_from(new.last_name) else m.last_name end,
    push_token = case when new.push_token is distinct from old.push_token then new.push_token else m.push_token end,
    hidden_chats = case when new.hidden_chats is distinct from old.hidden_chats then new.hidden_chats else m.hidden_chats end,
    archived_chats = case when new.archived_chats is distinct from old.archived_chats then new.archived_chats else m.archived_chats end,
    phone = case when new.phone is distinct from old.phone then new.phone else m.phone end,
    phone_audience = case when new.phone_audience is distinct from old.phone_audience then new.phone_audience else m.phone_audience end,
    email_audience = case when new.email_audience is distinct from old.email_audience then new.email_audience else m.email_audience end,
    state = case when new.state is distinct from old.state then new.state else m.state end,
    about = case when new.about is distinct from old.about then new.about else m.about end,
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
  updated_at timestamptz,
  updated_by uuid,
  constraint "Chat type must be mandatory, individual or group"
    check (type in ('mandatory', 'individual', 'group')),
  constraint "Group name must have 1 to 50 characters"
    check (type = 'individual' or not private.is_blank(name) and char_length(name) <= 50),
  constraint "Chat name is at most 200 characters" check (char_length(name) <= 200),
  constraint "A chat has a creator" check (type = 'mandatory' or created_by is not null)
);
comment on table public.chats is 'Conversations: the one mandatory team chat, individual and group chats.';
comment on column public.chats.is_active is 'False once the creator closed the chat: still readable, but nobody can write.';
comment on column public.chats.updated_at is 'When its name, its creator or is_active last changed; null if they never did.';

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
  pinned_at timestamptz,
  is_marked_unread boolean not null default false,
  mentions_only boolean not null default false,
  mentioned_at timestamptz,
  left_at timestamptz,
  left_by uuid,
  primary key (chat_id, user_id)
  -- last_read_at changes all the time; free space on each page keeps these updates out of the indexes.
) with (fillfactor = 80);
comment on table private.chat_participants is 'Who takes part in which chat; is_active is false after leaving.';
comment on column private.chat_participants.last_read_at is
  'At first the moment of joining a chat with a history. Null: never opened, so every message counts as unread.';
comment on column private.chat_participants.muted_until is 'No push until then; infinity mutes for good.';
comment on column private.chat_participants.pinned_at is 'Since when the chat is at the top of the participant''s list; null: it is not.';
comment on column private.chat_participants.is_marked_unread is
  'The participant marked the chat as unread and has not opened it since. last_read_at stays.';
comment on column private.chat_participants.mentions_only is
  'Only messages that mention the participant or reply to them are pushed and count; muted_until outweighs it.';
comment on column private.chat_participants.mentioned_at is
  'When the latest message was sent that mentions the participant or replies to them; maintained by triggers.';
comment on column private.chat_participants.left_by is 'Who ended it: the participant, or the one who removed them.';

create index chat_participants_by_member on private.chat_participants (user_id, is_active, chat_id);
create index chat_participants_active on private.chat_participants (chat_id, user_id) where is_active;

-- rally_enabled = false hides the mandatory chat here, and so in every policy that builds on this.
create function private.my_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select p.chat_id
  from private.chat_participants p
  where p.user_id = (select auth.uid()) and p.is_active and (select private.is_member())
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
    user_id = (select auth.uid()) and (select private.is_member())
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

create trigger join_mandatory_chat after insert or update of status on private.members
  for each row when (new.status = 'active') execute function private.join_mandatory_chat();

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

create function private.note_chat_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  new.updated_by := (select auth.uid());
  return new;
end
$$;

create trigger note_chat_change before update on public.chats
  for each row
  when ((old.name, old.created_by, old.is_active) is distinct from (new.name, new.created_by, new.is_active))
  execute function private.note_chat_change();

create trigger keep_mandatory_chat before update of name, type, is_active or delete on public.chats
  for each row when (old.type = 'mandatory') execute function private.keep_mandatory_chat();

revoke execute on all functions in schema private from public;
grant execute on function
  private.my_chat_ids(), private.my_left_chat_ids(), private.my_created_chat_ids(),
  private.my_created_group_ids(), private.mandatory_chat_id()
to authenticated, service_role;

-- ./schemas/blocks.sql

-- Blocking a person: their chat of two is silent and hidden, and neither writes to the other. What it covers and why:
-- docs/decisions/017-blocking.md

create table private.blocks (
  blocker_id uuid not null references private.members (id),
  blocked_id uuid not null references private.members (id),
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  constraint "Nobody blocks themselves" check (blocker_id <> blocked_id)
);
comment on table private.blocks is 'Who blocked whom. The blocked one is not notified.';
create index blocks_blocked_id on private.blocks (blocked_id);
alter table private.blocks enable row level security;
revoke all on private.blocks from anon, authenticated, service_role;

-- Leaders stay reachable: while one of the two is one, a block rests.
create function private.is_leader(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.members m where m.id = member_id and m.is_active and (m.role = 'admin' or m.can_supervise)
  )
$$;

create function private.has_blocked(blocker uuid, blocked uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.blocks b where b.blocker_id = blocker and b.blocked_id = blocked)
    and not private.is_leader(blocker) and not private.is_leader(blocked)
$$;

create function private.blocked_by(member_id uuid) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select b.blocked_id from private.blocks b
    where b.blocker_id = member_id and not private.is_leader(b.blocker_id) and not private.is_leader(b.blocked_id)
  )
$$;

-- Whom the member blocked, and who blocked the member.
create function private.apart_from(member_id uuid) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select private.blocked_by(member_id) || array(
    select b.blocker_id from private.blocks b
    where b.blocked_id = member_id and not private.is_leader(b.blocker_id) and not private.is_leader(b.blocked_id)
  )
$$;

-- In a chat of two, whether one of them blocked the other.
create function private.is_pair_apart(chat_id uuid, member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.chat_participants p
    where p.chat_id = is_pair_apart.chat_id and p.user_id <> member_id
      and (private.has_blocked(member_id, p.user_id) or private.has_blocked(p.user_id, member_id))
  )
$$;

-- Waits for a chat of the two that is being made at this moment, so that none slips past.
create function public.block_member(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if not private.is_member() or not exists (
    select from private.members m
    where m.id = block_member.member_id and m.admitted_at is not null and m.status <> 'deleted'
  ) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member_id = me then
    raise exception 'You cannot block yourself' using errcode = '22023';
  elsif private.is_leader(member_id) then
    raise exception 'A leader of the team cannot be blocked' using errcode = '42501',
      hint = 'Report what they wrote, or talk to another leader.';
  elsif private.is_leader(me) then
    raise exception 'Leaders stay reachable, so they block nobody' using errcode = '42501';
  end if;
  perform private.lock_pair(me, member_id);
  if (select count(*) from private.blocks b where b.blocker_id = me) >= 1000 then
    raise exception 'At most 1000 people can be blocked' using errcode = 'PT429';
  end if;
  insert into private.blocks (blocker_id, blocked_id) values (me, member_id) on conflict do nothing;
end
$$;
comment on function public.block_member is
  'Blocks a person for the caller: no chat of the two, no push and no unread messages from them. Leaders cannot be blocked.';

create function public.unblock_member(member_id uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from private.blocks b
  where b.blocker_id = (select auth.uid()) and b.blocked_id = member_id and (select private.is_member())
$$;
comment on function public.unblock_member is 'Ends the caller''s block of a person.';

create function public.blocked_people()
returns table (id uuid, first_name text, last_name text, blocked_at timestamptz, rests boolean)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, b.created_at,
    private.is_leader(b.blocker_id) or private.is_leader(b.blocked_id)
  from private.blocks b join private.members m on m.id = b.blocked_id
  where b.blocker_id = (select auth.uid()) and (select private.is_member())
  order by m.first_name, m.last_name, m.id
$$;
comment on function public.blocked_people is
  'Whom the caller blocked. rests: without effect, because one of the two is a leader.';

-- The blocker's devices take the chat away or bring it back. Neither sees any longer whether the other is online.
create function private.publish_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  block constant private.blocks := case tg_op when 'DELETE' then old else new end;
begin
  perform private.publish_to_members(array[block.blocker_id], 'blocks_changed', '{}');
  perform private.recheck_topic('online:' || block.blocker_id);
  perform private.recheck_topic('online:' || block.blocked_id);
  return null;
end
$$;
create trigger publish_block after insert or delete on private.blocks
  for each row execute function private.publish_block();

-- A deleted account blocks nobody and is blocked by nobody.
create function private.forget_blocks() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.blocks b where new.id in (b.blocker_id, b.blocked_id);
  return null;
end
$$;
create trigger forget_blocks after update of status on private.members
  for each row when (new.status = 'deleted') execute function private.forget_blocks();

revoke execute on function public.block_member, public.unblock_member, public.blocked_people from public, anon, service_role;
grant execute on function public.block_member, public.unblock_member, public.blocked_people to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/participants.sql

-- public.chat_participants: who takes part in which chat. When a participant last read a chat and how they keep it in
-- their list is their own business: an admin can switch "Seen by" off, and the Data API must not reveal it anyway. So
-- this is a view, for the reasons in docs/decisions/003-users-is-a-view.md: `select *` works, with these columns null in
-- other people's rows.

-- Runs with the caller's rights: the policy "members see who is in their chats" decides which rows there are.
create view public.chat_participants with (security_invoker) as
select
  chat_id, user_id, is_active, joined_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then last_read_at end as last_read_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then muted_until end as muted_until,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then pinned_at end as pinned_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then is_marked_unread end as is_marked_unread,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then mentions_only end as mentions_only
from private.chat_participants;
alter view public.chat_participants alter column is_active set default true;
alter view public.chat_participants alter column joined_at set default now();

comment on view public.chat_participants is
  'Who takes part in which chat. last_read_at, muted_until, pinned_at, is_marked_unread and mentions_only are null in every row but your own.';
comment on column public.chat_participants.last_read_at is
  'At first the moment of joining a chat with a history. Null: never opened, so every message counts as unread.';
comment on column public.chat_participants.muted_until is 'No push until then; infinity mutes for good.';
comment on column public.chat_participants.mentions_only is
  'Only messages that mention the participant or reply to them are pushed and count; muted_until outweighs it.';
comment on column public.chat_participants.pinned_at is 'Changed by pin_chat.';
comment on column public.chat_participants.is_marked_unread is 'Changed by mark_chat_unread and mark_chat_read.';

revoke all on public.chat_participants from anon, authenticated, service_role;
grant select, insert, update, delete on public.chat_participants to service_role;
grant select on public.chat_participants to authenticated;
grant insert (chat_id, user_id, is_active), update (is_active, last_read_at, muted_until, mentions_only)
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
    (new.last_read_at, new.muted_until, new.mentions_only)
      is distinct from (old.last_read_at, old.muted_until, old.mentions_only);
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

  perform private.refuse_nulls(jsonb_build_object(
    'is_active', new.is_active,
    -- Null in the rows of others.
    'mentions_only', case when is_own or by_service then new.mentions_only else false end
  ));
  update private.chat_participants p set
    chat_id = new.chat_id, user_id = new.user_id,
    is_active = case when new.is_active is distinct from old.is_active then new.is_active else p.is_active end,
    joined_at = case when new.joined_at is distinct from old.joined_at then new.joined_at else p.joined_at end,
    last_read_at = case when new.last_read_at is distinct from old.last_read_at then new.last_read_at else p.last_read_at end,
    muted_until = case when new.muted_until is distinct from old.muted_until then new.muted_until else p.muted_until end,
    mentions_only = case
      when new.mentions_only is distinct from old.mentions_only then new.mentions_only else p.mentions_only
    end
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
  -- Also not into a group, which would be the chat of two by another name. A server adds whom it likes.
  if (select auth.uid()) is not null and new.user_id <> (select auth.uid())
    and new.chat_id is distinct from private.mandatory_chat_id()
  then
    perform private.refuse_apart((select auth.uid()), new.user_id);
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
  -- Both are forgotten with the account, which may go when an admin lifts a legal hold.
  if new.user_id <> (select auth.uid())
    and (new.last_read_at, new.muted_until, new.mentions_only)
      is distinct from (old.last_read_at, old.muted_until, old.mentions_only)
    and (new.is_active or num_nonnulls(new.last_read_at, new.muted_until) > 0 or new.mentions_only)
  then
    raise exception 'Only the participant may mark a chat as read or mute it' using errcode = '42501';
  end if;
  if new.is_active and not old.is_active then
    if exists (select from private.members m where m.id = new.user_id and not m.is_active) then
      raise exception 'A former member cannot join a chat' using errcode = '23514';
    end if;
    if (select auth.uid()) is not null and new.user_id <> (select auth.uid()) then
      perform private.refuse_apart((select auth.uid()), new.user_id);
    end if;
    new.joined_at := now();
    new.last_read_at := now();
  end if;
  if new.is_active is distinct from old.is_active then
    new.left_at := case when not new.is_active then now() end;
    new.left_by := case when not new.is_active then (select auth.uid()) end;
    new.pinned_at := null;
    new.is_marked_unread := false;
  end if;
  if new.last_read_at > coalesce(old.last_read_at, '-infinity') then
    new.is_marked_unread := false;
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
  set last_read_at = greatest(p.last_read_at, least(read_until, now())), is_marked_unread = false
  where p.chat_id = mark_chat_read.chat_id and p.user_id = (select auth.uid()) and p.is_active
    and (select private.is_member())
    and (p.last_read_at is distinct from greatest(p.last_read_at, least(read_until, now())) or p.is_marked_unread)
$$;
comment on function public.mark_chat_read is
  'Marks this chat as read up to that moment of the server''s clock, or completely.';

-- A reminder to oneself: who has read which message stays as it is.
create function public.mark_chat_unread(chat_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update private.chat_participants p set is_marked_unread = true
  where p.chat_id = mark_chat_unread.chat_id and p.user_id = (select auth.uid())
    and p.chat_id in (select private.my_chat_ids()) and not p.is_marked_unread
$$;
comment on function public.mark_chat_unread is 'Marks this chat as unread for the caller until they open it again.';

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
  select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience),
    coalesce(c.created_by = m.id, false), p.joined_at
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

revoke execute on function
  public.mark_chat_read(uuid, timestamptz), public.mark_chat_unread(uuid), public.chat_members(uuid, text, integer, integer),
  public.add_chat_members(uuid, uuid[])
from public, anon;
grant execute on function
  public.mark_chat_read(uuid, timestamptz), public.mark_chat_unread(uuid), public.chat_members(uuid, text, integer, integer),
  public.add_chat_members(uuid, uuid[])
to authenticated, service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/live_updates.sql

-- Live updates, published by the database itself so that nobody has to poll and nobody can forge one.
--   chat:<chat id>    message_inserted, message_updated   the message
--                     participant_read                    { chat_id, user_id }
--   typing:<chat id>  typing                              { user_id }; presence of members who have the chat open
--   user:<user id>    chat_changed                        { chat_id }: new message, read, pinned or muted elsewhere, joined, left
--                     saved_changed                       { chat_id }: the member saved a message, or no longer does
--                     draft_changed                       { chat_id, device }: what the member typed on a device
--                     reaction_changed                    { message_id, emoji, is_on }: the member's own reactions
--                     permissions_changed                 the member's role or permissions changed
--                     blocks_changed                      the member blocked or unblocked somebody
--                     report_closed                       somebody decided a report of the member
--                     session_ended                       one of the member's sessions ended, or the account is suspended
--   online:<user id>  presence of that member's devices while the app is in view
--   team              content_changed                     { table, spread_ms }: members, content, settings or notices changed
--   admins            content_changed                     { table }: onboarding progress, broken links or newcomers changed
--   supervisor:<user id>  content_changed                 { table }: the review queue changed (review_queue.sql)
-- The publishing triggers are in their tables' files; those on members, chats and participants are here.

-- A new message in a chat with more participants than this is not published to each of them, because that would store one
-- row per participant and message. Members of such a chat get it on the chat's own topic.
create function private.most_notified_participants() returns int
language sql immutable set search_path = ''
as $$ select 50 $$;

create function private.is_large_chat(chat uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select count(*) > private.most_notified_participants() from (
    select from private.chat_participants p where p.chat_id = chat and p.is_active
    limit private.most_notified_participants() + 1
  ) counted
$$;

-- The embedded backend has a function for this. Elsewhere one insert writes what realtime.send would, row by row, and
-- like both never fails the surrounding transaction.
create function private.publish_to_members(recipients uuid[], event text, payload jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.send_to_topics(jsonb,text,text[],boolean)') is not null then
    perform realtime.send_to_topics(payload, event, array(select 'user:' || r from unnest(recipients) r), true);
    return;
  end if;
  begin
    insert into realtime.messages (payload, event, topic, private, extension)
    select publish_to_members.payload, publish_to_members.event, 'user:' || recipient, true, 'broadcast'
    from unnest(recipients) recipient;
  exception when others then
    raise warning 'WarnSendingBroadcastMessage: % to members: %', event, sqlerrm;
  end;
end
$$;

-- Every open app reads again what is published to the team. All of them at the same moment would be more than a server answers,
-- so each waits some part of this time: two milliseconds a member, at most twenty seconds.
create function private.team_spread_ms() returns int
language sql stable security definer set search_path = ''
as $$
  select (2 * count(*))::int from (select from private.members m where m.is_active limit 10000) as team
$$;

-- Publishes to the team that a table changed.
create function private.publish_to_team(changed_table text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('table', changed_table, 'spread_ms', private.team_spread_ms()), 'content_changed', 'team', true
  );
end
$$;

-- Shared by the tables that the whole team reads.
create function private.publish_content() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_team(tg_table_name);
  return null;
end
$$;

create function private.publish_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_team('users');
  return null;
end
$$;

create trigger publish_new_member after insert on private.members
  for each row when (new.status = 'active') execute function private.publish_team();
create trigger publish_changed_member after update on private.members
  for each row
  when (
    (old.first_name, old.last_name, old.email, old.email_audience, old.is_active)
    is distinct from (new.first_name, new.last_name, new.email, new.email_audience, new.is_active)
  )
  execute function private.publish_team();

-- Who comes back reads again what changed, instead of everything. Publications are kept for three days.
create function public.changed_tables(seconds int) returns setof text
language sql stable security definer set search_path = ''
as $$
  select distinct m.payload ->> 'table'
  from realtime.messages m
  where m.extension = 'broadcast' and m.private and m.event = 'content_changed'
    and m.topic in (
      select 'team' where (select private.is_member())
      union all select 'admins' where (select private.is_admin())
      union all select 'supervisor:' || (select auth.uid()) where (select private.is_supervisor())
    )
    and m.inserted_at >= (now() at time zone 'utc') - make_interval(secs => least(greatest(seconds, 0), 3600))
$$;
comment on function public.changed_tables is
  'The tables that were published as changed in the last seconds, at most an hour, on the topics "team", to admins "admins", and to supervisors their own.';
revoke execute on function public.changed_tables from public, anon;
grant execute on function public.changed_tables to authenticated;

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
    (old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages, old.can_supervise)
    is distinct from (new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages, new.can_supervise)
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
    or old.pinned_at is distinct from new.pinned_at
    or old.is_marked_unread <> new.is_marked_unread
    or old.mentions_only <> new.mentions_only
    or old.mentioned_at is distinct from new.mentioned_at
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
  if (select s.seen_by_enabled from public.team_settings s) and not private.is_large_chat(new.chat_id) then
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
      and member_id <> all (private.apart_from((select auth.uid())))
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
    (old.id, old.is_active, old.role, old.can_supervise, old.rally_enabled, old.can_create_chats, old.can_send_messages)
    is distinct from (
      new.id, new.is_active, new.role, new.can_supervise, new.rally_enabled, new.can_create_chats, new.can_send_messages
    )
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

create function private.are_domains(names text[]) returns boolean
language sql immutable set search_path = ''
as $$
  select bool_and(coalesce(
    char_length(name) <= 253 and name ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$', false
  ))
  from unnest(names) name
$$;

create table public.team_settings (
  id boolean primary key default true,
  time_zone text not null default 'America/New_York',
  seen_by_enabled boolean not null default true,
  admins_need_second_factor boolean not null default false,
  vice_presidents uuid[] not null default '{}',
  registration text not null default 'approval',
  email_domains text[] not null default '{}',
  constraint "Registration must be open, approval or invitation"
    check (registration in ('open', 'approval', 'invitation')),
  constraint "At most 50 e-mail domains" check (cardinality(email_domains) <= 50),
  constraint "E-mail domains look like example.com" check (private.are_domains(email_domains)),
  constraint "There is one row of team settings" check (id),
  constraint "At most 10 vice presidents" check (cardinality(vice_presidents) <= 10)
);
comment on table public.team_settings is 'One row of settings shared by everybody.';
comment on column public.team_settings.time_zone is 'IANA name; the times of schedule_content are local to it.';
comment on column public.team_settings.seen_by_enabled is 'Whether a thread shows who has read a message.';
comment on column public.team_settings.admins_need_second_factor is
  'Whether admin rights hold only in sessions that have shown a second factor (aal2).';
comment on column public.team_settings.vice_presidents is 'Members, in the order in which Home names them.';
comment on column public.team_settings.registration is
  'open: whoever confirms an address is on the team. approval: an admin lets them in. invitation: only with a join link or an invitation by mail.';
comment on column public.team_settings.email_domains is
  'Lower-case domains, the only ones whose addresses may join without an invitation by mail; empty: all.';

insert into public.team_settings default values;

alter table public.team_settings enable row level security;
revoke all on public.team_settings from anon, authenticated, service_role;
grant select, update on public.team_settings to service_role;
grant select, update (time_zone, seen_by_enabled, admins_need_second_factor, registration, email_domains) on public.team_settings to authenticated;

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
-- A check runs as the writer of the row.
grant execute on function private.are_domains(text[]) to authenticated, service_role;

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
  -- No foreign key: it stays marked when the original is erased.
  forwarded_from uuid,
  mentions uuid[] not null default '{}',
  attachment jsonb,
  reaction_counts jsonb not null default '{}',
  deleted_by uuid references private.members (id),
  deleted_reason text,
  is_removed boolean not null generated always as (is_deleted and deleted_by is distinct from sender_id) stored,
  constraint "Message must not be blank" check (not private.is_blank(message) or attachment is not null),
  constraint "Message is at most 4000 characters" check (char_length(message) <= 4000),
  constraint "At most 50 members are mentioned" check (cardinality(mentions) <= 50),
  constraint "Reason is at most 200 characters" check (char_length(deleted_reason) <= 200)
);
comment on table public.chat_messages is 'Messages. Deleted ones stay, readable only by their sender and by who removed them.';
comment on column public.chat_messages.edited_at is 'When the text last changed; null if it never did.';
comment on column public.chat_messages.changed_at is 'Last edit, deletion or reaction; null if there was none.';
comment on column public.chat_messages.is_removed is 'Whether somebody else than the sender deleted it; deleted_reason says why.';
comment on column public.chat_messages.forwarded_from is 'The message whose text and image this one repeats.';
comment on column public.chat_messages.attachment is 'In the bucket chat-images: an image, {path, width, height}, or a file, {kind: "file", path, name, size, type}.';
comment on column public.chat_messages.reaction_counts is 'Number of members by emoji, maintained by a trigger on chat_reactions.';

-- Serves a thread (newest first), the last message of a chat and the unread count. The included columns let the count
-- skip the reader's own and deleted messages without visiting them.
create index chat_messages_by_time on public.chat_messages (chat_id, sent_at desc, id desc)
  include (sender_id, is_deleted);
create index chat_messages_sender_id on public.chat_messages (sender_id);
-- Few messages are ever changed, quoted, removed, have an image or mention anybody, so these stay tiny and cost an insert nothing.
create index chat_messages_by_change on public.chat_messages (chat_id, changed_at) where changed_at is not null;
create index chat_messages_reply_to on public.chat_messages (reply_to) where reply_to is not null;
create index chat_messages_images on public.chat_messages (chat_id, sent_at desc)
  where attachment is not null and not is_deleted;
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
      and (c.type <> 'individual' or not private.is_pair_apart(c.id, p.user_id))
  )
$$;

alter table public.chat_messages enable row level security;
revoke all on public.chat_messages from anon, authenticated;
grant select on public.chat_messages to authenticated;
grant insert (id, chat_id, sender_id, message, reply_to, mentions, attachment, forwarded_from) on public.chat_messages to authenticated;
grant update (message, is_deleted, deleted_reason) on public.chat_messages to authenticated;

-- Why a message was removed is between its sender and who removed it. Nobody else reads the row any more, other admins
-- included; what everybody learns is is_removed, from chat_changes and the live update.
create policy "participants read the messages of their chats" on public.chat_messages
  for select to authenticated
  using (
    chat_id in (select private.my_chat_ids())
    and (not is_deleted or sender_id = (select auth.uid()) or deleted_by = (select auth.uid()))
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

-- The original as it is now: the device that forwards may have waited. Nobody forwards what they may not read, or has
-- somebody say what was not said.
create function private.forwarded_text(original uuid, with_image boolean) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  text_now text;
begin
  select m.message into text_now
  from public.chat_messages m
  where m.id = original and not m.is_deleted and (m.attachment is not null) = with_image
    and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()));
  if text_now is null then
    raise exception 'The message to forward is no longer there' using errcode = '23514';
  end if;
  return text_now;
end
$$;

-- Forwards, quotes, mentions and attachments: a quote stays within its chat, only participants are mentioned, and an image or
-- file is the sender's own upload for this very message. A reply waits on a device that is offline, and the message it quotes may
-- be deleted meanwhile; it is then stored without the quote.
create function private.check_message_extras() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_quote_deleted boolean;
begin
  if new.forwarded_from is not null then
    new.message := private.forwarded_text(new.forwarded_from, new.attachment is not null);
    new.reply_to := null;
    new.mentions := '{}';
    -- A file keeps its name.
    new.attachment := new.attachment || (
      select jsonb_strip_nulls(jsonb_build_object('kind', m.attachment -> 'kind', 'name', m.attachment -> 'name'))
      from public.chat_messages m where m.id = new.forwarded_from
    );
  end if;
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
  when (
    new.reply_to is not null or new.mentions <> '{}' or new.attachment is not null or new.forwarded_from is not null
  )
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
    elsif (select auth.uid()) is not null and old.forwarded_from is not null then
      raise exception 'A forwarded message cannot be edited' using errcode = '42501';
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
language plpgsql security definer set search_path = ''
as $$
begin
  new.changed_at := clock_timestamp();
  if new.is_deleted and not old.is_deleted then
    new.deleted_by := (select auth.uid());
    if new.deleted_by <> old.sender_id and private.is_blank(new.deleted_reason) then
      raise exception 'Give a reason for removing a member''s message' using errcode = '23514';
    end if;
  else
    -- Not a reason that a restored message would show to everybody.
    new.deleted_reason := case when new.is_deleted then old.deleted_reason end;
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
      'sent_at', new.sent_at, 'is_deleted', new.is_deleted, 'is_removed', new.is_removed,
      'edited_at', new.edited_at, 'changed_at', new.changed_at, 'reply_to', new.reply_to, 'mentions', new.mentions,
      'forwarded_from', new.forwarded_from,
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
-- nobody else may read, so that the device stops showing them; without their text.
create function public.chat_changes(chat_id uuid, since timestamptz, max_results integer default 200)
returns table (
  id uuid, chat_id uuid, sender_id uuid, message text, sent_at timestamptz, is_deleted boolean,
  is_removed boolean, changed_at timestamptz, edited_at timestamptz, deleted_reason text, reply_to uuid, mentions uuid[],
  attachment jsonb, reaction_counts jsonb, forwarded_from uuid
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.chat_id, m.sender_id, case when m.is_deleted then '' else m.message end, m.sent_at, m.is_deleted,
    m.is_removed, m.changed_at, m.edited_at,
    case when (select auth.uid()) in (m.sender_id, m.deleted_by) then m.deleted_reason end,
    m.reply_to, m.mentions,
    case when m.is_deleted then null else m.attachment end, m.reaction_counts, m.forwarded_from
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

-- ./schemas/chat_mentions.sql

-- The latest message in a chat that is meant for a participant: it mentions them or replies to them. Kept with the
-- participation, so that the chat list and the number on the app's icon need not search for it.

create function private.note_mention() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  meant_for constant uuid[] := array_append(
    new.mentions, (select q.sender_id from public.chat_messages q where q.id = new.reply_to)
  );
begin
  -- Locked in one order, so that two messages that mention the same people cannot block each other.
  perform from private.chat_participants p
  where p.chat_id = new.chat_id and p.is_active and p.user_id = any (meant_for)
  order by p.user_id for no key update;
  update private.chat_participants p set mentioned_at = new.sent_at
  where p.chat_id = new.chat_id and p.is_active and p.user_id = any (meant_for) and p.user_id <> new.sender_id
    and new.sender_id <> all (private.blocked_by(p.user_id))
    and coalesce(p.mentioned_at, '-infinity') < new.sent_at;
  return null;
end
$$;

create trigger note_mention after insert on public.chat_messages
  for each row when (new.mentions <> '{}' or new.reply_to is not null)
  execute function private.note_mention();

-- Searches again, in what is unread there.
create function private.refresh_mentions(chat_id uuid, member_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.chat_participants p
  where p.chat_id = refresh_mentions.chat_id and p.is_active and p.user_id = any (member_ids)
  order by p.user_id for no key update;
  update private.chat_participants p set mentioned_at = (
    select max(newest.sent_at)
    from (
      select m.sent_at, m.sender_id, m.is_deleted, m.mentions, m.reply_to
      from public.chat_messages m
      where m.chat_id = p.chat_id and m.sent_at > coalesce(p.last_read_at, '-infinity')
      order by m.sent_at desc
      limit 1000
    ) newest
    where not newest.is_deleted and newest.sender_id <> p.user_id
      and newest.sender_id <> all (private.blocked_by(p.user_id))
      and (
        p.user_id = any (newest.mentions)
        or p.user_id = (select q.sender_id from public.chat_messages q where q.id = newest.reply_to)
      )
  )
  where p.chat_id = refresh_mentions.chat_id and p.is_active and p.user_id = any (member_ids);
end
$$;

-- Nobody looks for a mention that is gone; one that is restored counts again.
create function private.note_mention_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refresh_mentions(
    new.chat_id,
    array_append(new.mentions, (select q.sender_id from public.chat_messages q where q.id = new.reply_to))
  );
  return null;
end
$$;

create trigger note_mention_deleted after update of is_deleted on public.chat_messages
  for each row when (new.is_deleted <> old.is_deleted and (new.mentions <> '{}' or new.reply_to is not null))
  execute function private.note_mention_deleted();

create function private.note_mentions_after_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  blocker constant uuid := coalesce(new.blocker_id, old.blocker_id);
begin
  perform private.refresh_mentions(mine.chat_id, array[blocker])
  from private.chat_participants mine
  join private.chat_participants theirs on theirs.chat_id = mine.chat_id
    and theirs.user_id = coalesce(new.blocked_id, old.blocked_id)
  where mine.user_id = blocker and mine.is_active;
  return null;
end
$$;

create trigger note_mentions_after_block after insert or delete on private.blocks
  for each row execute function private.note_mentions_after_block();

revoke execute on all functions in schema private from public;

-- ./schemas/message_removal.sql

-- Removing somebody else's message: a leader's act, with a reason that only the sender reads.

-- Supervisors review every chat, admins those they take part in.
create function private.may_remove_from(chat_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_supervisor()
    or private.is_admin() and chat_id in (select private.my_chat_ids())
$$;

create function public.remove_message(message_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() and not private.is_supervisor() then
    raise exception 'Only admins see this' using errcode = '42501';
  end if;
  update public.chat_messages m set is_deleted = true, deleted_reason = private.trimmed(remove_message.reason)
  where m.id = remove_message.message_id and not m.is_deleted and private.may_remove_from(m.chat_id);
  -- Pressed twice, or deleted meanwhile: there is nothing left to remove.
  if not found and not exists (
    select from public.chat_messages m
    where m.id = remove_message.message_id and private.may_remove_from(m.chat_id)
  ) then
    raise exception 'There is no such message' using errcode = 'PT404';
  end if;
exception
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.remove_message is
  'For admins: removes a message of their chats; for supervisors, of any chat. Everybody sees that it was removed, the sender also why.';

revoke execute on function public.remove_message from public, anon, service_role;
grant execute on function public.remove_message to authenticated;
revoke execute on all functions in schema private from public;

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
    -- Whoever was blocked types on; nobody sees it.
    if exists (select from public.chats c where c.id = chat_id and c.type = 'individual')
      and private.is_pair_apart(chat_id, me) then
      return;
    end if;
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

-- ./schemas/message_files.sql

-- Files in messages: PDF, Office and text documents, video and audio, in the bucket of the images. What a message says of its
-- file is what storage measured; only the name is the sender's own.

-- The type that a name promises; null for one that is not sent. Neither scripts, programs and archives nor anything that a
-- browser would run as a page, whatever it is called.
create function private.type_of_file_name(name text) returns text
language sql immutable set search_path = ''
as $$
  select case lower(substring(name from '\.([[:alnum:]]+)$'))
    when 'pdf' then 'application/pdf'
    when 'doc' then 'application/msword'
    when 'xls' then 'application/vnd.ms-excel'
    when 'ppt' then 'application/vnd.ms-powerpoint'
    when 'docx' then 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    when 'xlsx' then 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    when 'pptx' then 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
    when 'odt' then 'application/vnd.oasis.opendocument.text'
    when 'ods' then 'application/vnd.oasis.opendocument.spreadsheet'
    when 'odp' then 'application/vnd.oasis.opendocument.presentation'
    when 'txt' then 'text/plain'
    when 'csv' then 'text/csv'
    when 'mp4' then 'video/mp4'
    when 'webm' then 'video/webm'
    when 'mov' then 'video/quicktime'
    when 'mp3' then 'audio/mpeg'
    when 'm4a' then 'audio/mp4'
    when 'wav' then 'audio/wav'
    when 'ogg' then 'audio/ogg'
  end
$$;

-- Without what a name could hide its real ending with, such as marks that turn the direction of writing, and without
-- separators of folders.
create function private.clean_file_name(name text) returns text
language sql immutable set search_path = ''
as $$
  select btrim(regexp_replace(
    regexp_replace(name, '[\u0001-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]', '', 'g'),
    '[/\\]', '_', 'g'
  ))
$$;

-- The attachment of a message with a file, from what storage knows of it.
create function private.checked_file(path text, name text, metadata jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  shown constant text := private.clean_file_name(name);
  promised constant text := private.type_of_file_name(shown);
  type constant text := btrim(split_part(metadata ->> 'mimetype', ';', 1));
begin
  if shown is null or char_length(shown) not between 1 and 200 then
    raise exception 'A file needs a name of at most 200 characters' using errcode = '23514';
  end if;
  -- Of a video or a recording, only its player sees what exactly it is.
  if promised is null or type is distinct from promised
    and not (split_part(type, '/', 1) in ('video', 'audio') and split_part(type, '/', 1) = split_part(promised, '/', 1))
    or right(path, 6) !~ ('\.' || lower(substring(shown from '[[:alnum:]]+$')) || '$')
  then
    raise exception 'Files of this type cannot be sent' using errcode = '23514';
  end if;
  return jsonb_build_object(
    'kind', 'file', 'path', path, 'name', shown, 'size', private.image_bytes(metadata), 'type', type
  );
end
$$;

revoke execute on all functions in schema private from public;

-- ./schemas/message_images.sql

-- Images and files in messages: a private bucket, one folder per chat, readable by its participants only.

-- The chat an object belongs to, from its folder; null if that is not a uuid.
create function private.chat_of_image(object_name text) returns uuid
language sql immutable set search_path = ''
as $$
  select case when split_part(object_name, '/', 1) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then split_part(object_name, '/', 1)::uuid end
$$;

create function private.message_of_image(object_name text) returns uuid
language sql immutable set search_path = ''
as $$
  select case when split_part(object_name, '/', 2) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.'
    then left(split_part(object_name, '/', 2), 36)::uuid end
$$;

-- The archive keeps the image of a deleted message; nobody sees it in the chat any more.
create function private.image_is_shown(object_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (
    select from public.chat_messages m where m.id = private.message_of_image(object_name) and m.is_deleted
  )
$$;

create function private.image_is_sent(object_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.chat_messages m
    where m.id = private.message_of_image(object_name) and m.attachment ->> 'path' = object_name
  )
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
  is_file constant boolean := attachment -> 'kind' is not distinct from '"file"';
  sides constant jsonb := jsonb_build_array(attachment -> 'width', attachment -> 'height');
  metadata jsonb;
begin
  if not is_file and exists (
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
  select o.metadata into metadata from storage.objects o where o.bucket_id = 'chat-images' and o.name = path;
  if is_file then
    return private.checked_file(path, attachment ->> 'name', metadata);
  elsif metadata ->> 'mimetype' not like 'image/%' then
    raise exception 'The image of this message was not uploaded' using errcode = '23514';
  end if;
  return jsonb_build_object('path', path, 'width', sides -> 0, 'height', sides -> 1);
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function
  private.chat_of_image(text), private.image_is_shown(text), private.image_is_sent(text)
to authenticated, service_role;

-- Skipped where there is no file storage, so that the database also runs without it.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;

  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values (
    'chat-images', 'chat-images', false, 25 * 1024 * 1024,
    array[
      'image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf',
      'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.spreadsheet',
      'application/vnd.oasis.opendocument.presentation', 'text/plain', 'text/csv',
      'video/mp4', 'video/webm', 'video/quicktime', 'audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/ogg'
    ]
  )
  on conflict (id) do update set
    public = excluded.public, file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types;

  create policy "participants see the images of their chats" on storage.objects
    for select to authenticated
    using (
      bucket_id = 'chat-images' and (select private.session_is_live())
      and private.chat_of_image(name) in (select private.my_chat_ids()) and private.image_is_shown(name)
    );
  create policy "participants who may send upload images to their chats" on storage.objects
    for insert to authenticated
    with check (bucket_id = 'chat-images' and (select private.session_is_live()) and private.may_send_to(private.chat_of_image(name)));
  create policy "uploaders and admins delete images that were not sent" on storage.objects
    for delete to authenticated
    using (
      bucket_id = 'chat-images' and (select private.session_is_live())
      and private.chat_of_image(name) in (select private.my_chat_ids())
      and (owner_id = (select auth.uid())::text or (select private.is_admin())) and not private.image_is_sent(name)
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

-- ./schemas/pins.sql

-- Pinned messages: shown at the top of their chat to everybody in it, the latest first.

create table public.chat_pins (
  message_id uuid primary key references public.chat_messages (id) on delete cascade,
  -- The message's chat, filled in by a trigger: the policies need it.
  chat_id uuid not null references public.chats (id) on delete cascade,
  created_by uuid not null references private.members (id),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.chat_pins is 'Which messages are pinned in their chat, and by whom.';
create index chat_pins_chat_id on public.chat_pins (chat_id, created_at desc);
create index chat_pins_created_by on public.chat_pins (created_by);

-- Whoever may write there, if it is a chat of two, their own group, or they are an admin.
create function private.may_pin_in(chat_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.may_send_to(may_pin_in.chat_id) and exists (
    select from public.chats c
    where c.id = may_pin_in.chat_id
      and (c.type = 'individual' or c.created_by = (select auth.uid()) or private.is_admin())
  )
$$;

alter table public.chat_pins enable row level security;
revoke all on public.chat_pins from anon, authenticated;
grant select, delete, insert (message_id, created_by) on public.chat_pins to authenticated;

create policy "participants see what is pinned in their chats" on public.chat_pins
  for select to authenticated using (chat_id in (select private.my_chat_ids()));
create policy "creators, admins and either of two pin as themselves" on public.chat_pins
  for insert to authenticated
  with check (created_by = (select auth.uid()) and private.may_pin_in(chat_id));
create policy "creators, admins and either of two unpin" on public.chat_pins
  for delete to authenticated
  using (chat_id in (select private.my_chat_ids()) and private.may_pin_in(chat_id));

create function private.check_new_pin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  select m.chat_id into new.chat_id
  from public.chat_messages m where m.id = new.message_id and not m.is_deleted
    -- Before the policy looks: the answer must not say whether a foreign chat has the message.
    and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()))
  -- Whoever deletes it at this moment finds it pinned, or it is not pinned any more.
  for share;
  if new.chat_id is null then
    raise exception 'There is no such message' using errcode = '23503';
  end if;
  -- Two who pin at the same moment count one after the other.
  perform from public.chats c where c.id = new.chat_id for no key update;
  if (select count(*) from public.chat_pins p where p.chat_id = new.chat_id and p.message_id <> new.message_id) >= 20 then
    raise exception 'A chat has at most 20 pinned messages' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_new_pin before insert on public.chat_pins
  for each row execute function private.check_new_pin();

create function private.unpin_deleted_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.chat_pins p where p.message_id = new.id;
  return null;
end
$$;

create trigger unpin_deleted_message after update of is_deleted on public.chat_messages
  for each row when (new.is_deleted and not old.is_deleted)
  execute function private.unpin_deleted_message();

-- The whole list, so that an open thread has nothing to ask; of a text no more than a line shows.
create function private.publish_pins() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  chat constant uuid := coalesce(new.chat_id, old.chat_id);
begin
  perform realtime.send(
    jsonb_build_object('chat_id', chat, 'pins', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'message_id', p.message_id, 'created_by', p.created_by, 'created_at', p.created_at,
        'message', jsonb_build_object(
          'sender_id', m.sender_id, 'sent_at', m.sent_at,
          'message', coalesce(nullif(left(m.message, 300), ''), m.attachment ->> 'name', '')
        )
      ) order by p.created_at desc), '[]')
      from public.chat_pins p join public.chat_messages m on m.id = p.message_id
      where p.chat_id = chat
    )),
    'pins_changed', 'chat:' || chat, true
  );
  return null;
end
$$;

create trigger publish_pins after insert or update or delete on public.chat_pins
  for each row execute function private.publish_pins();

revoke execute on all functions in schema private from public;
grant execute on function private.may_pin_in(uuid) to authenticated, service_role;

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

-- ./schemas/far_back.sql

-- The chat list shows at most 100 unread messages. For each chat a moment is kept: members who last read the chat before it
-- have at least 100, so theirs are not counted. It is renewed with about every sixtieth message to keep inserts cheap.
-- For members who read later, the messages are counted.

create table private.far_back (
  chat_id uuid primary key references public.chats (id) on delete cascade,
  sent_at timestamptz
);
comment on table private.far_back is 'For each chat, a moment: members who last read the chat before it have at least 100 unread messages.';
comment on column private.far_back.sent_at is
  'When the message was sent from which on every member has 100 messages by others. Null: not known, so messages are counted.';
alter table private.far_back enable row level security;
revoke all on private.far_back from anon, authenticated, service_role;

-- Locks before it looks: a message deleted meanwhile is waited for, or waits and looks after it.
create function private.find_far_back(chats uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.far_back (chat_id)
  select c.id from public.chats c where c.id = any (chats) order by c.id
  on conflict (chat_id) do update set sent_at = null;

  update private.far_back f set sent_at = (
    select counted.sent_at
    from (
      -- Of the messages so far, at most as many are one person's own as the most talkative has written.
      select own.sent_at, own.place - max(own.own_place) over (order by own.place) as by_others, own.place
      from (
        select m.sent_at, row_number() over newest as place,
          row_number() over (partition by m.sender_id order by m.sent_at desc, m.id desc) as own_place
        from (
          select m.id, m.sent_at, m.sender_id from public.chat_messages m
          where m.chat_id = f.chat_id and not m.is_deleted
          order by m.sent_at desc, m.id desc
          limit 400
        ) m
        window newest as (order by m.sent_at desc, m.id desc)
      ) own
    ) counted
    where counted.by_others >= 100
    order by counted.place
    limit 1
  )
  where f.chat_id = any (chats);
end
$$;

create function private.find_far_back_after_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.find_far_back(array[new.chat_id]);
  return null;
end
$$;

create trigger find_far_back after insert on public.chat_messages
  for each row when (get_byte(uuid_send(new.id), 15) < 4) execute function private.find_far_back_after_message();

create function private.find_far_back_after_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.find_far_back(array[old.chat_id, new.chat_id]);
  return null;
end
$$;

create trigger find_far_back_again after update of is_deleted, sender_id, sent_at, chat_id on public.chat_messages
  for each row
  when ((old.is_deleted, old.sender_id, old.sent_at, old.chat_id) is distinct from (new.is_deleted, new.sender_id, new.sent_at, new.chat_id))
  execute function private.find_far_back_after_change();

create function private.find_far_back_after_removal() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.find_far_back(array(select distinct gone.chat_id from gone));
  return null;
end
$$;

create trigger find_far_back_without after delete on public.chat_messages
  referencing old table as gone
  for each statement execute function private.find_far_back_after_removal();

revoke execute on all functions in schema private from public;

-- ./schemas/pinned_chats.sql

-- Pinned chats: up to five that a member keeps at the top of their list, after the mandatory one.

create function private.most_pinned_chats() returns int
language sql immutable set search_path = ''
as $$ select 5 $$;

create function public.pin_chat(chat_id uuid, is_pinned boolean default true) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if pin_chat.chat_id not in (select private.my_chat_ids()) then
    raise exception 'This chat no longer exists' using errcode = '42501';
  end if;
  if pin_chat.chat_id = private.mandatory_chat_id() then
    raise exception 'The mandatory chat is always at the top' using errcode = '23514';
  end if;
  -- Locked, so that two devices at once do not pin a sixth.
  perform from private.members m where m.id = me for no key update;
  -- Those that the list leaves out, closed groups and chats with people whom the member blocked, take no place.
  if is_pinned and (
    select count(*)
    from private.chat_participants p
    join public.chats c on c.id = p.chat_id and c.is_active
    where p.user_id = me and p.is_active and p.pinned_at is not null and p.chat_id <> pin_chat.chat_id
      and not (c.type = 'individual' and exists (
        select from private.chat_participants o
        where o.chat_id = c.id and o.user_id = any (private.blocked_by(me))
      ))
  ) >= private.most_pinned_chats() then
    raise exception 'At most 5 chats can be pinned; unpin another one first' using errcode = '23514';
  end if;
  if is_pinned and exists (
    select from private.members m where m.id = me and pin_chat.chat_id = any (m.hidden_chats || m.archived_chats)
  ) then
    raise exception 'A hidden or archived chat cannot be pinned' using errcode = '23514';
  end if;
  update private.chat_participants p set pinned_at = case when is_pinned then now() end
  where p.chat_id = pin_chat.chat_id and p.user_id = me and (p.pinned_at is not null) <> is_pinned;
end
$$;
comment on function public.pin_chat is 'Keeps a chat at the top of the caller''s list, or no longer.';

-- Nobody sees a chat they hid or archived at the top of their list, so it does not count among the five either.
create function private.unpin_put_away_chats() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.chat_participants p set pinned_at = null
  where p.user_id = new.id and p.pinned_at is not null and p.chat_id = any (new.hidden_chats || new.archived_chats);
  return null;
end
$$;

create trigger unpin_put_away_chats after update of hidden_chats, archived_chats on private.members
  for each row when (not (old.hidden_chats || old.archived_chats) @> (new.hidden_chats || new.archived_chats))
  execute function private.unpin_put_away_chats();

revoke execute on function public.pin_chat(uuid, boolean) from public, anon;
grant execute on function public.pin_chat(uuid, boolean) to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/chat_drafts.sql

-- Drafts: what a member typed in a chat and has not sent yet, so that it is there on their other devices. Nobody else
-- reads them, and the archive has none: nothing was said. The latest one wins, also when a device that was offline
-- saves later; a sent or cleared draft stays as an empty one, so that an older text does not come back.

create table public.chat_drafts (
  user_id uuid not null references private.members (id) on delete cascade,
  chat_id uuid not null references public.chats (id) on delete cascade,
  message text not null,
  written_at timestamptz not null,
  primary key (user_id, chat_id),
  constraint "Draft is at most 4000 characters" check (char_length(message) <= 4000)
);
comment on table public.chat_drafts is 'What a member typed in a chat and has not sent. Empty once it is sent or cleared.';
comment on column public.chat_drafts.written_at is 'When it was typed, by the server''s clock.';
create index chat_drafts_chat_id on public.chat_drafts (chat_id);

alter table public.chat_drafts enable row level security;
revoke all on public.chat_drafts from anon, authenticated, service_role;
grant select on public.chat_drafts to authenticated;
create policy "members read their own drafts" on public.chat_drafts
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create function private.most_drafts() returns int
language sql immutable set search_path = ''
as $$ select 50 $$;

-- The device says how long ago it was typed, not when: its clock may be wrong.
create function public.save_draft(chat_id uuid, message text, age_ms bigint, device uuid) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
  at constant timestamptz :=
    clock_timestamp() - least(greatest(age_ms, 0), 31536000000) * interval '1 millisecond';
  saved timestamptz;
begin
  if save_draft.chat_id not in (select private.my_chat_ids()) then
    raise exception 'This chat no longer exists' using errcode = '42501';
  end if;
  insert into public.chat_drafts as d (user_id, chat_id, message, written_at)
  values (me, save_draft.chat_id, save_draft.message, at)
  on conflict (user_id, chat_id) do update set message = excluded.message, written_at = excluded.written_at
    where d.written_at <= excluded.written_at
  returning d.written_at into saved;
  if saved is null then
    return null;
  end if;
  delete from public.chat_drafts d
  where d.user_id = me and d.chat_id in (
    select o.chat_id from public.chat_drafts o where o.user_id = me
    order by o.message = '', o.written_at desc, o.chat_id offset private.most_drafts()
  );
  perform realtime.send(
    jsonb_build_object('chat_id', save_draft.chat_id, 'device', device), 'draft_changed', 'user:' || me, true
  );
  return saved;
end
$$;
comment on function public.save_draft is
  'Keeps what the caller typed in a chat that long ago, for their other devices. Null: another device saved a later one.'
  ' The 50 latest are kept.';

-- Who is no longer in a chat, or on the team, has no drafts there.
create function private.forget_left_draft() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.chat_drafts d where d.user_id = new.user_id and d.chat_id = new.chat_id;
  return null;
end
$$;
create trigger forget_left_draft after update of is_active on private.chat_participants
  for each row when (old.is_active and not new.is_active) execute function private.forget_left_draft();

create function private.forget_drafts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.chat_drafts d where d.user_id = new.id;
  return null;
end
$$;
create trigger forget_drafts after update of status on private.members
  for each row when (new.status in ('removed', 'deleted')) execute function private.forget_drafts();

revoke execute on function public.save_draft(uuid, text, bigint, uuid) from public, anon;
grant execute on function public.save_draft(uuid, text, bigint, uuid) to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/saved_messages.sql

-- Saved messages: what a member keeps to find it again, across their chats. Nobody else learns of it, and the archive
-- has none: nothing was said. What is shown is the message as it is now, while the member may read it.

create table public.saved_messages (
  user_id uuid not null references private.members (id) on delete cascade,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  -- The message's chat, filled in by a trigger: the policies need it.
  chat_id uuid not null references public.chats (id) on delete cascade,
  saved_at timestamptz not null default clock_timestamp(),
  primary key (user_id, message_id)
);
comment on table public.saved_messages is 'Which messages a member keeps to find them again.';
create index saved_messages_by_time on public.saved_messages (user_id, saved_at desc);
create index saved_messages_message_id on public.saved_messages (message_id);
create index saved_messages_chat_id on public.saved_messages (chat_id);

alter table public.saved_messages enable row level security;
revoke all on public.saved_messages from anon, authenticated, service_role;
grant select, delete, insert (message_id, user_id) on public.saved_messages to authenticated;

create policy "members read what they saved in their chats" on public.saved_messages
  for select to authenticated
  using (user_id = (select auth.uid()) and chat_id in (select private.my_chat_ids()));
create policy "members save messages of their chats for themselves" on public.saved_messages
  for insert to authenticated
  with check (user_id = (select auth.uid()) and chat_id in (select private.my_chat_ids()));
create policy "members no longer save what they saved" on public.saved_messages
  for delete to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()));

create function private.most_saved_messages() returns int
language sql immutable set search_path = ''
as $$ select 1000 $$;

create function private.check_new_saved_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  select m.chat_id into new.chat_id
  from public.chat_messages m where m.id = new.message_id and not m.is_deleted
    -- Before the policy looks: the answer must not say whether a foreign chat has the message.
    and ((select auth.uid()) is null or m.chat_id in (select private.my_chat_ids()))
  -- Whoever deletes it at this moment finds it saved, or it is not saved any more.
  for share;
  if new.chat_id is null then
    raise exception 'There is no such message' using errcode = '23503';
  end if;
  -- Two devices at once count one after the other.
  perform from private.members m where m.id = new.user_id for no key update;
  if (
    select count(*) from public.saved_messages s where s.user_id = new.user_id and s.message_id <> new.message_id
  ) >= private.most_saved_messages() then
    raise exception 'At most 1000 messages can be saved' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_new_saved_message before insert on public.saved_messages
  for each row execute function private.check_new_saved_message();

create function private.forget_deleted_saved_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.saved_messages s where s.message_id = new.id;
  return null;
end
$$;

create trigger forget_deleted_saved_message after update of is_deleted on public.chat_messages
  for each row when (new.is_deleted and not old.is_deleted)
  execute function private.forget_deleted_saved_message();

-- Who is no longer in a chat, or on the team, has saved nothing there.
create function private.forget_left_saved_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.saved_messages s where s.user_id = new.user_id and s.chat_id = new.chat_id;
  return null;
end
$$;

create trigger forget_left_saved_messages after update of is_active on private.chat_participants
  for each row when (old.is_active and not new.is_active) execute function private.forget_left_saved_messages();

create function private.forget_saved_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.saved_messages s where s.user_id = new.id;
  return null;
end
$$;

create trigger forget_saved_messages after update of status on private.members
  for each row when (new.status in ('removed', 'deleted')) execute function private.forget_saved_messages();

create function private.publish_saved_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('chat_id', coalesce(new.chat_id, old.chat_id)),
    'saved_changed', 'user:' || coalesce(new.user_id, old.user_id), true
  );
  return null;
end
$$;

create trigger publish_saved_messages after insert or delete on public.saved_messages
  for each row execute function private.publish_saved_messages();

-- A page of what the caller saved, the latest first, with what each row shows. Messages of people whom the caller
-- blocked are folded like everywhere.
create function public.my_saved_messages(
  max_results integer default 50, before timestamptz default 'infinity'
)
returns table (
  message_id uuid, chat_id uuid, chat_title text, sender_id uuid, sender_name text, message text,
  sent_at timestamptz, saved_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.chat_id,
    case when c.type = 'individual' then coalesce((
      select private.display_name(o.first_name, o.last_name, o.email)
      from private.chat_participants p join private.members o on o.id = p.user_id
      where p.chat_id = c.id and p.user_id <> s.user_id limit 1
    ), c.name, '') else c.name end,
    m.sender_id, private.display_name(a.first_name, a.last_name, a.email), coalesce(nullif(left(m.message, 300), ''), m.attachment ->> 'name', ''),
    m.sent_at, s.saved_at
  from public.saved_messages s
  join public.chat_messages m on m.id = s.message_id and not m.is_deleted
  join public.chats c on c.id = m.chat_id
  join private.members a on a.id = m.sender_id
  where s.user_id = (select auth.uid()) and s.chat_id in (select private.my_chat_ids()) and s.saved_at < before
  order by s.saved_at desc
  limit least(max_results, 200)
$$;
comment on function public.my_saved_messages is 'A page of the messages that the caller saved, the latest first.';

revoke execute on function public.my_saved_messages(integer, timestamptz) from public, anon;
grant execute on function public.my_saved_messages(integer, timestamptz) to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/chat_list.sql

-- chat_list(): the whole list in one call. Every part is a bounded index probe, so a long history costs nothing: one
-- probe for the last message, at most 100 unread ones counted, and none where far_back.sql already knows there are 100.
-- Runs with the owner's rights, because the policies would otherwise be evaluated for every row; it starts from the
-- caller's own participations only.

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
  muted_until timestamptz,
  is_pinned boolean,
  is_marked_unread boolean,
  mentions_only boolean,
  is_mentioned boolean,
  draft text,
  draft_at timestamptz
)
language plpgsql stable security definer set search_path = ''
-- On small tables the planner prefers a full scan, and keeps that plan as the tables grow.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
-- Planning takes three times as long as reading, and nothing that differs from call to call changes the plan.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  blocked constant uuid[] := private.blocked_by((select auth.uid()));
begin
  return query
  select
    c.id, c.name, c.type,
    case when c.type = 'individual' then coalesce(other.name, c.name, '') else c.name end,
    other.id, private.shown_email(other.id, other.email, other.email_audience), coalesce(other.role = 'admin', false),
    members.count::int,
    last.id, last.message, last.sent_at, last.sender_id,
    case when sender.id is not null
      then private.display_name(sender.first_name, sender.last_name, sender.email) end,
    unread.count::int,
    p.last_read_at, c.created_at,
    c.id = any (me.archived_chats),
    c.id = any (me.hidden_chats),
    p.muted_until,
    p.pinned_at is not null,
    p.is_marked_unread,
    p.mentions_only,
    coalesce(p.mentioned_at > coalesce(p.last_read_at, '-infinity'), false),
    d.message,
    d.written_at
  from private.members me
  join private.chat_participants p on p.user_id = me.id and p.is_active
  join public.chats c on c.id = p.chat_id and c.is_active
  cross join lateral (
    select count(*) from private.chat_participants others where others.chat_id = c.id and others.is_active
  ) members
  left join lateral (
    select o.id, private.display_name(o.first_name, o.last_name, o.email) as name, o.email, o.email_audience, o.role
    from private.chat_participants others
    join private.members o on o.id = others.user_id
    where c.type = 'individual' and others.chat_id = c.id and others.user_id <> me.id
    limit 1
  ) other on true
  left join lateral (
    -- Of a file, the name.
    select m.id, coalesce(nullif(m.message, ''), m.attachment ->> 'name', '') as message, m.sent_at, m.sender_id
    from public.chat_messages m
    where m.chat_id = c.id and not m.is_deleted
    order by m.sent_at desc, m.id desc
    limit 1
  ) last on true
  left join private.members sender on sender.id = last.sender_id
  left join public.chat_drafts d on d.user_id = me.id and d.chat_id = c.id
  left join private.far_back f on f.chat_id = c.id
  cross join lateral (
    select case
      when coalesce(p.last_read_at, '-infinity') < f.sent_at and blocked = '{}' then 100
      else (
        select count(*)
        from (
          -- Bounded even for a member who wrote a thousand messages without reading one.
          select newest.sender_id, newest.is_deleted
          from (
            select m.sender_id, m.is_deleted
            from public.chat_messages m
            where m.chat_id = c.id and m.sent_at > coalesce(p.last_read_at, '-infinity')
            order by m.sent_at desc
            limit 1000
          ) newest
          where newest.sender_id <> me.id and newest.sender_id <> all (blocked) and not newest.is_deleted
          limit 100
        ) counted
      )
    end as count
    -- Keeps it one value: in the order as well, it would be counted again.
    offset 0
  ) unread
  where me.id = (select auth.uid()) and me.is_active
    and (with_hidden or c.id <> all (me.hidden_chats))
    and (c.type <> 'mandatory' or me.rally_enabled)
    and (other.id is null or other.id <> all (blocked))
  order by c.type = 'mandatory' desc, p.pinned_at is not null desc, (unread.count > 0 or p.is_marked_unread) desc,
    coalesce(last.sent_at, c.created_at) desc, c.id;
end
$$;
comment on function public.chat_list is
  'The caller''s chats, the mandatory one first, then pinned ones, then unread ones, then by latest message. Unread stops at 100.'
  ' Hidden chats are left out unless asked for, chats with people whom the caller blocked always.';

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

-- The caller's chats that a person of this name takes part in, for the chat list's search. The newest come first: an
-- answer has at most 1,000 rows.
create function public.chats_with_member(query text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select p.chat_id
  from private.members m
  join private.chat_participants p on p.user_id = m.id and p.is_active
  where private.member_patterns(query) <> '{}' and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
    and p.chat_id in (select private.my_chat_ids())
  group by p.chat_id
  order by (select max(sent.sent_at) from public.chat_messages sent where sent.chat_id = p.chat_id) desc nulls last
$$;

revoke execute on function public.chats_with_member(text) from public, anon;
grant execute on function public.chats_with_member(text) to authenticated, service_role;

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
  elsif private.is_blank(first_message) then
    raise exception 'Please write a first message' using errcode = '22023';
  elsif cardinality(others) > 1 and private.is_blank(create_chat.name) then
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

-- It must not reveal a block: the text is also true of a permission that was taken away.
create function private.refuse_apart(me uuid, other uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.has_blocked(me, other) then
    raise exception 'You blocked this person. Unblock them first' using errcode = '42501';
  elsif private.has_blocked(other, me) then
    raise exception 'You cannot write to this person' using errcode = '42501';
  end if;
end
$$;

-- The individual chat of these two, with both of them in it and back on the caller's list; null if there is none.
create function private.open_individual_chat(me uuid, other uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  found_chat uuid;
begin
  perform private.lock_pair(me, other);
  perform private.refuse_apart(me, other);
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

-- What searching is built on: the words of messages, how a query reads them, and members by every word typed occurring in
-- their name or e-mail. Words are without accents, plain and by their English stem.

-- Parsed on creation and inlined into the index expression, like private.without_accents().
create function private.message_words(message text) returns tsvector
language sql immutable parallel safe
return to_tsvector('pg_catalog.simple'::regconfig, private.without_accents(message))
  || to_tsvector('pg_catalog.english'::regconfig, private.without_accents(message));

create index chat_messages_words on public.chat_messages using gin (private.message_words(message))
  where not is_deleted;

-- Up to eight words of a query, each with the ways it may be indexed: as typed, by its English stem, by whatever begins with
-- its Spanish stem (indexing those as well would cost every message), and by whatever begins with a word that is still being
-- typed. Words that say nothing ("the") count only where there is no other.
create function private.searched_words(query text)
returns table (word text, wanted tsquery, forms text[], beginnings text[])
language sql immutable set search_path = ''
as $$
  with typed as (
    select lower(private.without_accents(left(searched_words.query, 200))) as words
  ), split as (
    select word, place, place = max(place) over () and typed.words ~ '[[:alnum:]]$' as is_unfinished
    from typed, regexp_split_to_table(typed.words, '\s+') with ordinality as each (word, place)
    where word <> ''
  ), stemmed as (
    select s.*, s.word ~ '^[[:alnum:]]+$' as is_plain, e.stem as english, spanish.stem as spanish,
      cardinality(e.stems) = 0 or cardinality(spanish.stems) = 0 as says_nothing
    from split s
    cross join lateral (select stems, stems[1] as stem from ts_lexize('pg_catalog.english_stem', s.word) stems) e
    cross join lateral (select stems, stems[1] as stem from ts_lexize('pg_catalog.spanish_stem', s.word) stems) spanish
    where numnode(plainto_tsquery('pg_catalog.simple', s.word)) > 0
  ), counted as (
    select s.*, bool_and(says_nothing) over () as is_all_there_is from stemmed s
  ), formed as (
    select c.place, c.word, tsvector_to_array(to_tsvector('pg_catalog.simple', c.word))
        || case when c.is_plain and c.english <> c.word then array[c.english] else '{}' end as forms,
      case when c.is_plain and c.is_unfinished and length(c.word) >= 2 then array[c.word] else '{}' end
        || case when c.is_plain and c.spanish <> c.word and length(c.spanish) >= 4 then array[c.spanish] else '{}' end as beginnings,
      case when c.is_plain and c.english <> c.word then quote_literal(c.english) end as english
    from counted c
    where not c.says_nothing or c.is_all_there_is
    order by c.place limit 8
  )
  select f.word,
    concat_ws(
      ' | ', '(' || plainto_tsquery('pg_catalog.simple', f.word)::text || ')', f.english,
      (select string_agg(quote_literal(b) || ':*', ' | ') from unnest(f.beginnings) b)
    )::tsquery,
    f.forms, f.beginnings
  from formed f order by f.place
$$;

create function private.all_of(queries tsquery[]) returns tsquery
language sql immutable set search_path = ''
as $$ select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(queries) q $$;

-- Quoted or excluded words are meant exactly.
create function private.is_meant_exactly(query text) returns boolean
language sql immutable parallel safe
return query ~ '"|(^|\s)-\S';

create function private.message_query(query text) returns tsquery
language sql immutable set search_path = ''
as $$
  select case
    when private.is_meant_exactly(query) then
      websearch_to_tsquery('pg_catalog.simple', private.without_accents(left(query, 200)))
    else coalesce(private.all_of(array(select w.wanted from private.searched_words(query) w)), plainto_tsquery(''))
  end
$$;

-- Finds people in a team of 10,000. Through the view public.users the search would read everybody: a security barrier
-- keeps `ilike` away from the rows, and so from every index.
create function public.search_members(query text default '', max_results integer default 50, skip integer default 0)
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
    order by m.first_name, m.last_name, m.id
    limit $4 offset $5
  $search$ using (select auth.uid()), patterns[1], patterns[2:], least(max_results, 200), greatest(skip, 0), apart;
end
$$;
comment on function public.search_members is 'A page of the other members whose name or visible e-mail contains every word of the query, by first name. Without people whom the caller blocked or who blocked the caller.';

revoke execute on function public.search_members from public, anon;
grant execute on function public.search_members to authenticated, service_role;
revoke execute on all functions in schema private from public;
grant execute on function private.message_words(text) to authenticated, service_role;

-- ./schemas/people.sql

-- The directory of the team, and the profile that opens wherever a member's name is pressed.

-- Whom a leader brought in, as product.md P152 counts them.
create function private.brought_in_by(leader_id uuid) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  with recursive line as (
    select m.id, m.is_active from private.members m where m.sponsor_id = leader_id
    union
    select m.id, m.is_active from line join private.members m on m.sponsor_id = line.id where not line.is_active
  )
  select line.id from line where line.is_active
$$;

-- A page by name, which begins after the row whose name and id are given, so that the hundredth page costs what the first does.
create function public.list_people(
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
      and ($11 is null or (m.first_name, m.last_name, m.id) > ($9, $10, $11))
    order by m.first_name, m.last_name, m.id
    limit $1
  $people$ using
    greatest(least(max_results, 200), 0), apart, vice_presidents, patterns[1], patterns[2:], with_role, in_state, leader_id,
    coalesce(after_first_name, ''), coalesce(after_last_name, ''), after_id;
end
$$;
comment on function public.list_people is
  'A page of the team by name, found by words of name or visible e-mail. with_role: admin, supervisor, vice_president, or sponsor (brought somebody in); leader_id: whom this member brought in. Without people whom the caller blocked or who blocked the caller.';

create function public.people_states() returns setof text
language sql stable security definer set search_path = ''
as $$
  select distinct m.state from private.members m
  where (select private.is_member()) and m.is_active and m.state is not null
  order by m.state
$$;
comment on function public.people_states is 'The states that members of the team work in.';

-- Whoever left has a name and nothing else.
create function public.member_profile(member_id uuid)
returns table (
  id uuid, first_name text, last_name text, is_active boolean, role text, can_supervise boolean, is_vice_president boolean,
  email text, phone text, state text, about text, sponsor_id uuid, sponsor_name text, brought_in bigint, chat_id uuid
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  member private.members;
begin
  select * into member from private.members m where m.id = member_profile.member_id and m.admitted_at is not null;
  if member.id is null or not private.is_member() then
    return;
  elsif not member.is_active then
    return query select member.id, member.first_name, member.last_name, false, 'user', false, false,
      null::text, null::text, null::text, '', null::uuid, null::text, 0::bigint, null::uuid;
    return;
  end if;
  return query
  select member.id, member.first_name, member.last_name, true, member.role, member.can_supervise,
    (select member.id = any (s.vice_presidents) from public.team_settings s),
    private.shown_email(member.id, member.email, member.email_audience),
    private.shown_phone(member.id, member.phone, member.phone_audience, true),
    member.state, member.about, sponsor.id,
    case when sponsor.id is not null then private.display_name(sponsor.first_name, sponsor.last_name, sponsor.email) end,
    (select count(*) from private.brought_in_by(member.id)),
    (
      select c.id
      from private.chat_participants mine
      join public.chats c on c.id = mine.chat_id and c.type = 'individual' and c.is_active and c.created_by in (me, member.id)
      join private.chat_participants theirs on theirs.chat_id = c.id and theirs.user_id = member.id
      where mine.user_id = me and mine.is_active and member.id <> me
      order by c.created_at limit 1
    )
  from (select) one
  left join lateral (
    select s.* from private.upline(member.id) above join private.members s on s.id = above.id where above.level = 1
  ) sponsor on true;
end
$$;
comment on function public.member_profile is
  'A member as they show themselves to the caller: phone and e-mail are null unless they share them. chat_id: the caller''s chat of two with them.';

revoke execute on function
  public.list_people(text, text, text, uuid, text, text, uuid, integer), public.people_states(), public.member_profile(uuid)
from public, anon, service_role;
grant execute on function
  public.list_people(text, text, text, uuid, text, text, uuid, integer), public.people_states(), public.member_profile(uuid)
to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/search_messages.sql

-- Finding messages at any size. An index of words answers for a rare word whatever the size of the history, but for a common
-- one it lists half of it, so a common word is looked for among the newest messages of the caller's chats instead. Which it is
-- the planner's statistics of the index say. See docs/decisions/023-search.md.

-- The most common words of messages, and in how many they were at the last ANALYZE.
create function private.common_words() returns table (lexeme text, messages double precision)
language sql stable set search_path = ''
as $$
  select e.lexeme, e.frequency * c.reltuples
  from pg_catalog.pg_class c
  join pg_catalog.pg_stats s on s.schemaname = 'public' and s.tablename = c.relname
  cross join lateral unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e (lexeme, frequency)
  where c.oid = 'public.chat_messages_words'::regclass and e.lexeme is not null
$$;

-- The word with one letter wrong, missing, too many, or swapped with the next, as the beginning of a word.
create function private.near_pattern(word text) returns text
language sql immutable set search_path = ''
as $$
  select case when word !~ '^[[:alnum:]]{4,20}$' then '\m' || regexp_replace(word, '[^[:alnum:]]', '.', 'g')
    else '\m(' || string_agg(concat_ws('|',
      left(word, n - 1) || '\w' || substr(word, n + 1),
      left(word, n) || '\w' || substr(word, n + 1),
      case when length(word) > 4 then left(word, n - 1) || substr(word, n + 1) end,
      left(word, n - 1) || substr(word, n + 1, 1) || substr(word, n, 1) || substr(word, n + 2)
    ), '|') || ')' end
  from generate_series(1, length(word)) n
$$;

-- What of a word one wrong letter leaves: one of its halves, or both where the letters between them are swapped. Far cheaper to
-- look for than near_pattern().
create function private.near_parts(word text) returns text[]
language sql immutable set search_path = ''
as $$
  select case when word !~ '^[[:alnum:]]{4,20}$' then array['%' || regexp_replace(word, '[^[:alnum:]]', '_', 'g') || '%'] else array[
    '%' || left(word, half) || '%', '%' || substr(word, half + 1) || '%',
    '%' || left(word, half - 1) || substr(word, half + 1, 1) || substr(word, half, 1) || '%'
  ] end
  from (select length(word) / 2 as half) h
$$;

-- Chats whose messages the caller finds: current ones, without those of two with a blocked person.
create function private.my_searched_chats() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  blocked constant uuid[] := private.blocked_by(me);
begin
  return array(
    select c.id from private.my_chat_ids() mine join public.chats c on c.id = mine
    where c.is_active and (c.type <> 'individual' or blocked = '{}' or not exists (
      select from private.chat_participants p where p.chat_id = c.id and p.user_id = any (blocked)
    ))
  );
end
$$;

-- The newest messages of chats, and from when on these are all there are; null: all. A first look at each chat says how busy
-- they are, and so how far back the second one goes; both together read a few times as many entries of the index as wanted.
create function private.newest_messages(
  chats uuid[], senders uuid[], until timestamptz, has_image boolean, most integer, out ids uuid[], out since timestamptz
)
language plpgsql stable set search_path = ''
as $$
declare
  looked_at constant integer := case when senders is null then most else 4 * most end;
  share constant integer := least(looked_at, greatest(3, 2 * looked_at / greatest(cardinality(chats), 1)));
begin
  execute format($search$
    with first_look as (
      select chat, r.* from unnest($1) chat cross join lateral (
        select m.id, m.sent_at, m.sender_id, m.is_deleted from public.chat_messages m
        where m.chat_id = chat and m.sent_at < $3 %1$s order by m.sent_at desc, m.id desc limit $6
      ) r
    ), busy as (
      select f.chat, $6 / greatest(extract(epoch from max(f.sent_at) - min(f.sent_at)), 1) as pace, max(f.sent_at) as latest
      from first_look f group by f.chat having count(*) = $6
    ), reach as (
      select sum(b.pace) as pace, max(b.latest) - make_interval(secs => ($4 / sum(b.pace))::float) as since from busy b
    ), second_look as (
      select r.*, r.count = c.cap as is_cut
      from busy b cross join reach
      cross join lateral (select $6 + ceil(3 * $4 * b.pace / reach.pace)::integer as cap) c
      cross join lateral (
        select m.*, min(m.sent_at) over () as since, count(*) over () as count from (
          select m.id, m.sent_at, m.sender_id, m.is_deleted from public.chat_messages m
          where m.chat_id = b.chat and m.sent_at < $3 and m.sent_at >= reach.since %1$s
          order by m.sent_at desc, m.id desc limit c.cap
        ) m
      ) r
    ), bound as (
      select greatest((select r.since from reach r), (select max(l.since) from second_look l where l.is_cut)) as since
    ), newest as (
      select l.* from (
        select f.id, f.sent_at, f.sender_id, f.is_deleted from first_look f where f.chat not in (select b.chat from busy b)
        union all select l.id, l.sent_at, l.sender_id, l.is_deleted from second_look l
      ) l
      where l.sent_at >= coalesce((select b.since from bound b), '-infinity') order by l.sent_at desc limit $4
    ), found as (
      select n.id, n.sent_at from newest n
      where not n.is_deleted and ($2 is null or n.sender_id = any ($2)) order by n.sent_at desc limit $5
    )
    select array(select f.id from found f order by f.sent_at desc),
      case
        when (select count(*) from found) = $5 then (select min(f.sent_at) from found f)
        when (select count(*) from newest) = $4 then (select min(n.sent_at) from newest n)
        else (select b.since from bound b)
      end
  $search$, case when has_image then 'and m.attachment is not null and not m.is_deleted and m.attachment ->> ''kind'' is null' else '' end)
  into ids, since using chats, senders, until, looked_at, most, share;
end
$$;

-- Messages with the words but for one letter each: the newest, and those with words that begin alike.
create function private.find_near_messages(
  words text[], chats uuid[], senders uuid[], until timestamptz, has_image boolean, most integer
)
returns setof uuid
language plpgsql stable set search_path = '' set enable_seqscan = off
as $$
declare
  blocked constant uuid[] := private.blocked_by((select auth.uid()));
  near constant text[] := array(select private.near_pattern(w) from unnest(words) w);
  -- Three letters, also with one pair swapped, unless too many words begin so.
  beginnings constant tsquery[] := array(
    select string_agg(quote_literal(b) || ':*', ' | ')::tsquery
    from unnest(words) w
    cross join lateral (values
      (left(w, 3)), (left(w, 1) || substr(w, 3, 1) || substr(w, 2, 1)), (substr(w, 2, 1) || left(w, 1) || substr(w, 3, 1))
    ) three (b)
    where w ~ '^[[:alnum:]]{4,20}$'
    group by w
    having (
      select coalesce(sum(c.messages), 0) from private.common_words() c where c.lexeme like any (array_agg(three.b || '%'))
    ) <= 10000
  );
  halves constant text[] := (select private.near_parts(w) from unnest(words) w order by length(w) desc limit 1);
  candidates uuid[] := (select n.ids from private.newest_messages(chats, senders, until, has_image, 1000) n);
begin
  if beginnings <> '{}' then
    execute $search$
      with found as materialized (
        select m.id, m.chat_id, m.sender_id, m.sent_at, m.attachment from public.chat_messages m
        where private.message_words(m.message) @@ $1 and not m.is_deleted
      )
      select $2 || array(
        select f.id from found f
        where f.chat_id = any ($3) and f.sent_at < $4 and ($5 is null or f.sender_id = any ($5))
          and (not $6 or f.attachment is not null and f.attachment ->> 'kind' is null) and f.id <> all ($2)
        order by f.sent_at desc limit 1000
      )
    $search$ into candidates
    using private.all_of(beginnings), candidates, chats, until, senders, has_image;
  end if;
  return query
  select h.id from unnest(candidates) c cross join lateral (
    select m.id from (
      select m.id, lower(private.without_accents(m.message)) as words
      from public.chat_messages m where m.id = c and m.sender_id <> all (blocked) offset 0
    ) m
    where (m.words like halves[1] or m.words like halves[2] or m.words like halves[3]) and m.words ~ all (near)
  ) h limit most;
end
$$;

-- The newest messages of the chats that match, by rank, and last a row without an id: messages before its time were not
-- looked at. Without words all that pass the filters do. enable_seqscan: only the index knows the words without parsing
-- every message.
create function private.find_messages(
  query text, chats uuid[], senders uuid[], until timestamptz, has_image boolean, most integer
)
returns table (id uuid, sent_at timestamptz, rank real, is_near boolean)
language plpgsql stable set search_path = '' set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  most_indexed constant integer := 10000;
  most_looked_at constant integer := 2000;
  blocked constant uuid[] := private.blocked_by((select auth.uid()));
  is_exact constant boolean := private.is_meant_exactly(query);
  typed constant text := case when is_exact
    then regexp_replace(regexp_replace(query, '(^|\s)-("[^"]*"?|\S+)', ' ', 'g'), '"', ' ', 'g') || ' ' else query end;
  wanted constant tsquery := private.message_query(query);
  words text[];
  rare tsquery[];
  parts text[];
  candidates uuid[];
  hits uuid[];
  since timestamptz;
  is_near boolean := false;
begin
  with common as materialized (
    select * from private.common_words()
  ), counted as (
    select w.*, coalesce((
      select sum(c.messages) from common c where c.lexeme = any (w.forms)
        or not is_exact and exists (select from unnest(w.beginnings) b where c.lexeme ^@ b)
    ), 0) as messages,
      -- What all of its forms begin with; an English stem may end in i for y.
      case when w.word ~ '^[[:alnum:]]+$' then rtrim((
        select f from unnest(w.forms || w.beginnings) f order by length(f), f limit 1
      ), 'iy') end as stem
    from private.searched_words(typed) with ordinality w (word, wanted, forms, beginnings, place)
  )
  select array_agg(c.word order by c.place), array_agg(c.wanted) filter (where c.messages <= most_indexed),
    array_agg('%' || c.stem || '%') filter (where c.stem <> '')
  into words, rare, parts from counted c;
  if words is null and btrim(query) <> '' then
    return;
  end if;

  if rare is not null and not has_image then
    execute $search$
      with found as materialized (
        select m.id, m.chat_id, m.sender_id, m.sent_at from public.chat_messages m
        where private.message_words(m.message) @@ $1 and not m.is_deleted
      )
      select array(
        select f.id from found f
        where f.chat_id = any ($2) and f.sent_at < $3 and ($4 is null or f.sender_id = any ($4))
        order by f.sent_at desc limit $5
      )
    $search$ into candidates
    using case when is_exact then wanted else private.all_of(rare) end, chats, until, senders, most_looked_at;
    if cardinality(candidates) = most_looked_at then
      since := (select m.sent_at from public.chat_messages m where m.id = candidates[most_looked_at]);
    end if;
    -- The index has looked at every word.
    if is_exact or cardinality(rare) = cardinality(words) then
      parts := null;
    end if;
  else
    select n.ids, n.since into candidates, since
    from private.newest_messages(chats, senders, until, has_image, most_looked_at) n;
  end if;

  -- One by one in the order of the candidates, until there are enough.
  hits := array(
    select h.id from unnest(candidates) c cross join lateral (
      select m.id from public.chat_messages m
      where m.id = c and m.sender_id <> all (blocked)
        and (parts is null or lower(private.without_accents(m.message)) like all (parts))
        and (words is null or private.message_words(m.message) @@ wanted)
      offset 0
    ) h limit most
  );
  if hits = '{}' and words is not null and not is_exact then
    hits := array(select private.find_near_messages(words, chats, senders, until, has_image, most));
    is_near := hits <> '{}';
  elsif cardinality(hits) = most then
    since := (select m.sent_at from public.chat_messages m where m.id = hits[most]);
  end if;

  return query
  select m.id, m.sent_at, r.rank, is_near
  from public.chat_messages m
  cross join lateral (
    select case when words is null or is_near then 0 else ts_rank(private.message_words(m.message), wanted) end::real as rank
  ) r
  where m.id = any (hits)
  order by r.rank desc, m.sent_at desc;
  if since is not null then
    return query select null::uuid, since, 0::real, false;
  end if;
end
$$;

-- Chats of two are called as the other.
create function private.title_for_me(chat_id uuid) returns text
language sql stable set search_path = ''
as $$
  select case when c.type <> 'individual' then c.name else coalesce((
    select private.display_name(o.first_name, o.last_name, o.email)
    from private.chat_participants p join private.members o on o.id = p.user_id
    where p.chat_id = c.id and p.user_id <> (select auth.uid()) limit 1
  ), c.name, '') end
  from public.chats c where c.id = title_for_me.chat_id
$$;

-- A long message around what was found.
create function private.message_snippet(message text, wanted tsquery) returns text
language sql immutable set search_path = ''
as $$
  select case when char_length(message) <= 160 then message else ts_headline(
    'pg_catalog.english', message, wanted, 'StartSel="", StopSel="", MaxWords=28, MinWords=16, ShortWord=2'
  ) end
$$;

-- Runs with the owner's rights: under row-level security Postgres may not use the word index. The chats restrict it as the
-- policy does.
create function public.search_messages(query text, max_results int default 50, in_chat uuid default null) returns table (
  message_id uuid,
  chat_id uuid,
  chat_title text,
  sender_id uuid,
  sender_name text,
  snippet text,
  sent_at timestamptz,
  rank real,
  is_near boolean
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  if not private.is_member() or coalesce(btrim(query), '') = '' then
    return;
  end if;
  return query
  select m.id, m.chat_id, private.title_for_me(m.chat_id), m.sender_id,
    private.display_name(s.first_name, s.last_name, s.email),
    private.message_snippet(m.message, private.message_query(query)), m.sent_at, f.rank, f.is_near
  from private.find_messages(
    query, array(select c from unnest(private.my_searched_chats()) c where in_chat is null or c = in_chat), null,
    'infinity', false, least(greatest(coalesce(max_results, 50), 0), 100)
  ) with ordinality f
  join public.chat_messages m on m.id = f.id
  join private.members s on s.id = m.sender_id
  order by f.ordinality;
end
$$;
comment on function public.search_messages is
  'Matching messages of the caller''s chats, or of one of them, best first, with the words around the match; without any, those that differ by a letter a word (is_near).';

revoke execute on function public.search_messages from public, anon;
grant execute on function public.search_messages to authenticated, service_role;
revoke execute on all functions in schema private from public;

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
  constraint "Title is required" check (not private.is_blank(title)),
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

-- Uploads have a quota per member and one for the team, and what no message uses is removed after a day. Triggers on storage.objects
-- keep count, so both hold on hosted Supabase too, where the service makes the final write.

-- What one member may upload to one bucket, and the whole team to the bucket of chats. Deleting frees room, but does not
-- restore the day's share.
create function private.image_quota(
  out files_per_day int, out bytes_per_day bigint, out files int, out bytes bigint, out team_bytes bigint, out image_bytes bigint
)
language sql immutable set search_path = ''
as $$
  select 200, 2::bigint * 1024 * 1024 * 1024, 20000, 20::bigint * 1024 * 1024 * 1024, 500::bigint * 1024 * 1024 * 1024,
    10::bigint * 1024 * 1024
$$;

-- What no message uses is removed after this. A device that was offline for longer uploads it again.
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
comment on table private.unused_images is 'Images and files in the bucket chat-images that no message uses yet.';
comment on column private.unused_images.taken_at is 'When a clean-up took it for removal; from then on no message can use it.';
create index unused_images_by_age on private.unused_images (created_at);

-- One row, so that concurrent uploads cannot both take the last room.
create table private.team_file_usage (
  is_only_row boolean primary key default true check (is_only_row),
  bytes bigint not null default 0
) with (fillfactor = 10);
comment on table private.team_file_usage is 'The bytes of all images and files in chats.';
insert into private.team_file_usage default values;

alter table private.image_usage enable row level security;
alter table private.team_file_usage enable row level security;
alter table private.unused_images enable row level security;
revoke all on private.image_usage, private.team_file_usage, private.unused_images from anon, authenticated, service_role;

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
  added constant bigint := case when tg_op <> 'DELETE' and new.bucket_id = 'chat-images' then size else 0 end
    - case when tg_op <> 'INSERT' and old.bucket_id = 'chat-images' then old_size else 0 end;
  team_bytes bigint;
  quota record;
  usage private.image_usage;
begin
  -- Before any member's row, always: a clean-up removes files of many members.
  if added <> 0 then
    update private.team_file_usage t set bytes = greatest(t.bytes + added, 0) returning t.bytes into team_bytes;
  end if;
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
    if is_upload and new.metadata ->> 'mimetype' like 'image/%' and size > quota.image_bytes then
      raise exception 'Images are at most 10 MB' using errcode = '42501';
    elsif added > 0 and team_bytes > quota.team_bytes then
      raise exception 'The team has no room left for photos and files' using errcode = '42501';
    elsif usage.files_today > quota.files_per_day or usage.bytes_today > quota.bytes_per_day then
      raise exception 'You have sent too many photos and files today' using errcode = '42501';
    elsif usage.files > quota.files or usage.bytes > quota.bytes then
      raise exception 'You have no room left for photos and files' using errcode = '42501';
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
  'For servers: names of images and files in the bucket chat-images to remove.';

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
  update private.team_file_usage t set bytes = (
    select coalesce(sum(private.image_bytes(o.metadata)), 0) from storage.objects o where o.bucket_id = 'chat-images'
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
  using (user_id = (select auth.uid()) and (select private.is_member()) or (select private.is_admin()));
create policy "members tick for themselves" on public.onboarding_progress
  for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members take back their own ticks" on public.onboarding_progress
  for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- A page of active members for the admins' overview, those with open steps first. With the caller's rights a member would
-- get everybody's row with nothing ticked, so the function checks the role itself instead of returning something misleading.
create function public.onboarding_overview(query text default '', max_results integer default 50, skip integer default 0)
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
    select m.id, m.first_name, m.last_name, m.email, coalesce(t.done, 0) as done, steps.total, t.latest,
      count(*) over () as found
    from private.members m
    cross join steps
    left join ticks t on t.user_id = m.id
    where m.is_active and m.searchable like all (patterns)
    order by coalesce(t.done, 0) = steps.total, m.first_name, m.last_name, m.id
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
  order by page.done = page.total, page.first_name, page.last_name, page.id;
end
$$;
comment on function public.onboarding_overview is 'Admins only: a page of the members'' progress in New Rep Start, those with open steps first, then by first name.';

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
revoke execute on function public.onboarding_overview(text, integer, integer) from public, anon;
grant execute on function public.onboarding_overview(text, integer, integer) to authenticated;

-- ./schemas/goals.sql

-- A member's calculator goal and what they did towards it. Both are private to the member: leaders see training
-- progress, never who is behind on sales. One goal is active at a time; earlier ones stay, because a member's own ratios
-- are measured from the activity logged against them.

create table public.goals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  position text not null constraint "Position must be one of the calculator's" check (
    position in (
      'representative',
      'district_leader',
      'division_leader',
      'regional_leader',
      'regional_vp'
    )
  ),
  metric text not null constraint "A goal is for one of the calculator's figures" check (
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
  value numeric(10, 2) not null
    constraint "A goal is above 0 and at most 10000000" check (value > 0 and value <= 10000000),
  period text not null constraint "A goal is for a month, a week or a day" check (period in ('month', 'week', 'day')),
  own_ratios jsonb not null default '{}' constraint "Own ratios are at most 1000 characters" check (
    jsonb_typeof(own_ratios) = 'object' and length(own_ratios::text) <= 1000
  ),
  created_at timestamptz not null default now(),
  ended_at timestamptz constraint "A goal ends after it began" check (ended_at >= created_at),
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
for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members save goals of their own" on public.goals
for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members end their own goals" on public.goals
for update to authenticated using (user_id = (select auth.uid()) and (select private.is_member()))
with check (user_id = (select auth.uid()) and (select private.is_member()));

create table public.goal_activity (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  goal_id uuid not null,
  stage text not null constraint "An activity is one of the calculator's stages" check (
    stage in ('appointments', 'plans', 'sales', 'interviews', 'shows', 'intros', 'recruits')
  ),
  quantity integer not null default 1 constraint "Quantity is 1 to 500" check (quantity between 1 and 500),
  premium numeric(10, 2) constraint "A premium is above 0 and belongs to sales" check (premium is null or premium > 0 and stage = 'sales'),
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
for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members log activity of their own" on public.goal_activity
for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members add the premium to their own sales" on public.goal_activity
for update to authenticated using (user_id = (select auth.uid()) and (select private.is_member()))
with check (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members take back their own entries" on public.goal_activity
for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

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
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members remove their own devices" on public.push_devices
  for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

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
  where m.id = (select auth.uid()) and m.is_active and m.push_token = remove_push_device.token;
  delete from public.push_devices d
  where d.user_id = (select auth.uid()) and (select private.is_member()) and d.token = remove_push_device.token;
$$;
comment on function public.remove_push_device is 'At sign-out: stops push for the caller on this device.';

-- For signing out everywhere, or everywhere else: a session that was ended from another device cannot remove its own.
create function public.forget_push_devices(except_token text default null) returns void
language sql security definer set search_path = ''
as $$
  update private.members m set push_token = null
  where m.id = (select auth.uid()) and m.is_active and m.push_token is distinct from except_token and m.push_token is not null;
  delete from public.push_devices d
  where d.user_id = (select auth.uid()) and (select private.is_member()) and d.token is distinct from except_token;
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
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members make their own settings" on public.notification_settings
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members change their own settings" on public.notification_settings
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));

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
  updated_at timestamptz,
  updated_by uuid,
  constraint "Title is required" check (not private.is_blank(title)),
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
comment on column public.team_notices.updated_at is 'When it was last changed or withdrawn; null if it never was.';
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
  for select to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()) or (select private.is_admin()));

create function private.guard_notice() returns trigger
language plpgsql set search_path = ''
as $$
declare
  unchanging constant text[] := array['published_at', 'updated_at', 'updated_by'];
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
  -- Going out is no change.
  if tg_op = 'UPDATE' and to_jsonb(new) - unchanging is distinct from to_jsonb(old) - unchanging then
    new.updated_at := now();
    new.updated_by := (select auth.uid());
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

-- When a member has read a notice at the moment of getting it: its author knows what it says.
create function private.read_when_received(notice public.team_notices, member_id uuid) returns timestamptz
language sql stable set search_path = ''
as $$ select case when notice.created_by = member_id then now() end $$;

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
  insert into public.notice_receipts (notice_id, user_id, shown_at, opened_at, acknowledged_at)
  select notice.id, member_id, read_at, read_at, case when notice.must_acknowledge then read_at end
  from private.notice_audience(notice) member_id, private.read_when_received(notice, member_id) read_at
  on conflict do nothing;
  perform private.queue_notice(notice.id, false);
  perform private.publish_to_team('team_notices');
end
$$;

-- What has to be acknowledged reaches those who join the team, the role or the chat later as well.
create function private.give_standing_notices(member_id uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into public.notice_receipts (notice_id, user_id, shown_at, opened_at, acknowledged_at)
  select n.id, m.id, read_at, read_at, read_at
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
  cross join private.read_when_received(n, m.id) read_at
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

-- A withdrawn notice disappears from every open screen.
create function private.publish_withdrawn_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_team('team_notices');
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
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = any (notice_ids) and r.shown_at is null
$$;
create function public.mark_notice_opened(notice_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.notice_receipts r set
    opened_at = case when r.opened_at >= coalesce(r.reminded_at, '-infinity') then r.opened_at else now() end,
    shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = mark_notice_opened.notice_id
$$;
create function public.acknowledge_notice(notice_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.notice_receipts r set
    acknowledged_at = coalesce(r.acknowledged_at, now()), opened_at = coalesce(r.opened_at, now()),
    shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = acknowledge_notice.notice_id
$$;

revoke execute on function
  public.mark_notices_shown, public.mark_notice_opened, public.acknowledge_notice
from public, anon;
grant execute on function
  public.mark_notices_shown, public.mark_notice_opened, public.acknowledge_notice
to authenticated;
revoke execute on all functions in schema private from public;
grant execute on function private.my_notice_ids() to authenticated, service_role;

-- ./schemas/search_everything.sql

-- One search over people, chats, messages, content, meetings and notices, in one request. Each kind shows what its own screen
-- would show the caller: nothing retired, withdrawn, not published yet or meant for others, also to admins.

create index training_content_words on public.training_content
  using gin (private.message_words(title || ' ' || coalesce(description, ''))) where is_active;
create index licensing_content_words on public.licensing_content
  using gin (private.message_words(title || ' ' || coalesce(description, ''))) where is_active;
create index newrepstart_content_words on public.newrepstart_content
  using gin (private.message_words(title || ' ' || coalesce(description, ''))) where is_active;
create index schedule_content_words on public.schedule_content
  using gin (private.message_words(title || ' ' || coalesce(description, ''))) where is_active;
create index team_notices_words on public.team_notices using gin (private.message_words(title || ' ' || body));

-- Whom "from:" names, the caller as "me".
create function private.named_senders(name text) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(name);
begin
  return case when patterns = '{}' then null when lower(btrim(name)) = 'me' then array[(select auth.uid())] else array(
    select m.id from private.members m
    where m.admitted_at is not null and m.searchable like patterns[1] and m.searchable like all (patterns[2:])
      and private.member_words(m.first_name, m.last_name, '') like all (patterns)
    limit 200
  ) end;
end
$$;

-- Those of the chats that "in:" names: by a part of the name, chats of two by the other's.
create function private.named_chats(name text, chats uuid[]) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(name);
begin
  return case when patterns = '{}' then chats else array(
    select c.id from public.chats c
    where c.id = any (chats) and lower(private.without_accents(private.title_for_me(c.id))) like all (patterns)
  ) end;
end
$$;

create function private.search_people(query text, most integer)
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
    order by m.first_name, m.last_name, m.id limit $4
  $search$ using me, private.apart_from(me), array(select private.near_pattern(w) from unnest(words) w), most,
    private.near_parts(words[1]);
end
$$;

-- What leaders published, those first whose title has the words. `condition` is on item.title and item.words.
create function private.search_published(
  condition text, wanted tsquery, near text[], most integer
)
returns table (kind text, id uuid, title text, detail text, snippet text, at timestamptz)
language plpgsql stable set search_path = ''
as $body$
begin
  return query execute format($search$
    select f.kind, f.id, f.title, f.detail, left(f.body, 200), f.at
    from (
      select i.*, row_number() over (
        partition by i.kind
        order by private.message_words(i.title) @@ $1 desc, i.at desc, i.place, i.title
      ) as number
      from (
        select 'training' as kind, c.id, c.title, c.category as detail, c.description as body, null::timestamptz as at,
          c.sort_order as place
        from public.training_content c where c.is_active and %1$s
        union all
        select 'licensing', c.id, c.title, c.category, c.description, null, c.sort_order
        from public.licensing_content c where c.is_active and %1$s
        union all
        select 'newrepstart', c.id, c.title, null, c.description, null, c.sort_order
        from public.newrepstart_content c where c.is_active and %1$s
        union all
        select 'meeting', c.id, c.title, c.day_of_week, c.description, null, c.sort_order
        from public.schedule_content c where c.is_active and %1$s
        union all
        select 'notice', c.id, c.title, null, c.body, r.received_at, 0
        from public.team_notices c
        join public.notice_receipts r on r.notice_id = c.id and r.user_id = (select auth.uid())
        where c.published_at is not null and c.cancelled_at is null and %2$s
      ) i
    ) f
    where f.number <= $3 order by f.kind, f.number
  $search$,
    replace(condition, 'WORDS', $$private.message_words(c.title || ' ' || coalesce(c.description, ''))$$),
    replace(condition, 'WORDS', $$private.message_words(c.title || ' ' || c.body)$$)
  ) using wanted, near, most;
end
$body$;

-- Filters are about messages, so with any of them only messages are searched. The last row, "older", says before which time
-- messages were not looked at; the caller may ask again until then.
create function public.search_everything(
  query text default '', sender text default '', place text default '', until timestamptz default 'infinity',
  has_image boolean default false
)
returns table (
  kind text, id uuid, title text, detail text, snippet text, chat_id uuid, at timestamptz, is_near boolean
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  most constant integer := 5;
  most_messages constant integer := 20;
  typed constant text := btrim(left(query, 200));
  is_filtered constant boolean := btrim(sender) <> '' or btrim(place) <> '' or until < 'infinity' or has_image;
  chats uuid[];
  wanted tsquery;
begin
  if not private.is_member() or not is_filtered and length(typed) < 2 then
    return;
  end if;
  chats := private.my_searched_chats();
  wanted := private.message_query(typed);

  if not is_filtered then
    return query
    select 'person', p.id, p.title, p.detail, null::text, null::uuid, null::timestamptz, p.is_near
    from private.search_people(typed, most) p;

    return query
    select 'chat', c.id, c.name, null::text, null::text, c.id, null::timestamptz, false
    from public.chats c
    where c.id = any (chats) and c.type <> 'individual'
      and lower(private.without_accents(c.name)) like all (private.member_patterns(typed))
    order by c.created_at desc, c.id limit most;

    return query
    select p.kind, p.id, p.title, p.detail, p.snippet, null::uuid, p.at, false
    from private.search_published('WORDS @@ $1', wanted, null, most) p;
    if not found and not private.is_meant_exactly(typed) then
      return query
      select p.kind, p.id, p.title, p.detail, p.snippet, null::uuid, p.at, true
      from private.search_published(
        'lower(private.without_accents(c.title)) ~ all ($2)', wanted,
        array(select private.near_pattern(w.word) from private.searched_words(typed) w), most
      ) p
      where numnode(wanted) > 0;
    end if;
  end if;

  return query
  select case when f.id is null then 'older' else 'message' end, f.id, private.title_for_me(m.chat_id),
    case when s.id is not null then private.display_name(s.first_name, s.last_name, s.email) end,
    private.message_snippet(m.message, wanted), m.chat_id,
    f.sent_at, f.is_near
  from private.find_messages(
    typed, private.named_chats(place, chats), private.named_senders(sender), until, has_image, most_messages
  ) with ordinality f
  left join public.chat_messages m on m.id = f.id
  left join private.members s on s.id = m.sender_id
  order by f.ordinality;
end
$$;
comment on function public.search_everything is
  'What the caller may see of people, chats, messages, content, meetings and notices that match, by kind, best first; is_near: but for a letter a word. A row of kind older: messages before its time were not searched.';

revoke execute on function public.search_everything from public, anon, service_role;
grant execute on function public.search_everything to authenticated;
revoke execute on all functions in schema private from public;

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
    perform private.publish_to_team('team_notices');
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

-- Push notifications still to be sent. A message, notice or newcomer writes one row to the outbox in its own transaction, whatever
-- the size of the team, so it is pushed exactly if it was stored; the worker later spreads it over devices.

create table private.push_outbox (
  id bigserial primary key,
  kind text not null,
  -- No foreign keys to messages, devices and members: inserting a message must not pay for them, and missing ones are skipped.
  message_id uuid,
  notice_id uuid references public.team_notices (id) on delete cascade,
  device_id uuid,
  newcomer_id uuid,
  is_reminder boolean not null default false,
  created_at timestamptz not null default now(),
  spread_at timestamptz,
  constraint "Kind must be message, notice, newcomer or test" check (kind in ('message', 'notice', 'newcomer', 'test')),
  constraint "An entry is about one thing" check (num_nonnulls(message_id, notice_id, device_id, newcomer_id) = 1)
);
comment on table private.push_outbox is 'Messages, notices, newcomers and tests whose push notifications are still to be sent.';
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
create index push_deliveries_due on private.push_deliveries (is_pressing, due_at, id) where state = 'waiting';
create index push_deliveries_claimed on private.push_deliveries (claimed_until) where state = 'sending';
create index push_deliveries_collapse on private.push_deliveries (device_id, collapse_key, id);
create index push_deliveries_outbox_id on private.push_deliveries (outbox_id);
create index push_deliveries_user_id on private.push_deliveries (user_id);
create index push_deliveries_finished_at on private.push_deliveries (finished_at);

alter table private.push_outbox enable row level security;
alter table private.push_deliveries enable row level security;
revoke all on private.push_outbox, private.push_deliveries from anon, authenticated, service_role;

-- An open thread marks itself as read within this time, and then nothing needs to be pushed.
create function private.push_delay() returns interval
language sql immutable set search_path = ''
as $$ select interval '2 seconds' $$;

-- In a large chat a device that was notified and has not read since is left alone for this long.
create function private.large_chat_pause() returns interval
language sql immutable set search_path = ''
as $$ select interval '10 minutes' $$;

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
  where d.id = send_test_push.device_id and d.user_id = (select auth.uid()) and (select private.is_member());
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
  with message as materialized (
    select m.*, private.is_large_chat(m.chat_id) as is_in_large_chat,
      (select q.sender_id from public.chat_messages q where q.id = m.reply_to) as replies_to
    from public.chat_messages m
    where entry.kind = 'message' and m.id = entry.message_id
  )
  select p.user_id, d.id, d.channel, m.chat_id::text, p.user_id = any (m.mentions), m.sent_at + private.push_delay()
  from message m
  join private.chat_participants p on p.chat_id = m.chat_id and p.is_active and p.user_id <> m.sender_id
  join public.push_devices d on d.user_id = p.user_id
  left join lateral (
    select o.created_at from private.push_deliveries e join private.push_outbox o on o.id = e.outbox_id
    where e.device_id = d.id and e.collapse_key = m.chat_id::text
    order by e.id desc limit 1
  ) latest on m.is_in_large_chat
  -- Those who want only what is meant for them are in no list for the rest: it would replace a reply that waits.
  where case when p.mentions_only then coalesce(p.user_id = any (m.mentions || m.replies_to), false)
    else latest.created_at is null or p.user_id = any (m.mentions)
      or latest.created_at <= greatest(m.sent_at - private.large_chat_pause(), coalesce(p.last_read_at, '-infinity'))
    end
  union all
  select r.user_id, d.id, d.channel, n.id::text, n.is_urgent, now()
  from public.team_notices n
  join public.notice_receipts r on r.notice_id = n.id and r.user_id is distinct from n.created_by
    and (not entry.is_reminder or r.acknowledged_at is null)
  join public.push_devices d on d.user_id = r.user_id
  where entry.kind = 'notice' and n.id = entry.notice_id
  union all
  -- One collapse key for all: of many newcomers who arrive while a phone is out of reach, it shows the last.
  select m.id, d.id, d.channel, 'newcomers', false, now()
  from private.members m
  join public.push_devices d on d.user_id = m.id
  where entry.kind = 'newcomer' and m.is_active and m.role = 'admin'
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
    select o.* from private.push_outbox o where o.spread_at is null
    order by o.kind = 'message', o.id limit 100 for update skip locked
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

-- Unread messages in all of a member's chats, for the number on the app's icon; stops counting at 100. A chat that was
-- marked as unread counts as one at least, and so does one with mentions only that has one. Muted and archived chats are
-- left out, as in the number on the Chat tab.
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
    left join lateral (
      select newest.sender_id from (
        select m.sender_id, m.is_deleted from public.chat_messages m
        where m.chat_id = c.id and m.sent_at > coalesce(p.last_read_at, '-infinity') and not p.mentions_only
        order by m.sent_at desc limit 200
      ) newest
      where newest.sender_id <> me.id and not newest.is_deleted and newest.sender_id <> all (private.blocked_by(me.id))
    ) unread on true
    where me.id = member_id and (
      unread.sender_id is not null or p.is_marked_unread
      or p.mentions_only and p.mentioned_at > coalesce(p.last_read_at, '-infinity')
    )
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
      when private.has_blocked(member.id, message.sender_id) then 'blocked'
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
          when p.mentions_only and not delivery.is_pressing and not exists (
            select from public.chat_messages q where q.id = message.reply_to and q.sender_id = p.user_id
          ) then 'mentions only'
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
  elsif entry.kind = 'newcomer' then
    skip := case
      when member.role <> 'admin' then 'no admin'
      when not coalesce(settings.notices, true) then 'switched off'
      when not exists (select from private.members w where w.id = entry.newcomer_id and w.status = 'waiting') then 'decided'
    end;
    hold_until := private.quiet_until(delivery.user_id, now());
  end if;
end
$$;

-- The member's language, read from where the auth service reads the language of its mails.
create function private.reads_spanish(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.users u
    where u.id = member_id
      and coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language') ~* '^es\M'
  )
$$;

create function private.push_text(
  entry private.push_outbox, recipient uuid,
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
        || case when private.is_blank(m.message) then coalesce('📎 ' || (m.attachment ->> 'name'), '📷') else left(m.message, 300) end,
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
  elsif entry.kind = 'newcomer' then
    select
      case when private.reads_spanish(recipient) then 'Alguien espera entrar al equipo' else 'Someone is waiting to join' end,
      private.display_name(w.first_name, w.last_name, w.email)
        || case when s.id is null then '' else ' · ' || private.display_name(s.first_name, s.last_name, s.email) end,
      '/admin/members?filter=waiting', w.status_changed_at
    into title, body, link, sent_at
    from private.members w left join private.members s on s.id = w.sponsor_id
    where w.id = entry.newcomer_id;
  else
    if private.reads_spanish(recipient) then
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
  is_first boolean;
  claimed int := 0;
begin
  update private.push_deliveries d set state = 'uncertain', reason = 'the worker stopped while sending', finished_at = now()
  where d.state = 'sending' and d.claimed_until < now();
  perform private.publish_due_notices();
  perform private.spread_push_outbox();

  -- Mentions and urgent notices overtake what a busy team chat has waiting.
  foreach is_first in array array[true, false] loop
    for delivery in
      select d.* from private.push_deliveries d
      where d.state = 'waiting' and d.due_at <= now() and d.is_pressing = is_first
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
          from public.push_devices v, private.push_text(entry, delivery.user_id) t where v.id = delivery.device_id;
      end if;
    end loop;
  end loop;

  delete from private.push_outbox o where o.id in (
    select old.id from private.push_outbox old where old.created_at < now() - interval '30 days' limit 100
  );
  perform private.prune_audit_log();
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

-- ./schemas/reports.sql

-- Reports: a member reports a message or a person to the team's leaders, and sees what became of it.
-- Who reviews them sets outcome and closed_at.

create table private.reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid not null references private.members (id),
  member_id uuid not null references private.members (id),
  -- No foreign keys: a report outlives the message and the chat.
  message_id uuid,
  chat_id uuid,
  reason text not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  outcome text,
  closed_at timestamptz,
  seen_at timestamptz,
  constraint "Choose one of the reasons"
    check (reason in ('harassment', 'spam', 'misleading_claims', 'private_data', 'other')),
  constraint "Note is at most 1000 characters" check (char_length(note) <= 1000),
  constraint "Outcome must be fine, follow_up or violation" check (outcome in ('fine', 'follow_up', 'violation')),
  constraint "An outcome has a time" check ((outcome is null) = (closed_at is null))
);
comment on table private.reports is 'What members report to the team''s leaders: a message with its author, or a person.';
comment on column private.reports.member_id is 'Who is reported: the author of the message, or the person.';
comment on column private.reports.message_id is 'Null if the person is reported.';
comment on column private.reports.seen_at is 'When the reporter last looked at what became of it.';

create index reports_by_reporter on private.reports (reporter_id, created_at desc);
create index reports_member_id on private.reports (member_id);
-- The same thing is reported once as long as nobody has looked at it.
create unique index reports_open on private.reports (reporter_id, coalesce(message_id, member_id)) where closed_at is null;

alter table private.reports enable row level security;
revoke all on private.reports from anon, authenticated, service_role;

create function private.most_reports_a_day() returns int
language sql immutable set search_path = ''
as $$ select 20 $$;

-- The id comes from the caller, so that sending it twice makes one report, also when somebody has decided meanwhile.
create function private.add_report(report_id uuid, reported public.chat_messages, member_id uuid, reason text, note text)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  known private.reports;
begin
  -- Two taps at the same moment wait here; the second finds the first one's report.
  perform pg_advisory_xact_lock(hashtextextended('reports of ' || me, 0));
  select * into known from private.reports r
  where r.id = report_id or r.reporter_id = me and r.closed_at is null
    and coalesce(r.message_id, r.member_id) = coalesce(reported.id, add_report.member_id)
  order by r.id = report_id desc limit 1;
  if known.id = report_id and (
    known.reporter_id <> me or coalesce(known.message_id, known.member_id) <> coalesce(reported.id, add_report.member_id)
  ) then
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  elsif known.id is not null then
    return known.id;
  end if;
  if (
    select count(*) from private.reports r where r.reporter_id = me and r.created_at > now() - interval '1 day'
  ) >= private.most_reports_a_day() then
    raise exception 'Too many reports: at most % a day', private.most_reports_a_day() using errcode = 'PT429';
  end if;
  insert into private.reports (id, reporter_id, member_id, message_id, chat_id, reason, note)
  values (
    coalesce(report_id, gen_random_uuid()), me, add_report.member_id, reported.id, reported.chat_id,
    coalesce(add_report.reason, ''), private.trimmed(add_report.note)
  )
  returning * into known;
  return known.id;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

-- Also one that was deleted after the caller saw it: the archive has it.
create function public.report_message(
  message_id uuid, reason text, note text default '', report_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  reported public.chat_messages;
begin
  select m.* into reported from public.chat_messages m
  where m.id = report_message.message_id and m.chat_id in (select private.my_chat_ids());
  if reported.id is null then
    raise exception 'There is no such message' using errcode = 'PT404';
  elsif reported.sender_id = (select auth.uid()) then
    raise exception 'You cannot report yourself' using errcode = '22023';
  end if;
  return private.add_report(report_id, reported, reported.sender_id, report_message.reason, report_message.note);
end
$$;
comment on function public.report_message is
  'Reports a message of the caller''s chats to the team''s leaders. Reporting it again while nobody has decided changes nothing.';

create function public.report_member(
  member_id uuid, reason text, note text default '', report_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_member() or not exists (
    select from private.members m
    where m.id = report_member.member_id and m.admitted_at is not null and m.status <> 'deleted'
  ) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member_id = (select auth.uid()) then
    raise exception 'You cannot report yourself' using errcode = '22023';
  end if;
  return private.add_report(report_id, null, report_member.member_id, report_member.reason, report_member.note);
end
$$;
comment on function public.report_member is
  'Reports a person to the team''s leaders. Reporting them again while nobody has decided changes nothing.';

-- The message as far as the caller may still read it.
create function public.my_reports(max_results int default 50, before timestamptz default 'infinity')
returns table (
  id uuid, member_id uuid, member_name text, message_id uuid, message text, reason text, note text,
  created_at timestamptz, outcome text, closed_at timestamptz, is_unread boolean
)
language sql stable security definer set search_path = ''
as $$
  select r.id, r.member_id, private.display_name(m.first_name, m.last_name, m.email), r.message_id, left(said.message, 160),
    r.reason, r.note, r.created_at, r.outcome, r.closed_at, coalesce(r.closed_at > coalesce(r.seen_at, '-infinity'), false)
  from private.reports r
  join private.members m on m.id = r.member_id
  left join public.chat_messages said on said.id = r.message_id and not said.is_deleted
    and said.chat_id in (select private.my_chat_ids())
  where r.reporter_id = (select auth.uid()) and (select private.is_member()) and r.created_at < before
  order by r.created_at desc
  limit least(greatest(max_results, 1), 200)
$$;
comment on function public.my_reports is 'What the caller reported, the latest first, and what became of it.';

create function public.mark_reports_seen() returns void
language sql security definer set search_path = ''
as $$
  update private.reports r set seen_at = now()
  where r.reporter_id = (select auth.uid()) and (select private.is_member())
    and r.closed_at > coalesce(r.seen_at, '-infinity')
$$;
comment on function public.mark_reports_seen is 'The caller has seen what became of their reports.';

create function private.publish_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_members(array[new.reporter_id], 'report_closed', '{}');
  return null;
end
$$;
create trigger publish_report after update on private.reports
  for each row when ((new.outcome, new.closed_at) is distinct from (old.outcome, old.closed_at))
  execute function private.publish_report();

revoke execute on function public.report_message, public.report_member, public.my_reports, public.mark_reports_seen
from public, anon, service_role;
grant execute on function public.report_message, public.report_member, public.my_reports, public.mark_reports_seen
to authenticated;
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
      and m.sender_id <> all (private.blocked_by((select auth.uid())))
    order by m.sent_at desc, m.id desc limit least(max_results, 200)
  )
  union all
  (
    select 'newcomer', w.id, null::uuid, private.display_name(w.first_name, w.last_name, w.email),
      case when s.id is null then '' else private.display_name(s.first_name, s.last_name, s.email) end, '/admin/members?filter=waiting', w.status_changed_at,
      w.status_changed_at > me.newcomers_seen_at, false, false, null::timestamptz, null::timestamptz
    from private.members w
    join private.members me on me.id = (select auth.uid()) and (select private.is_admin())
    left join private.members s on s.id = w.sponsor_id
    where w.status = 'waiting' and (w.status_changed_at, w.id) < (before, before_id)
    order by w.status_changed_at desc, w.id desc limit least(max_results, 200)
  )
  union all
  (
    select 'report', r.id, null::uuid, private.display_name(m.first_name, m.last_name, m.email), r.outcome, '/profile/reports',
      r.closed_at, r.closed_at > coalesce(r.seen_at, '-infinity'), false, false, null::timestamptz, null::timestamptz
    from private.reports r join private.members m on m.id = r.member_id
    where r.reporter_id = (select auth.uid()) and (select private.is_member())
      and r.closed_at is not null and (r.closed_at, r.id) < (before, before_id)
    order by r.closed_at desc, r.id desc limit least(max_results, 200)
  )
  order by 7 desc, 2 desc limit least(max_results, 200)
$$;
comment on function public.my_notifications is
  'Notices to the caller, messages that mention them, what became of their reports (the text is the outcome) and, for admins, who waits to be let in (the text is who invited them), newest first.';

create function public.unread_notification_count() returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from (select from public.my_notifications(100) n where n.is_unread limit 100) unread
$$;
comment on function public.unread_notification_count is 'Unread notifications of the caller, at most 100.';

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
  perform private.ensure_member(new.id, null, null);
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
    phone = null, phone_audience = 'leaders', email_audience = 'everyone', state = null, about = '',
    rally_enabled = false, can_create_chats = false, can_send_messages = false, can_supervise = false
  where id = member_id and status <> 'deleted';
  update private.chat_participants set is_active = false, last_read_at = null, muted_until = null,
    mentions_only = false, mentioned_at = null
  where user_id = member_id and is_active;
  delete from public.invitations where accepted_by = member_id;
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
  if archive.is_account_held((select auth.uid())) then
    perform archive.postpone_erasure((select auth.uid()));
    return;
  end if;
  -- Triggers do the rest: messages stay readable under "Former member", personal data is removed, and a team's last
  -- admin is refused.
  delete from auth.users where id = (select auth.uid());
end
$$;
comment on function public.delete_my_account is
  'Deletes the caller''s account for good, within five minutes of signing in with the password.';

-- What the caller reported, whom they blocked and which house rules they accepted, as the app shows it to them: without
-- the reviewer's notes. Nobody reads these tables, so they are no part of the search below.
create function private.own_safety_rows(me uuid, page_size integer, skipped bigint) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return jsonb_build_object(
    'reports', (
      select coalesce(jsonb_agg(to_jsonb(mine)), '[]') from (
        select r.id, r.member_id, private.display_name(m.first_name, m.last_name, m.email) as member_name, r.message_id,
          r.reason, r.note, r.created_at, r.outcome, r.closed_at
        from private.reports r join private.members m on m.id = r.member_id
        where r.reporter_id = me order by r.created_at, r.id limit page_size offset skipped
      ) mine
    ),
    'blocked_people', (
      select coalesce(jsonb_agg(to_jsonb(mine)), '[]') from (
        select b.blocked_id as member_id, private.display_name(m.first_name, m.last_name, m.email) as member_name,
          b.created_at as blocked_at
        from private.blocks b join private.members m on m.id = b.blocked_id
        where b.blocker_id = me order by b.created_at, b.blocked_id limit page_size offset skipped
      ) mine
    ),
    'accepted_house_rules', (
      select coalesce(jsonb_agg(to_jsonb(mine)), '[]') from (
        select a.version, a.accepted_at from private.rule_acceptances a
        where a.member_id = me order by a.version limit page_size offset skipped
      ) mine
    )
  );
end
$$;

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
comment on function public.export_my_data is
  'A page of everything the caller owns: an array of rows for each table. `has_more`: the next page may have further rows.';

revoke execute on all functions in schema private from public;
-- Called by their definer only.
revoke execute on function private.typed_password_recently(), private.own_safety_rows(uuid, integer, bigint) from anon, authenticated;
revoke execute on function public.delete_my_account(), public.export_my_data(integer) from public, anon, service_role;
grant execute on function public.delete_my_account(), public.export_my_data(integer) to authenticated;

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
  perform private.record_change('member', 'recovery_code_used', me, null, null, null, array[me]);
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
  why constant text := private.trimmed(reason);
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
  -- The lost phone is signed out too.
  delete from auth.sessions s where s.user_id = member_id;
  perform private.record_change(
    'member', 'second_factor_reset', member_id, null, null, null, array[member_id], jsonb_build_object('reason', why)
  );
  return true;
end
$$;
comment on function public.reset_second_factor is
  'For admins: removes a member''s second factor and recovery codes and ends their sessions. False: they had none.';

-- An admin who turns the rule on must be able to turn it off again.
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

-- ./schemas/security_mails.sql

-- Mails about a member's two-step verification: turned on, turned off, or reset by an admin. The auth service of a hosted project
-- can mail the first two by itself and knows nothing of the third, so the database keeps what happened until a server mails it.

create table private.security_mails (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  event text not null,
  happened_at timestamptz not null default now(),
  constraint "Event must be on, off or reset" check (event in ('on', 'off', 'reset'))
);
comment on table private.security_mails is 'What members are to be mailed about their second factor. Gone once it is mailed, or after three days.';
create index security_mails_user_id on private.security_mails (user_id);
create index security_mails_happened_at on private.security_mails (happened_at);
alter table private.security_mails enable row level security;
revoke all on private.security_mails from anon, authenticated, service_role;

create function private.note_second_factor() returns trigger
language plpgsql security definer set search_path = ''
as $$
<<note_second_factor>>
declare
  factor constant auth.mfa_factors := coalesce(new, old);
  actor constant uuid := (select auth.uid());
  event constant text := case
    when tg_op <> 'DELETE' then 'on' when actor <> factor.user_id then 'reset' else 'off'
  end;
begin
  -- Only the first factor turns it on, only the last turns it off; with a deleted account goes everything.
  if exists (select from auth.mfa_factors f where f.user_id = factor.user_id and f.status = 'verified' and f.id <> factor.id)
    or not exists (select from auth.users u where u.id = factor.user_id)
  then
    return null;
  end if;
  delete from private.security_mails old_one where old_one.happened_at < now() - interval '3 days';
  insert into private.security_mails (user_id, event)
  select factor.user_id, note_second_factor.event
  where not exists (
    select from private.security_mails m
    where m.user_id = factor.user_id and m.event = note_second_factor.event and m.happened_at = now()
  );
  -- A reset has an entry of its own, with the reason.
  if found and event <> 'reset' then
    perform private.record_change(
      'member', 'second_factor_' || event, factor.user_id, null, null, null, array[factor.user_id]
    );
  end if;
  return null;
end
$$;
create trigger note_second_factor_on after update of status on auth.mfa_factors
  for each row when (new.status = 'verified' and old.status <> 'verified') execute function private.note_second_factor();
create trigger note_second_factor_off after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function private.note_second_factor();

-- Taken before they are mailed: a crash loses a mail rather than sending it twice.
create function public.claim_security_mails(max_results integer default 50)
returns table (email text, language text, event text, happened_at timestamptz)
language plpgsql security definer set search_path = ''
as $$
begin
  return query
  with due as (
    delete from private.security_mails gone
    where gone.id in (
      select m.id from private.security_mails m order by m.id limit least(max_results, 200) for update skip locked
    )
    returning gone.id, gone.user_id, gone.event, gone.happened_at
  )
  select u.email::text, coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language', 'en'), d.event, d.happened_at
  from due d join auth.users u on u.id = d.user_id
  where u.email is not null and d.happened_at > now() - interval '3 days'
  order by d.id;
end
$$;
comment on function public.claim_security_mails is
  'For the server: whom to mail that their two-step verification was turned on, off or reset by an admin, each returned once.';

revoke execute on function public.claim_security_mails(integer) from public, anon, authenticated;
grant execute on function public.claim_security_mails(integer) to service_role;
revoke execute on all functions in schema private from public;

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

-- A wrong tap can be taken back: a decline at any time, letting somebody in for ten minutes.
create function private.can_be_undecided(member private.members) returns boolean
language sql stable set search_path = ''
as $$
  select member.role = 'user' and case member.status
    -- Only removing a member takes a reason.
    when 'removed' then member.admitted_at is null or member.status_reason = ''
    when 'active' then member.admitted_at > now() - interval '10 minutes'
    else false
  end
$$;

create function public.set_member_status(
  member_id uuid, status text, reason text default '', if_status text default null
) returns void
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
  -- First the account, as in ensure_member: two that lock both in another order would wait for each other.
  perform from auth.users u where u.id = set_member_status.member_id for no key update;
  select * into member from private.members m where m.id = set_member_status.member_id for update;
  if member.id is null or member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member.status = set_member_status.status then
    return;
  elsif member.status <> if_status then
    raise exception 'Another admin has decided meanwhile' using errcode = 'PT409';
  elsif set_member_status.status is null or set_member_status.status not in ('active', 'waiting', 'suspended', 'removed')
    or set_member_status.status = 'suspended' and member.status in ('removed', 'waiting')
    or set_member_status.status = 'waiting' and not private.can_be_undecided(member)
  then
    raise exception 'A member can be suspended, removed or readmitted' using errcode = '22023';
  elsif set_member_status.status in ('suspended', 'removed') and member.status <> 'waiting' and private.is_blank(reason) then
    raise exception 'Give a reason for suspending or removing a member' using errcode = '23514';
  end if;
  update private.members m set
    status = set_member_status.status, status_reason = private.trimmed(reason), status_changed_at = now(),
    role = case when set_member_status.status = 'removed' then 'user' else m.role end,
    can_supervise = m.can_supervise and set_member_status.status <> 'removed'
  where m.id = set_member_status.member_id;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_member_status is
  'For admins: suspends, removes or readmits a member (`active`), with a reason. The first two end every session at once. Who waits is let in (`active`) or declined (`removed`); `waiting` takes back either. With `if_status`, only whoever still has that status is changed.';
revoke execute on function public.set_member_status(uuid, text, text, text) from public, anon;
grant execute on function public.set_member_status(uuid, text, text, text) to authenticated, service_role;

-- The far date stands for "until lifted": the auth service reads no infinite one.
create function private.follow_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status in ('suspended', 'removed') then
    update auth.users set banned_until = '2999-12-31' where id = new.id;
    update private.members set push_token = null where id = new.id and push_token is not null;
  elsif new.status in ('active', 'waiting') then
    update auth.users set banned_until = null where id = new.id and banned_until is not null;
  end if;
  -- Open devices show a member's screens; whoever signs in again sees that they wait.
  if old.status = 'active' and new.status = 'waiting' then
    delete from auth.sessions where user_id = new.id;
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
  for each row when (old.status <> 'active' and new.status = 'active')
  execute function private.take_back_groups();

revoke execute on all functions in schema private from public;

-- ./schemas/sponsors.sql

-- Who brought in whom: a tree, with members.sponsor_id as the edge upward. The edges stay when somebody is suspended, removed
-- or deletes the account, so that the tree is whole again when they return. Whoever reads it skips those who are not on the
-- team: their people count as brought in by the next active member above (product.md P152).

create function private.most_sponsor_levels() returns integer
language sql immutable set search_path = ''
as $$ select 64 $$;

-- No cycles. Two moves at the same moment could each be fine and together close a cycle, so they take turns; the second one
-- sees the first one's. A new member is above nobody and needs no turn.
create function private.keep_sponsors_a_tree() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform pg_advisory_xact_lock(hashtextextended('private.members: sponsors', 0));
  end if;
  if exists (
    -- Without duplicates, so that it ends whatever it meets.
    with recursive line as (
      select new.sponsor_id as id
      union
      select m.sponsor_id from line join private.members m on m.id = line.id where m.sponsor_id is not null
    )
    select from line where line.id = new.id
  ) then
    raise exception 'Nobody can be brought in by somebody of their own line' using errcode = '23514';
  end if;
  return new;
end
$$;
create trigger keep_sponsors_a_tree before insert or update of sponsor_id on private.members
  for each row when (new.sponsor_id is not null) execute function private.keep_sponsors_a_tree();

-- Null: nobody on the team brought them in.
create function public.set_sponsor(member_id uuid, sponsor_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only an admin says who brought somebody in' using errcode = '42501';
  end if;
  -- Before the row's own lock, which another move would hold while it waits.
  perform pg_advisory_xact_lock(hashtextextended('private.members: sponsors', 0));
  if not exists (select from private.members m where m.id = set_sponsor.member_id and m.status <> 'deleted') then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  if set_sponsor.sponsor_id is not null and not exists (
    select from private.members m where m.id = set_sponsor.sponsor_id and m.is_active
  ) then
    raise exception 'Choose somebody who is on the team' using errcode = '22023';
  end if;
  update private.members m set sponsor_id = set_sponsor.sponsor_id
  where m.id = set_sponsor.member_id and m.sponsor_id is distinct from set_sponsor.sponsor_id;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_sponsor is 'For admins: who brought the member in; null for nobody.';

-- The active members above, the nearest first.
create function private.upline(member_id uuid) returns table (id uuid, level integer)
language sql stable security definer set search_path = ''
as $$
  with recursive line as (
    select m.sponsor_id as id, 1 as depth from private.members m where m.id = member_id
    union all
    select m.sponsor_id, line.depth + 1
    from line join private.members m on m.id = line.id
    where m.sponsor_id is not null and line.depth < private.most_sponsor_levels()
  )
  select m.id, (row_number() over (order by line.depth))::integer
  from line join private.members m on m.id = line.id and m.is_active
  order by line.depth
$$;

-- The active members below with their level and the active member they count as brought in by.
create function private.downline(member_id uuid) returns table (id uuid, sponsor_id uuid, level integer)
language sql stable security definer set search_path = ''
as $$
  with recursive line as (
    select m.id, m.is_active, downline.member_id as sponsor_id, 1 as level, 1 as depth
    from private.members m where m.sponsor_id = downline.member_id
    union all
    select m.id, m.is_active, case when line.is_active then line.id else line.sponsor_id end,
      line.level + line.is_active::integer, line.depth + 1
    from line join private.members m on m.sponsor_id = line.id
    where line.depth < private.most_sponsor_levels()
  )
  select line.id, line.sponsor_id, line.level from line where line.is_active
$$;

-- Looks upward, which is short, whatever the size of the team.
create function private.is_in_downline(member_id uuid, leader_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  with recursive line as (
    select m.sponsor_id as id, 1 as depth from private.members m where m.id = member_id
    union all
    select m.sponsor_id, line.depth + 1
    from line join private.members m on m.id = line.id
    where line.id <> leader_id and line.depth < private.most_sponsor_levels()
  )
  select exists (select from line where line.id = leader_id)
$$;

create function public.my_sponsor() returns table (id uuid, first_name text, last_name text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name
  from private.upline((select auth.uid())) above
  join private.members m on m.id = above.id
  where (select private.is_member())
  order by above.level
  limit 1
$$;
comment on function public.my_sponsor is 'The member whom the caller counts as brought in by; nothing if there is none.';

revoke execute on function public.set_sponsor(uuid, uuid), public.my_sponsor() from public, anon, service_role;
grant execute on function public.set_sponsor(uuid, uuid), public.my_sponsor() to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/supervisors.sql

-- Who supervises: an admin gives the permission to read and review what the team writes, and everybody sees who has it.

-- Nobody gives it to themselves, unless there is nobody else who could: a leader who is the only admin. The audit log and
-- the archive say so. Two admins, of whom one makes the other a member meanwhile, take turns.
create function public.set_supervisor(member_id uuid, can_supervise boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
begin
  if not private.is_admin() then
    raise exception 'Only an admin says who supervises' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
  select * into member from private.members m where m.id = set_supervisor.member_id for update;
  if member.id is null or member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member.can_supervise = set_supervisor.can_supervise then
    return;
  elsif set_supervisor.can_supervise and not member.is_active then
    raise exception 'Choose somebody who is on the team' using errcode = '22023';
  elsif set_supervisor.can_supervise and member.id = (select auth.uid()) and exists (
    select from private.members m where m.id <> member.id and m.status not in ('removed', 'deleted') and m.role = 'admin'
    -- Nor do they make themselves the only one for it.
    union all
    select from private.audit_log e
    where e.actor_id = member.id and e.before ->> 'role' = 'admin' and e.object_id <> member.id
      and e.recorded_at > now() - interval '30 days'
  ) then
    raise exception 'Ask another admin to do this' using errcode = '42501';
  end if;
  update private.members m set can_supervise = coalesce(set_supervisor.can_supervise, false) where m.id = member.id;
end
$$;
comment on function public.set_supervisor is
  'For admins: who reviews what the team writes. Nobody gives it to themselves while there is another admin.';

create function public.supervisors() returns table (id uuid, first_name text, last_name text, email text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience)
  from private.members m
  where (select private.is_member()) and m.can_supervise and m.is_active
  order by m.first_name, m.last_name, m.id
  limit 50
$$;
comment on function public.supervisors is 'Who supervises the team.';

create function public.acts_as_supervisor() returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_supervisor() $$;
comment on function public.acts_as_supervisor is 'Whether the caller has a supervisor''s rights in this session.';

revoke execute on function public.set_supervisor(uuid, boolean), public.supervisors(), public.acts_as_supervisor()
from public, anon, service_role;
grant execute on function public.set_supervisor(uuid, boolean), public.supervisors(), public.acts_as_supervisor()
to authenticated;

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
-- `new`: came onto the team in the last seven days. `stuck` is for who calls, since it looks at all members at once.
create function private.member_matches(member private.members, filter text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case filter
    when 'admins' then member.is_active and member.role = 'admin'
    when 'never_opened' then member.is_active and private.last_active_at(member.id) is null
    when 'silent' then member.is_active and private.last_active_at(member.id) < now() - interval '14 days'
    when 'new' then member.is_active and member.admitted_at > now() - interval '7 days'
    when 'waiting' then member.status = 'waiting'
    when 'suspended' then member.status = 'suspended'
    when 'removed' then member.status = 'removed'
    when 'all' then true
    else member.is_active
  end
$$;

create function public.list_members(
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
  order by case when filter = 'waiting' then m.status_changed_at end, m.first_name, m.last_name, m.id
  limit greatest(least(max_results, 200), 0) offset greatest(skip, 0);
end
$$;
comment on function public.list_members is
  'For admins: a page of members by first name. filter: active, new, stuck, admins, never_opened, silent, waiting (the longest first), suspended, removed or all.';

create function public.count_members()
returns table (
  active bigint, new bigint, stuck bigint, admins bigint, never_opened bigint, silent bigint, waiting bigint,
  suspended bigint, removed bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  with seen as materialized (
    select m.status, m.role, m.admitted_at, private.last_active_at(m.id) as at from private.members m where m.status <> 'deleted'
  )
  select
    count(*) filter (where s.status = 'active'),
    count(*) filter (where s.status = 'active' and s.admitted_at > now() - interval '7 days'),
    (select count(*) from private.stuck_members()),
    count(*) filter (where s.status = 'active' and s.role = 'admin'),
    count(*) filter (where s.status = 'active' and s.at is null),
    count(*) filter (where s.status = 'active' and s.at < now() - interval '14 days'),
    count(*) filter (where s.status = 'waiting'),
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
  rally_enabled boolean, can_create_chats boolean, can_send_messages boolean, can_supervise boolean,
  is_vice_president boolean, has_second_factor boolean, sessions bigint, devices bigint, groups_led bigint, steps_done bigint, steps_total bigint,
  sponsor_id uuid, sponsor_name text, counts_for_name text, invited_by_name text, brought_in bigint, downline bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.status_reason, m.status_changed_at, m.created_at,
    private.last_active_at(m.id), m.rally_enabled, m.can_create_chats, m.can_send_messages, m.can_supervise,
    (select m.id = any (s.vice_presidents) from public.team_settings s),
    private.has_second_factor(m.id),
    (select count(*) from auth.sessions s where s.user_id = m.id),
    (select count(*) from public.push_devices d where d.user_id = m.id),
    (select count(*) from public.chats c where c.created_by = m.id and c.type = 'group' and c.is_active),
    (select count(*) from public.onboarding_progress p
     join public.newrepstart_content i on i.id = p.item_id and i.is_active where p.user_id = m.id),
    (select count(*) from public.newrepstart_content i where i.is_active),
    m.sponsor_id,
    (select private.display_name(s.first_name, s.last_name, s.email) from private.members s where s.id = m.sponsor_id),
    -- Where the sponsor is not on the team.
    (
      select private.display_name(s.first_name, s.last_name, s.email)
      from private.upline(m.id) above join private.members s on s.id = above.id
      where above.level = 1 and above.id <> m.sponsor_id
    ),
    (
      select private.display_name(s.first_name, s.last_name, s.email)
      from public.invitations i join private.members s on s.id = i.invited_by
      where i.accepted_by = m.id order by i.accepted_at desc limit 1
    ),
    (select count(*) from private.members r where r.sponsor_id = m.id and r.is_active),
    (select count(*) from private.downline(m.id))
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
  revoked_at timestamptz,
  constraint "An invitation lasts at most 90 days" check (expires_at <= created_at + interval '90 days')
);
comment on table public.join_links is 'Invitations that admins hand out; one is open until expires_at, unless it is taken back before.';
create index join_links_created_by on public.join_links (created_by);

alter table private.members add column join_link_id uuid references public.join_links (id) on delete set null;
create index members_join_link_id on private.members (join_link_id);
comment on column private.members.join_link_id is 'The link they came by.';

alter table public.join_links enable row level security;
revoke all on public.join_links from anon, authenticated, service_role;
grant select, insert (expires_at) on public.join_links to authenticated;
grant select, delete on public.join_links to service_role;

create policy "admins read invitations" on public.join_links
  for select to authenticated using ((select private.is_admin()));
create policy "admins make invitations in their own name" on public.join_links
  for insert to authenticated
  with check ((select private.is_admin()) and created_by = (select auth.uid()));

create function private.limit_open_links() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select count(*) from public.join_links l where l.revoked_at is null and l.expires_at > now()) >= 200 then
    raise exception 'At most 200 invitation links are open at once' using errcode = 'PT429';
  end if;
  return new;
end
$$;
create trigger limit_open_links before insert on public.join_links
  for each row execute function private.limit_open_links();

create function public.take_back_join_link(link_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  update public.join_links l set revoked_at = now() where l.id = link_id and l.revoked_at is null;
end
$$;
comment on function public.take_back_join_link is 'For admins: from now on nobody joins with this link.';
revoke execute on function public.take_back_join_link(uuid) from public, anon, service_role;
grant execute on function public.take_back_join_link(uuid) to authenticated;

-- The links and invitations of an admin who no longer is one let nobody in.
create function private.can_still_invite(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.members m where m.id = member_id and m.is_active and m.role = 'admin')
$$;

-- What became of one link that nobody can guess.
create function private.join_link_state(link public.join_links) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when link.revoked_at is not null then 'taken_back'
    when not private.can_still_invite(link.created_by) then 'taken_back'
    when link.expires_at <= now() then 'expired'
    else 'open'
  end
$$;

-- For someone who opens the link and has no account yet.
create function public.join_link_state(token text) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select private.join_link_state(l) from public.join_links l where l.token = join_link_state.token), 'unknown'
  )
$$;
comment on function public.join_link_state is 'Whether this link is open, taken_back, expired or unknown.';
revoke execute on function public.join_link_state(text) from public;
grant execute on function public.join_link_state(text) to anon, authenticated, service_role;

-- Invitations by mail. The function `invite` has the auth service send them, with the secret key; it first asks here,
-- with the caller's own token, whether the caller may, how many more, and who is already on the team.

-- One row per invited address, renewed by each mail. Its state follows from the dates: accepted, revoked, bounced,
-- expired, else pending.
create table public.invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  invited_by uuid not null references private.members (id),
  locale text not null default 'en',
  created_at timestamptz not null default now(),
  last_sent_at timestamptz,
  times_sent integer not null default 0,
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_by uuid references private.members (id),
  accepted_at timestamptz,
  revoked_at timestamptz,
  bounced_at timestamptz,
  bounce_reason text not null default '',
  searchable text generated always as (private.member_words(first_name, last_name, email)) stored,
  constraint "An invitation has a lower-case e-mail address" check (email = lower(email) and email like '_%@_%'),
  constraint "E-mail is at most 254 characters" check (char_length(email) <= 254),
  constraint "First name is at most 100 characters" check (char_length(first_name) <= 100),
  constraint "Last name is at most 100 characters" check (char_length(last_name) <= 100),
  constraint "Bounce reason is at most 500 characters" check (char_length(bounce_reason) <= 500),
  constraint "An invitation is in English or Spanish" check (locale in ('en', 'es'))
);
comment on table public.invitations is 'Invitations by mail; at most one of an address is neither accepted nor revoked.';
comment on column public.invitations.searchable is 'Name and e-mail in lower case without accents, for searching.';
create unique index invitations_one_open on public.invitations (email) where accepted_at is null and revoked_at is null;
create index invitations_invited_by on public.invitations (invited_by, created_at);
create index invitations_accepted_by on public.invitations (accepted_by);
create index invitations_created_at on public.invitations (created_at, id);

alter table public.invitations enable row level security;
revoke all on public.invitations from anon, authenticated, service_role;
grant select on public.invitations to authenticated, service_role;

create policy "admins read invitations by mail" on public.invitations
  for select to authenticated using ((select private.is_admin()));

create table private.invitation_mails (
  id bigint generated always as identity primary key,
  invited_by uuid not null references private.members (id),
  sent_at timestamptz not null default now()
);
comment on table private.invitation_mails is 'Invitations mailed in the last hour, for rate limiting.';
create index invitation_mails_invited_by on private.invitation_mails (invited_by, sent_at);
alter table private.invitation_mails enable row level security;
revoke all on private.invitation_mails from anon, authenticated, service_role;

-- Records each invitation before its mail, and says what to do with each address:
--   new      invite
--   pending  invite, too: there is an unconfirmed account. Unless it comes from an invitation (was_invited), its
--            password may be a stranger's, and the invitation must not confirm that.
--   sent     nothing: the mail went out a moment ago
--   joined   nothing: the account was there already, and the invitation has let it in
--   member   nothing: is or was on the team
create function public.plan_invitations(people jsonb, language text default 'en')
returns table (
  email text, state text, account_id uuid, was_invited boolean, invitation_id uuid, invited_by_name text
)
language plpgsql security definer set search_path = ''
as $$
declare
  most_at_once constant int := 100;
  most_an_hour constant int := 500;
  asked constant int := case jsonb_typeof(people) when 'array' then jsonb_array_length(people) end;
  me constant uuid := (select auth.uid());
  mails int := 0;
  person record;
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

  -- In one order, so that two admins who invite the same people wait for each other instead of deadlocking.
  for person in
    select distinct on (lower(p.email)) lower(p.email) as email, p.first_name, p.last_name
    from jsonb_to_recordset(people) p (email text, first_name text, last_name text)
    order by lower(p.email)
  loop
    select planned.* into state, account_id, was_invited, invitation_id
    from private.plan_invitation(person.email, person.first_name, person.last_name, language) planned;
    email := person.email;
    select btrim(m.first_name || ' ' || m.last_name) into invited_by_name
    from public.invitations i join private.members m on m.id = i.invited_by where i.id = invitation_id;
    mails := mails + (state in ('new', 'pending'))::int;
    return next;
  end loop;

  if mails + (select count(*) from private.invitation_mails sent where sent.invited_by = me) > most_an_hour then
    raise exception 'Too many invitations: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  insert into private.invitation_mails (invited_by) select me from generate_series(1, mails);
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.plan_invitations is
  'For admins: records the invitations of these people (email, first_name, last_name) and says whom to mail. Counts mails against the hourly limit.';

create function private.plan_invitation(
  address text, first_name text, last_name text, language text,
  out state text, out account_id uuid, out was_invited boolean, out invitation_id uuid
)
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
  known public.invitations;
begin
  select u.id, u.email_confirmed_at is not null as is_confirmed, u.invited_at is not null as was_invited into account
  from auth.users u
  where u.email = address and u.deleted_at is null
  order by u.email_confirmed_at nulls last
  limit 1;
  if exists (select from private.members m where m.id = account.id and m.status <> 'waiting') then
    state := 'member';
    return;
  end if;

  select * into known from public.invitations i
  where i.email = address and i.accepted_at is null and i.revoked_at is null
  for update;
  if known.last_sent_at > now() - interval '1 minute' and known.bounced_at is null then
    state := 'sent';
    invitation_id := known.id;
    return;
  end if;

  insert into public.invitations as i (email, first_name, last_name, invited_by, locale, last_sent_at, times_sent)
  values (
    address, left(coalesce(first_name, ''), 100), left(coalesce(last_name, ''), 100), (select auth.uid()),
    case language when 'es' then 'es' else 'en' end, now(), 1
  )
  on conflict (email) where accepted_at is null and revoked_at is null do update set
    first_name = coalesce(nullif(excluded.first_name, ''), i.first_name),
    last_name = coalesce(nullif(excluded.last_name, ''), i.last_name),
    -- Who invited first has brought the person in, unless that invitation came to nothing.
    invited_by = case when private.can_still_invite(i.invited_by) and i.expires_at > now() then i.invited_by else excluded.invited_by end,
    locale = excluded.locale, last_sent_at = now(), times_sent = i.times_sent + 1,
    expires_at = excluded.expires_at, bounced_at = null, bounce_reason = ''
  returning i.id into invitation_id;

  if account.is_confirmed then
    state := case
      when exists (select from public.invitations i where i.id = invitation_id and i.accepted_at is not null) then 'joined'
      else 'member'
    end;
  else
    state := case when account.id is null then 'new' else 'pending' end;
    account_id := account.id;
    was_invited := account.was_invited;
  end if;
end
$$;

revoke execute on function public.plan_invitations(jsonb, text) from public, anon, service_role;
grant execute on function public.plan_invitations(jsonb, text) to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/invitation_list.sql

-- The admins' view of invitations: by mail, to search, send again and take back; and by link, with who joined.

-- An invitation is pending as long as its link lets somebody in.
create view private.invitation_states as
select i.*, m.first_name as invited_by_first_name, m.last_name as invited_by_last_name, m.searchable as inviter_searchable,
  case
    when i.accepted_at is not null then 'accepted'
    when i.revoked_at is not null then 'revoked'
    when i.bounced_at is not null then 'bounced'
    when i.expires_at <= now() or not m.is_active or m.role <> 'admin' then 'expired'
    else 'pending'
  end as state
from public.invitations i
join private.members m on m.id = i.invited_by;
revoke all on private.invitation_states from public, anon, authenticated, service_role;

create function public.list_invitations(
  filter text default 'pending', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, email text, first_name text, last_name text, state text, locale text,
  invited_by uuid, invited_by_first_name text, invited_by_last_name text, created_at timestamptz,
  last_sent_at timestamptz, times_sent integer, expires_at timestamptz, accepted_by uuid, accepted_first_name text,
  accepted_last_name text, accepted_at timestamptz, revoked_at timestamptz, bounced_at timestamptz, bounce_reason text
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select i.id, i.email, i.first_name, i.last_name, i.state, i.locale,
    i.invited_by, i.invited_by_first_name, i.invited_by_last_name, i.created_at,
    i.last_sent_at, i.times_sent, i.expires_at, i.accepted_by, joined.first_name, joined.last_name,
    i.accepted_at, i.revoked_at, i.bounced_at, i.bounce_reason
  from private.invitation_states i
  left join private.members joined on joined.id = i.accepted_by
  where (filter = 'all' or i.state = filter)
    and (
      i.searchable like all (private.member_patterns(query))
      or i.inviter_searchable like all (private.member_patterns(query))
    )
  order by i.created_at desc, i.id desc
  limit least(max_results, 200) offset greatest(skip, 0);
end
$$;
comment on function public.list_invitations is
  'For admins: a page of invitations by mail, the latest first. filter: pending, accepted, bounced, expired, revoked or all. The query finds invited and inviting people.';

create function public.count_invitations()
returns table (pending bigint, accepted bigint, bounced bigint, expired bigint, revoked bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select
    count(*) filter (where s.state = 'pending'),
    count(*) filter (where s.state = 'accepted'),
    count(*) filter (where s.state = 'bounced'),
    count(*) filter (where s.state = 'expired'),
    count(*) filter (where s.state = 'revoked')
  from private.invitation_states s;
end
$$;
comment on function public.count_invitations is 'For admins: how many invitations each filter of list_invitations finds.';

-- For the list that an admin is about to send.
create function public.known_addresses(emails text[])
returns table (email text, state text, since timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  most constant int := 500;
begin
  perform private.assert_admin();
  if cardinality(emails) > most then
    raise exception 'Ask about at most % addresses at once', most using errcode = '22023';
  end if;
  return query
  select m.email, m.status, m.created_at
  from private.members m where m.email = any (emails) and m.status in ('active', 'suspended', 'removed')
  union all
  select i.email, 'invited', i.last_sent_at
  from private.invitation_states i
  where i.email = any (emails) and i.state = 'pending';
end
$$;
comment on function public.known_addresses is
  'For admins: which of these lower-case addresses are a member''s (active, suspended, removed) or invited already.';

-- The account that only the mail has made goes, and its link with it. Whoever opened the link before stays.
create function public.revoke_invitations(invitation_ids uuid[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  most constant int := 100;
  revoked text[];
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  if cardinality(invitation_ids) > most then
    raise exception 'Take back at most % invitations at once', most using errcode = '22023';
  end if;
  with changed as (
    update public.invitations i set revoked_at = now()
    where i.id = any (invitation_ids) and i.accepted_at is null and i.revoked_at is null
    returning i.email
  )
  select array_agg(changed.email) into revoked from changed;
  delete from auth.users u
  where u.email = any (revoked) and u.invited_at is not null and u.email_confirmed_at is null and u.last_sign_in_at is null;
  return coalesce(cardinality(revoked), 0);
end
$$;
comment on function public.revoke_invitations is
  'For admins: these invitations by mail let nobody in any more, and their links are dead. Returns how many were open.';

-- For the page that a mailed link opens, whose address has the invitation's id. Nobody can guess one.
create function public.invitation_state(invitation_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select i.state from private.invitation_states i where i.id = invitation_id), 'unknown'
  )
$$;
comment on function public.invitation_state is
  'What became of this invitation by mail: pending, accepted, revoked, bounced, expired or unknown.';

-- A mail server may refuse a mail after another was sent, or after the invitation was accepted.
create function public.note_bounce(address text, reason text, mailed_at timestamptz default now()) returns void
language sql security definer set search_path = ''
as $$
  update public.invitations i set bounced_at = now(), bounce_reason = left(coalesce(reason, ''), 500)
  where i.email = lower(address) and i.accepted_at is null and i.revoked_at is null
    and i.bounced_at is null and i.last_sent_at <= mailed_at
$$;
comment on function public.note_bounce is 'For trusted servers: the mail of the open invitation of this address was refused.';

-- A mailed link may end before the invitation does. Once a minute, and 20 mails in all: whoever asks has no account yet.
create function public.renew_invitation(invitation_id uuid)
returns table (
  email text, first_name text, last_name text, locale text, account_id uuid, was_invited boolean, invited_by_name text
)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  most_mails constant int := 20;
  mailed record;
begin
  update public.invitations i set last_sent_at = now(), times_sent = i.times_sent + 1
  from private.invitation_states s
  where i.id = invitation_id and s.id = i.id and s.state = 'pending'
    and i.last_sent_at < now() - interval '1 minute' and i.times_sent < most_mails
  returning i.email, i.first_name, i.last_name, i.locale,
    btrim(s.invited_by_first_name || ' ' || s.invited_by_last_name) as invited_by_name
  into mailed;
  if mailed.email is null then
    return;
  end if;
  return query
  select mailed.email, mailed.first_name, mailed.last_name, mailed.locale, u.id, u.invited_at is not null, mailed.invited_by_name
  from (values (1)) one
  left join auth.users u on u.email = mailed.email and u.deleted_at is null and u.email_confirmed_at is null
  limit 1;
end
$$;
comment on function public.renew_invitation is
  'For trusted servers: whom to mail the link of this pending invitation again; no row if it is not pending or was mailed a moment ago.';

create function public.list_join_links(max_results integer default 20, skip integer default 0)
returns table (
  id uuid, token text, state text, created_by uuid, first_name text, last_name text,
  created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, joined bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select l.id, l.token, private.join_link_state(l), l.created_by, m.first_name, m.last_name,
    l.created_at, l.expires_at, l.revoked_at,
    (select count(*) from private.members j where j.join_link_id = l.id and j.admitted_at is not null)
  from public.join_links l
  join private.members m on m.id = l.created_by
  order by l.created_at desc, l.id
  limit least(max_results, 100) offset greatest(skip, 0);
end
$$;
comment on function public.list_join_links is 'For admins: a page of invitation links, the latest first, with how many joined by each.';

create function private.publish_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "invitations"}'::jsonb, 'content_changed', 'admins', true);
  return null;
end
$$;
create trigger publish_invitations after insert or update or delete on public.invitations
  for each statement execute function private.publish_invitations();

revoke execute on function
  public.list_invitations(text, text, integer, integer), public.count_invitations(), public.known_addresses(text[]),
  public.revoke_invitations(uuid[]), public.list_join_links(integer, integer)
from public, anon, service_role;
grant execute on function
  public.list_invitations(text, text, integer, integer), public.count_invitations(), public.known_addresses(text[]),
  public.revoke_invitations(uuid[]), public.list_join_links(integer, integer)
to authenticated;
revoke execute on function public.invitation_state(uuid) from public;
grant execute on function public.invitation_state(uuid) to anon, authenticated, service_role;
revoke execute on function public.note_bounce(text, text, timestamptz), public.renew_invitation(uuid)
from public, anon, authenticated;
grant execute on function public.note_bounce(text, text, timestamptz), public.renew_invitation(uuid) to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/set_up.sql

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
  stored text;
begin
  -- Of two people at once the second finds an admin.
  perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
  if private.has_admin() then
    raise exception 'This team already has an admin' using errcode = 'PT409';
  end if;
  perform from private.members m where m.id = me and m.status = 'waiting' for update;
  if not found then
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
    account.id, lower(btrim(appoint_admin.email)), left(private.name_from(account.data ->> 'first_name'), 100),
    left(private.name_from(account.data ->> 'last_name'), 100), 'admin', now()
  )
  on conflict (id) do update set
    role = 'admin', status = 'active',
    status_changed_at = case when known.status = 'active' then known.status_changed_at else now() end;
  delete from private.set_up_code;
  return 'appointed';
end
$$;

revoke execute on all functions in schema private from public;

-- ./schemas/newcomers.sql

-- Admins learn of everybody who waits to be let in: in the app at once, on their devices, and never twice.

create function private.announce_newcomer() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.push_devices) then
    insert into private.push_outbox (kind, newcomer_id) values ('newcomer', new.id);
    perform pg_notify('push_outbox', '');
  end if;
  return null;
end
$$;
create trigger announce_newcomer after insert on private.members
  for each row when (new.status = 'waiting') execute function private.announce_newcomer();

create function private.publish_newcomers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "newcomers"}'::jsonb, 'content_changed', 'admins', true);
  return null;
end
$$;
create trigger publish_newcomer after insert on private.members
  for each row when (new.status = 'waiting') execute function private.publish_newcomers();
create trigger publish_decision after update of status on private.members
  for each row when ((old.status = 'waiting') <> (new.status = 'waiting')) execute function private.publish_newcomers();

create function public.mark_newcomers_seen() returns void
language sql security definer set search_path = ''
as $$
  update private.members m set newcomers_seen_at = now() where m.id = (select auth.uid()) and (select private.is_admin())
$$;
comment on function public.mark_newcomers_seen is 'For admins: those who wait now are no longer unread under Notifications.';

revoke execute on function public.mark_newcomers_seen() from public, anon, service_role;
grant execute on function public.mark_newcomers_seen() to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/registration.sql

-- Who comes onto the team, and how. Anybody can make an account; what it takes to become a member is the team's choice
-- (team_settings.registration). An account that is not let in reads nothing.

-- Which link an account was made with while the link was open, because confirming the address may take longer than that.
create table private.link_uses (
  account_id uuid primary key references auth.users (id) on delete cascade,
  link_id uuid not null references public.join_links (id) on delete cascade
);
comment on table private.link_uses is 'Accounts that signed up with a link that was open at that moment.';
create index link_uses_link_id on private.link_uses (link_id);
alter table private.link_uses enable row level security;
revoke all on private.link_uses from anon, authenticated, service_role;

create function private.remember_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.link_uses (account_id, link_id)
  select new.id, l.id from public.join_links l
  where l.token = new.raw_user_meta_data ->> 'join_token' and private.join_link_state(l) = 'open'
  on conflict do nothing;
  return null;
end
$$;
create trigger remember_link after insert on auth.users
  for each row when (new.raw_user_meta_data ->> 'join_token' <> '') execute function private.remember_link();

-- A link that is taken back ends at once; one that expired still counts for who signed up before.
create function private.usable_link(account_id uuid, token text) returns public.join_links
language plpgsql security definer set search_path = ''
as $$
declare
  link public.join_links;
begin
  -- Waits for somebody who is taking the link back at this moment.
  select l.* into link from public.join_links l where l.token = usable_link.token for share;
  if private.join_link_state(link) = 'open' or private.join_link_state(link) = 'expired' and exists (
    select from private.link_uses u where u.account_id = usable_link.account_id and u.link_id = link.id
  ) then
    return link;
  end if;
  return null;
end
$$;

create function private.is_allowed_domain(domain text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select s.email_domains = '{}' or lower(domain) = any (s.email_domains) from public.team_settings s
$$;

-- What an account with this confirmed address becomes: active, waiting, or null for nothing.
create function private.way_in(
  account_id uuid, email text, join_token text,
  out status text, out sponsor_id uuid, out invitation_id uuid, out join_link_id uuid
)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  registration constant text := (select s.registration from public.team_settings s);
  link public.join_links;
begin
  -- One that is being renewed or revoked at this moment is skipped; renewing it lets the account in (invitations).
  select i.id, i.invited_by into invitation_id, sponsor_id
  from public.invitations i
  where i.email = lower(way_in.email) and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
    and private.can_still_invite(i.invited_by)
  for update of i skip locked;
  if invitation_id is not null then
    status := 'active';
    return;
  end if;
  if not private.is_allowed_domain(coalesce(regexp_replace(way_in.email, '^.*@', ''), '')) then
    return;
  end if;
  link := private.usable_link(way_in.account_id, way_in.join_token);
  sponsor_id := link.created_by;
  join_link_id := link.id;
  status := case
    when registration = 'open' then 'active'
    when registration = 'invitation' and link.id is not null then 'active'
    -- Without an admin there is nobody to invite, and the first one is among those who wait.
    when registration = 'approval' or not private.has_admin() then 'waiting'
  end;
end
$$;

-- The member of a confirmed account, created if the team lets the account in; null if not. Whoever waits is looked at again.
create function private.ensure_member(
  member_id uuid, first_name text, last_name text, join_token text default null
)
returns private.members
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
  member private.members;
  way record;
begin
  select u.id, u.email::text as email, u.email_confirmed_at, u.created_at, u.raw_user_meta_data as data
  into account from auth.users u where u.id = member_id for no key update;
  if account.id is null then
    raise exception 'There is no account for this profile' using errcode = '42501';
  elsif account.email_confirmed_at is null then
    raise exception 'Confirm your email address first' using errcode = '42501';
  end if;
  select * into member from private.members m where m.id = account.id for update;
  if member.id is not null and member.status <> 'waiting' then
    return member;
  end if;

  select * into way
  from private.way_in(account.id, account.email, coalesce(join_token, account.data ->> 'join_token'));
  if member.id is null and way.status is null then
    return null;
  end if;
  insert into private.members as known (
    id, email, first_name, last_name, created_at, status, status_changed_at, sponsor_id, join_link_id
  )
  values (
    account.id, account.email,
    left(coalesce(nullif(private.name_from(ensure_member.first_name), ''), private.name_from(account.data ->> 'first_name')), 100),
    left(coalesce(nullif(private.name_from(ensure_member.last_name), ''), private.name_from(account.data ->> 'last_name')), 100),
    coalesce(account.created_at, now()), coalesce(way.status, 'waiting'), now(), way.sponsor_id, way.join_link_id
  )
  on conflict (id) do update set
    first_name = excluded.first_name, last_name = excluded.last_name,
    status = excluded.status, role = excluded.role, sponsor_id = coalesce(known.sponsor_id, excluded.sponsor_id),
    join_link_id = coalesce(known.join_link_id, excluded.join_link_id),
    status_changed_at = case when excluded.status = 'waiting' then known.status_changed_at else now() end
  -- Asking again without news changes nothing.
  where (known.first_name, known.last_name, known.status, coalesce(known.sponsor_id, excluded.sponsor_id))
    is distinct from (excluded.first_name, excluded.last_name, excluded.status, known.sponsor_id);
  select * into member from private.members m where m.id = account.id;
  if way.invitation_id is not null then
    update public.invitations i set accepted_by = member.id, accepted_at = now() where i.id = way.invitation_id;
  end if;
  return member;
end
$$;

-- Inviting somebody who already has an account lets them in at once.
create function private.let_invited_in() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.ensure_member(u.id, null, null)
  from auth.users u
  where u.email = new.email and u.email_confirmed_at is not null and u.deleted_at is null and not exists (
    select from private.members m where m.id = u.id and m.status <> 'waiting'
  );
  return null;
end
$$;
create trigger let_invited_in after insert or update of expires_at, revoked_at on public.invitations
  for each row when (new.accepted_at is null and new.revoked_at is null and new.expires_at > now())
  execute function private.let_invited_in();

create function public.my_membership()
returns table (status text, refusal text, has_admin boolean, takes_set_up_code boolean)
language sql stable security definer set search_path = ''
as $$
  select coalesce(me.status, 'none'),
    case when me.id is null then
      case when private.is_allowed_domain(coalesce(regexp_replace(caller.email, '^.*@', ''), ''))
        then 'invitation_only' else 'other_domain' end
    end,
    private.has_admin(), coalesce(me.status, '') = 'waiting' and private.takes_set_up_code()
  from auth.users caller left join private.members me on me.id = caller.id
  where caller.id = (select auth.uid())
$$;
comment on function public.my_membership is
  'The caller''s status: waiting, active, suspended, removed or none, and then why: invitation_only or other_domain. has_admin: whether anybody can let them in.';

create function public.join_team(join_token text default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
begin
  member := private.ensure_member((select auth.uid()), null, null, join_token);
  return coalesce(member.status, 'none');
end
$$;
comment on function public.join_team is
  'Asks once more to be let in, with a link or because something changed. Returns the caller''s status.';

-- For Create Account, so that nobody fills it in for nothing. It knows no invitations by mail: those are nobody else's.
create function public.sign_up_outcome(domain text default null, join_token text default null) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when domain is not null and not private.is_allowed_domain(domain) then 'other_domain'
    when s.registration = 'open' then 'member'
    when s.registration = 'approval' or not private.has_admin() then 'waiting'
    when public.join_link_state(join_token) = 'open' then 'member'
    else 'invitation_only'
  end
  from public.team_settings s
$$;
comment on function public.sign_up_outcome is
  'What a new account with an address of this domain, or of any, becomes: member or waiting; or why nothing: other_domain or invitation_only.';

revoke execute on function public.my_membership(), public.join_team(text), public.sign_up_outcome(text, text)
from public, anon, service_role;
grant execute on function public.my_membership(), public.join_team(text) to authenticated;
grant execute on function public.sign_up_outcome(text, text) to anon, authenticated;
revoke execute on all functions in schema private from public;

-- Accounts of a project that is older than the product, the oldest first: they wait for an admin.
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

-- ./schemas/system_state.sql

-- What only a server knows, as it last reported it: whether mail is set up, whether links are checked, whether there are
-- backups. What nobody has reported for a while counts as unknown.

create table private.system_state (
  part text primary key,
  is_on boolean not null,
  problems integer not null default 0,
  reported_at timestamptz not null default now(),
  constraint "Part must be mail, links or backup" check (part in ('mail', 'links', 'backup')),
  constraint "Problems are counted from 0" check (problems >= 0)
);
comment on table private.system_state is 'The parts of the system that a server reports, each with its latest state.';
comment on column private.system_state.is_on is 'mail: there is a mail server. links: they are checked. backup: the latest succeeded.';
comment on column private.system_state.problems is 'mail: how many mails wait for more than ten minutes or were given up within a day. backup: 1 if the latest is missing or failed.';
alter table private.system_state enable row level security;
revoke all on private.system_state from anon, authenticated, service_role;

-- Null if no server has reported the part within two days.
create function private.system_part(part text) returns private.system_state
language sql stable security definer set search_path = ''
as $$
  select s from private.system_state s
  where s.part = system_part.part and s.reported_at > now() - interval '2 days'
$$;

create function public.report_system_state(parts jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.system_state as s (part, is_on, problems)
  select r.part, r.is_on, coalesce(r.problems, 0)
  from jsonb_to_recordset(parts) as r (part text, is_on boolean, problems integer)
  on conflict (part) do update set
    is_on = excluded.is_on, problems = excluded.problems, reported_at = now();
exception
  -- The same error without its detail, which is the row.
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.report_system_state is 'For the server: the state of mail, links and backup, as an array of { part, is_on, problems }.';

-- A notice to each admin in the language they chose.
create function private.notify_admins(english_title text, spanish_title text, english_body text, spanish_body text, link text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.team_notices (title, body, link, audience, audience_members)
  select
    case when spoken.is_spanish then spanish_title else english_title end,
    case when spoken.is_spanish then spanish_body else english_body end,
    notify_admins.link, 'members', spoken.ids
  from (
    select private.reads_spanish(m.id) as is_spanish, (array_agg(m.id order by m.created_at))[1:2000] as ids
    from private.members m
    where m.role = 'admin' and m.is_active
    group by 1
  ) spoken
$$;

revoke execute on function public.report_system_state(jsonb) from public, anon, authenticated;
grant execute on function public.report_system_state(jsonb) to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/backups.sql

-- Nightly backups: the server claims a night, makes its backup, restores it for a trial and says how that went. Several servers agree
-- here on who does it. On hosted Supabase nobody claims one.

create table private.backups (
  id uuid primary key default gen_random_uuid(),
  due_at timestamptz not null,
  attempt integer not null,
  state text not null default 'running',
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  finished_at timestamptz,
  address text,
  bytes bigint,
  row_count bigint,
  file_count bigint,
  missing_files bigint,
  failure text,
  constraint "State must be running, verified or failed" check (state in ('running', 'verified', 'failed', 'gone'))
);
comment on table private.backups is 'One row per attempt at a nightly backup, the newest hundred. Not part of backups.';
comment on column private.backups.state is 'gone: it was verified, and is no longer where it was kept.';
comment on column private.backups.due_at is 'The night that the attempt is for.';
comment on column private.backups.seen_at is 'When the server that makes it last said that it is still at it.';
create unique index backups_attempt on private.backups (due_at, attempt);
create unique index backups_running on private.backups (state) where state = 'running';
create index backups_started_at on private.backups (started_at);
alter table private.backups enable row level security;
revoke all on private.backups from anon, authenticated, service_role;

create function private.most_backup_attempts() returns int
language sql immutable set search_path = ''
as $$ select 3 $$;

-- What the admin pages show of backups, in one row.
create function private.backup_state()
returns table (
  is_good boolean, running_since timestamptz, verified_at timestamptz, address text, bytes bigint, row_count bigint,
  file_count bigint, missing_files bigint, failed_at timestamptz, failure text
)
language sql stable security definer set search_path = ''
as $$
  select coalesce(good.finished_at > now() - interval '36 hours', false), running.started_at, good.finished_at, good.address,
    good.bytes, good.row_count, good.file_count, good.missing_files, bad.finished_at, bad.failure
  from (select) as always
  left join lateral (
    select b.* from private.backups b where b.state = 'verified' and b.finished_at <= now() + interval '1 hour'
    order by b.finished_at desc limit 1
  ) good on true
  left join lateral (
    select b.* from private.backups b
    where b.state = 'failed' and b.finished_at > coalesce(good.finished_at, '-infinity')
    order by b.finished_at desc limit 1
  ) bad on true
  left join private.backups running on running.state = 'running'
$$;
comment on function private.backup_state is
  'Whether there is a verified backup of the last day and a half, the latest one, and the failure since, if any.';

create function public.backup_state()
returns table (
  is_good boolean, running_since timestamptz, verified_at timestamptz, address text, bytes bigint, row_count bigint,
  file_count bigint, missing_files bigint, failed_at timestamptz, failure text
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query select * from private.backup_state();
end
$$;
comment on function public.backup_state is 'For admins: how the nightly backups are.';

create function private.announce_failed_backup() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  zone constant text := (select s.time_zone from public.team_settings s);
  good constant timestamptz := (select s.verified_at from private.backup_state() s);
begin
  perform private.notify_admins(
    'The backup failed', 'La copia de seguridad falló',
    'Tonight''s backup could not be made, or could not be checked. '
      || coalesce('The last good one is of ' || to_char(good at time zone zone, 'MM/DD/YYYY') || '. ', 'There is no good one yet. ')
      || 'Contact the person who runs the server: the reason is in its log.',
    'La copia de seguridad de esta noche no se pudo hacer o no se pudo comprobar. '
      || coalesce('La última buena es del ' || to_char(good at time zone zone, 'DD/MM/YYYY') || '. ', 'Todavía no hay ninguna buena. ')
      || 'Avisa a quien administra el servidor: el motivo está en su registro.',
    '/admin/system'
  );
end
$$;

-- Null if there is nothing to do: the night has its backup, somebody is at it, or it has to wait after a failure. Called every minute,
-- so it is also the sign that backups are on. `due_at` comes from a clock that may be wrong, so a night that lies in the future
-- counts for nothing. `kept` are the names in the place, now and then; a night whose backup is not among them has none.
create function public.claim_backup(due_at timestamptz, kept text[] default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  latest private.backups;
  claimed uuid;
begin
  perform pg_advisory_xact_lock(7240119);
  -- A server that was killed says nothing more. Longer than a clock is off by.
  update private.backups b set state = 'failed', finished_at = now(), failure = 'The server stopped in the middle.'
  where b.state = 'running' and b.seen_at not between now() - interval '15 minutes' and now() + interval '15 minutes'
  returning * into latest;
  if latest.attempt >= private.most_backup_attempts() then
    perform private.announce_failed_backup();
  end if;
  -- A new one may have come after the names were read.
  update private.backups b set state = 'gone'
  where b.state = 'verified' and b.finished_at < now() - interval '5 minutes' and regexp_replace(b.address, '^.*/', '') <> all (kept);

  select b.* into latest from private.backups b
  where b.due_at <= now() and b.started_at <= now() order by b.due_at desc, b.attempt desc limit 1;
  if claim_backup.due_at <= now()
    and not exists (select from private.backups b where b.state = 'running')
    and (latest.id is null or latest.due_at < claim_backup.due_at
      or latest.due_at = claim_backup.due_at and (latest.state = 'gone'
        or latest.state = 'failed' and latest.attempt < private.most_backup_attempts()
          and latest.finished_at < now() - latest.attempt * interval '10 minutes'))
  then
    insert into private.backups as b (due_at, attempt)
    values (claim_backup.due_at, case when latest.due_at = claim_backup.due_at then latest.attempt + 1 else 1 end)
    on conflict do nothing
    returning b.id into claimed;
    delete from private.backups b where b.id in (
      select old.id from private.backups old order by old.started_at desc offset 100
    );
  end if;

  perform public.report_system_state(jsonb_build_array(jsonb_build_object(
    'part', 'backup', 'is_on', s.is_good,
    'problems', (s.failed_at is not null or not s.is_good and s.running_since is null)::int
  ))) from private.backup_state() s;
  return claimed;
end
$$;
comment on function public.claim_backup is
  'For the server: the attempt that is to be made now for the night of due_at, for this caller only; null if there is none.';

create function public.keep_backup_claim(backup_id uuid) returns void
language sql security definer set search_path = ''
as $$ update private.backups b set seen_at = now() where b.id = backup_id and b.state = 'running' $$;
comment on function public.keep_backup_claim is 'For the server: says every minute that it is still at it.';

-- `result` of a verified backup has address, bytes, row_count, file_count and missing_files; of a failed one, failure. An empty one gives the
-- claim back: the server was asked to stop.
create function public.settle_backup(backup_id uuid, result jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  settled private.backups;
begin
  if result = '{}'::jsonb then
    delete from private.backups b where b.id = backup_id and b.state = 'running';
    return;
  end if;
  update private.backups b set
    state = case when result ? 'failure' then 'failed' else 'verified' end,
    finished_at = now(), failure = left(result ->> 'failure', 500), address = left(result ->> 'address', 1000),
    bytes = (result ->> 'bytes')::bigint, row_count = (result ->> 'row_count')::bigint,
    file_count = (result ->> 'file_count')::bigint, missing_files = (result ->> 'missing_files')::bigint
  where b.id = backup_id and b.state <> 'verified'
  returning * into settled;
  if settled.state = 'failed' and settled.attempt >= private.most_backup_attempts() then
    perform private.announce_failed_backup();
  end if;
end
$$;
comment on function public.settle_backup is 'For the server: how the attempt went. Admins learn of the last failure of a night.';

revoke execute on function
  public.backup_state(), public.claim_backup(timestamptz, text[]), public.keep_backup_claim(uuid), public.settle_backup(uuid, jsonb)
from public, anon, authenticated, service_role;
grant execute on function public.backup_state() to authenticated;
grant execute on function
  public.claim_backup(timestamptz, text[]), public.keep_backup_claim(uuid), public.settle_backup(uuid, jsonb)
to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/setup_checklist.sql

-- The first days of a team: what an admin still has to set up. Every item is judged by what is true in the database; what
-- it cannot know is confirmed by an admin.

create table private.setup_confirmations (
  item text primary key,
  confirmed_by uuid references private.members (id),
  confirmed_at timestamptz not null default now(),
  constraint "Item must be time_zone, mail or backup" check (item in ('time_zone', 'mail', 'backup'))
);
comment on table private.setup_confirmations is 'Set-up items that somebody decided or confirmed as done elsewhere.';
create index setup_confirmations_confirmed_by on private.setup_confirmations (confirmed_by);
alter table private.setup_confirmations enable row level security;
revoke all on private.setup_confirmations from anon, authenticated, service_role;

create table private.setup_put_away (
  user_id uuid primary key references private.members (id) on delete cascade,
  put_away_at timestamptz not null default now()
);
comment on table private.setup_put_away is 'Admins who put the set-up list away.';
alter table private.setup_put_away enable row level security;
revoke all on private.setup_put_away from anon, authenticated, service_role;

-- The zone a team starts with is nobody's decision. Saving one is, even the same.
create function private.confirm_time_zone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.setup_confirmations (item, confirmed_by)
  values ('time_zone', (select m.id from private.members m where m.id = (select auth.uid())))
  on conflict (item) do update set confirmed_by = excluded.confirmed_by, confirmed_at = now();
  return null;
end
$$;
create trigger confirm_time_zone after update of time_zone on public.team_settings
  for each row execute function private.confirm_time_zone();

-- A server that reports knows better than anybody's word.
create function private.set_up_by_report(part text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (private.system_part(part)).is_on,
    exists (select from private.setup_confirmations c where c.item = part)
  )
$$;

create function public.setup_checklist()
returns table (
  welcome boolean, vice_presidents boolean, time_zone boolean, meeting boolean, new_rep_start boolean,
  invitations boolean, second_admin boolean, mail boolean, push boolean, backup boolean,
  confirmable text[], is_put_away boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select
    exists (select from public.home_content i where i.is_active),
    exists (select from public.vice_presidents()),
    exists (select from private.setup_confirmations c where c.item = 'time_zone'),
    exists (select from public.schedule_content i where i.is_active),
    exists (select from public.newrepstart_content i where i.is_active),
    exists (select from public.join_links) or exists (select from public.invitations)
      or (select count(*) > 1 from (select from private.members limit 2) as people),
    (select count(*) > 1 from (
      select from private.members m where m.role = 'admin' and m.is_active limit 2
    ) as admins),
    private.set_up_by_report('mail'),
    exists (select from public.push_channels c where c.is_on),
    private.set_up_by_report('backup'),
    array(
      select part from unnest(array['mail', 'backup']) part where private.system_part(part) is null
    ),
    exists (select from private.setup_put_away a where a.user_id = (select auth.uid()));
end
$$;
comment on function public.setup_checklist is
  'For admins: which parts of the set-up are done. confirmable: those that only an admin can know, with confirm_setup_item.';

create function public.confirm_setup_item(item text, is_done boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  if item not in ('mail', 'backup') then
    raise exception 'This item is done by doing it' using errcode = '22023';
  end if;
  if is_done then
    insert into private.setup_confirmations (item, confirmed_by) values (confirm_setup_item.item, (select auth.uid()))
    on conflict do nothing;
  else
    delete from private.setup_confirmations c where c.item = confirm_setup_item.item;
  end if;
end
$$;
comment on function public.confirm_setup_item is 'For admins: says that mail or backups are set up elsewhere, or takes that back.';

create function public.put_setup_away(is_away boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  if is_away then
    insert into private.setup_put_away (user_id) values ((select auth.uid())) on conflict do nothing;
  else
    delete from private.setup_put_away a where a.user_id = (select auth.uid());
  end if;
end
$$;
comment on function public.put_setup_away is 'For admins: puts their set-up list away, or fetches it again.';

revoke execute on function
  public.setup_checklist(), public.confirm_setup_item(text, boolean), public.put_setup_away(boolean)
from public, anon, service_role;
grant execute on function
  public.setup_checklist(), public.confirm_setup_item(text, boolean), public.put_setup_away(boolean)
to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/link_checks.sql

-- Whether the links of active content still lead somewhere. A server fetches each once a week (on hosted Supabase nobody does,
-- and the dashboard says so); here is which are due, and what became of them.

create view private.content_links with (security_invoker) as
select 'home' as content_type, id, title, url from public.home_content where is_active and url is not null
union all
select 'training', id, title, url from public.training_content where is_active and url is not null
union all
select 'newrepstart', id, title, url from public.newrepstart_content where is_active and url is not null
union all
select 'licensing', id, title, url from public.licensing_content where is_active and url is not null
union all
select 'schedule', id, title, url from public.schedule_content where is_active and url is not null;
comment on view private.content_links is 'The links that members see, each with its content item.';
revoke all on private.content_links from anon, authenticated, service_role;

create table private.link_checks (
  -- A link may be longer than an index entry.
  link uuid primary key generated always as (md5(url)::uuid) stored,
  url text not null,
  state text not null default 'new',
  problem text,
  failing_since timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null default now(),
  constraint "State must be known" check (state in ('new', 'works', 'failing', 'broken', 'skipped'))
);
comment on table private.link_checks is 'One row per address in content: what the latest check found.';
comment on column private.link_checks.state is
  'failing: no answer once, which may be a bad hour. broken: not found, or no answer on two days. skipped: not a public address.';
comment on column private.link_checks.problem is 'An HTTP status, or what failed before there was one: host, connection, certificate, time, redirects.';
create index link_checks_next_check_at on private.link_checks (next_check_at);
alter table private.link_checks enable row level security;
revoke all on private.link_checks from anon, authenticated, service_role;

create function private.link_id(url text) returns uuid
language sql immutable set search_path = ''
as $$ select md5(url)::uuid $$;

-- Claimed for an hour before they are fetched, so that of several processes one fetches each link.
create function public.claim_links(max_results integer default 50) returns setof text
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.link_checks c
  where not exists (select from private.content_links l where private.link_id(l.url) = c.link);
  insert into private.link_checks (url) select distinct l.url from private.content_links l
  on conflict do nothing;
  return query
  with due as (
    select c.link from private.link_checks c where c.next_check_at <= now()
    order by c.next_check_at, c.link limit least(max_results, 200) for update skip locked
  )
  update private.link_checks c set next_check_at = now() + interval '1 hour' from due where c.link = due.link
  returning c.url;
end
$$;
comment on function public.claim_links is 'For the server: links that are due for a check, each returned once.';

-- outcome: works; gone (the site says that there is nothing); failed (no answer, or an error of the site); skipped. A site that
-- refuses strangers (401, 403, 429) works. A server without a way out sees every link fail, so failures count only if some
-- link has answered lately.
create function public.report_links(results jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  is_online boolean;
begin
  update private.link_checks c set
    state = case r.outcome when 'gone' then 'broken' else r.outcome end, problem = left(r.problem, 100),
    failing_since = case when r.outcome = 'gone' then coalesce(c.failing_since, now()) end,
    checked_at = now(),
    next_check_at = now() + case when r.outcome = 'gone' then interval '1 day' else interval '7 days' end
  from jsonb_to_recordset(results) as r (url text, outcome text, problem text)
  where c.link = private.link_id(r.url) and r.outcome in ('works', 'gone', 'skipped');

  select exists (
    select from private.link_checks c
    where c.checked_at > now() - interval '8 days' and (c.state = 'works' or c.problem ~ '^\d{3}$')
  ) or not exists (
    select from private.link_checks c where c.checked_at is not null and c.state <> 'skipped'
  ) and not exists (
    select from jsonb_to_recordset(results) as r (outcome text) where r.outcome = 'failed'
  ) or exists (
    select from jsonb_to_recordset(results) as r (problem text) where r.problem ~ '^\d{3}$'
  ) into is_online;

  update private.link_checks c set
    state = case
      when not is_online then c.state
      when c.failing_since < now() - interval '20 hours' then 'broken'
      when c.state = 'broken' then 'broken'
      else 'failing'
    end,
    problem = left(r.problem, 100),
    failing_since = case when is_online then coalesce(c.failing_since, now()) end,
    checked_at = now(), next_check_at = now() + interval '1 day'
  from jsonb_to_recordset(results) as r (url text, outcome text, problem text)
  where c.link = private.link_id(r.url) and r.outcome = 'failed';

  perform public.report_system_state(jsonb_build_array(jsonb_build_object('part', 'links', 'is_on', is_online)));
end
$$;
comment on function public.report_links is 'For the server: what it found, as an array of { url, outcome, problem }.';

create function public.broken_links()
returns table (content_type text, item_id uuid, title text, url text, problem text, failing_since timestamptz, checked_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select l.content_type, l.id, l.title, l.url, c.problem, c.failing_since, c.checked_at
  from private.link_checks c
  join private.content_links l on private.link_id(l.url) = c.link
  where c.state = 'broken'
  order by c.failing_since, l.title, l.id
  limit 200;
end
$$;
comment on function public.broken_links is 'For admins: content whose link leads nowhere, the oldest problem first.';

-- Pressed twice, it is one check: what was fetched a minute ago stays.
create function public.check_links_again() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  update private.link_checks c set next_check_at = now()
  where c.state in ('broken', 'failing') and c.checked_at < now() - interval '1 minute';
  perform pg_notify('link_checks', '');
end
$$;
comment on function public.check_links_again is 'For admins: has the server fetch the broken links now.';

-- Open dashboards show what a check found.
create function private.publish_link_checks() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from changed_from o join changed_to n using (link)
    where (o.state = 'broken') <> (n.state = 'broken')
  ) then
    perform realtime.send('{"table": "link_checks"}'::jsonb, 'content_changed', 'admins', true);
  end if;
  return null;
end
$$;
create trigger publish_link_checks after update on private.link_checks
  referencing old table as changed_from new table as changed_to
  for each statement execute function private.publish_link_checks();

revoke execute on function public.claim_links(integer), public.report_links(jsonb) from public, anon, authenticated;
grant execute on function public.claim_links(integer), public.report_links(jsonb) to service_role;
revoke execute on function public.broken_links(), public.check_links_again() from public, anon, service_role;
grant execute on function public.broken_links(), public.check_links_again() to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/link_previews.sql

-- What the page of a link says about itself, for whoever of the chat wants to know before opening it. Fetched by a server when
-- somebody asks, never by itself, and kept for a week.

create table private.link_previews (
  -- A link may be longer than an index entry.
  link uuid primary key generated always as (md5(url)::uuid) stored,
  url text not null,
  title text,
  description text,
  site text,
  fetched_at timestamptz not null default now()
);
comment on table private.link_previews is 'Pages that members asked about: their title, description and host, or none of it if the site did not answer.';
create index link_previews_fetched_at on private.link_previews (fetched_at);
alter table private.link_previews enable row level security;
revoke all on private.link_previews from anon, authenticated, service_role;

create table private.link_preview_fetches (
  user_id uuid primary key references private.members (id) on delete cascade,
  fetches integer not null default 1,
  since timestamptz not null default now()
);
comment on table private.link_preview_fetches is 'Pages fetched for a member lately, for rate limiting.';
alter table private.link_preview_fetches enable row level security;
revoke all on private.link_preview_fetches from anon, authenticated, service_role;

-- A site that did not answer is asked again sooner.
create function private.known_link_preview(address text) returns setof private.link_previews
language sql stable set search_path = ''
as $$
  select p.* from private.link_previews p
  where p.link = private.link_id(known_link_preview.address)
    and p.fetched_at > now() - case when p.site is null then interval '10 minutes' else interval '7 days' end
$$;

-- Raises for everybody who cannot read the message, and counts what has to be fetched.
create function public.link_preview(message_id uuid, link text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 60;
  me constant uuid := (select auth.uid());
  address constant text := case when link ~* '^www\.' then 'https://' || link else link end;
  preview private.link_previews;
begin
  if address is null or address !~* '^https?://[^[:space:]]+$' or char_length(address) > 2000 then
    raise exception 'This is not a link' using errcode = '22023';
  end if;
  if not private.is_member() or not exists (
    select from public.chat_messages m
    where m.id = link_preview.message_id and not m.is_deleted and m.chat_id in (select private.my_chat_ids())
      and m.sender_id <> all (private.blocked_by(me)) and strpos(m.message, link_preview.link) > 0
  ) then
    raise exception 'There is no such message' using errcode = 'PT404';
  end if;
  select * into preview from private.known_link_preview(address);
  if found then
    return jsonb_build_object(
      'url', preview.url, 'title', preview.title, 'description', preview.description, 'site', preview.site, 'is_fetched', true
    );
  end if;
  delete from private.link_preview_fetches f where f.user_id = me and f.since < now() - interval '1 hour';
  insert into private.link_preview_fetches as known (user_id) values (me)
  on conflict (user_id) do update set fetches = known.fetches + 1;
  if (select f.fetches from private.link_preview_fetches f where f.user_id = me) > most_an_hour then
    raise exception 'Too many previews: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  return jsonb_build_object('url', address, 'is_fetched', false);
end
$$;
comment on function public.link_preview is
  'What is known about a link in a message that the caller can read. Not fetched yet: a server is to fetch it, and save_link_preview.';

create function public.save_link_preview(url text, title text, description text, site text)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  saved jsonb;
begin
  delete from private.link_previews p where p.fetched_at < now() - interval '7 days';
  insert into private.link_previews as known (url, title, description, site)
  values (
    left(save_link_preview.url, 2000), nullif(left(private.one_line(save_link_preview.title), 200), ''),
    nullif(left(private.one_line(save_link_preview.description), 300), ''), left(save_link_preview.site, 253)
  )
  on conflict (link) do update set
    title = excluded.title, description = excluded.description, site = excluded.site, fetched_at = now()
  returning jsonb_build_object('title', known.title, 'description', known.description, 'site', known.site) into saved;
  return saved;
end
$$;
comment on function public.save_link_preview is 'For the server: what it read at a link; nulls if nothing.';

revoke execute on function public.link_preview(uuid, text), public.save_link_preview(text, text, text, text) from public, anon, authenticated, service_role;
grant execute on function public.link_preview(uuid, text) to authenticated;
grant execute on function public.save_link_preview(text, text, text, text) to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/admin_dashboard.sql

-- The figures of the admin dashboard, in one call. None of them grows dearer with the team's history.

create index members_by_admission on private.members (admitted_at) where is_active;
create index notice_receipts_unacknowledged on public.notice_receipts (notice_id) where acknowledged_at is null;
create index push_deliveries_failed on private.push_deliveries (finished_at) where state in ('failed', 'uncertain');

-- New reps who stopped: joined 7 to 90 days ago, have steps of New Rep Start left and did none for a week. Admins and vice
-- presidents are no new reps, and whoever joined longer ago is not new.
create function private.stuck_members() returns setof uuid
language sql stable security definer set search_path = '' rows 100
as $$
  with steps as materialized (
    select array_agg(i.id) as ids from public.newrepstart_content i where i.is_active
  )
  select m.id
  from steps
  cross join private.members m
  cross join lateral (
    select count(*) as done, max(p.done_at) as latest
    from public.onboarding_progress p where p.user_id = m.id and p.item_id = any (steps.ids)
  ) progress
  where m.is_active and m.role = 'user'
    and m.admitted_at > now() - interval '90 days' and m.admitted_at <= now() - interval '7 days'
    and m.id <> all (array(select unnest(s.vice_presidents) from public.team_settings s))
    and progress.done < cardinality(steps.ids)
    and coalesce(progress.latest <= now() - interval '7 days', true)
$$;

-- Notices of the last 90 days that a member has yet to acknowledge.
create function private.unacknowledged_notices() returns setof public.team_notices
language sql stable security definer set search_path = '' rows 20
as $$
  select n.* from public.team_notices n
  where n.must_acknowledge and n.cancelled_at is null and n.published_at > now() - interval '90 days'
    and exists (
      select from public.notice_receipts r join private.members m on m.id = r.user_id and m.is_active
      where r.notice_id = n.id and r.acknowledged_at is null
    )
$$;

create function public.unacknowledged_notices() returns setof public.team_notices
language plpgsql stable security definer set search_path = '' rows 20
as $$
begin
  perform private.assert_admin();
  return query select * from private.unacknowledged_notices();
end
$$;
comment on function public.unacknowledged_notices is
  'For admins: notices of the last 90 days that somebody has yet to acknowledge.';

-- The meeting that runs, or the next to start.
create function private.next_meeting(at timestamptz, out title text, out starts_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select i.title, (here.today + due.days + i.start_time) at time zone s.time_zone
  from public.team_settings s
  cross join lateral (
    select (at at time zone s.time_zone)::date as today, (at at time zone s.time_zone)::time as clock
  ) here
  cross join public.schedule_content i
  cross join lateral (
    select (
      array_position(array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'], i.day_of_week)
      - extract(isodow from here.today)::int + 7
    ) % 7 as days
  ) wait
  cross join lateral (
    select case when wait.days = 0 and i.end_time <= here.clock then 7 else wait.days end as days
  ) due
  where i.is_active
  order by 2, i.sort_order, i.id
  limit 1
$$;

create function public.admin_dashboard()
returns table (
  waiting bigint, new_this_week bigint, stuck bigint, unacknowledged_notices bigint,
  next_meeting_title text, next_meeting_at timestamptz, broken_links bigint,
  system_problems bigint, system_wrong text[]
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select
    (select count(*) from private.members m where m.status = 'waiting'),
    (select count(*) from private.members m where m.is_active and m.admitted_at > now() - interval '7 days'),
    (select count(*) from private.stuck_members()),
    (select count(*) from private.unacknowledged_notices()),
    meeting.title, meeting.starts_at,
    case when (private.system_part('links')).is_on then (
      select count(*) from private.link_checks c
      join private.content_links l on private.link_id(l.url) = c.link
      where c.state = 'broken'
    ) end,
    system.problems, system.wrong
  from private.next_meeting(now()) meeting
  cross join (
    select count(*) filter (where f.state in ('wrong', 'attention')) as problems,
      coalesce(array_agg(distinct f.part) filter (where f.state = 'wrong'), '{}') as wrong
    from private.system_findings() f
  ) system;
end
$$;
comment on function public.admin_dashboard is
  'For admins: what needs attention. Null where nobody knows: no meeting, links not checked.';

revoke execute on function public.admin_dashboard(), public.unacknowledged_notices() from public, anon, service_role;
grant execute on function public.admin_dashboard(), public.unacknowledged_notices() to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/server_figures.sql

-- What a monitor watches of the database, in one row. Each count is bounded.

create function public.server_figures()
returns table (
  active_members bigint, push_waiting bigint, push_failed bigint, backed_up_at timestamptz, backup_problems integer
)
language sql stable security definer set search_path = ''
as $$
  select
    (select count(*) from private.members m where m.is_active),
    (select count(*) from (
      select from private.push_deliveries d where d.state = 'waiting' and d.due_at < now() limit 10000
    ) late),
    (select count(*) from (
      select from private.push_deliveries d
      where d.state in ('failed', 'uncertain') and d.finished_at > now() - interval '1 day' limit 10000
    ) failed),
    (select s.verified_at from private.backup_state() s),
    (private.system_part('backup')).problems
$$;
comment on function public.server_figures is
  'For the server: members, push that is due or failed within a day, and the latest good backup. Null where nobody makes backups.';

revoke execute on function public.server_figures() from public, anon, authenticated;
grant execute on function public.server_figures() to service_role;

-- ./schemas/audit_log.sql

-- The audit log: what leaders changed, with before and after. Triggers write it in the transaction of the change
-- (audit_triggers.sql), so nothing that reaches the tables goes around it. Nobody changes or deletes an entry; those older
-- than private.audit_log_kept_for() are pruned. product.md P155 and docs/decisions/013-audit-log.md

create table private.audit_log (
  id bigint generated always as identity primary key,
  -- Not now(): the entries of one transaction keep their order.
  recorded_at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  kind text not null,
  action text not null,
  object_id uuid,
  object_name text,
  people uuid[] not null default '{}',
  before jsonb,
  after jsonb,
  details jsonb not null default '{}',
  searchable text not null default '',
  constraint "Kind must be known" check (
    kind in ('member', 'setting', 'content', 'chat', 'notice', 'message', 'invitation', 'supervision', 'archive', 'rules')
  )
);
-- No foreign keys: an entry outlives what it is about. Members are named when the log is read.
comment on table private.audit_log is 'Who changed which right, setting, content, chat, notice, invitation or rule. Append only.';
comment on column private.audit_log.actor_id is 'Null: nobody signed in, but a server with the secret key, or the SQL console.';
comment on column private.audit_log.people is 'The members concerned.';
comment on column private.audit_log.before is 'The columns that changed; long values are shortened, secrets hidden.';
comment on column private.audit_log.details is 'What is no column: the reason given, which list of content, how many.';

create index audit_log_by_time on private.audit_log (recorded_at desc, id desc);
create index audit_log_by_kind on private.audit_log (kind, recorded_at desc, id desc);
create index audit_log_by_actor on private.audit_log (actor_id, recorded_at desc, id desc);
create index audit_log_people on private.audit_log using gin (people) with (fastupdate = off);
create index audit_log_words on private.audit_log using gin (searchable extensions.gin_trgm_ops) with (fastupdate = off);

alter table private.audit_log enable row level security;
revoke all on private.audit_log from anon, authenticated, service_role;

create function private.audit_log_kept_for() returns interval
language sql immutable set search_path = ''
as $$ select interval '2 years' $$;

-- The owner of the tables and the SQL console too.
create function private.keep_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and old.recorded_at < now() - private.audit_log_kept_for() then
    return old;
  end if;
  raise exception 'The audit log is never changed' using errcode = '42501';
end
$$;
create trigger keep_audit_log before update or delete on private.audit_log
  for each row execute function private.keep_audit_log();

create function private.keep_all_of_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The audit log is never changed' using errcode = '42501';
end
$$;
create trigger keep_all_of_audit_log before truncate on private.audit_log
  for each statement execute function private.keep_all_of_audit_log();

-- The push worker calls this every few seconds; nearly always it finds nothing.
create function private.prune_audit_log() returns void
language sql security definer set search_path = ''
as $$
  delete from private.audit_log e where e.id in (
    select old.id from private.audit_log old
    where old.recorded_at < now() - private.audit_log_kept_for()
    order by old.recorded_at limit 100
  )
$$;

-- How many characters two texts have in common at their beginning.
create function private.common_start(one text, other text) returns integer
language plpgsql immutable set search_path = ''
as $$
declare
  low integer := 0;
  high integer := least(char_length(one), char_length(other));
  middle integer;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if left(one, middle) = left(other, middle) then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end
$$;

-- Of a long text the part around the first difference to `other`, of a long list its beginning; both with the whole length.
create function private.shortened(value jsonb, other jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  most_characters constant integer := 300;
  most_items constant integer := 20;
  words text;
  skipped integer := 0;
begin
  if jsonb_typeof(value) = 'array' and jsonb_array_length(value) > most_items then
    return jsonb_build_object(
      'items', jsonb_path_query_array(value, '$[0 to 19]'), 'length', jsonb_array_length(value)
    );
  end if;
  words := value #>> '{}';
  if words is null or char_length(words) <= most_characters or jsonb_typeof(value) = 'array' and char_length(words) <= 8000 then
    return value;
  end if;
  if jsonb_typeof(other) = 'string' then
    skipped := greatest(private.common_start(words, other #>> '{}') - 60, 0);
  end if;
  return jsonb_build_object(
    'text', substr(words, skipped + 1, most_characters), 'skipped', skipped, 'length', char_length(words)
  );
end
$$;

-- The values of one row that differ from the other's; null if none do.
create function private.changed_values(one jsonb, other jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(
    key,
    case when value <> 'null' and key ~ '(^|_)(password|token|secret|hash|key|auth)s?($|_)' then '{"hidden": true}'
      else private.shortened(value, other -> key) end
  )
  from jsonb_each(one)
  where value is distinct from other -> key
$$;

create function private.audit_words(entry private.audit_log) returns text
language sql immutable set search_path = ''
as $$
  select left(lower(private.without_accents(concat_ws(
    ' ', entry.object_name, entry.details ->> 'reason',
    (
      select string_agg(each #>> '{}', ' ')
      from jsonb_path_query(jsonb_build_array(entry.before, entry.after), '$.** ? (@.type() == "string")') each
      where each #>> '{}' !~ '^[0-9a-f]{8}-[0-9a-f-]{27}$'
    )
  ))), 4000)
$$;

-- Nothing is recorded of a change that changed nothing.
create function private.record_change(
  kind text, action text, object_id uuid, object_name text, before jsonb, after jsonb,
  people uuid[] default '{}', details jsonb default '{}', actor_id uuid default auth.uid()
) returns void
language plpgsql set search_path = ''
as $$
declare
  entry private.audit_log;
begin
  if action = 'changed' and before is null and after is null then
    return;
  end if;
  entry.object_name := left(object_name, 200);
  entry.before := before;
  entry.after := after;
  entry.details := jsonb_strip_nulls(details);
  insert into private.audit_log (actor_id, kind, action, object_id, object_name, people, before, after, details, searchable)
  values (
    actor_id, kind, action, object_id, entry.object_name,
    array(select distinct each from unnest(people) each where each is not null limit 5000),
    before, after, entry.details, private.audit_words(entry)
  );
end
$$;

revoke execute on all functions in schema private from public;

-- ./schemas/audit_triggers.sql

-- What the audit log records. What members do for themselves is left out: messages, ticks, reading, leaving a chat, their
-- chats of two. An insert of a message has no trigger here.

-- The account that joins is its own actor: its row is made when the auth service confirms the address.
create function private.record_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  kept constant text[] := array[
    'role', 'status', 'rally_enabled', 'can_create_chats', 'can_send_messages', 'can_supervise', 'sponsor_id'
  ];
  one jsonb;
  other jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_object_agg(key, value) into other
    from jsonb_each(to_jsonb(new)) where key in ('role', 'status', 'sponsor_id') and value <> 'null';
    perform private.record_change(
      'member', 'joined', new.id, null, null, other, array[new.id, new.sponsor_id], '{}', coalesce(auth.uid(), new.id)
    );
    return null;
  elsif tg_op = 'DELETE' then
    perform private.record_change('member', 'erased', old.id, null, null, null, array[old.id]);
    return null;
  end if;
  -- A deleted account loses everything else with its status.
  select jsonb_object_agg(key, value) filter (where key = 'status' or new.status <> 'deleted') into one
  from jsonb_each(to_jsonb(old)) where key = any (kept);
  select jsonb_object_agg(key, value) filter (where key = 'status' or new.status <> 'deleted') into other
  from jsonb_each(to_jsonb(new)) where key = any (kept);
  perform private.record_change(
    'member', 'changed', new.id, null, private.changed_values(one, other), private.changed_values(other, one),
    array[new.id]
      || case when old.sponsor_id is distinct from new.sponsor_id then array[old.sponsor_id, new.sponsor_id] end,
    jsonb_build_object('reason', case when old.status <> new.status then nullif(new.status_reason, '') end)
  );
  return null;
end
$$;
create trigger record_new_member after insert or delete on private.members
  for each row execute function private.record_member();
create trigger record_changed_member after update on private.members
  for each row
  when (
    (
      old.role, old.status, old.rally_enabled, old.can_create_chats, old.can_send_messages, old.can_supervise, old.sponsor_id
    )
    is distinct from
    (
      new.role, new.status, new.rally_enabled, new.can_create_chats, new.can_send_messages, new.can_supervise, new.sponsor_id
    )
  )
  execute function private.record_member();

create function private.record_settings() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  one constant jsonb := to_jsonb(old);
  other constant jsonb := to_jsonb(new);
begin
  perform private.record_change(
    'setting', 'changed', null, null, private.changed_values(one, other), private.changed_values(other, one),
    -- Who became a vice president, or is none any more.
    array(
      (select unnest(old.vice_presidents) except select unnest(new.vice_presidents))
      union all (select unnest(new.vice_presidents) except select unnest(old.vice_presidents))
    )
  );
  return null;
end
$$;
create trigger record_settings after update on public.team_settings
  for each row execute function private.record_settings();

-- Moving one item in a list changes the place of many, which is one entry.
create function private.record_content() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  list constant jsonb := jsonb_build_object('list', replace(tg_table_name, '_content', ''));
  ignored constant text[] := array['id', 'version', 'updated_at', 'updated_by'];
  place constant text[] := array['sort_order'];
  item record;
  moved uuid[];
  places_before jsonb;
  places_after jsonb;
begin
  if tg_op = 'INSERT' then
    for item in select a.id, a.title, to_jsonb(a) - ignored as fields from after_rows a loop
      perform private.record_change(
        'content', 'created', item.id, item.title, null,
        private.changed_values(jsonb_strip_nulls(item.fields), '{}'), '{}', list
      );
    end loop;
    return null;
  elsif tg_op = 'DELETE' then
    for item in select b.id, b.title, to_jsonb(b) - ignored as fields from before_rows b loop
      perform private.record_change(
        'content', 'deleted', item.id, item.title,
        private.changed_values(jsonb_strip_nulls(item.fields), '{}'), null, '{}', list
      );
    end loop;
    return null;
  end if;

  select array_agg(a.id), jsonb_agg(left(b.title, 100) order by b.sort_order), jsonb_agg(left(a.title, 100) order by a.sort_order)
  into moved, places_before, places_after
  from before_rows b join after_rows a on a.id = b.id
  where a.sort_order <> b.sort_order
    and to_jsonb(a) - ignored - place = to_jsonb(b) - ignored - place;
  if cardinality(moved) > 1 then
    perform private.record_change(
      'content', 'reordered', null, null,
      jsonb_build_object('order', private.shortened(places_before, null)),
      jsonb_build_object('order', private.shortened(places_after, null)), '{}', list
    );
  else
    moved := '{}';
  end if;
  for item in
    select a.id, a.title, to_jsonb(b) - ignored as one, to_jsonb(a) - ignored as other
    from before_rows b join after_rows a on a.id = b.id
    where a.id <> all (moved)
  loop
    perform private.record_change(
      'content', 'changed', item.id, item.title,
      private.changed_values(item.one, item.other), private.changed_values(item.other, item.one), '{}', list
    );
  end loop;
  return null;
end
$$;
do $$
declare
  content text;
begin
  foreach content in array array[
    'home_content', 'training_content', 'newrepstart_content', 'licensing_content', 'schedule_content'
  ] loop
    execute format($sql$
      create trigger record_new_content after insert on public.%1$I
        referencing new table as after_rows for each statement execute function private.record_content();
      create trigger record_changed_content after update on public.%1$I
        referencing old table as before_rows new table as after_rows
        for each statement execute function private.record_content();
      create trigger record_deleted_content after delete on public.%1$I
        referencing old table as before_rows for each statement execute function private.record_content();
    $sql$, content);
  end loop;
end
$$;

-- Groups and the team chat. Who opens a chat of two with whom is their own business.
create function private.record_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  kept constant text[] := array['name', 'created_by', 'is_active', 'type'];
  one jsonb := '{}';
  other jsonb := '{}';
begin
  if tg_op = 'DELETE' then
    perform private.record_change(
      'chat', 'deleted', old.id, old.name, jsonb_build_object('name', old.name), null, array[old.created_by]
    );
    return null;
  elsif tg_op = 'INSERT' then
    perform private.record_change(
      'chat', 'created', new.id, new.name, null, jsonb_build_object('name', new.name), array[new.created_by]
    );
    return null;
  end if;
  select jsonb_object_agg(key, value) into one from jsonb_each(to_jsonb(old)) where key = any (kept);
  select jsonb_object_agg(key, value) into other from jsonb_each(to_jsonb(new)) where key = any (kept);
  perform private.record_change(
    'chat', 'changed', new.id, new.name, private.changed_values(one, other), private.changed_values(other, one),
    case when old.created_by is distinct from new.created_by then array[old.created_by, new.created_by] else '{}' end
  );
  return null;
end
$$;
create trigger record_new_chat after insert on public.chats
  for each row when (new.type <> 'individual') execute function private.record_chat();
create trigger record_changed_chat after update on public.chats
  for each row when (old.type <> 'individual' or new.type <> 'individual') execute function private.record_chat();
create trigger record_deleted_chat after delete on public.chats
  for each row when (old.type <> 'individual') execute function private.record_chat();

-- Whom somebody else added to a group or took out of it.
create function private.record_participants(action text, chat_id uuid, members uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  chat public.chats;
  others constant uuid[] := array_remove(members, auth.uid());
begin
  select * into chat from public.chats c where c.id = record_participants.chat_id;
  -- A chat that is deleted takes its participants along, and everybody joins the team chat by themselves.
  if chat.id is null or chat.type = 'individual' or others = '{}'
    or chat.type = 'mandatory' and action = 'members_added'
  then
    return;
  end if;
  perform private.record_change(
    'chat', action, chat.id, chat.name, null, null, others, jsonb_build_object('count', cardinality(others))
  );
end
$$;

create function private.record_new_participants() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_participants('members_added', a.chat_id, array_agg(a.user_id))
  from added a where a.is_active group by a.chat_id;
  return null;
end
$$;
create trigger record_new_participants after insert on private.chat_participants
  referencing new table as added for each statement execute function private.record_new_participants();

create function private.record_deleted_participants() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_participants('members_removed', r.chat_id, array_agg(r.user_id))
  from removed r where r.is_active group by r.chat_id;
  return null;
end
$$;
create trigger record_deleted_participants after delete on private.chat_participants
  referencing old table as removed for each statement execute function private.record_deleted_participants();

-- For each row, because marking a chat as read is an update too, which must cost nothing more.
create function private.record_changed_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.is_active and not exists (select from private.members m where m.id = old.user_id and m.status = 'deleted') then
    perform private.record_participants('members_removed', old.chat_id, array[old.user_id]);
  end if;
  if new.is_active then
    perform private.record_participants('members_added', new.chat_id, array[new.user_id]);
  end if;
  return null;
end
$$;
create trigger record_changed_participant after update on private.chat_participants
  for each row
  when (old.is_active <> new.is_active or old.chat_id <> new.chat_id or old.user_id <> new.user_id)
  execute function private.record_changed_participant();

-- A planned notice that goes out is no change of a leader's.
create function private.record_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  ignored constant text[] := array['id', 'created_at', 'published_at', 'updated_at', 'updated_by'];
  one jsonb;
  other jsonb;
begin
  if tg_op <> 'INSERT' then
    one := to_jsonb(old) - ignored;
  end if;
  if tg_op <> 'DELETE' then
    other := to_jsonb(new) - ignored;
  end if;
  if tg_op = 'INSERT' then
    perform private.record_change(
      'notice', 'created', new.id, new.title, null,
      private.changed_values(jsonb_strip_nulls(other) - 'created_by', '{"audience_members": []}')
    );
  elsif tg_op = 'DELETE' then
    perform private.record_change(
      'notice', 'deleted', old.id, old.title,
      private.changed_values(jsonb_strip_nulls(one), '{"audience_members": []}'), null
    );
  else
    perform private.record_change(
      'notice', 'changed', new.id, new.title, private.changed_values(one, other), private.changed_values(other, one)
    );
  end if;
  return null;
end
$$;
create trigger record_notice after insert or update or delete on public.team_notices
  for each row execute function private.record_notice();

-- A message that somebody else removed, without its text and the reason: the log is for all admins, the chat may not be,
-- and the reason is for the sender. The archive has both.
create function private.record_removed_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_change(
    'message', case when new.is_deleted then 'removed' else 'restored' end, new.id,
    (select c.name from public.chats c where c.id = new.chat_id and c.type <> 'individual'), null, null,
    array[new.sender_id],
    jsonb_build_object('sent_at', new.sent_at)
  );
  return null;
end
$$;
create trigger record_removed_message after update of is_deleted on public.chat_messages
  for each row
  when (
    old.is_deleted <> new.is_deleted
    and (case when new.is_deleted then new.deleted_by else old.deleted_by end) is distinct from new.sender_id
  )
  execute function private.record_removed_message();

-- By the secret key or the SQL console alone. A chat that is deleted takes its messages along.
create function private.record_erased_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_change(
    'message', 'erased', null, case when c.type <> 'individual' then c.name end, null, null,
    array_agg(distinct e.sender_id), jsonb_build_object('count', count(*))
  )
  from erased e join public.chats c on c.id = e.chat_id group by c.id;
  return null;
end
$$;
create trigger record_erased_messages after delete on public.chat_messages
  referencing old table as erased for each statement execute function private.record_erased_messages();

-- Links without their token, which is a secret.
create function private.record_join_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  ignored constant text[] := array['id', 'token', 'created_at'];
  one jsonb;
  other jsonb;
begin
  if tg_op = 'INSERT' then
    perform private.record_change(
      'invitation', 'link_created', new.id, null, null, jsonb_build_object('expires_at', new.expires_at)
    );
    return null;
  elsif tg_op = 'DELETE' then
    perform private.record_change(
      'invitation', 'link_deleted', old.id, null, jsonb_build_object('expires_at', old.expires_at), null,
      array[old.created_by]
    );
    return null;
  end if;
  one := to_jsonb(old) - ignored;
  other := to_jsonb(new) - ignored;
  if one <> other then
    perform private.record_change(
      'invitation', case when old.revoked_at is null and new.revoked_at is not null then 'link_taken_back' else 'link_changed' end,
      new.id, null, private.changed_values(one, other), private.changed_values(other, one), array[new.created_by]
    );
  end if;
  return null;
end
$$;
create trigger record_join_link after insert or update or delete on public.join_links
  for each row execute function private.record_join_link();

-- One entry for all addresses of a call. An address is read from its invitation, while there is one.
create function private.record_invitations(action text, ids uuid[], actor_id uuid) returns void
language sql security definer set search_path = ''
as $$
  select private.record_change(
    'invitation', action, ids[1], null, null, null, '{}',
    jsonb_build_object('count', cardinality(ids), 'invitations', private.shortened(to_jsonb(ids), null)), actor_id
  )
$$;

create function private.record_new_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_invitations('invited', array_agg(a.id), coalesce(auth.uid(), a.invited_by))
  from after_rows a group by a.invited_by;
  return null;
end
$$;
create trigger record_new_invitations after insert on public.invitations
  referencing new table as after_rows for each statement execute function private.record_new_invitations();

create function private.record_changed_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_invitations('invitation_taken_back', array_agg(a.id), auth.uid())
  from after_rows a join before_rows b on b.id = a.id
  where b.revoked_at is null and a.revoked_at is not null
  having count(*) > 0;
  perform private.record_invitations('invited_again', array_agg(a.id), coalesce(auth.uid(), a.invited_by))
  from after_rows a join before_rows b on b.id = a.id
  where a.expires_at > b.expires_at and a.revoked_at is null
  group by a.invited_by;
  return null;
end
$$;
create trigger record_changed_invitations after update on public.invitations
  referencing old table as before_rows new table as after_rows
  for each statement execute function private.record_changed_invitations();

revoke execute on all functions in schema private from public;

-- ./schemas/audit_entries.sql

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

-- Each word is a part of what the entry says, or of the name of whoever did it or is concerned. Dynamic, so that it is
-- planned for these values: an index by time suits a frequent word, the words' and the people's own a rare one.
create function private.audit_word(pattern text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  members constant uuid[] := array(
    (select m.id from private.members m where m.is_active and m.searchable like pattern limit 1000)
    union all
    (select m.id from private.members m where not m.is_active and m.searchable like pattern limit 1000)
  );
begin
  return format('(e.searchable like %L', pattern)
    || case when members <> '{}'
      then format(' or e.actor_id = any (%1$L::uuid[]) or e.people && %1$L::uuid[]', members) else '' end
    || ')';
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
  conditions constant text := concat_ws(
    ' and ', 'true',
    case when of_kind is not null then 'e.kind = $1' end,
    case when by_server then 'e.actor_id is null' when actor is not null then 'e.actor_id = $2' end,
    case when member is not null then 'e.people @> array[$3]' end,
    case when since is not null then 'e.recorded_at >= $4' end,
    case when until is not null then 'e.recorded_at < $5' end,
    case when before_time is not null then '(e.recorded_at, e.id) < ($6, $7)' end,
    (select string_agg(private.audit_word(pattern), ' and ') from unnest(private.member_patterns(query)) pattern)
  );
begin
  perform private.assert_admin();
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

-- ./schemas/archive.sql

-- The archive: everything that was said, and who belonged where, record by record. Triggers write it in the transaction
-- of the event (archive_messages.sql, archive_chats.sql, archive_team.sql), so nothing that reaches the tables goes around
-- it. Nobody changes or deletes a record: archive_seals.sql chains them, and archive_pruning.sql removes those that need
-- not be kept any longer. Format and guarantees: docs/archive.md

create schema archive;
comment on schema archive is 'The records a firm has to keep. Never reachable through the Data API.';
revoke all on schema archive from public;

create table archive.records (
  seq bigint generated always as identity primary key,
  -- Not now(): the records of one transaction keep their order.
  recorded_at timestamptz not null default clock_timestamp(),
  kind text not null,
  actor_id uuid,
  actor_name text,
  actor_email text,
  actor_role text not null,
  chat_id uuid,
  subject_id uuid,
  member_id uuid,
  audience text not null,
  -- Not jsonb: hashed as the text that was stored, so that no version of Postgres can change a hash.
  content json not null,
  constraint "Audience must be known" check (audience in ('chat', 'team', 'notice', 'admins', 'nobody'))
);
-- No foreign keys: a record outlives what it is about.
comment on table archive.records is 'Append only: what was said and done, in the order of seq, with the names of the time.';
comment on column archive.records.kind is
  'Such as message.sent; docs/archive.md lists all. The word before the dot decides how long it is kept.';
comment on column archive.records.actor_id is 'The member who did it; null for a server, the SQL console and a sign-up.';
comment on column archive.records.actor_role is 'The database role of the writer: authenticated, service_role, postgres …';
comment on column archive.records.subject_id is 'The message, notice or hold it is about.';
comment on column archive.records.member_id is 'Whom it is about: the author of a message, who joined, who was held.';
comment on column archive.records.audience is
  'Who could read it: chat and team as of this record (archive.audience_of), notice as its content says, admins, or nobody.';

create index records_by_chat on archive.records (chat_id, seq) where chat_id is not null;
-- What became of a message. Its first record is found in its chat: every message would pay for a longer index.
create index records_by_subject on archive.records (subject_id, seq) where kind <> 'message.sent';
-- Who belonged where at any record.
create index records_of_membership on archive.records (chat_id, member_id, seq)
  where kind in ('chat.joined', 'chat.left', 'member.joined', 'member.changed', 'member.left');
create index records_of_pruning on archive.records (seq) where kind = 'archive.pruned';

alter table archive.records enable row level security;

create function archive.refuse_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The archive can only be added to' using errcode = '42501';
end
$$;
create trigger refuse_update before update on archive.records
  for each statement execute function archive.refuse_change();
create trigger refuse_truncate before truncate on archive.records
  for each statement execute function archive.refuse_change();

-- The functions from here to actor() pin no search_path, so that Postgres inlines them: every message pays for them.

-- To the microsecond, whatever the session's time zone.
create function archive.utc(moment timestamptz) returns text
language sql stable parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

create function archive.name_of(first_name text, last_name text) returns text
language sql immutable parallel safe
return nullif(btrim(first_name || ' ' || last_name), '');

-- auth.uid() reads all claims into jsonb, which takes 15 µs longer.
create function archive.caller_id() returns uuid
language sql stable
return (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')::uuid;

-- A security definer function is its owner, but the setting `role` stays the caller's. None: a login of its own.
create function archive.caller_role() returns text
language sql stable
return coalesce(nullif(current_setting('role'), 'none'), session_user);

-- A member by name and e-mail. Deleting the account takes both away while it is recorded; then the last record of the
-- member's state has them.
create function archive.named(member_id uuid) returns table (id uuid, name text, email text)
language sql stable
as $$
  select m.id,
    case m.status when 'deleted' then state.content ->> 'name' else archive.name_of(m.first_name, m.last_name) end,
    case m.status when 'deleted' then state.content ->> 'email' else m.email end
  from private.members m
  left join lateral (
    select r.content from archive.records r
    where m.status = 'deleted' and r.chat_id is null and r.member_id = m.id
      and r.kind in ('member.joined', 'member.changed', 'member.left')
    order by r.seq desc limit 1
  ) state on true
  where m.id = named.member_id
$$;

create function archive.actor() returns table (id uuid, name text, email text, role text)
language sql stable
as $$
  select me.id, m.name, m.email, archive.caller_role()
  from (select archive.caller_id() as id) me
  left join archive.named(me.id) m on true
$$;

-- Appends a record of what the caller does; for every feature whose events are to be kept. The transaction gets its id
-- before the record its number, which sealing builds on.
create function archive.record(
  kind text, content json, chat_id uuid default null, subject_id uuid default null, member_id uuid default null,
  audience text default 'admins'
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_current_xact_id();
  insert into archive.records (
    kind, actor_id, actor_name, actor_email, actor_role, chat_id, subject_id, member_id, audience, content
  )
  select record.kind, a.id, a.name, a.email, a.role, record.chat_id, record.subject_id, record.member_id,
    record.audience, record.content
  from archive.actor() a;
end
$$;

-- Whom a record is about, by the names of the time; nothing if that is the caller, whom every record names.
create function archive.person(member_id uuid) returns json
language sql stable set search_path = ''
as $$
  select json_build_object('name', m.name, 'email', m.email)
  from archive.named(member_id) m
  where m.id is distinct from archive.caller_id()
$$;

-- The columns of two versions of a row that differ.
create function archive.difference(before jsonb, after jsonb) returns json
language sql immutable set search_path = ''
as $$
  select json_build_object(
    'before', jsonb_object_agg(b.key, b.value), 'after', jsonb_object_agg(b.key, difference.after -> b.key)
  )
  from jsonb_each(before) b
  where b.value is distinct from difference.after -> b.key
$$;

-- A table emptied at once: its rows were recorded when they were written; that it happened is a record as well.
create function archive.record_truncate() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record('archive.truncated', json_build_object('table', tg_table_schema || '.' || tg_table_name));
  return null;
end
$$;

revoke execute on all functions in schema archive from public;

-- ./schemas/archive_messages.sql

-- Messages, reactions and pins as records of the archive. New ones are captured once for each statement, since every message pays
-- for it; changes row by row, and only where a column that counts has changed.

create function archive.record_sent() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := archive.caller_id();
begin
  -- The sender nearly always is the caller: one lookup for both.
  insert into archive.records (
    kind, actor_id, actor_name, actor_email, actor_role, chat_id, subject_id, member_id, audience, content
  )
  select 'message.sent', me,
    case when s.id = me then archive.name_of(s.first_name, s.last_name) else (select a.name from archive.actor() a) end,
    case when s.id = me then s.email else (select a.email from archive.actor() a) end,
    archive.caller_role(), m.chat_id, m.id, m.sender_id, 'chat',
    json_strip_nulls(json_build_object(
      'text', m.message, 'sent_at', archive.utc(m.sent_at), 'reply_to', m.reply_to,
      'forwarded_from', m.forwarded_from,
      'mentions', nullif(m.mentions, '{}'), 'attachment', m.attachment, 'is_deleted', nullif(m.is_deleted, false),
      'member', case when s.id is distinct from me then archive.person(s.id) end
    ))
  from sent m left join private.members s on s.id = m.sender_id;
  return null;
end
$$;
create trigger archive_sent after insert on public.chat_messages
  referencing new table as sent for each statement execute function archive.record_sent();

create function archive.record_about_message(kind text, message public.chat_messages, content jsonb) returns void
language sql security definer set search_path = ''
as $$
  select archive.record(
    kind, json_strip_nulls((content || jsonb_build_object('member', archive.person(message.sender_id)))::json),
    message.chat_id, message.id, message.sender_id, 'chat'
  )
$$;

-- One statement may edit, delete and move a message.
create function archive.record_changed_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- What members cannot change, but a server can.
  fixed constant text[] := '{id,chat_id,sender_id,sent_at,reply_to,forwarded_from,mentions,attachment}';
begin
  if new.message <> old.message then
    perform archive.record_about_message(
      'message.edited', new, jsonb_build_object('before', old.message, 'text', new.message)
    );
  end if;
  if new.is_deleted and not old.is_deleted then
    perform archive.record_about_message(
      case when new.sender_id = archive.caller_id() then 'message.deleted' else 'message.removed' end,
      new, jsonb_build_object('text', new.message, 'reason', new.deleted_reason)
    );
  elsif old.is_deleted and not new.is_deleted then
    perform archive.record_about_message('message.restored', new, jsonb_build_object('text', new.message));
  end if;
  if (old.id, old.chat_id, old.sender_id, old.sent_at, old.reply_to, old.forwarded_from, old.mentions, old.attachment)
    is distinct from
    (new.id, new.chat_id, new.sender_id, new.sent_at, new.reply_to, new.forwarded_from, new.mentions, new.attachment)
  then
    perform archive.record(
      'message.changed',
      archive.difference(
        (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(old)) where key = any (fixed)), to_jsonb(new)
      ),
      old.chat_id, old.id, old.sender_id, 'chat'
    );
  end if;
  return null;
end
$$;
-- Not for a reaction, which changes the counts of the message.
create trigger archive_changed after update on public.chat_messages
  for each row
  when (
    (
      old.message, old.is_deleted, old.id, old.chat_id, old.sender_id, old.sent_at, old.reply_to, old.forwarded_from,
      old.mentions, old.attachment
    )
    is distinct from
    (
      new.message, new.is_deleted, new.id, new.chat_id, new.sender_id, new.sent_at, new.reply_to, new.forwarded_from,
      new.mentions, new.attachment
    )
  )
  execute function archive.record_changed_message();

-- Rows of their own disappear only by a server's or an operator's hand, or with their chat.
create function archive.record_erased_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from erased m where archive.is_held(m.chat_id, m.sender_id)) then
    raise exception 'A legal hold keeps this' using errcode = '42501';
  end if;
  perform archive.record_about_message(
    'message.erased', m, jsonb_build_object(
      'text', m.message, 'sent_at', archive.utc(m.sent_at), 'attachment', m.attachment,
      'was_deleted', nullif(m.is_deleted, false)
    )
  )
  from erased m order by m.sent_at, m.id;
  return null;
end
$$;
create trigger archive_erased after delete on public.chat_messages
  referencing old table as erased for each statement execute function archive.record_erased_messages();
create trigger archive_truncated before truncate on public.chat_messages
  for each statement execute function archive.record_truncate();

create function archive.record_reactions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.records (
    kind, actor_id, actor_name, actor_email, actor_role, chat_id, subject_id, member_id, audience, content
  )
  select case tg_op when 'INSERT' then 'reaction.added' else 'reaction.removed' end,
    a.id, a.name, a.email, a.role, r.chat_id, r.message_id, r.user_id, 'chat',
    json_strip_nulls(json_build_object('emoji', r.emoji, 'member', archive.person(r.user_id)))
  from reactions r cross join archive.actor() a;
  return null;
end
$$;
create trigger archive_added after insert on public.chat_reactions
  referencing new table as reactions for each statement execute function archive.record_reactions();
create trigger archive_removed after delete on public.chat_reactions
  referencing old table as reactions for each statement execute function archive.record_reactions();
create trigger archive_truncated before truncate on public.chat_reactions
  for each statement execute function archive.record_truncate();

-- Nobody rewrites a reaction; a server that does is recorded as taking one back and giving another.
create function archive.record_changed_reaction() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'reaction.changed', archive.difference(to_jsonb(old), to_jsonb(new)), old.chat_id, old.message_id, old.user_id, 'chat'
  );
  return null;
end
$$;
create trigger archive_changed after update on public.chat_reactions
  for each row when (old is distinct from new) execute function archive.record_changed_reaction();

-- A message that is erased takes its pin with it, which its own record says.
create function archive.record_pin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    perform archive.record_about_message('message.unpinned', m, '{}')
    from public.chat_messages m where m.id = old.message_id;
  end if;
  if tg_op <> 'DELETE' then
    perform archive.record_about_message('message.pinned', m, '{}')
    from public.chat_messages m where m.id = new.message_id;
  end if;
  return null;
end
$$;
create trigger archive_pin after insert or update or delete on public.chat_pins
  for each row execute function archive.record_pin();
create trigger archive_truncated before truncate on public.chat_pins
  for each statement execute function archive.record_truncate();

revoke execute on all functions in schema archive from public;

-- ./schemas/archive_chats.sql

-- Chats, and who took part in them when, as records of the archive. A message does not list its readers: joining and
-- leaving are records themselves, and archive.audience_of() derives the readers of any record from them.

create function archive.record_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  chat constant public.chats := case tg_op when 'DELETE' then old else new end;
  is_new constant boolean := tg_op = 'INSERT';
begin
  if tg_op <> 'UPDATE' then
    if not is_new and archive.is_held(chat.id, null) then
      raise exception 'A legal hold keeps this' using errcode = '42501';
    end if;
    perform archive.record(
      case when is_new then 'chat.created' else 'chat.erased' end,
      json_build_object('type', chat.type, 'name', chat.name, 'created_by', chat.created_by), chat.id, audience => 'chat'
    );
    return null;
  end if;
  if new.name is distinct from old.name then
    perform archive.record(
      'chat.renamed', json_build_object('before', old.name, 'name', new.name), new.id, audience => 'chat'
    );
  end if;
  if new.is_active <> old.is_active then
    perform archive.record(
      case when new.is_active then 'chat.reopened' else 'chat.closed' end, json_build_object('name', new.name), new.id,
      audience => 'chat'
    );
  end if;
  if new.created_by is distinct from old.created_by then
    perform archive.record(
      'chat.handed_over', json_build_object('before', old.created_by, 'created_by', new.created_by), new.id,
      member_id => new.created_by, audience => 'chat'
    );
  end if;
  if (new.id, new.type, new.created_at) is distinct from (old.id, old.type, old.created_at) then
    perform archive.record(
      'chat.changed', archive.difference(to_jsonb(old), to_jsonb(new)), old.id, audience => 'chat'
    );
  end if;
  return null;
end
$$;
create trigger archive_chat after insert or update or delete on public.chats
  for each row execute function archive.record_chat();
create trigger archive_truncated before truncate on public.chats
  for each statement execute function archive.record_truncate();

create function archive.record_membership(kind text, chat_id uuid, member_id uuid) returns void
language sql security definer set search_path = ''
as $$
  select archive.record(
    kind, json_strip_nulls(json_build_object('member', archive.person(member_id))), chat_id,
    member_id => record_membership.member_id, audience => 'chat'
  )
$$;

create function archive.record_joined() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.records (
    kind, actor_id, actor_name, actor_email, actor_role, chat_id, member_id, audience, content
  )
  select 'chat.joined', a.id, a.name, a.email, a.role, p.chat_id, p.user_id, 'chat',
    json_strip_nulls(json_build_object('member', archive.person(p.user_id)))
  from joined p cross join archive.actor() a
  where p.is_active;
  return null;
end
$$;
create trigger archive_joined after insert on private.chat_participants
  referencing new table as joined for each statement execute function archive.record_joined();

create function archive.record_changed_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.is_active then
    perform archive.record_membership('chat.left', old.chat_id, old.user_id);
  end if;
  if new.is_active then
    perform archive.record_membership('chat.joined', new.chat_id, new.user_id);
  end if;
  return null;
end
$$;
-- Not for marking a chat as read, which happens all the time.
create trigger archive_changed after update on private.chat_participants
  for each row
  when ((old.is_active, old.chat_id, old.user_id) is distinct from (new.is_active, new.chat_id, new.user_id))
  execute function archive.record_changed_participant();

create function archive.record_erased_participants() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record_membership('chat.left', p.chat_id, p.user_id) from erased p where p.is_active;
  return null;
end
$$;
create trigger archive_erased after delete on private.chat_participants
  referencing old table as erased for each statement execute function archive.record_erased_participants();
create trigger archive_truncated before truncate on private.chat_participants
  for each statement execute function archive.record_truncate();

revoke execute on all functions in schema archive from public;

-- ./schemas/archive_team.sql

-- The team, its notices and what leaders change as records of the archive.

-- What of a member's row the archive follows: their name, and what they could read.
create function archive.member_state(m private.members) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object(
    'name', archive.name_of(m.first_name, m.last_name), 'email', m.email, 'role', m.role, 'status', m.status,
    'rally_enabled', m.rally_enabled
  )
$$;

-- Deleting an account replaces the name by "Former member"; the records before it keep the name of the time.
create function archive.record_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  after constant jsonb := archive.member_state(new);
begin
  if tg_op = 'INSERT' then
    perform archive.record('member.joined', after::json, member_id => new.id, audience => 'team');
  elsif new.status = 'deleted' then
    perform archive.record('member.left', archive.member_state(old)::json, member_id => new.id, audience => 'team');
  elsif archive.member_state(old) <> after then
    perform archive.record(
      'member.changed', (archive.difference(archive.member_state(old), after)::jsonb || after)::json,
      member_id => new.id, audience => 'team'
    );
  end if;
  return null;
end
$$;
create trigger archive_joined after insert on private.members
  for each row execute function archive.record_member();
-- Not for a push token or a hidden chat.
create trigger archive_changed after update on private.members
  for each row
  when (
    (old.first_name, old.last_name, old.email, old.role, old.status, old.rally_enabled)
    is distinct from (new.first_name, new.last_name, new.email, new.role, new.status, new.rally_enabled)
  )
  execute function archive.record_member();
create trigger archive_truncated before truncate on private.members
  for each statement execute function archive.record_truncate();

-- A notice is written, perhaps changed until it is published, and can be withdrawn.
create function archive.notice(n public.team_notices) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'title', n.title, 'text', n.body, 'link', n.link, 'audience', n.audience, 'audience_role', n.audience_role,
    'audience_members', nullif(n.audience_members, '{}'), 'is_urgent', n.is_urgent,
    'must_acknowledge', n.must_acknowledge, 'scheduled_for', archive.utc(n.scheduled_for)
  ))
$$;

create function archive.record_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  notice constant public.team_notices := case tg_op when 'DELETE' then old else new end;
  content constant json := archive.notice(notice)::json;
begin
  if tg_op = 'INSERT' then
    perform archive.record('notice.written', content, notice.audience_chat_id, notice.id, audience => 'admins');
  elsif tg_op = 'DELETE' then
    if notice.published_at is not null and archive.is_held(notice.audience_chat_id, null, 'notice') then
      raise exception 'A legal hold keeps this' using errcode = '42501';
    end if;
    perform archive.record('notice.erased', content, notice.audience_chat_id, notice.id, audience => 'admins');
  else
    if archive.notice(old) <> archive.notice(new) then
      perform archive.record(
        'notice.changed', archive.difference(archive.notice(old), archive.notice(new)), notice.audience_chat_id, notice.id
      );
    end if;
    if new.published_at is distinct from old.published_at then
      perform archive.record('notice.published', content, notice.audience_chat_id, notice.id, audience => 'notice');
    end if;
    if new.cancelled_at is distinct from old.cancelled_at then
      perform archive.record('notice.withdrawn', content, notice.audience_chat_id, notice.id, audience => 'notice');
    end if;
  end if;
  return null;
end
$$;
-- Its name puts it before publish_notice: written, then published.
create trigger archive_notice after insert or update or delete on public.team_notices
  for each row execute function archive.record_notice();
create trigger archive_truncated before truncate on public.team_notices
  for each statement execute function archive.record_truncate();

-- To the whole team or a role the recipients follow from the records of the team; the count is proof enough. Few are
-- named: whom a notice reached later.
create function archive.record_delivered() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'notice.delivered',
    json_strip_nulls(json_build_object('count', count(*), 'members', case when count(*) <= 50 then json_agg(r.user_id) end)),
    subject_id => r.notice_id, audience => 'notice'
  )
  from receipts r group by r.notice_id;
  return null;
end
$$;
create trigger archive_delivered after insert on public.notice_receipts
  referencing new table as receipts for each statement execute function archive.record_delivered();

create function archive.record_acknowledged() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'notice.acknowledged', '{}', subject_id => new.notice_id, member_id => new.user_id, audience => 'admins'
  );
  return null;
end
$$;
create trigger archive_acknowledged after update on public.notice_receipts
  for each row when (old.acknowledged_at is null and new.acknowledged_at is not null)
  execute function archive.record_acknowledged();

-- The audit log forgets after two years and looks names up when it is read; the archive keeps both.
create function archive.record_audit() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.records (kind, actor_id, actor_name, actor_email, actor_role, subject_id, audience, content)
  select 'audit.' || e.kind, a.id, a.name, a.email, a.role, e.object_id, 'admins',
    -- Not stripped of nulls: in before and after they say something.
    json_build_object(
      'action', e.action, 'name', e.object_name, 'people', e.people, 'before', e.before, 'after', e.after,
      'details', e.details, 'on_behalf_of', case when e.actor_id is distinct from a.id then e.actor_id end
    )
  from entries e cross join archive.actor() a;
  return null;
end
$$;
create trigger archive_audit after insert on private.audit_log
  referencing new table as entries for each statement execute function archive.record_audit();

revoke execute on all functions in schema archive from public;

-- ./schemas/archive_audience.sql

-- Who could read a record, derived from the records of joining and leaving before it.

create function archive.took_part(chat_id uuid, member_id uuid, until_seq bigint) returns boolean
language sql stable set search_path = ''
as $$
  select coalesce((
    select j.kind = 'chat.joined' from archive.records j
    where j.chat_id = took_part.chat_id and j.member_id = took_part.member_id and j.seq <= until_seq
      and j.kind in ('chat.joined', 'chat.left')
    order by j.seq desc limit 1
  ), false)
$$;

-- The active team as of a record: the latest state of everybody who was ever on it.
create function archive.team_at(until_seq bigint)
returns table (id uuid, name text, email text, role text, rally_enabled boolean)
language sql stable set search_path = ''
as $$
  select known.member_id, j.content ->> 'name', j.content ->> 'email', j.content ->> 'role',
    (j.content ->> 'rally_enabled')::boolean
  from (
    select distinct k.member_id from archive.records k where k.chat_id is null and k.kind = 'member.joined'
  ) known
  cross join lateral (
    select r.kind, r.content from archive.records r
    where r.chat_id is null and r.member_id = known.member_id and r.seq <= until_seq
      and r.kind in ('member.joined', 'member.changed', 'member.left')
    order by r.seq desc limit 1
  ) j
  where j.kind <> 'member.left' and j.content ->> 'status' = 'active'
$$;

create function archive.audience_of(record_seq bigint) returns table (member_id uuid, name text, email text)
language sql stable security definer set search_path = ''
as $$
  with r as (
    select r.chat_id, r.content,
      case r.audience when 'notice' then coalesce(r.content ->> 'audience', 'nobody') else r.audience end as audience
    from archive.records r where r.seq = record_seq
  )
  select t.id, t.name, t.email
  from r cross join archive.team_at(record_seq) t
  where case r.audience
    when 'admins' then t.role = 'admin'
    when 'team' then true
    when 'all' then true
    when 'role' then t.role = r.content ->> 'audience_role'
    when 'members' then t.id::text in (select json_array_elements_text(r.content -> 'audience_members'))
    when 'chat' then archive.took_part(r.chat_id, t.id, record_seq)
      and (t.rally_enabled or r.chat_id <> private.mandatory_chat_id())
    else false
  end
$$;
comment on function archive.audience_of is 'Who could read a record when it was written, by their names of the time.';

revoke execute on all functions in schema archive from public;

-- ./schemas/archive_files.sql

-- Images and files sent with messages. Their bytes stay in storage for as long as the archive needs them, also when the message is
-- deleted. Postgres cannot read them: a server does, within a minute (supabase/functions/archive), and archives their
-- SHA-256 and size as the record message.file.

create table archive.files (
  path text primary key,
  message_id uuid not null,
  sent_at timestamptz not null default now(),
  taken_at timestamptz,
  tries integer not null default 0,
  is_recorded boolean not null default false
);
comment on table archive.files is 'Objects of the bucket chat-images that the archive keeps.';
comment on column archive.files.taken_at is 'When a server last took it to read its bytes.';
create index files_waiting on archive.files (sent_at) where not is_recorded;
create index files_by_message on archive.files (message_id);
alter table archive.files enable row level security;

create function archive.keep_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.files (path, message_id) values (new.attachment ->> 'path', new.id) on conflict do nothing;
  return null;
end
$$;
create trigger archive_file after insert on public.chat_messages
  for each row when (new.attachment ->> 'path' is not null) execute function archive.keep_file();
create trigger archive_changed_file after update on public.chat_messages
  for each row when (new.attachment ->> 'path' is not null and new.attachment is distinct from old.attachment)
  execute function archive.keep_file();

-- Hands images over to the clean-up of image_uploads.sql, unless a message still shows them.
create function archive.release_files(message_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  with released as (
    delete from archive.files f
    where f.message_id = any (message_ids) and not exists (
      select from archive.records r where r.subject_id = f.message_id and r.kind = 'message.file'
    )
    returning f.path, f.message_id
  )
  insert into private.unused_images (name, created_at)
  select r.path, '-infinity' from released r
  where not exists (select from public.chat_messages m where m.id = r.message_id and not m.is_deleted)
  on conflict do nothing
$$;

-- An image that the archive need not keep any longer goes with its message.
create function archive.drop_unkept_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.unused_images (name, created_at)
  select new.attachment ->> 'path', '-infinity'
  where not exists (select from archive.files f where f.message_id = new.id)
  on conflict do nothing;
  return null;
end
$$;
create trigger archive_drops_file after update of is_deleted on public.chat_messages
  for each row when (new.is_deleted and not old.is_deleted and new.attachment is not null)
  execute function archive.drop_unkept_file();

-- Storage removes the bytes of a row that is deleted, moved or replaced.
create function archive.refuse_file_loss() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.bucket_id = 'chat-images' and exists (select from archive.files f where f.path = old.name) then
    raise exception 'The archive keeps this image' using errcode = '42501';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

-- For servers: images whose bytes are to be read. Taken again after ten minutes, if the one who took it fails.
create function public.take_archive_files(max_results int default 20) returns table (path text, message_id uuid)
language sql security definer set search_path = ''
as $$
  update archive.files f set taken_at = now(), tries = f.tries + 1
  where f.path in (
    select w.path from archive.files w
    where not w.is_recorded and coalesce(w.taken_at < now() - interval '10 minutes', true)
    order by w.sent_at limit least(max_results, 100)
    for update skip locked
  )
  returning f.path, f.message_id
$$;
comment on function public.take_archive_files is 'For servers: sent images whose SHA-256 is still to be archived.';

-- Without a hash: the file is not there. That is archived too, after a few tries, and searched for no longer.
create function public.record_archive_file(path text, sha256 text default null, bytes bigint default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  file archive.files;
  message public.chat_messages;
begin
  if sha256 is not null and (sha256 !~ '^[0-9a-f]{64}$' or bytes is null) then
    raise invalid_parameter_value using message = 'a file has a SHA-256 in hexadecimal and a size';
  end if;
  update archive.files f set is_recorded = true
  where f.path = record_archive_file.path and not f.is_recorded and (sha256 is not null or f.tries >= 5)
  returning * into file;
  if file.path is null then
    return;
  end if;
  select * into message from public.chat_messages m where m.id = file.message_id;
  perform archive.record(
    'message.file',
    json_strip_nulls(json_build_object(
      'path', file.path, 'sha256', sha256, 'bytes', bytes, 'is_missing', case when sha256 is null then true end
    )),
    message.chat_id, file.message_id, message.sender_id, 'chat'
  );
end
$$;
comment on function public.record_archive_file is 'For servers: archives what a sent image consists of, once.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.take_archive_files, public.record_archive_file from public, anon, authenticated;
grant execute on function public.take_archive_files, public.record_archive_file to service_role;

-- Skipped where there is no file storage.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  create trigger archive_keeps_file before delete on storage.objects
    for each row execute function archive.refuse_file_loss();
  create trigger archive_keeps_changed_file before update of bucket_id, name, version on storage.objects
    for each row
    when ((old.bucket_id, old.name, old.version) is distinct from (new.bucket_id, new.name, new.version))
    execute function archive.refuse_file_loss();
end
$$;

-- ./schemas/archive_seals.sql

-- Sealing: a worker hashes what was recorded since its last run and chains the hashes, so that altering, removing or
-- inserting a record shows. Inserts never wait for it, and it never holds a record that may still be rolled back.
-- Byte for byte: docs/archive.md

create table archive.seals (
  number bigint primary key,
  sealed_at timestamptz not null default clock_timestamp(),
  from_seq bigint not null,
  to_seq bigint not null,
  count integer not null,
  absent int8multirange not null,
  open int8multirange not null,
  late bigint[] not null,
  closed int8multirange not null,
  records_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null unique,
  leaves bytea
);
comment on table archive.seals is 'Append only: a chain of hashes over the records. Each begins after the one before it.';
comment on column archive.seals.count is 'Records under this seal: in the order of seq, the late ones first.';
comment on column archive.seals.absent is 'Numbers of records that were rolled back; none will ever have them.';
comment on column archive.seals.open is 'Numbers whose transactions had not ended after five minutes; a later seal has them as late or closed.';
comment on column archive.seals.late is 'Records with numbers that earlier seals left open.';
comment on column archive.seals.closed is 'Numbers that earlier seals left open, and that were rolled back.';
comment on column archive.seals.leaves is 'The hashes of the records, one after the other; null once all of them are pruned.';
-- Hashes do not compress.
alter table archive.seals alter column leaves set storage external;
alter table archive.seals enable row level security;

-- Where the worker stands: nothing to be proved, so it may change.
create table archive.sealer (
  is_only_row boolean primary key default true check (is_only_row),
  mark_seq bigint,
  mark_xid xid8,
  marked_at timestamptz,
  open int8multirange not null default '{}',
  open_xid xid8,
  open_since timestamptz
);
comment on table archive.sealer is 'The numbers given so far, and a transaction id after all that may have taken one of them.';
insert into archive.sealer default values;
alter table archive.sealer enable row level security;

create function archive.guard_seal() returns trigger
language plpgsql set search_path = ''
as $$
begin
  -- Pruning takes the hashes of single records away with the last of them.
  if tg_op = 'UPDATE' and new.leaves is null
    and to_jsonb(new) - 'leaves' = to_jsonb(old) - 'leaves'
    and not exists (
      select from archive.records r where r.seq between old.from_seq and old.to_seq or r.seq = any (old.late)
    )
  then
    return new;
  end if;
  raise exception 'The archive can only be added to' using errcode = '42501';
end
$$;
create trigger guard_seal before update or delete on archive.seals
  for each row execute function archive.guard_seal();
create trigger refuse_truncate before truncate on archive.seals
  for each statement execute function archive.refuse_change();

-- The canonical form of a record: one line of JSON without its line end.
create function archive.line(r archive.records) returns text
language sql stable
as $$
  select concat(
    '{"seq":', (r).seq, ',"recorded_at":"', archive.utc((r).recorded_at), '","kind":', to_json((r).kind),
    ',"actor_id":', coalesce(to_json((r).actor_id)::text, 'null'),
    ',"actor_name":', coalesce(to_json((r).actor_name)::text, 'null'),
    ',"actor_email":', coalesce(to_json((r).actor_email)::text, 'null'),
    ',"actor_role":', to_json((r).actor_role),
    ',"chat_id":', coalesce(to_json((r).chat_id)::text, 'null'),
    ',"subject_id":', coalesce(to_json((r).subject_id)::text, 'null'),
    ',"member_id":', coalesce(to_json((r).member_id)::text, 'null'),
    ',"audience":', to_json((r).audience), ',"content":', (r).content, '}'
  )
$$;

create function archive.seal_line(s archive.seals) returns text
language sql stable
as $$
  select concat(
    '{"seal":', (s).number, ',"sealed_at":"', archive.utc((s).sealed_at), '","from_seq":', (s).from_seq,
    ',"to_seq":', (s).to_seq, ',"count":', (s).count, ',"absent":"', (s).absent, '","open":"', (s).open,
    '","late":', to_json((s).late), ',"closed":"', (s).closed, '","records":"', encode((s).records_hash, 'hex'),
    '","previous":"', encode((s).previous_hash, 'hex'), '"}'
  )
$$;

create function archive.sha256_of(line text) returns bytea
language sql immutable
return sha256(convert_to(line, 'UTF8'));

create function archive.last_seal() returns archive.seals
language sql stable set search_path = ''
as $$ select s from archive.seals s order by s.number desc limit 1 $$;

-- Makes one seal of at most a thousand records (and as many late ones) up to `mark`; null if there is nothing to seal.
create function archive.add_seal(mark bigint, is_settled boolean, open_before int8multirange, is_open_settled boolean)
returns archive.seals
language plpgsql set search_path = ''
as $$
declare
  most constant integer := 1000;
  previous constant archive.seals := archive.last_seal();
  seal archive.seals;
  found_count integer;
  present int8multirange;
  missing int8multirange;
begin
  seal.number := coalesce(previous.number, 0) + 1;
  seal.from_seq := coalesce(previous.to_seq, 0) + 1;
  seal.previous_hash := coalesce(previous.hash, decode(repeat('00', 32), 'hex'));
  seal.late := array(
    select r.seq from unnest(open_before) gap
    join archive.records r on r.seq >= lower(gap) and r.seq < upper(gap)
    order by r.seq limit most
  );
  with found as (
    (select r as record from archive.records r where r.seq = any (seal.late))
    union all
    (select r from archive.records r where r.seq >= seal.from_seq and r.seq <= mark order by r.seq limit most)
  ), hashed as (
    select (f.record).seq, archive.sha256_of(archive.line(f.record)) as leaf from found f
  )
  select count(*), count(*) filter (where seq >= seal.from_seq), max(seq),
    coalesce(string_agg(leaf, '' order by seq), ''),
    coalesce(range_agg(int8range(seq, seq + 1)) filter (where seq >= seal.from_seq), '{}')
  into seal.count, found_count, seal.to_seq, seal.leaves, present
  from hashed;

  seal.closed := case
    when is_open_settled and cardinality(seal.late) < most then open_before - coalesce(
      (select range_agg(int8range(each, each + 1)) from unnest(seal.late) each), '{}'
    ) else '{}'
  end;
  if seal.count = 0 and isempty(seal.closed) then
    return null;
  end if;
  if found_count < most then
    -- Numbers rolled back after the last record wait for the next one.
    seal.to_seq := case when found_count = 0 then seal.from_seq - 1 else mark end;
  end if;
  missing := int8multirange(int8range(seal.from_seq, seal.to_seq + 1)) - present;
  seal.absent := case when is_settled then missing else '{}' end;
  seal.open := case when is_settled then '{}' else missing end;
  seal.records_hash := sha256(seal.leaves);
  seal.sealed_at := clock_timestamp();
  seal.hash := archive.sha256_of(archive.seal_line(seal));
  insert into archive.seals select seal.*;
  return seal;
end
$$;

revoke execute on all functions in schema archive from public;

-- ./schemas/archive_sealing.sql

-- The worker's calls: seal what is new, about once a minute, and say where the chain ends.

-- Numbers are given before transactions end, and in another order. So a run notes the last number given (the mark) and a
-- transaction id that is higher than those of all transactions that took a number up to it, since each gets its id before
-- the number. Once none of these runs any more, all numbers up to the mark are there or rolled back for good. That is
-- usually the case at once; else a later call goes on. A transaction of five minutes is not waited for: its numbers stay open.
create function archive.mark_end() returns archive.sealer
language plpgsql set search_path = ''
as $$
declare
  given bigint;
  state archive.sealer;
begin
  -- First the number, then the id.
  select last_value into given from archive.records_seq_seq;
  update archive.sealer set mark_seq = given, mark_xid = pg_current_xact_id(), marked_at = clock_timestamp()
  returning * into state;
  return state;
end
$$;

-- A database restored into another cluster brings ids that this one has not reached; their transactions are history.
create function archive.has_ended(xid xid8) returns boolean
language sql volatile set search_path = ''
as $$
  select pg_snapshot_xmin(pg_current_snapshot()) >= xid
    or pg_snapshot_xmax(pg_current_snapshot()) <= xid and xid is distinct from pg_current_xact_id_if_assigned()
$$;

create function public.seal_archive(max_seals int default 20) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  state archive.sealer;
  seal archive.seals;
  is_settled boolean;
  is_open_settled boolean;
  seals integer := 0;
  records bigint := 0;
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise active_sql_transaction using message = 'sealing needs a transaction of its own';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('archive: sealing', 0)) then
    return jsonb_build_object('seals', 0, 'records', 0, 'is_done', true);
  end if;
  select * into state from archive.sealer;
  if state.mark_seq is null and (isempty(state.open) is false or exists (
    select from archive.records r where r.seq > coalesce((archive.last_seal()).to_seq, 0)
  )) then
    state := archive.mark_end();
  end if;
  is_settled := state.mark_seq is not null and archive.has_ended(state.mark_xid);
  if state.mark_seq is null or not is_settled and state.marked_at > clock_timestamp() - interval '5 minutes' then
    return jsonb_build_object('seals', 0, 'records', 0, 'is_done', state.mark_seq is null);
  end if;

  loop
    is_open_settled := not isempty(state.open)
      and (archive.has_ended(state.open_xid) or state.open_since < clock_timestamp() - interval '1 day');
    seal := archive.add_seal(state.mark_seq, is_settled, state.open, is_open_settled);
    exit when seal.number is null;
    seals := seals + 1;
    records := records + seal.count;
    state.open := state.open - coalesce(
      (select range_agg(int8range(each, each + 1)) from unnest(seal.late) each), '{}'
    ) - seal.closed;
    if not isempty(seal.open) then
      state.open := state.open + seal.open;
      state.open_xid := greatest(state.open_xid, state.mark_xid);
      state.open_since := clock_timestamp();
    end if;
    exit when seals >= max_seals;
  end loop;

  update archive.sealer set
    open = state.open, open_xid = state.open_xid, open_since = state.open_since,
    mark_seq = case when seal.number is not null then mark_seq end
  returning * into state;
  return jsonb_build_object('seals', seals, 'records', records, 'is_done', state.mark_seq is null);
end
$$;
comment on function public.seal_archive is
  'For servers, about once a minute: seals what is new. Call it again soon while it is not done.';

create function public.archive_head() returns table (seal bigint, hash text, sealed_at timestamptz, last_record bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role' then
    perform private.assert_admin();
  end if;
  return query
  select s.number, encode(s.hash, 'hex'), s.sealed_at, s.to_seq from archive.last_seal() s where s.number is not null;
end
$$;
comment on function public.archive_head is
  'For admins and servers: the last seal. Whoever notes its hash elsewhere can show later that nothing before it changed.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.seal_archive, public.archive_head from public, anon, authenticated;
grant execute on function public.seal_archive, public.archive_head to service_role;
grant execute on function public.archive_head to authenticated;

-- ./schemas/archive_holds.sql

-- Legal holds. What concerns a member or a chat on hold is neither pruned nor deleted, and the accounts concerned are not
-- erased, for as long as the hold lasts. Admins place and lift holds; both are records of the archive.

create table archive.holds (
  id uuid primary key,
  member_id uuid,
  chat_id uuid,
  reason text not null,
  placed_at timestamptz not null default now(),
  placed_by uuid,
  lifted_at timestamptz,
  lifted_by uuid,
  constraint "A hold is on a member or a chat" check (num_nonnulls(member_id, chat_id) = 1),
  constraint "Give a reason for the hold" check (not private.is_blank(reason)),
  constraint "Reason is at most 500 characters" check (char_length(reason) <= 500)
);
comment on table archive.holds is 'Legal holds, lifted ones too.';
create index holds_by_member on archive.holds (member_id) where lifted_at is null and member_id is not null;
create index holds_by_chat on archive.holds (chat_id) where lifted_at is null and chat_id is not null;
alter table archive.holds enable row level security;

-- Members who deleted their account while a hold keeps it: closed at once, erased when the hold is lifted.
create table archive.waiting_erasures (
  member_id uuid primary key,
  asked_at timestamptz not null default now()
);
comment on table archive.waiting_erasures is 'Accounts to erase once no hold keeps them.';
alter table archive.waiting_erasures enable row level security;

-- A hold on a member covers every chat they were ever in, with what others said there, and all notices.
create function archive.is_held(chat_id uuid, member_id uuid, category text default '') returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from archive.holds where lifted_at is null) and exists (
    select from archive.holds h
    where h.lifted_at is null and (
      h.chat_id = is_held.chat_id or h.member_id = is_held.member_id
      or h.member_id is not null and (
        category = 'notice' or exists (
          select from archive.records r
          where r.chat_id = is_held.chat_id and r.member_id = h.member_id and r.kind = 'chat.joined'
        )
      )
    )
  )
$$;

-- A hold on a chat keeps the accounts of everybody who was ever in it.
create function archive.is_account_held(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from archive.holds h
    where h.lifted_at is null and (
      h.member_id = is_account_held.member_id or exists (
        select from archive.records r
        where r.chat_id = h.chat_id and r.member_id = is_account_held.member_id and r.kind = 'chat.joined'
      )
    )
  )
$$;

-- An account goes by delete_my_account() alone while a hold keeps it, not by the auth service or the SQL console.
create function archive.refuse_erasure() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if archive.is_account_held(old.id) then
    raise exception 'A legal hold keeps this account' using errcode = '42501';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger archive_keeps_account before delete on auth.users
  for each row execute function archive.refuse_erasure();
create trigger archive_keeps_deleted_account before update of deleted_at on auth.users
  for each row when (new.deleted_at is not null and old.deleted_at is null) execute function archive.refuse_erasure();

-- Ends the membership as removing does, and remembers the wish.
create function archive.postpone_erasure(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.waiting_erasures (member_id) values (postpone_erasure.member_id) on conflict do nothing;
  update private.members m set
    status = 'removed', status_reason = 'Deleted their account. A legal hold keeps it until it is lifted.',
    status_changed_at = now(), role = 'user'
  where m.id = postpone_erasure.member_id;
end
$$;

create function archive.keep_waiting_erasure() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from archive.waiting_erasures w where w.member_id = new.id) then
    raise exception 'This member has deleted their account' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger archive_keeps_waiting_erasure before update of status on private.members
  for each row when (old.status = 'removed' and new.status not in ('removed', 'deleted'))
  execute function archive.keep_waiting_erasure();

create function archive.erase_waiting_accounts() returns void
language sql security definer set search_path = ''
as $$
  with freed as (
    delete from archive.waiting_erasures w where not archive.is_account_held(w.member_id) returning w.member_id
  )
  delete from auth.users u using freed where u.id = freed.member_id
$$;

-- In the audit log, next to what else admins did.
create function archive.record_hold_change(action text, hold_id uuid, reason text) returns void
language sql security definer set search_path = ''
as $$
  select private.record_change(
    'archive', action, coalesce(h.chat_id, h.member_id), c.name, null, null, array[h.member_id],
    jsonb_build_object('reason', left(record_hold_change.reason, 500), 'on', case when h.chat_id is null then 'member' else 'chat' end)
  )
  from archive.holds h left join public.chats c on c.id = h.chat_id
  where h.id = hold_id
$$;

-- The id comes from the caller, so that asking twice places one hold.
create function public.place_legal_hold(
  reason text, member_id uuid default null, chat_id uuid default null, hold_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  if member_id is not null and not exists (select from private.members m where m.id = place_legal_hold.member_id) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif chat_id is not null and not exists (select from public.chats c where c.id = place_legal_hold.chat_id) then
    raise exception 'This chat no longer exists' using errcode = 'PT404';
  end if;
  insert into archive.holds (id, member_id, chat_id, reason, placed_by)
  values (hold_id, place_legal_hold.member_id, place_legal_hold.chat_id, btrim(place_legal_hold.reason), (select auth.uid()))
  on conflict do nothing;
  if found then
    perform archive.record(
      'hold.placed', json_build_object('reason', btrim(place_legal_hold.reason)), place_legal_hold.chat_id, hold_id,
      place_legal_hold.member_id
    );
    perform archive.record_hold_change('hold_placed', hold_id, btrim(place_legal_hold.reason));
  elsif not exists (
    select from archive.holds h
    where h.id = hold_id and h.lifted_at is null
      and (h.member_id, h.chat_id) is not distinct from (place_legal_hold.member_id, place_legal_hold.chat_id)
  ) then
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  end if;
  return hold_id;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.place_legal_hold is
  'For admins: keeps everything that concerns a member or a chat, whatever its age, until the hold is lifted.';

create function public.lift_legal_hold(hold_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  hold archive.holds;
begin
  perform private.assert_admin();
  if private.is_blank(reason) then
    raise exception 'Give a reason for lifting the hold' using errcode = '23514';
  elsif char_length(reason) > 500 then
    raise exception 'Reason is at most 500 characters' using errcode = '23514';
  end if;
  update archive.holds h set lifted_at = now(), lifted_by = (select auth.uid())
  where h.id = hold_id and h.lifted_at is null
  returning * into hold;
  if hold.id is null then
    return;
  end if;
  perform archive.record(
    'hold.lifted', json_build_object('reason', btrim(lift_legal_hold.reason)), hold.chat_id, hold.id, hold.member_id
  );
  perform archive.record_hold_change('hold_lifted', hold.id, btrim(lift_legal_hold.reason));
  perform archive.erase_waiting_accounts();
end
$$;
comment on function public.lift_legal_hold is 'For admins: ends a hold, with a reason. Accounts that waited for it are erased.';

create function public.legal_holds()
returns table (
  id uuid, member_id uuid, chat_id uuid, name text, reason text, placed_at timestamptz, placed_by uuid, placed_by_name text,
  lifted_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select h.id, h.member_id, h.chat_id, coalesce(archive.name_of(m.first_name, m.last_name), c.name), h.reason, h.placed_at,
    h.placed_by, archive.name_of(p.first_name, p.last_name), h.lifted_at
  from archive.holds h
  left join private.members m on m.id = h.member_id
  left join public.chats c on c.id = h.chat_id
  left join private.members p on p.id = h.placed_by
  order by h.lifted_at is not null, h.placed_at desc, h.id
  limit 500;
end
$$;
comment on function public.legal_holds is 'For admins: the legal holds, those that last first.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.place_legal_hold, public.lift_legal_hold, public.legal_holds from public, anon, service_role;
grant execute on function public.place_legal_hold, public.lift_legal_hold, public.legal_holds to authenticated;

-- ./schemas/archive_pruning.sql

-- How long records are kept, and their end. Whoever deletes a record, the trigger decides whether it may go, and notes in
-- the archive which ones went. The hash of a pruned record stays in its seal, so the chain holds.

-- Three years is what SEC Rule 17a-4(b)(4) asks for at least.
create table archive.retention (
  category text primary key,
  years integer not null default 6,
  constraint "Records are kept for 3 to 100 years" check (years between 3 and 100),
  constraint "What proves the archive is kept for good" check (category not in ('archive', 'hold'))
);
comment on table archive.retention is 'How long records are kept: by the word before the dot of their kind. Others are kept for good.';
insert into archive.retention (category)
values ('message'), ('reaction'), ('notice'), ('chat'), ('member'), ('audit'), ('report'), ('block'), ('rules'), ('look'), ('review');
alter table archive.retention enable row level security;

create function archive.guard_retention() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.years <> old.years then
    perform archive.record(
      'archive.retention', json_build_object('category', new.category, 'before', old.years, 'years', new.years)
    );
    perform private.record_change(
      'archive', 'retention', null, null, jsonb_build_object('years', old.years), jsonb_build_object('years', new.years),
      details => jsonb_build_object('category', new.category)
    );
  end if;
  return new;
end
$$;
create trigger guard_retention after update on archive.retention
  for each row execute function archive.guard_retention();

create function archive.is_expired(kind text, recorded_at timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from archive.retention k
    where k.category = split_part(kind, '.', 1) and recorded_at < now() - make_interval(years => k.years)
  )
$$;

-- A state is kept for as long as it lasts, and its end for as long as its beginning is there: who was in a chat at a record
-- that is kept must follow from the records that are kept.
create function archive.is_over(r archive.records) returns boolean
language sql stable set search_path = ''
as $$
  select case
    when (r).kind = 'chat.joined' then exists (
      select from archive.records e
      where e.chat_id = (r).chat_id and e.member_id = (r).member_id and e.seq > (r).seq and e.kind = 'chat.left'
        and archive.is_expired(e.kind, e.recorded_at)
    )
    when (r).kind = 'chat.left' then not exists (
      select from archive.records b
      where b.chat_id = (r).chat_id and b.member_id = (r).member_id and b.seq < (r).seq and b.kind = 'chat.joined'
    )
    when (r).kind = 'chat.erased' then not exists (
      select from archive.records b where b.chat_id = (r).chat_id and b.seq < (r).seq
    )
    when (r).kind like 'chat.%' then exists (
      select from archive.records e
      where e.chat_id = (r).chat_id and e.seq > (r).seq and e.kind = 'chat.erased'
        and archive.is_expired(e.kind, e.recorded_at)
    )
    when (r).kind = 'member.left' then not exists (
      select from archive.records b
      where b.chat_id is null and b.member_id = (r).member_id and b.seq < (r).seq
        and b.kind in ('member.joined', 'member.changed')
    )
    when (r).kind like 'member.%' then exists (
      select from archive.records e
      where e.chat_id is null and e.member_id = (r).member_id and e.seq > (r).seq and e.kind = 'member.left'
        and archive.is_expired(e.kind, e.recorded_at)
    )
    else true
  end
$$;

create function archive.may_prune(r archive.records) returns boolean
language sql stable set search_path = ''
as $$
  select archive.is_expired((r).kind, (r).recorded_at)
    and not archive.is_held((r).chat_id, (r).member_id, split_part((r).kind, '.', 1))
    and not archive.is_held(null, (r).actor_id)
    and archive.is_over(r)
$$;

-- The one way out of the archive. Also for its owner, who has to disable this trigger to go around it.
create function archive.prune_rightly() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from gone g
    where not archive.may_prune(g)
      or not exists (
        select from archive.seals s
        where s.sealed_at < now() - interval '3 years' and s.to_seq >= g.seq
          and (s.from_seq <= g.seq and not s.open @> g.seq or g.seq = any (s.late))
      )
  ) then
    raise exception 'The archive can only be added to' using errcode = '42501';
  end if;
  if not exists (select from gone) then
    return null;
  end if;
  perform archive.record(
    'archive.pruned',
    json_build_object('count', count(*), 'records', range_agg(int8range(g.seq, g.seq + 1))::text),
    audience => 'nobody'
  )
  from gone g;
  update archive.seals s set leaves = null
  where s.leaves is not null
    and s.to_seq >= (select min(seq) from gone) and s.from_seq <= (select max(seq) from gone)
    and not exists (select from archive.records r where r.seq between s.from_seq and s.to_seq or r.seq = any (s.late));
  delete from archive.search_entries e using gone g where e.seq = g.seq;
  perform archive.release_files(array(select g.subject_id from gone g where g.kind = 'message.file'));
  return null;
end
$$;
create trigger prune_rightly after delete on archive.records
  referencing old table as gone for each statement execute function archive.prune_rightly();

-- For servers, once a day and until it returns 0.
create function public.prune_archive(max_records int default 5000) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  newest constant bigint := (
    select s.to_seq from archive.seals s
    where s.sealed_at < now() - interval '3 years' order by s.number desc limit 1
  );
  pruned integer;
begin
  -- One at a time: two would wait for each other's rows.
  if newest is null or not pg_try_advisory_xact_lock(hashtextextended('archive: pruning', 0)) then
    return 0;
  end if;
  delete from archive.records d
  where d.seq in (
    select r.seq from archive.records r
    where r.seq <= newest and archive.may_prune(r) order by r.seq limit least(max_records, 20000)
  );
  get diagnostics pruned = row_count;
  return pruned;
end
$$;
comment on function public.prune_archive is 'For servers, once a day and until it returns 0: removes expired records.';

create function public.archive_retention() returns table (category text, years integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query select k.category, k.years from archive.retention k order by k.category;
end
$$;
comment on function public.archive_retention is 'For admins: how many years each kind of record is kept.';

create function public.set_archive_retention(category text, years integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  update archive.retention k set years = set_archive_retention.years where k.category = set_archive_retention.category;
  if not found then
    raise exception 'There is no such kind of record' using errcode = '22023';
  end if;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_archive_retention is 'For admins: sets how many years a kind of record is kept, at least three.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.prune_archive, public.archive_retention, public.set_archive_retention
from public, anon, authenticated, service_role;
grant execute on function public.prune_archive to service_role;
grant execute on function public.archive_retention, public.set_archive_retention to authenticated;

-- ./schemas/archive_search.sql

-- Search in the archive: everything that was ever said, in every version. The index is a table of its own that the worker
-- fills from sealed records, so that a message does not pay for it. Whom, where and what kind a record is about are entries of
-- the same index as its words: however criteria are combined, one index answers.

-- What somebody wrote in a record, in any of its versions, with names of chats and titles of notices.
create function archive.text_of(content json) returns text
language sql immutable parallel safe
return concat_ws(
  E'\n', content ->> 'text', case when json_typeof(content -> 'before') = 'string' then content ->> 'before' end,
  content ->> 'reason', content ->> 'note', content ->> 'title', content ->> 'name',
  content -> 'after' ->> 'title', content -> 'after' ->> 'text'
);

-- Supervisors search what the team said and who belonged where. What supervision, leaders and members note about each other
-- (reports, reviews, looks, searches, holds, blocks) is in the owner's export alone: it may be about the supervisor.
create function archive.is_searched(kind text) returns boolean
language sql immutable parallel safe
return split_part(kind, '.', 1) in ('message', 'reaction', 'notice', 'chat', 'member');

create function archive.words_of(r archive.records) returns tsvector
language sql immutable parallel safe
return private.message_words(private.without_invisible(archive.text_of((r).content)));

-- No word has a colon before a uuid. Kinds are found whole and by the word before the dot.
create function archive.search_terms(r archive.records) returns tsvector
language sql immutable parallel safe
return archive.words_of(r) || array_to_tsvector(array_remove(array[
  'person:' || (r).actor_id::text, 'person:' || (r).member_id::text, 'chat:' || (r).chat_id::text, 'kind:' || (r).kind,
  'kind:' || split_part((r).kind, '.', 1)
], null));

create table archive.search_entries (
  seq bigint primary key,
  recorded_at timestamptz not null,
  terms tsvector not null
);
comment on table archive.search_entries is 'What sealed records are found by. Follows from them, and proves nothing.';
create index search_terms on archive.search_entries using gin (terms);
create index search_times on archive.search_entries (recorded_at, seq);
alter table archive.search_entries enable row level security;

create table archive.search_state (
  is_only_row boolean primary key default true check (is_only_row),
  last_seal bigint not null default 0,
  to_seq bigint not null default 0
);
comment on table archive.search_state is 'The last seal whose records are in archive.search_entries.';
insert into archive.search_state default values;
alter table archive.search_state enable row level security;

create function public.index_archive(max_seals int default 20) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  seal archive.seals;
  added integer;
  records integer := 0;
  seals integer := 0;
  most constant integer := least(greatest(max_seals, 1), 100);
begin
  if not pg_try_advisory_xact_lock(hashtextextended('archive: search', 0)) then
    return jsonb_build_object('records', 0, 'is_done', true);
  end if;
  for seal in
    select s.* from archive.seals s
    where s.number > (select p.last_seal from archive.search_state p) order by s.number limit most
  loop
    insert into archive.search_entries (seq, recorded_at, terms)
    select r.seq, r.recorded_at, archive.search_terms(r)
    from archive.records r
    where (r.seq between seal.from_seq and seal.to_seq or r.seq = any (seal.late)) and archive.is_searched(r.kind)
    on conflict do nothing;
    get diagnostics added = row_count;
    records := records + added;
    seals := seals + 1;
    update archive.search_state set last_seal = seal.number, to_seq = seal.to_seq;
  end loop;
  return jsonb_build_object('records', records, 'is_done', seals < most);
end
$$;
comment on function public.index_archive is
  'For servers, after sealing: makes sealed records searchable. Call it again soon while it is not done.';

-- Everybody of whose names and addresses, of any time, one has all these words; also those who left.
create function archive.people_called(words text) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(words);
  found uuid[];
begin
  found := array(
    select distinct r.member_id from archive.records r
    where r.chat_id is null and r.kind in ('member.joined', 'member.changed', 'member.left')
      and lower(private.without_accents(concat_ws(
        ' ', r.content ->> 'name', r.content ->> 'email', r.content -> 'before' ->> 'name', r.content -> 'before' ->> 'email',
        r.content -> 'after' ->> 'name', r.content -> 'after' ->> 'email'
      ))) like all (patterns)
    limit 21
  );
  if cardinality(found) > 20 then
    raise exception 'More than 20 people are called this' using errcode = '22023';
  end if;
  return found;
end
$$;

-- By a part of the name, or by the id, which finds a chat that is gone as well.
create function archive.chats_called(words text) returns uuid[]
language sql stable set search_path = ''
as $$
  select case
    when words ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then array[words::uuid]
    else array(
      select c.id from public.chats c
      where strpos(lower(private.without_accents(c.name)), lower(private.without_accents(btrim(words)))) > 0
      order by c.id limit 50
    )
  end
$$;

create function archive.any_term(prefix text, ids uuid[]) returns tsquery
language sql immutable set search_path = ''
as $$ select string_agg(quote_literal(prefix || id), ' | ')::tsquery from unnest(ids) id $$;

-- The newest first, below `before_seq`. Looks into a part of the archive that grows as long as too little is found, so
-- that a word that is everywhere costs no more than one that is rare.
create function archive.search(
  words text, person text, chat text, kind text, from_time timestamptz, to_time timestamptz, before_seq bigint, most integer
) returns setof archive.records
language plpgsql stable set search_path = ''
as $$
declare
  indexed constant bigint := (select p.to_seq from archive.search_state p);
  first_time constant timestamptz := coalesce(from_time, '-infinity');
  end_time constant timestamptz := coalesce(to_time, 'infinity');
  wanted tsquery;
  term tsquery;
  low bigint := 1;
  top bigint := least(nullif(before_seq, (-9223372036854775808)::bigint) - 1, 9223372036854775806);
  breadth bigint := 20000;
  given integer := 0;
  step integer;
begin
  foreach term in array array[
    case when btrim(words) <> '' then private.message_query(private.without_invisible(words)) end,
    case when btrim(person) <> '' then coalesce(archive.any_term('person:', archive.people_called(person)), '') end,
    case when btrim(chat) <> '' then coalesce(archive.any_term('chat:', archive.chats_called(chat)), '') end,
    case when btrim(kind) <> '' then quote_literal('kind:' || regexp_replace(kind, '[^a-z._]', '', 'g'))::tsquery end
  ] loop
    continue when term is null;
    -- Nobody is called this, or nothing but words that say nothing.
    if numnode(term) = 0 then
      return;
    end if;
    wanted := case when wanted is null then term else wanted && term end;
  end loop;
  if (select count(*) from (select from archive.records r where r.seq > indexed limit 5001) waiting) > 5000 then
    raise exception 'The archive is still being prepared for searching' using errcode = 'PT503';
  end if;

  -- What the worker has not come to yet.
  return query
  select r.* from archive.records r
  where r.seq > indexed and r.seq <= coalesce(top, r.seq)
    and r.recorded_at >= first_time and r.recorded_at < end_time and archive.is_searched(r.kind)
    and (wanted is null or archive.search_terms(r) @@ wanted)
  order by r.seq desc limit most;
  get diagnostics given = row_count;

  top := least(top, indexed);
  if from_time is not null or to_time is not null then
    select least(top, max(e.seq)), coalesce(min(e.seq), top + 1) into top, low
    from archive.search_entries e where e.recorded_at >= first_time and e.recorded_at < end_time;
  end if;
  while given < most and top >= low loop
    -- Planned anew for each: the words decide by what way.
    return query execute $search$
      with found as materialized (
        select e.seq from archive.search_entries e
        where e.seq between $1 and $2 and e.recorded_at >= $3 and e.recorded_at < $4 and ($5 is null or e.terms @@ $5)
      ), newest as (
        select f.seq from found f order by f.seq desc limit $6
      )
      select r.* from newest n join archive.records r on r.seq = n.seq order by r.seq desc
    $search$ using greatest(low, top - breadth + 1), top, first_time, end_time, wanted, most - given;
    get diagnostics step = row_count;
    given := given + step;
    top := top - breadth;
    breadth := breadth * 4;
  end loop;
end
$$;

-- What became of a message after it was sent.
create function archive.versions_of(message_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'seq', v.seq, 'recorded_at', archive.utc(v.recorded_at), 'kind', v.kind, 'actor_name', v.actor_name,
    'before', left(v.content ->> 'before', 1000), 'text', left(v.content ->> 'text', 1000),
    'reason', left(v.content ->> 'reason', 1000)
  )) order by v.seq), '[]')
  from (
    select r.* from archive.records r
    where r.subject_id = message_id and r.kind in (
      'message.edited', 'message.deleted', 'message.restored', 'message.removed', 'message.changed', 'message.erased'
    )
    order by r.seq limit 20
  ) v
$$;

-- Direct chats have no name: who is in them.
create function archive.title_of(chat_id uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    (select nullif(c.name, '') from public.chats c where c.id = title_of.chat_id),
    (
      select string_agg(distinct p.name, ', ') from (
        select coalesce(r.content -> 'member' ->> 'name', r.actor_name) as name from archive.records r
        where r.chat_id = title_of.chat_id and r.kind = 'chat.joined' order by r.member_id limit 2
      ) p
    ), ''
  )
$$;

create function archive.record_look(kind text, reason text, criteria json) returns void
language plpgsql set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  if char_length(private.without_invisible(private.trimmed(reason))) < 3 or char_length(reason) > 500 then
    raise exception 'Say why you search, in 3 to 500 characters' using errcode = '22023';
  end if;
  perform archive.record(
    kind, json_build_object('reason', private.trimmed(reason), 'criteria', json_strip_nulls(criteria)), audience => 'admins'
  );
end
$$;

create function public.search_archive(
  reason text, words text default null, person text default null, chat text default null, kind text default null,
  from_time timestamptz default null, to_time timestamptz default null, before_seq bigint default null,
  max_results int default 50
) returns table (
  seq bigint, recorded_at timestamptz, record_kind text, actor_name text, actor_email text, actor_role text,
  member_name text, chat_id uuid, chat_title text, subject_id uuid, said text, versions jsonb
)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  typed constant tsquery := private.message_query(coalesce(search_archive.words, ''));
begin
  perform archive.record_look('search.made', search_archive.reason, json_build_object(
    'words', nullif(left(search_archive.words, 200), ''), 'person', nullif(left(search_archive.person, 200), ''),
    'chat', nullif(left(search_archive.chat, 200), ''), 'kind', nullif(left(search_archive.kind, 50), ''),
    'from', archive.utc(from_time), 'to', archive.utc(to_time), 'before', before_seq
  ));
  return query
  select r.seq, r.recorded_at, r.kind, r.actor_name, r.actor_email, r.actor_role,
    coalesce(r.content -> 'member' ->> 'name', case when r.member_id = r.actor_id then r.actor_name end),
    r.chat_id, archive.title_of(r.chat_id), r.subject_id,
    case when char_length(t.text) <= 400 then t.text else ts_headline(
      'pg_catalog.simple', left(t.text, 20000), typed, 'StartSel="", StopSel="", MaxWords=60, MinWords=40, ShortWord=2'
    ) end,
    case when r.kind like 'message.%' then archive.versions_of(r.subject_id) else '[]' end
  from archive.search(
    left(search_archive.words, 200), left(search_archive.person, 200), left(search_archive.chat, 200),
    left(search_archive.kind, 50), from_time, to_time, before_seq, least(greatest(coalesce(max_results, 50), 1), 50)
  ) r
  cross join lateral (select archive.text_of(r.content)) t (text);
end
$$;
comment on function public.search_archive is
  'For supervisors: records by words, person, chat, kind and time, the newest first, below before_seq. Each call is recorded with its reason.';

create function public.export_search(
  reason text, words text default null, person text default null, chat text default null, kind text default null,
  from_time timestamptz default null, to_time timestamptz default null, before_seq bigint default null,
  max_results int default 500
) returns table (seq bigint, line text)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  perform archive.record_look('export.page', export_search.reason, json_build_object(
    'words', nullif(left(export_search.words, 200), ''), 'person', nullif(left(export_search.person, 200), ''),
    'chat', nullif(left(export_search.chat, 200), ''), 'kind', nullif(left(export_search.kind, 50), ''),
    'from', archive.utc(from_time), 'to', archive.utc(to_time), 'before', before_seq
  ));
  return query
  select r.seq, archive.line(r)
  from archive.search(
    left(export_search.words, 200), left(export_search.person, 200), left(export_search.chat, 200),
    left(export_search.kind, 50), from_time, to_time, before_seq, least(greatest(coalesce(max_results, 500), 1), 500)
  ) r;
end
$$;
comment on function public.export_search is
  'For supervisors: what search_archive finds, as the lines that were hashed. Each page is recorded with its reason.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.index_archive, public.search_archive, public.export_search
from public, anon, authenticated, service_role;
grant execute on function public.index_archive to service_role;
grant execute on function public.search_archive, public.export_search to authenticated;

-- ./schemas/archive_snapshot.sql

-- How the archive begins: with what a team had when it was set up, each record marked as part of this snapshot. On a new
-- installation that is the mandatory chat. Loads last, when the triggers are in place.

create function archive.begin() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record('archive.began', '{"version":1}', audience => 'nobody');

  perform archive.record(
    'member.joined', (archive.member_state(m) || '{"snapshot":true}')::json, member_id => m.id, audience => 'team'
  )
  from (select * from private.members m where m.status <> 'deleted' order by m.created_at, m.id) m;

  perform archive.record(
    'chat.created',
    json_build_object(
      'type', c.type, 'name', c.name, 'created_by', c.created_by, 'created_at', archive.utc(c.created_at), 'snapshot', true
    ),
    c.id, audience => 'chat'
  )
  from (select * from public.chats c order by c.created_at, c.id) c;

  perform archive.record(
    'chat.joined',
    json_build_object('member', archive.person(p.user_id), 'joined_at', archive.utc(p.joined_at), 'snapshot', true),
    p.chat_id, member_id => p.user_id, audience => 'chat'
  )
  from (select * from private.chat_participants p where p.is_active order by p.joined_at, p.chat_id, p.user_id) p;

  -- Not through record(): there may be a million.
  insert into archive.records (kind, actor_role, chat_id, subject_id, member_id, audience, content)
  select 'message.sent', archive.caller_role(), m.chat_id, m.id, m.sender_id, 'chat',
    json_strip_nulls(json_build_object(
      'text', m.message, 'sent_at', archive.utc(m.sent_at), 'edited_at', archive.utc(m.edited_at), 'reply_to', m.reply_to,
      'forwarded_from', m.forwarded_from,
      'mentions', nullif(m.mentions, '{}'), 'attachment', m.attachment, 'is_deleted', nullif(m.is_deleted, false),
      'reason', m.deleted_reason, 'member', archive.person(m.sender_id), 'snapshot', true
    ))
  from (select * from public.chat_messages m order by m.sent_at, m.id) m;
  insert into archive.files (path, message_id)
  select m.attachment ->> 'path', m.id from public.chat_messages m
  where m.attachment ->> 'path' is not null and not m.is_deleted
  on conflict do nothing;

  perform archive.record(
    'reaction.added', json_build_object('emoji', r.emoji, 'member', archive.person(r.user_id), 'snapshot', true),
    r.chat_id, r.message_id, r.user_id, 'chat'
  )
  from (select * from public.chat_reactions r order by r.created_at, r.message_id) r;

  perform archive.record(
    case when n.published_at is null then 'notice.written' else 'notice.published' end,
    (archive.notice(n) || '{"snapshot":true}')::json, n.audience_chat_id, n.id,
    audience => case when n.published_at is null then 'admins' else 'notice' end
  )
  from (select * from public.team_notices n order by n.created_at, n.id) n;
end
$$;
revoke execute on function archive.begin() from public;

select archive.begin();

-- ./schemas/review_queue.sql

-- The review queue: what the lexicon caught, what the random sample drew, and what members reported. Only functions for
-- supervisors read it (review_reading.sql, review_decisions.sql).

create table private.review_items (
  id uuid primary key default gen_random_uuid(),
  source text not null,
  -- No foreign keys: an item outlives what it is about.
  message_id uuid,
  chat_id uuid,
  member_id uuid not null,
  reporter_id uuid,
  leader_id uuid,
  report_id uuid unique,
  record_seq bigint,
  caught jsonb not null default '[]',
  percent numeric,
  occurred_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  assigned_to uuid references private.members (id),
  outcome text,
  closed_at timestamptz,
  closed_by uuid,
  version integer not null default 1,
  urgency smallint not null generated always as (case source when 'report' then 1 when 'lexicon' then 2 else 3 end) stored,
  constraint "Source must be lexicon, sample or report" check (source in ('lexicon', 'sample', 'report')),
  constraint "Outcome must be fine, follow_up or violation" check (outcome in ('fine', 'follow_up', 'violation')),
  constraint "A decision has a time" check ((outcome is null) = (closed_at is null))
);
comment on table private.review_items is 'What a supervisor has to review, and what they decided.';
comment on column private.review_items.member_id is 'The author, or who is reported: never the one who reviews it.';
comment on column private.review_items.leader_id is 'The nearest active member above the author at the time.';
comment on column private.review_items.record_seq is 'The record of the archive with the version that was caught.';
comment on column private.review_items.percent is 'The share of messages that the sample took then.';
comment on column private.review_items.version is 'Grows with each decision, so that the second of two reviewers learns of the first.';
comment on column private.review_items.urgency is 'Its place in the queue: what a member reported before what words caught, the sample last.';
create index review_items_open on private.review_items (urgency, created_at, id) where closed_at is null;
create index review_items_assigned on private.review_items (assigned_to, urgency, created_at, id) where closed_at is null;
create index review_items_closed on private.review_items (closed_at desc, id desc) where closed_at is not null;
create index review_items_created on private.review_items (created_at);
-- A message that is caught again while it waits is one item.
create unique index review_items_waiting on private.review_items (source, message_id)
  where source <> 'report' and closed_at is null;
create index review_items_message on private.review_items (message_id, source);
alter table private.review_items enable row level security;
revoke all on private.review_items from anon, authenticated, service_role;

create table private.review_events (
  id uuid primary key,
  item_id uuid not null references private.review_items (id),
  recorded_at timestamptz not null default clock_timestamp(),
  actor_id uuid not null,
  action text not null,
  note text not null default '',
  outcome text,
  assignee_id uuid,
  constraint "Review note is at most 2000 characters" check (char_length(note) <= 2000),
  constraint "Action must be known" check (action in ('noted', 'assigned', 'decided', 'reopened'))
);
comment on table private.review_events is 'Notes, assignments and decisions of a review. Append only.';
create index review_events_item on private.review_events (item_id, recorded_at);
alter table private.review_events enable row level security;
revoke all on private.review_events from anon, authenticated, service_role;

create function private.keep_review_events() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'What was noted in a review stays' using errcode = '42501';
end
$$;
create trigger keep_review_events before update or delete or truncate on private.review_events
  for each statement execute function private.keep_review_events();

-- Nobody reviews what they wrote, nor a report about or by themselves.
create function private.may_review(item private.review_items) returns boolean
language sql stable security definer set search_path = ''
as $$
  select item.member_id <> (select auth.uid()) and item.reporter_id is distinct from (select auth.uid())
$$;

-- The number of the record with which a message began. Sought backwards in its chat: what is reviewed is recent.
create function private.sent_seq(chat_id uuid, message_id uuid, until_seq bigint default 9223372036854775807) returns bigint
language sql stable security definer set search_path = ''
as $$
  select r.seq from archive.records r
  where r.chat_id = sent_seq.chat_id and r.seq <= until_seq and r.kind = 'message.sent' and r.subject_id = message_id
  order by r.seq desc limit 1
$$;

create function private.nearest_leader(member_id uuid) returns uuid
language sql stable security definer set search_path = ''
as $$ select above.id from private.upline(member_id) above where above.level = 1 $$;

create function private.record_review(kind text, item private.review_items, content jsonb default '{}') returns void
language sql security definer set search_path = ''
as $$
  select archive.record(
    'review.' || kind,
    json_strip_nulls((
      jsonb_build_object('source', item.source, 'message_id', item.message_id, 'member', archive.person(item.member_id)) || content
    )::json),
    item.chat_id, item.id, item.member_id, 'nobody'
  )
$$;

create function private.review_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.review_items (
    source, message_id, chat_id, member_id, reporter_id, leader_id, report_id, record_seq, occurred_at
  )
  values (
    'report', new.message_id, new.chat_id, new.member_id, new.reporter_id, private.nearest_leader(new.member_id), new.id,
    coalesce(
      (
        select r.seq from archive.records r
        where r.subject_id = new.message_id and r.kind = 'message.edited' order by r.seq desc limit 1
      ),
      private.sent_seq(new.chat_id, new.message_id)
    ),
    coalesce((select m.sent_at from public.chat_messages m where m.id = new.message_id), new.created_at)
  );
  return null;
end
$$;
create trigger review_report after insert on private.reports
  for each row execute function private.review_report();

-- Once per statement, to each supervisor on a topic of their own, except of what somebody else has to review.
create function private.publish_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "review_items"}'::jsonb, 'content_changed', 'supervisor:' || m.id, true)
  from private.members m
  where m.can_supervise and m.is_active and exists (
    select from changed c where c.member_id <> m.id and c.reporter_id is distinct from m.id
  );
  return null;
end
$$;
create trigger publish_new_review after insert on private.review_items
  referencing new table as changed for each statement execute function private.publish_review();
create trigger publish_changed_review after update on private.review_items
  referencing new table as changed for each statement execute function private.publish_review();

create policy "supervisors receive that their queue changed" on realtime.messages
  for select to authenticated
  using (
    extension = 'broadcast' and (select realtime.topic()) = 'supervisor:' || (select auth.uid())
    and (select private.is_supervisor()) and (select private.session_is_live())
  );

revoke execute on all functions in schema private from public;

-- ./schemas/review_lexicon.sql

-- The lexicon: words and phrases that put a message into the review queue. Supervisors edit it; nobody writes a regular
-- expression, so matching stays cheap whatever is typed. Forms: docs/supervision.md

-- Text as the lexicon sees it: small letters without accents, apostrophes and invisible characters, words between single
-- spaces, one space around all of it. NFKC folds the letters that only look different.
create function private.plain_words(words text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select ' ' || btrim(regexp_replace(
    regexp_replace(
      translate(
        lower(private.without_accents(normalize(regexp_replace(
          normalize(private.without_invisible(left(words, 8000)), NFKD),
          -- Marks above, below and across letters.
          '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g'
        ), NFKC))),
        -- Fillers look like spaces and are letters.
        chr(4447) || chr(4448) || '''`´’‘', '  '
      ), '([%$])', ' \1 ', 'g'
    ), '[^[:alnum:]%$]+', ' ', 'g'
  )) || ' '
$$;

-- A phrase as a pattern over such a text; a word that ends with * stands for all that begin so. Nothing but letters, digits,
-- % and $ is left of it, so there is nothing to escape but the $.
create function private.lexicon_words(phrase text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select string_agg(
    replace(btrim(private.plain_words(part)), '$', '[$]') || case when part like '%*' then '[^ ]*' else '' end, ' ' order by place
  )
  from regexp_split_to_table(btrim(phrase), '\s+') with ordinality parts (part, place)
  where private.plain_words(part) ~ '[^ ]'
$$;

create function private.lexicon_pattern(phrase text, near text, within integer) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select ' ' || case
    when near is null then private.lexicon_words(phrase)
    else format(
      '(?:%1$s (?:[^ ]+ ){0,%3$s}%2$s|%2$s (?:[^ ]+ ){0,%3$s}%1$s)', private.lexicon_words(phrase),
      private.lexicon_words(near), within
    )
  end || ' '
$$;

create function private.lexicon_exceptions(exceptions text[]) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select ' (?:' || string_agg(private.lexicon_words(each), '|' order by length(each) desc, each) || ')(?= )'
  from unnest(exceptions) each
  where private.lexicon_words(each) is not null
$$;

-- What any text with the phrase contains: a quick look before the pattern.
create function private.lexicon_stem(phrase text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select ' ' || replace(split_part(split_part(private.lexicon_words(phrase), ' ', 1), '[^', 1), '[$]', '$') $$;

create function private.longest(texts text[]) returns integer
language sql immutable parallel safe set search_path = ''
as $$ select max(char_length(each)) from unnest(texts) each $$;

create table private.lexicon_entries (
  id uuid primary key default gen_random_uuid(),
  language text not null,
  category text not null,
  phrase text not null,
  near text,
  within integer not null default 5,
  exceptions text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references private.members (id) on delete set null,
  stem text generated always as (private.lexicon_stem(phrase)) stored,
  pattern text generated always as (private.lexicon_pattern(phrase, near, within)) stored,
  excepted text generated always as (private.lexicon_exceptions(exceptions)) stored,
  constraint "Language must be en or es" check (language in ('en', 'es')),
  constraint "Category must be known" check (category in (
    'guarantee', 'risk', 'replacement', 'channel', 'rebate', 'misrepresentation', 'forgery', 'churning', 'claim', 'complaint', 'other'
  )),
  constraint "Phrase is at most 100 characters" check (char_length(phrase) <= 100 and char_length(near) <= 100),
  constraint "Phrase needs letters or digits" check (
    coalesce(private.lexicon_words(phrase), '') ~ '[[:alnum:]]{2}'
    and (near is null or private.lexicon_words(near) is not null)
  ),
  constraint "Words apart are 1 to 20" check (within between 1 and 20),
  constraint "At most 20 exceptions of 100 characters each"
    check (cardinality(exceptions) <= 20 and private.longest(exceptions) <= 100),
  constraint "Exceptions are at most 1000 characters in all" check (char_length(array_to_string(exceptions, '')) <= 1000)
);
comment on table private.lexicon_entries is 'Words and phrases that put a message into the review queue.';
comment on column private.lexicon_entries.near is 'A second phrase, at most `within` words away on either side.';
comment on column private.lexicon_entries.exceptions is 'Phrases that are taken out of the text before the entry is looked for.';
create index lexicon_entries_updated_by on private.lexicon_entries (updated_by);
alter table private.lexicon_entries enable row level security;
revoke all on private.lexicon_entries from anon, authenticated, service_role;

create function private.lexicon_matches(entry private.lexicon_entries, words text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select strpos(words, entry.stem) > 0 and words ~ entry.pattern
    and (entry.excepted is null or regexp_replace(words, entry.excepted, ' |', 'g') ~ entry.pattern)
$$;

-- How an entry is shown next to what it caught, also when it has changed since.
create function private.lexicon_label(entry private.lexicon_entries) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'id', entry.id, 'category', entry.category, 'phrase', entry.phrase, 'near', entry.near
  ))
$$;

-- In the archive and in the audit log; also what an operator changes in the SQL console.
create function private.record_lexicon() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  ignored constant text[] := '{id,stem,pattern,excepted,created_at,updated_at,updated_by}';
  entry constant private.lexicon_entries := case tg_op when 'DELETE' then old else new end;
  one constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - ignored end;
  other constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - ignored end;
begin
  if one is distinct from other then
    perform archive.record(
      'review.lexicon', json_build_object('before', one, 'after', other), subject_id => entry.id, audience => 'nobody'
    );
    perform private.record_change(
      'supervision',
      case tg_op when 'INSERT' then 'lexicon_added' when 'DELETE' then 'lexicon_removed' else 'lexicon_changed' end,
      entry.id, entry.phrase, private.changed_values(jsonb_strip_nulls(one), coalesce(other, '{}')),
      private.changed_values(jsonb_strip_nulls(other), coalesce(one, '{}'))
    );
  end if;
  return null;
end
$$;

create function public.lexicon()
returns table (
  id uuid, language text, category text, phrase text, near text, within integer, exceptions text[], is_active boolean,
  updated_at timestamptz, updated_by uuid, caught bigint, violations bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  with counted as (
    select (label ->> 'id')::uuid as entry_id, count(*) as items, count(*) filter (where i.outcome = 'violation') as bad
    from private.review_items i cross join jsonb_array_elements(i.caught) label
    where i.source = 'lexicon' and i.created_at > now() - interval '90 days'
    group by 1
  )
  select e.id, e.language, e.category, e.phrase, e.near, e.within, e.exceptions, e.is_active, e.updated_at, e.updated_by,
    coalesce(c.items, 0), coalesce(c.bad, 0)
  from private.lexicon_entries e left join counted c on c.entry_id = e.id
  order by e.category, e.language, e.phrase, e.id
  limit 1000;
end
$$;
comment on function public.lexicon is
  'For supervisors: the lexicon, with what each entry caught in the last 90 days and how much of that was a violation.';

-- The id comes from the caller, so that saving twice adds one entry. Entries are paused, not deleted: items refer to them.
create function public.save_lexicon_entry(
  entry_id uuid, language text, category text, phrase text, near text default null, within integer default 5,
  exceptions text[] default '{}', is_active boolean default true
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  perform pg_advisory_xact_lock(hashtextextended('private.lexicon_entries', 0));
  if not exists (select from private.lexicon_entries e where e.id = entry_id)
    and (select count(*) from private.lexicon_entries) >= 1000
  then
    raise exception 'The lexicon has at most 1000 entries' using errcode = '23514';
  end if;
  insert into private.lexicon_entries as e (id, language, category, phrase, near, within, exceptions, is_active, updated_by)
  values (
    entry_id, save_lexicon_entry.language, save_lexicon_entry.category, btrim(save_lexicon_entry.phrase),
    nullif(private.trimmed(save_lexicon_entry.near), ''), save_lexicon_entry.within,
    array(select btrim(each) from unnest(save_lexicon_entry.exceptions) each where not private.is_blank(each)),
    save_lexicon_entry.is_active, (select auth.uid())
  )
  on conflict (id) do update set
    language = excluded.language, category = excluded.category, phrase = excluded.phrase, near = excluded.near,
    within = excluded.within, exceptions = excluded.exceptions, is_active = excluded.is_active, updated_at = now(),
    updated_by = excluded.updated_by;
exception
  -- The constraint is named by the sentence that the caller is to read.
  when check_violation or not_null_violation then
    raise exception using errcode = sqlstate, message = coalesce(substring(sqlerrm from 'check constraint "(.*)"'), sqlerrm);
end
$$;
comment on function public.save_lexicon_entry is 'For supervisors: adds or changes an entry of the lexicon.';

create function public.test_lexicon(words text)
returns table (id uuid, category text, phrase text, near text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  plain constant text := private.plain_words(left(words, 4000));
begin
  perform private.assert_supervisor();
  return query
  select e.id, e.category, e.phrase, e.near from private.lexicon_entries e
  where e.is_active and private.lexicon_matches(e, plain)
  order by e.category, e.phrase limit 100;
end
$$;
comment on function public.test_lexicon is 'For supervisors: the active entries that a text would be caught by.';

revoke execute on function public.lexicon, public.save_lexicon_entry, public.test_lexicon from public, anon, service_role;
grant execute on function public.lexicon, public.save_lexicon_entry, public.test_lexicon to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/review_lexicon_start.sql

-- The lexicon that every team starts with, for insurance and securities, in English and Spanish. Supervisors change it.

insert into private.lexicon_entries (language, category, phrase, near, within, exceptions) values
  ('en', 'guarantee', 'guarantee*', 'return*', 6, '{no guarantee*,not guarantee*,cannot guarantee,cant guarantee,never guarantee*}'),
  ('en', 'guarantee', 'guarantee*', 'profit*', 6, '{no guarantee*,not guarantee*,cannot guarantee,cant guarantee,never guarantee*}'),
  ('en', 'guarantee', 'guarantee*', '%', 4, '{no guarantee*,not guarantee*,cannot guarantee,cant guarantee}'),
  ('en', 'guarantee', 'guaranteed income', null, 5, '{guaranteed income rider}'),
  ('en', 'guarantee', 'promise* you', 'return*', 8, '{cannot promise,cant promise,dont promise}'),
  ('en', 'guarantee', 'you will make', '%', 5, '{}'),
  ('en', 'guarantee', 'double your money', null, 5, '{}'),
  ('en', 'guarantee', 'sure thing', null, 5, '{}'),
  ('en', 'guarantee', 'cant lose', null, 5, '{cant lose weight}'),
  ('en', 'guarantee', 'cannot lose', null, 5, '{}'),
  ('en', 'guarantee', 'get rich', null, 5, '{not get rich quick,no get rich quick}'),
  ('en', 'risk', 'no risk', null, 5, '{there is no risk free,no risk free}'),
  ('en', 'risk', 'risk free', null, 5, '{no risk free,not risk free,nothing is risk free}'),
  ('en', 'risk', 'zero risk', null, 5, '{}'),
  ('en', 'risk', 'without risk', null, 5, '{not without risk,never without risk}'),
  ('en', 'risk', 'never lost money', null, 5, '{}'),
  ('en', 'risk', 'no downside', null, 5, '{}'),
  ('en', 'risk', '100 % safe', null, 5, '{}'),
  ('en', 'replacement', 'cancel* your policy', null, 5, '{do not cancel your policy,dont cancel your policy,never cancel your policy}'),
  ('en', 'replacement', 'drop* your policy', null, 5, '{do not drop your policy,dont drop your policy}'),
  ('en', 'replacement', 'surrender*', 'policy', 5, '{surrender charge*,surrender period,surrender value}'),
  ('en', 'replacement', 'replace your', 'policy', 4, '{replacement form*}'),
  ('en', 'replacement', 'switch* your', 'policy', 4, '{}'),
  ('en', 'replacement', 'cash out your', null, 5, '{}'),
  ('en', 'replacement', 'borrow against', 'policy', 6, '{}'),
  ('en', 'channel', 'whatsapp', null, 5, '{do not use whatsapp,dont use whatsapp,not on whatsapp,no whatsapp}'),
  ('en', 'channel', 'telegram', null, 5, '{do not use telegram,dont use telegram}'),
  ('en', 'channel', 'signal app', null, 5, '{}'),
  ('en', 'channel', 'wechat', null, 5, '{}'),
  ('en', 'channel', 'text me', null, 5, '{text me back the meeting id}'),
  ('en', 'channel', 'my personal email', null, 5, '{}'),
  ('en', 'channel', 'my gmail', null, 5, '{}'),
  ('en', 'channel', 'my cell', null, 5, '{}'),
  ('en', 'channel', 'off the record', null, 5, '{}'),
  ('en', 'channel', 'delete this', 'message*', 3, '{}'),
  ('en', 'channel', 'dont put this in writing', null, 5, '{}'),
  ('en', 'rebate', 'rebat*', null, 5, '{anti rebating,no rebat*,rebating is illegal,rebating is not allowed}'),
  ('en', 'rebate', 'share my commission', null, 5, '{}'),
  ('en', 'rebate', 'split the commission', null, 5, '{}'),
  ('en', 'rebate', 'kickback*', null, 5, '{}'),
  ('en', 'rebate', 'pay your first premium', null, 5, '{}'),
  ('en', 'rebate', 'ill pay', 'premium*', 6, '{}'),
  ('en', 'rebate', 'free gift', 'sign*', 8, '{}'),
  ('en', 'misrepresentation', 'like a cd', null, 5, '{not like a cd}'),
  ('en', 'misrepresentation', 'like a bank account', null, 5, '{not like a bank account}'),
  ('en', 'misrepresentation', 'like a savings account', null, 5, '{not like a savings account}'),
  ('en', 'misrepresentation', 'same as a 401k', null, 5, '{}'),
  ('en', 'misrepresentation', 'fdic insured', null, 5, '{not fdic insured}'),
  ('en', 'misrepresentation', 'free insurance', null, 5, '{}'),
  ('en', 'misrepresentation', 'tax free retirement', null, 5, '{}'),
  ('en', 'misrepresentation', 'government approved', null, 5, '{not government approved}'),
  ('en', 'misrepresentation', 'no fees', null, 5, '{there are no fees to join the call}'),
  ('en', 'misrepresentation', 'dont tell', 'underwrit*', 8, '{}'),
  ('en', 'misrepresentation', 'leave out', 'application', 8, '{}'),
  ('en', 'misrepresentation', 'dont mention', 'smok*', 8, '{}'),
  ('en', 'forgery', 'sign for', 'client*', 4, '{do not sign for,dont sign for,never sign for}'),
  ('en', 'forgery', 'sign*', 'for the client', 3, '{do not sign*,dont sign*,never sign*,signed up}'),
  ('en', 'forgery', 'signed for', 'client*', 4, '{never signed for}'),
  ('en', 'forgery', 'sign* their name', null, 5, '{}'),
  ('en', 'forgery', 'forg*', 'signature*', 4, '{forget*,forgot*}'),
  ('en', 'forgery', 'pre signed', null, 5, '{}'),
  ('en', 'forgery', 'blank form*', null, 5, '{no blank form*}'),
  ('en', 'forgery', 'backdat*', null, 5, '{do not backdate,dont backdate,never backdate}'),
  ('en', 'churning', 'churn*', null, 5, '{churn rate}'),
  ('en', 'churning', 'new commission', 'policy', 8, '{}'),
  ('en', 'churning', 'move the money', 'again', 6, '{}'),
  ('en', 'claim', 'not approved', 'flyer*', 8, '{}'),
  ('en', 'claim', 'best investment', null, 5, '{}'),
  ('en', 'claim', 'beats the market', null, 5, '{}'),
  ('en', 'claim', 'outperform* the market', null, 5, '{}'),
  ('en', 'claim', 'insider', null, 5, '{}'),
  ('en', 'claim', 'financial advisor', 'i am', 3, '{not a financial advisor}'),
  ('en', 'complaint', 'complaint*', 'client*', 8, '{no complaint*}'),
  ('en', 'complaint', 'lawsuit', null, 5, '{}'),
  ('en', 'complaint', 'want* their money back', null, 5, '{}'),

  ('es', 'guarantee', 'garanti*', 'rendimiento*', 6, '{no garantiz*,no se garantiz*,sin garantia,no esta garantizado,no estan garantizados}'),
  ('es', 'guarantee', 'garanti*', 'ganancia*', 6, '{no garantiz*,no se garantiz*,sin garantia}'),
  ('es', 'guarantee', 'garanti*', '%', 4, '{no garantiz*,no se garantiz*,sin garantia}'),
  ('es', 'guarantee', 'te prometo', 'rendimiento*', 8, '{no te prometo}'),
  ('es', 'guarantee', 'ganancia segura', null, 5, '{}'),
  ('es', 'guarantee', 'ganancias seguras', null, 5, '{}'),
  ('es', 'guarantee', 'vas a ganar', '%', 5, '{}'),
  ('es', 'guarantee', 'duplica* tu dinero', null, 5, '{}'),
  ('es', 'guarantee', 'no puedes perder', null, 5, '{no puedes perderte}'),
  ('es', 'guarantee', 'hacerte rico', null, 5, '{}'),
  ('es', 'risk', 'sin riesgo*', null, 5, '{no es sin riesgo*,nada es sin riesgo*}'),
  ('es', 'risk', 'cero riesgo*', null, 5, '{}'),
  ('es', 'risk', 'libre de riesgo*', null, 5, '{no esta libre de riesgo*,nada esta libre de riesgo*}'),
  ('es', 'risk', 'ningun riesgo', null, 5, '{}'),
  ('es', 'risk', '100 % seguro', null, 5, '{}'),
  ('es', 'risk', 'nunca se pierde', null, 5, '{}'),
  ('es', 'replacement', 'cancela* tu poliza', null, 5, '{no canceles tu poliza,no cancelar tu poliza}'),
  ('es', 'replacement', 'cancele su poliza', null, 5, '{no cancele su poliza}'),
  ('es', 'replacement', 'cambia* tu poliza', null, 5, '{}'),
  ('es', 'replacement', 'reemplaza* tu', 'poliza', 4, '{}'),
  ('es', 'replacement', 'rescata* tu poliza', null, 5, '{}'),
  ('es', 'channel', 'por whatsapp', null, 5, '{no por whatsapp,nada por whatsapp}'),
  ('es', 'channel', 'mi whatsapp', null, 5, '{}'),
  ('es', 'channel', 'mi celular', null, 5, '{}'),
  ('es', 'channel', 'mi correo personal', null, 5, '{}'),
  ('es', 'channel', 'mandame un mensaje', null, 5, '{}'),
  ('es', 'channel', 'escribeme al', null, 5, '{}'),
  ('es', 'channel', 'borra* este mensaje', null, 5, '{}'),
  ('es', 'channel', 'entre nosotros', null, 5, '{}'),
  ('es', 'rebate', 'parte de mi comision', null, 5, '{}'),
  ('es', 'rebate', 'comparto mi comision', null, 5, '{}'),
  ('es', 'rebate', 'te pago', 'prima', 5, '{}'),
  ('es', 'rebate', 'te devuelvo', 'prima', 6, '{}'),
  ('es', 'misrepresentation', 'como una cuenta de ahorro*', null, 5, '{no es como una cuenta de ahorro*}'),
  ('es', 'misrepresentation', 'como una cuenta de banco', null, 5, '{no es como una cuenta de banco}'),
  ('es', 'misrepresentation', 'como una cuenta bancaria', null, 5, '{no es como una cuenta bancaria}'),
  ('es', 'misrepresentation', 'como un cd', null, 5, '{no es como un cd}'),
  ('es', 'misrepresentation', 'seguro gratis', null, 5, '{}'),
  ('es', 'misrepresentation', 'aprobado por el gobierno', null, 5, '{no esta aprobado por el gobierno}'),
  ('es', 'misrepresentation', 'sin comisiones', null, 5, '{}'),
  ('es', 'misrepresentation', 'no menciones', 'solicitud', 8, '{}'),
  ('es', 'forgery', 'firma* por', 'cliente*', 4, '{no firmes por,nunca firmes por,no firmar por}'),
  ('es', 'forgery', 'falsific*', null, 5, '{}'),
  ('es', 'forgery', 'formulario* en blanco', null, 5, '{}'),
  ('es', 'forgery', 'firmado en blanco', null, 5, '{}'),
  ('es', 'churning', 'otra comision', 'poliza', 8, '{}'),
  ('es', 'claim', 'la mejor inversion', null, 5, '{}'),
  ('es', 'claim', 'le gana al mercado', null, 5, '{}'),
  ('es', 'claim', 'informacion privilegiada', null, 5, '{}'),
  ('es', 'complaint', 'queja*', 'cliente*', 8, '{sin queja*}'),
  ('es', 'complaint', 'demanda judicial', null, 5, '{}'),
  ('es', 'complaint', 'quiere su dinero', null, 5, '{}');

-- From here on what supervisors, or an operator in the SQL console, change is a record.
create trigger record_lexicon after insert or update or delete on private.lexicon_entries
  for each row execute function private.record_lexicon();

-- ./schemas/review_worker.sql

-- Fills the queue. A server calls it once a minute, after sealing: a message costs nothing when it is sent. It follows the
-- seals: each record comes under exactly one of them, also one whose transaction ended late, so none is missed or taken twice.

create table private.review_sampling (
  leader_id uuid primary key references private.members (id),
  percent numeric(5, 2) not null,
  constraint "Percent is 0 to 100" check (percent between 0 and 100)
);
comment on table private.review_sampling is 'The share of messages drawn at random from the line of a leader, where it is not the team''s.';
alter table private.review_sampling enable row level security;
revoke all on private.review_sampling from anon, authenticated, service_role;

create table private.review_worker (
  is_only_row boolean primary key default true check (is_only_row),
  seal bigint not null default 0,
  percent numeric(5, 2) not null default 5,
  seed text not null default gen_random_uuid() || '-' || gen_random_uuid(),
  constraint "Percent is 0 to 100" check (percent between 0 and 100)
);
comment on table private.review_worker is 'The last seal that was gone through, and the sample of the whole team.';
comment on column private.review_worker.seed is 'Decides with a record''s number whether it is drawn. Secret, so that nobody can foresee it.';
insert into private.review_worker default values;
alter table private.review_worker enable row level security;
revoke all on private.review_worker from anon, authenticated, service_role;

-- What supervisors, or an operator in the SQL console, change of it: in the archive and in the audit log.
create function private.record_sampling() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  one constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  other constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  leader constant uuid := coalesce(other, one) ->> 'leader_id';
begin
  if one -> 'percent' is distinct from other -> 'percent' then
    perform archive.record(
      'review.sampling', json_build_object('before', one -> 'percent', 'percent', other -> 'percent'), member_id => leader,
      audience => 'nobody'
    );
    perform private.record_change(
      'supervision', 'sampling', leader, null, jsonb_build_object('percent', one -> 'percent'),
      jsonb_build_object('percent', other -> 'percent'), array[leader]
    );
  end if;
  return null;
end
$$;
create trigger record_sampling after insert or update or delete on private.review_sampling
  for each row execute function private.record_sampling();
create trigger record_sampling after update of percent on private.review_worker
  for each row execute function private.record_sampling();

create table private.review_weeks (
  week date primary key,
  messages bigint not null
);
comment on table private.review_weeks is 'How many messages were gone through, by the Monday of their week in the team''s time zone.';
alter table private.review_weeks enable row level security;
revoke all on private.review_weeks from anon, authenticated, service_role;

-- The nearest leader above who has a share of their own decides.
create function private.sample_percent(member_id uuid) returns numeric
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select s.percent from private.upline(member_id) above join private.review_sampling s on s.leader_id = above.id
      order by above.level limit 1
    ),
    (select w.percent from private.review_worker w)
  )
$$;

-- The same record, seed and percent always give the same answer.
create function private.is_sampled(seq bigint, seed text, percent numeric) returns boolean
language sql immutable set search_path = ''
as $$
  select ('x' || left(encode(sha256(convert_to(seed || ':' || seq, 'UTF8')), 'hex'), 8))::bit(32)::bigint < percent / 100 * 4294967296
$$;

create function private.week_of(moment timestamptz) returns date
language sql stable security definer set search_path = ''
as $$ select date_trunc('week', moment at time zone (select s.time_zone from public.team_settings s))::date $$;

create function private.review_seal(seal archive.seals, seed text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  items private.review_items[];
  item private.review_items;
begin
  with batch as materialized (
    select r.seq, r.recorded_at, r.kind, r.subject_id, r.chat_id, r.member_id,
      private.plain_words(r.content ->> 'text') as words
    from archive.records r
    where (r.seq between seal.from_seq and seal.to_seq and not seal.open @> r.seq or r.seq = any (seal.late))
      and r.kind in ('message.sent', 'message.edited') and r.member_id is not null
      -- What a team had before it had an archive.
      and r.content ->> 'snapshot' is null
  ), counted as (
    insert into private.review_weeks as w (week, messages)
    select private.week_of(b.recorded_at), count(*) from batch b where b.kind = 'message.sent' group by 1
    on conflict (week) do update set messages = w.messages + excluded.messages
  ), authors as materialized (
    select each.member_id, private.nearest_leader(each.member_id) as leader_id, private.sample_percent(each.member_id) as percent
    from (select distinct b.member_id from batch b) each
  ), found as (
    select 'lexicon' as source, b.subject_id, max(b.seq) as seq, jsonb_agg(distinct private.lexicon_label(e)) as caught
    from private.lexicon_entries e
    join batch b on strpos(b.words, e.stem) > 0 and private.lexicon_matches(e, b.words)
    where e.is_active
    group by b.subject_id
    union all
    select 'sample', b.subject_id, b.seq, '[]'
    from batch b join authors a on a.member_id = b.member_id
    where b.kind = 'message.sent' and private.is_sampled(b.seq, seed, a.percent)
  ), queued as (
    insert into private.review_items as i (
      source, message_id, chat_id, member_id, leader_id, record_seq, caught, percent, occurred_at
    )
    select f.source, f.subject_id, b.chat_id, b.member_id, a.leader_id, f.seq, f.caught,
      case f.source when 'sample' then a.percent end, b.recorded_at
    from found f join batch b on b.seq = f.seq join authors a on a.member_id = b.member_id
    where not exists (
      select from private.review_items known
      where known.message_id = f.subject_id and known.source = f.source and known.record_seq >= f.seq
    )
    order by f.seq
    on conflict (source, message_id) where source <> 'report' and closed_at is null do update set
      record_seq = excluded.record_seq, version = i.version + 1, caught = (
        select jsonb_agg(distinct label) from jsonb_array_elements(i.caught || excluded.caught) label
      )
    returning i
  )
  select coalesce(array_agg(q.i), '{}') into items from queued q;
  foreach item in array items loop
    perform private.record_review('queued', item, jsonb_build_object(
      'caught', nullif(item.caught, '[]'), 'percent', item.percent, 'record', item.record_seq
    ));
  end loop;
  return cardinality(items);
end
$$;

create function public.review_new_messages(max_seals int default 5) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  worker private.review_worker;
  seal archive.seals;
  seals integer := 0;
  added integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('private.review_worker', 0)) then
    return jsonb_build_object('seals', 0, 'added', 0, 'is_done', true);
  end if;
  select * into worker from private.review_worker;
  loop
    select * into seal from archive.seals s where s.number > worker.seal order by s.number limit 1;
    exit when not found or seals >= least(max_seals, 20);
    added := added + private.review_seal(seal, worker.seed);
    worker.seal := seal.number;
    seals := seals + 1;
  end loop;
  if seals > 0 then
    update private.review_worker set seal = worker.seal;
  end if;
  return jsonb_build_object('seals', seals, 'added', added, 'is_done', seal.number is null);
end
$$;
comment on function public.review_new_messages is
  'For servers, about once a minute after seal_archive: queues what the lexicon catches and the sample draws. Call it again while it is not done.';

revoke execute on function public.review_new_messages from public, anon, authenticated;
grant execute on function public.review_new_messages to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/review_decisions.sql

-- What supervisors do with an item. Each change is an event that stays, and a record of the archive. `if_version` is the
-- version the reviewer saw: whoever comes second learns that somebody was quicker.

create function private.item_to_review(item_id uuid, if_version integer) returns private.review_items
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  perform private.assert_supervisor();
  select * into item from private.review_items i where i.id = item_id for update;
  if item.id is null then
    raise exception 'There is no such item' using errcode = 'PT404';
  elsif not private.may_review(item) then
    raise exception 'Somebody else has to review this' using errcode = '42501';
  elsif if_version <> item.version then
    raise exception 'Another supervisor has changed this meanwhile' using errcode = 'PT409';
  end if;
  return item;
end
$$;

create function private.has_review_event(event_id uuid, item_id uuid, action text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.review_events e
    where e.id = event_id and e.actor_id = (select auth.uid()) and e.item_id = has_review_event.item_id
      and e.action = has_review_event.action
  )
$$;

-- The id comes from the caller, so that sending it twice adds one event. False: it was there already.
create function private.add_review_event(
  event_id uuid, item private.review_items, action text, note text, outcome text default null, assignee_id uuid default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.review_events (id, item_id, actor_id, action, note, outcome, assignee_id)
  values (event_id, item.id, (select auth.uid()), action, private.trimmed(note), outcome, add_review_event.assignee_id)
  on conflict (id) do nothing;
  if not found then
    if private.has_review_event(event_id, item.id, action) then
      return false;
    end if;
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  end if;
  perform private.record_review(action, item, jsonb_build_object(
    'note', nullif(private.trimmed(note), ''), 'outcome', outcome,
    'assignee', (select a.name from archive.named(add_review_event.assignee_id) a)
  ));
  return true;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;


create function public.note_review_item(item_id uuid, note text, event_id uuid default gen_random_uuid()) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  item constant private.review_items := private.item_to_review(item_id, null);
begin
  if private.is_blank(note) then
    raise exception 'Write a note' using errcode = '23514';
  end if;
  perform private.add_review_event(event_id, item, 'noted', note);
end
$$;
comment on function public.note_review_item is 'For supervisors: adds a note to an item. Notes stay.';

create function public.assign_review_item(
  item_id uuid, assignee uuid, if_version integer, event_id uuid default gen_random_uuid()
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  if private.has_review_event(event_id, item_id, 'assigned') then
    return;
  end if;
  item := private.item_to_review(item_id, coalesce(if_version, 0));
  if item.closed_at is not null then
    raise exception 'This item is closed' using errcode = 'PT409';
  elsif assignee is not null and (
    assignee in (item.member_id, item.reporter_id)
    or not exists (select from private.members m where m.id = assignee and m.can_supervise and m.is_active)
  ) then
    raise exception 'Choose a supervisor who may review this' using errcode = '22023';
  end if;
  update private.review_items i set assigned_to = assignee, version = i.version + 1 where i.id = item.id;
  perform private.add_review_event(event_id, item, 'assigned', '', assignee_id => assignee);
end
$$;
comment on function public.assign_review_item is 'For supervisors: gives an item to a supervisor; null gives it back to all.';

create function public.decide_review_item(
  item_id uuid, outcome text, note text, if_version integer, event_id uuid default gen_random_uuid()
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  if private.has_review_event(event_id, item_id, 'decided') then
    return;
  end if;
  item := private.item_to_review(item_id, coalesce(if_version, 0));
  if item.closed_at is not null then
    raise exception 'This item is closed' using errcode = 'PT409';
  elsif outcome is null then
    raise exception 'Choose what you decide' using errcode = '22023';
  end if;
  update private.review_items i set
    outcome = decide_review_item.outcome, closed_at = clock_timestamp(), closed_by = (select auth.uid()), version = i.version + 1
  where i.id = item.id;
  update private.reports r set outcome = decide_review_item.outcome, closed_at = now() where r.id = item.report_id;
  perform private.add_review_event(event_id, item, 'decided', note, decide_review_item.outcome);
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.decide_review_item is 'For supervisors: closes an item as fine, follow_up or violation, with a note.';

create function public.reopen_review_item(
  item_id uuid, note text, if_version integer, event_id uuid default gen_random_uuid()
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  if private.has_review_event(event_id, item_id, 'reopened') then
    return;
  end if;
  item := private.item_to_review(item_id, coalesce(if_version, 0));
  if item.closed_at is null then
    return;
  elsif private.is_blank(note) then
    raise exception 'Say why you open it again' using errcode = '23514';
  end if;
  update private.review_items i set outcome = null, closed_at = null, closed_by = null, version = i.version + 1
  where i.id = item.id;
  update private.reports r set outcome = null, closed_at = null where r.id = item.report_id;
  perform private.add_review_event(event_id, item, 'reopened', note);
exception
  when unique_violation then
    raise exception 'Another item about this is open; decide there' using errcode = 'PT409';
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.reopen_review_item is 'For supervisors: opens a closed item again, with the reason.';

revoke execute on function
  public.note_review_item, public.assign_review_item, public.decide_review_item, public.reopen_review_item
from public, anon, service_role;
grant execute on function
  public.note_review_item, public.assign_review_item, public.decide_review_item, public.reopen_review_item
to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/review_reading.sql

-- How supervisors read the queue and set it up.

create function private.member_name(member_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select private.display_name(m.first_name, m.last_name, m.email) from private.members m where m.id = member_id
$$;

-- A group by its name; a chat of two by both names.
create function private.chat_title(chat_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when c.type <> 'individual' then c.name
    else (
      select string_agg(private.member_name(p.user_id), ', ' order by p.joined_at, p.user_id)
      from private.chat_participants p where p.chat_id = c.id
    )
  end
  from public.chats c where c.id = chat_title.chat_id
$$;

-- Open items by urgency, then the oldest first; closed ones the latest first. The next page begins after the time and id of
-- the last, whose source does not change.
create function public.review_queue(
  state text default 'open', of_source text default null, after_time timestamptz default null, after_id uuid default null,
  max_results integer default 50
)
returns table (
  id uuid, source text, member_id uuid, member_name text, chat_id uuid, chat_title text, words text, caught jsonb, report_reason text,
  occurred_at timestamptz, created_at timestamptz, assigned_to uuid, assigned_name text, outcome text, closed_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := least(greatest(coalesce(max_results, 50), 1), 200);
  after_urgency constant smallint := (select i.urgency from private.review_items i where i.id = after_id);
  items private.review_items[];
begin
  perform private.assert_supervisor();
  if state = 'closed' then
    items := array(
      select i from private.review_items i
      where i.closed_at is not null and (of_source is null or i.source = of_source) and private.may_review(i)
        and (after_time is null or (i.closed_at, i.id) < (after_time, after_id))
      order by i.closed_at desc, i.id desc limit most
    );
  else
    items := array(
      select i from private.review_items i
      where i.closed_at is null and (of_source is null or i.source = of_source) and private.may_review(i)
        and (state <> 'mine' or i.assigned_to = me)
        and (after_time is null or (i.urgency, i.created_at, i.id) > (after_urgency, after_time, after_id))
      order by i.urgency, i.created_at, i.id limit most
    );
  end if;
  return query
  select i.id, i.source, i.member_id, private.member_name(i.member_id), i.chat_id, private.chat_title(i.chat_id),
    left(r.content ->> 'text', 300), i.caught, p.reason, i.occurred_at, i.created_at, i.assigned_to,
    private.member_name(i.assigned_to), i.outcome, i.closed_at
  from unnest(items) with ordinality i
  left join archive.records r on r.seq = i.record_seq
  left join private.reports p on p.id = i.report_id
  order by i.ordinality;
end
$$;
comment on function public.review_queue is
  'For supervisors: a page of the queue. state: open, mine or closed. What the caller wrote or reported is left out.';

create function public.review_counts()
returns table (open bigint, mine bigint, lexicon bigint, sample bigint, report bigint, for_others bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  select count(*) filter (where r.may), count(*) filter (where r.may and r.assigned_to = (select auth.uid())),
    count(*) filter (where r.may and r.source = 'lexicon'), count(*) filter (where r.may and r.source = 'sample'),
    count(*) filter (where r.may and r.source = 'report'), count(*) filter (where not r.may)
  from (
    select i.source, i.assigned_to, private.may_review(i) as may from private.review_items i where i.closed_at is null
  ) r;
end
$$;
comment on function public.review_counts is
  'For supervisors: how many items are open for the caller; for_others wait for somebody else, since they concern the caller.';

-- No further than a badge shows.
create function public.reviews_waiting() returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.assert_supervisor();
  return (
    select count(*) from (
      select from private.review_items i
      where i.closed_at is null
        and (
          i.assigned_to is null or i.assigned_to = me
          -- Nobody would see what was given to somebody who no longer supervises.
          or not exists (select from private.members m where m.id = i.assigned_to and m.can_supervise and m.is_active)
        )
        and i.member_id <> me and i.reporter_id is distinct from me
      limit 100
    ) waiting
  );
end
$$;
comment on function public.reviews_waiting is
  'For supervisors: how many open items are given to the caller or to nobody who supervises; 100 stands for all above 99.';

create function public.review_item(item_id uuid)
returns table (
  id uuid, source text, member_id uuid, member_name text, leader_name text, chat_id uuid, chat_title text, message_id uuid,
  words text, record_seq bigint, caught jsonb, percent numeric, report_reason text, report_note text, reporter_name text,
  occurred_at timestamptz, created_at timestamptz, assigned_to uuid, assigned_name text, outcome text, closed_at timestamptz,
  version integer, events jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  select i.id, i.source, i.member_id, private.member_name(i.member_id), private.member_name(i.leader_id), i.chat_id,
    private.chat_title(i.chat_id), i.message_id, r.content ->> 'text', i.record_seq, i.caught, i.percent, p.reason, p.note,
    private.member_name(i.reporter_id), i.occurred_at, i.created_at, i.assigned_to, private.member_name(i.assigned_to),
    i.outcome, i.closed_at, i.version,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'at', e.recorded_at, 'action', e.action, 'note', e.note, 'outcome', e.outcome,
        'actor', private.member_name(e.actor_id), 'assignee', private.member_name(e.assignee_id)
      ) order by e.recorded_at, e.id)
      from (
        select * from private.review_events v where v.item_id = i.id order by v.recorded_at desc limit 200
      ) e
    ), '[]')
  from private.review_items i
  left join archive.records r on r.seq = i.record_seq
  left join private.reports p on p.id = i.report_id
  where i.id = item_id and private.may_review(i);
end
$$;
comment on function public.review_item is 'For supervisors: one item with its notes and decisions; nothing if somebody else has to review it.';

create function public.review_sampling()
returns table (leader_id uuid, leader_name text, percent numeric)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  select null::uuid, null::text, w.percent from private.review_worker w
  union all
  (
    select s.leader_id, private.member_name(s.leader_id), s.percent from private.review_sampling s order by 2, 1 limit 500
  );
end
$$;
comment on function public.review_sampling is 'For supervisors: the share of messages drawn at random, of the team (no leader) and in the line of leaders.';

create function public.set_review_sampling(percent numeric, leader_id uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  if leader_id is null then
    update private.review_worker set percent = set_review_sampling.percent;
  elsif percent is null then
    delete from private.review_sampling s where s.leader_id = set_review_sampling.leader_id;
  else
    if not exists (select from private.members m where m.id = set_review_sampling.leader_id and m.is_active) then
      raise exception 'Choose somebody who is on the team' using errcode = '22023';
    end if;
    insert into private.review_sampling (leader_id, percent)
    values (set_review_sampling.leader_id, set_review_sampling.percent)
    on conflict on constraint review_sampling_pkey do update set percent = excluded.percent;
  end if;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_review_sampling is
  'For supervisors: how many percent of the team''s messages are drawn, or of those from the line of a leader; null ends a leader''s own share.';

-- By the Monday of the week in the team's time zone: caught when it came into the queue, reviewed when it was closed.
create function public.review_figures(weeks integer default 12)
returns table (
  week date, messages bigint, lexicon bigint, sample bigint, report bigint, reviewed bigint, fine bigint, follow_up bigint,
  violation bigint, median_hours numeric, open bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  newest constant date := private.week_of(now());
  zone constant text := (select s.time_zone from public.team_settings s);
begin
  perform private.assert_supervisor();
  return query
  select s.week::date, coalesce(w.messages, 0), c.lexicon, c.sample, c.report, d.reviewed, d.fine, d.follow_up, d.violation,
    round(d.median_hours::numeric, 1), o.open
  from generate_series(newest - 7 * (least(greatest(weeks, 1), 260) - 1), newest, interval '7 days') s (week)
  cross join lateral (
    select s.week::timestamp at time zone zone as since, (s.week + interval '7 days')::timestamp at time zone zone as until
  ) span
  left join private.review_weeks w on w.week = s.week::date
  cross join lateral (
    select count(*) filter (where i.source = 'lexicon') as lexicon, count(*) filter (where i.source = 'sample') as sample,
      count(*) filter (where i.source = 'report') as report
    from private.review_items i where i.created_at >= span.since and i.created_at < span.until
  ) c
  cross join lateral (
    select count(*) as reviewed, count(*) filter (where i.outcome = 'fine') as fine,
      count(*) filter (where i.outcome = 'follow_up') as follow_up, count(*) filter (where i.outcome = 'violation') as violation,
      percentile_cont(0.5) within group (order by extract(epoch from i.closed_at - i.created_at) / 3600) as median_hours
    from private.review_items i where i.closed_at >= span.since and i.closed_at < span.until
  ) d
  cross join lateral (
    select count(*) as open from private.review_items i
    where i.created_at < span.until and (i.closed_at is null or i.closed_at >= span.until)
  ) o
  order by s.week desc;
end
$$;
comment on function public.review_figures is 'For supervisors: the figures of the latest weeks, for the written record of supervision.';

revoke execute on function
  public.review_queue, public.review_counts, public.reviews_waiting, public.review_item, public.review_sampling, public.set_review_sampling,
  public.review_figures
from public, anon, service_role;
grant execute on function
  public.review_queue, public.review_counts, public.reviews_waiting, public.review_item, public.review_sampling, public.set_review_sampling,
  public.review_figures
to authenticated;
revoke execute on all functions in schema private from public;

-- ./schemas/looks.sql

-- How a supervisor reads a chat they are not in: never through a table, each time with a reason, recorded, for an hour. Opening
-- an item of the queue is a look too, at the message and what was said around it; the item is its reason.

create table private.looks (
  id uuid primary key,
  supervisor_id uuid not null references private.members (id),
  chat_id uuid not null,
  reason text not null,
  item_id uuid,
  -- The records it shows; an item's look is narrower than the chat.
  from_seq bigint not null default 0,
  to_seq bigint not null default 9223372036854775807,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '60 minutes',
  constraint "Give a reason for the look" check (not private.is_blank(reason)),
  constraint "Reason is at most 500 characters" check (char_length(reason) <= 500)
);
comment on table private.looks is 'Who looked at which chat, why, and until when.';
create index looks_supervisor on private.looks (supervisor_id, chat_id, expires_at);
alter table private.looks enable row level security;
revoke all on private.looks from anon, authenticated, service_role;

create function private.keep_looks() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'A look stays recorded' using errcode = '42501';
end
$$;
create trigger keep_looks before update or delete or truncate on private.looks
  for each statement execute function private.keep_looks();

create function private.record_look() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  chat public.chats;
begin
  perform archive.record(
    'look.made', json_strip_nulls(json_build_object('reason', new.reason, 'item', new.item_id, 'until', archive.utc(new.expires_at))),
    new.chat_id, new.id, audience => 'nobody'
  );
  -- The queue has its own events; the audit log has the other looks.
  if new.item_id is null then
    select * into chat from public.chats c where c.id = new.chat_id;
    perform private.record_change(
      'supervision', 'looked', new.chat_id, case when chat.type <> 'individual' then chat.name end, null, null,
      case when chat.type = 'individual'
        then array(select p.user_id from private.chat_participants p where p.chat_id = chat.id) else '{}' end,
      jsonb_build_object('reason', new.reason)
    );
  end if;
  return null;
end
$$;
create trigger record_look after insert on private.looks
  for each row execute function private.record_look();

-- The id comes from the caller, so that asking twice is one look.
create function public.look_at_chat(chat_id uuid, reason text, look_id uuid default gen_random_uuid()) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  if not exists (select from public.chats c where c.id = look_at_chat.chat_id) then
    raise exception 'This chat no longer exists' using errcode = 'PT404';
  end if;
  insert into private.looks (id, supervisor_id, chat_id, reason)
  values (look_id, (select auth.uid()), look_at_chat.chat_id, private.trimmed(look_at_chat.reason))
  on conflict (id) do nothing;
  if not found and not exists (
    select from private.looks l
    where l.id = look_id and l.supervisor_id = (select auth.uid()) and l.chat_id = look_at_chat.chat_id
  ) then
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  end if;
  return look_id;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.look_at_chat is 'For supervisors: begins a look of an hour at any chat, with its reason. It is recorded.';

-- Twenty messages before and after. Null for a report about a person, which has no conversation.
create function public.open_review_item(item_id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
  me constant uuid := (select auth.uid());
  look uuid;
  sent bigint;
begin
  item := private.item_to_review(item_id, null);
  sent := private.sent_seq(item.chat_id, item.message_id, item.record_seq);
  if sent is null then
    return null;
  end if;
  select l.id into look from private.looks l
  where l.supervisor_id = me and l.chat_id = item.chat_id and l.item_id = item.id and l.expires_at > now() limit 1;
  if look is null then
    insert into private.looks (id, supervisor_id, chat_id, reason, item_id, from_seq, to_seq)
    values (
      gen_random_uuid(), me, item.chat_id, 'Review: ' || item.source, item.id,
      coalesce((
        select min(b.seq) from (
          select r.seq from archive.records r
          where r.chat_id = item.chat_id and r.kind = 'message.sent' and r.seq < sent order by r.seq desc limit 20
        ) b
      ), sent),
      coalesce((
        select max(a.seq) from (
          select r.seq from archive.records r
          where r.chat_id = item.chat_id and r.kind = 'message.sent' and r.seq > sent order by r.seq limit 20
        ) a
      ), sent)
    )
    returning id into look;
  end if;
  return look;
end
$$;
comment on function public.open_review_item is 'For supervisors: begins the look at an item''s message and what was said around it; it is recorded.';

-- Messages the latest first, with every version; also deleted and erased ones. The next page ends before the lowest seq.
create function public.look_messages(look_id uuid, before_seq bigint default null, max_results integer default 50)
returns table (
  seq bigint, message_id uuid, member_id uuid, member_name text, sent_at timestamptz, words text, has_image boolean, image jsonb,
  reply_to uuid, changes jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  look private.looks;
begin
  perform private.assert_supervisor();
  select * into look from private.looks l where l.id = look_id and l.supervisor_id = (select auth.uid());
  if look.id is null then
    raise exception 'There is no such look' using errcode = 'PT404';
  elsif look.expires_at < now() then
    raise exception 'The hour is over; give a reason again' using errcode = 'PT403';
  end if;
  return query
  select r.seq, r.subject_id, r.member_id,
    coalesce(r.content -> 'member' ->> 'name', r.actor_name, private.member_name(r.member_id)),
    coalesce((r.content ->> 'sent_at')::timestamptz, r.recorded_at), r.content ->> 'text', r.content -> 'attachment' is not null,
    (select (r.content -> 'attachment')::jsonb from archive.files f where f.path = r.content -> 'attachment' ->> 'path'),
    (r.content ->> 'reply_to')::uuid,
    coalesce((
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'kind', v.kind, 'at', v.recorded_at, 'by', v.actor_name, 'text', v.content ->> 'text', 'reason', v.content ->> 'reason'
      )) order by v.seq)
      from (
        select * from archive.records c
        where c.subject_id = r.subject_id and c.kind like 'message.%' and c.kind not in ('message.sent', 'message.file')
        order by c.seq limit 100
      ) v
    ), '[]')
  from archive.records r
  where r.chat_id = look.chat_id and r.kind = 'message.sent' and r.seq between look.from_seq and look.to_seq
    and (before_seq is null or r.seq < before_seq)
  order by r.seq desc
  limit least(greatest(coalesce(max_results, 50), 1), 200);
end
$$;
comment on function public.look_messages is
  'For supervisors: a page of what a look shows, the latest first, with all versions; image is null if the archive does not keep it.';

-- The image of a message that a look of the caller shows, also of a deleted one, as long as the archive keeps it.
create function private.look_shows_image(object_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_supervisor() and exists (
    select from archive.files f
    join private.looks l on l.chat_id = private.chat_of_image(f.path)
    where f.path = object_name and l.supervisor_id = (select auth.uid()) and l.expires_at > now()
      and (l.item_id is null or exists (
        select from archive.records r
        where r.chat_id = l.chat_id and r.seq between l.from_seq and l.to_seq and r.kind = 'message.sent' and r.subject_id = f.message_id
      ))
  )
$$;

-- Chats by their name or by who is in them, without what was said.
create function public.find_chats(query text default '', max_results integer default 50)
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
      where p.user_id in (select m.id from private.members m where m.searchable like all (patterns) order by m.first_name, m.id limit 20)
    )
  order by c.type = 'mandatory' desc, c.type = 'group' desc, c.created_at desc, c.id
  limit least(greatest(coalesce(max_results, 50), 1), 100);
end
$$;
comment on function public.find_chats is 'For supervisors: all groups, and chats of two by a name in them.';

revoke execute on function public.look_at_chat, public.open_review_item, public.look_messages, public.find_chats
from public, anon, service_role;
grant execute on function public.look_at_chat, public.open_review_item, public.look_messages, public.find_chats
to authenticated;
revoke execute on all functions in schema private from public;
grant execute on function private.look_shows_image(text) to authenticated;

-- Skipped where there is no file storage. Each download asks anew; no address is signed, because one would outlast the look.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  create policy "supervisors see the images of what they look at" on storage.objects
    for select to authenticated
    using (
      bucket_id = 'chat-images' and current_setting('storage.operation', true) = 'storage.object.get_authenticated'
      and (select private.session_is_live()) and private.look_shows_image(name)
    );
end
$$;

-- ./schemas/archive_reports.sql

-- What members report and what was decided, as records of the archive.

create function archive.record_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform archive.record(
      'report.made',
      json_strip_nulls(json_build_object(
        'message_id', new.message_id, 'reason', new.reason, 'note', nullif(new.note, ''),
        'member', archive.person(new.member_id)
      )),
      new.chat_id, new.id, new.member_id
    );
  else
    perform archive.record(
      'report.closed', json_build_object('outcome', new.outcome, 'member', archive.person(new.member_id)),
      new.chat_id, new.id, new.member_id
    );
  end if;
  return null;
end
$$;
create trigger archive_made after insert on private.reports
  for each row execute function archive.record_report();
create trigger archive_closed after update on private.reports
  for each row when ((new.outcome, new.closed_at) is distinct from (old.outcome, old.closed_at))
  execute function archive.record_report();

revoke execute on all functions in schema archive from public;

-- ./schemas/house_rules.sql

-- The team's house rules, a contact for abuse, and who accepted which version when.

create table private.house_rules (
  id boolean primary key default true,
  -- Empty: the app's default rules, in the reader's language.
  body text not null default '',
  contact text not null default '',
  version int not null default 1,
  -- Everybody has to have accepted this version or a later one; 0: new accounts alone accept.
  asked_version int not null default 0,
  changed_at timestamptz,
  changed_by uuid references private.members (id),
  constraint "There is one row of house rules" check (id),
  constraint "House rules are at most 10000 characters" check (char_length(body) <= 10000),
  constraint "Contact must be an e-mail address" check (contact = '' or contact ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  constraint "Contact is at most 254 characters" check (char_length(contact) <= 254)
);
comment on table private.house_rules is 'One row: the rules, the address for abuse, and the version that everybody must have accepted.';
create index house_rules_changed_by on private.house_rules (changed_by);
insert into private.house_rules default values;

create table private.rule_acceptances (
  member_id uuid not null references private.members (id),
  version int not null,
  accepted_at timestamptz not null default now(),
  primary key (member_id, version)
);
comment on table private.rule_acceptances is 'Which version of the house rules a member accepted, and when.';

alter table private.house_rules enable row level security;
alter table private.rule_acceptances enable row level security;
revoke all on private.house_rules, private.rule_acceptances from anon, authenticated, service_role;

-- Also for visitors, who accept them as they sign up.
create function public.house_rules()
returns table (body text, contact text, version int, must_accept boolean, may_edit boolean)
language sql stable security definer set search_path = ''
as $$
  select r.body, r.contact, r.version,
    private.is_member() and r.asked_version > coalesce(
      (select max(a.version) from private.rule_acceptances a where a.member_id = (select auth.uid())), 0
    ),
    private.is_admin()
  from private.house_rules r
$$;
comment on function public.house_rules is
  'The house rules, the address for abuse, and whether the caller has to accept them. An empty text: the app''s default.';

create function private.accept_rules(member_id uuid, version int) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.rule_acceptances (member_id, version)
  select accept_rules.member_id, least(accept_rules.version, r.version) from private.house_rules r
  where accept_rules.version > 0
    and exists (select from private.members m where m.id = accept_rules.member_id and m.status in ('waiting', 'active'))
  on conflict do nothing;
end
$$;

create function public.accept_house_rules(version int) returns void
language sql security definer set search_path = ''
as $$ select private.accept_rules((select auth.uid()), accept_house_rules.version) $$;
comment on function public.accept_house_rules is 'The caller accepts the house rules of this version.';

-- Whoever changes a word changes the version; the caller says whether everybody accepts it again.
create function public.save_house_rules(body text, contact text, ask_again boolean default false) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  new_body constant text := private.trimmed(save_house_rules.body);
  new_contact constant text := private.trimmed(save_house_rules.contact);
begin
  perform private.assert_admin();
  update private.house_rules r set
    body = new_body, contact = new_contact,
    version = r.version + case when r.body <> new_body or ask_again then 1 else 0 end,
    asked_version = case when ask_again then r.version + 1 else r.asked_version end,
    changed_at = now(), changed_by = (select auth.uid())
  where (r.body, r.contact) is distinct from (new_body, new_contact) or ask_again;
  -- Whoever wrote them has read them.
  if ask_again then
    perform private.accept_rules((select auth.uid()), (select r.version from private.house_rules r));
  end if;
exception
  -- The constraint is named by the sentence that the caller is to read.
  when check_violation or not_null_violation then
    raise exception using errcode = sqlstate, message = coalesce(substring(sqlerrm from 'check constraint "(.*)"'), sqlerrm);
end
$$;
comment on function public.save_house_rules is
  'For admins: the house rules and the address for abuse. ask_again: everybody accepts them at the next open.';

-- Signing up in the app says which version was shown; accounts that an admin or a server makes say nothing.
create function private.version_at_sign_up(data jsonb) returns int
language sql immutable set search_path = ''
as $$
  select case when data ->> 'house_rules' ~ '^[1-9]\d{0,5}$' then (data ->> 'house_rules')::int else 0 end
$$;

create function private.accept_rules_at_sign_up() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.accept_rules(u.id, private.version_at_sign_up(u.raw_user_meta_data)) from auth.users u where u.id = new.id;
  return null;
end
$$;
create trigger accept_rules_at_sign_up after insert on private.members
  for each row execute function private.accept_rules_at_sign_up();
-- Somebody invited is a member before they choose a password and accept.
create trigger accept_rules_later after update of raw_user_meta_data on auth.users
  for each row
  when (new.raw_user_meta_data ->> 'house_rules' is distinct from old.raw_user_meta_data ->> 'house_rules')
  execute function private.accept_rules_at_sign_up();

create function archive.record_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'rules.changed',
    json_build_object('body', new.body, 'contact', new.contact, 'version', new.version, 'asked_version', new.asked_version),
    audience => 'team'
  );
  return null;
end
$$;
create trigger archive_rules after update on private.house_rules
  for each row
  when ((old.body, old.contact, old.version, old.asked_version) is distinct from (new.body, new.contact, new.version, new.asked_version))
  execute function archive.record_rules();

-- In the audit log too, also what an operator changes in the SQL console.
create function private.record_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  kept constant text[] := '{body,contact,version}';
  one jsonb;
  other jsonb;
begin
  select jsonb_object_agg(key, value) into one from jsonb_each(to_jsonb(old)) where key = any (kept);
  select jsonb_object_agg(key, value) into other from jsonb_each(to_jsonb(new)) where key = any (kept);
  perform private.record_change(
    'rules', 'changed', null, null, private.changed_values(one, other), private.changed_values(other, one),
    details => jsonb_build_object('asked_again', nullif(new.asked_version > old.asked_version, false))
  );
  return null;
end
$$;
create trigger record_rules after update on private.house_rules
  for each row execute function private.record_rules();

create function archive.record_acceptance() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'rules.accepted',
    json_strip_nulls(json_build_object('version', new.version, 'member', archive.person(new.member_id))),
    member_id => new.member_id
  );
  return null;
end
$$;
create trigger archive_acceptance after insert on private.rule_acceptances
  for each row execute function archive.record_acceptance();

revoke execute on function public.house_rules, public.accept_house_rules, public.save_house_rules from public, anon, service_role;
grant execute on function public.house_rules to anon, authenticated;
grant execute on function public.accept_house_rules, public.save_house_rules to authenticated;
revoke execute on all functions in schema private from public;
revoke execute on all functions in schema archive from public;

-- ./schemas/archive_blocks.sql

-- Who blocked whom, as records of the archive: it explains who could not be reached. No member reads it.

create function archive.record_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  block constant private.blocks := case tg_op when 'DELETE' then old else new end;
begin
  perform archive.record(
    case tg_op when 'INSERT' then 'block.made' else 'block.lifted' end,
    json_strip_nulls(json_build_object('blocker_id', block.blocker_id, 'member', archive.person(block.blocked_id))),
    member_id => block.blocked_id, audience => 'nobody'
  );
  return null;
end
$$;
create trigger archive_block after insert or delete on private.blocks
  for each row execute function archive.record_block();

revoke execute on all functions in schema archive from public;

-- ./schemas/system_processes.sql

-- What each server process knows and nobody else: how it runs, its disks, its mail. It says so every minute. What it says is judged where
-- it is read (system_findings.sql), so that a page is right even when nobody has reported for a while.

-- Unlogged: what it holds is a minute old.
create unlogged table private.server_processes (
  id uuid primary key,
  started_at timestamptz not null,
  reported_at timestamptz not null default clock_timestamp(),
  facts jsonb not null,
  constraint "Facts must be an object of at most 8 kB" check (jsonb_typeof(facts) = 'object' and octet_length(facts::text) <= 8192)
);
comment on table private.server_processes is 'The server processes that run, each with what it last reported; at most 200. Not part of backups.';
create index server_processes_reported_at on private.server_processes (reported_at);
alter table private.server_processes enable row level security;
revoke all on private.server_processes from anon, authenticated, service_role;

-- Looked at less often, by one process for all, or by hand.
create table private.system_checks (
  part text primary key,
  checked_at timestamptz not null default now(),
  result jsonb not null,
  constraint "Part must be archive, backup or certificate" check (part in ('archive', 'backup', 'certificate')),
  constraint "A result must be an object of at most 2 kB" check (jsonb_typeof(result) = 'object' and octet_length(result::text) <= 2048)
);
comment on table private.system_checks is 'The latest check of the certificate, twice a day, the latest verification of the archive, and the latest backup made by hand or by a job.';
alter table private.system_checks enable row level security;
revoke all on private.system_checks from anon, authenticated, service_role;

-- A process at the same place, started later, took its place.
create function private.replaced_processes() returns setof uuid
language sql stable security definer set search_path = '' rows 4
as $$
  select old.id
  from private.server_processes old
  join private.server_processes next on next.started_at > old.started_at and next.facts -> 'place' = old.facts -> 'place'
    and next.facts -> 'host' = old.facts -> 'host'
$$;

-- One that has said nothing for three minutes has ended.
create function private.live_processes() returns setof private.server_processes
language sql stable security definer set search_path = '' rows 4
as $$
  select p.* from private.server_processes p
  where p.reported_at > now() - interval '3 minutes' and p.id not in (select private.replaced_processes())
$$;

-- Those of the last hour that ended without a word: one that is stopped is forgotten. A worker that is replaced goes on reporting until it
-- is, every minute.
create function private.crashed_processes() returns setof private.server_processes
language sql stable security definer set search_path = '' rows 4
as $$
  select p.* from private.server_processes p
  where p.reported_at between now() - interval '1 hour' and now() - case
    when p.id in (select private.replaced_processes()) then interval '75 seconds' else interval '3 minutes'
  end
$$;

create function public.report_process(process_id uuid, started_at timestamptz, facts jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  host constant text := facts #>> '{site,host}';
  is_due boolean := false;
begin
  insert into private.server_processes as p (id, started_at, facts) values (process_id, report_process.started_at, report_process.facts)
  on conflict (id) do update set facts = excluded.facts, reported_at = clock_timestamp();
  delete from private.server_processes p where p.reported_at < now() - interval '1 hour' or p.id in (
    select old.id from private.server_processes old order by old.reported_at desc offset 200
  );
  -- One process looks at the certificate, twice a day, or at once if the address is another one.
  if facts #>> '{site,is_https}' = 'true' then
    insert into private.system_checks as c (part, result) values ('certificate', jsonb_build_object('host', host))
    on conflict (part) do update set checked_at = now()
    where c.checked_at < now() - interval '12 hours' or c.checked_at > now() + interval '1 hour' or c.result ->> 'host' is distinct from host
    returning true into is_due;
  end if;
  perform private.announce_system_problems();
  return jsonb_build_object('certificate_is_due', coalesce(is_due, false));
exception
  -- The same error without its detail, which is the row.
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.report_process is
  'For the server, every minute: what this process knows. The answer says whether it is the one that looks at the certificate now.';

create function public.forget_process(process_id uuid) returns void
language sql security definer set search_path = ''
as $$ delete from private.server_processes p where p.id = process_id $$;
comment on function public.forget_process is 'For the server: this process ends.';

create function public.report_system_check(part text, result jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.system_checks as c (part, result) values (report_system_check.part, report_system_check.result)
  on conflict on constraint system_checks_pkey do update set result = excluded.result, checked_at = now();
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.report_system_check is
  'For the server: what became of the check of the certificate (host, expires_at, problem) or of the archive (findings), or that a backup was made (nothing).';

revoke execute on function
  public.report_process(uuid, timestamptz, jsonb), public.forget_process(uuid), public.report_system_check(text, jsonb)
from public, anon, authenticated;
grant execute on function
  public.report_process(uuid, timestamptz, jsonb), public.forget_process(uuid), public.report_system_check(text, jsonb)
to service_role;
revoke execute on all functions in schema private from public;

-- ./schemas/system_findings.sql

-- What is fine, what needs attention and what is wrong, judged from what server processes reported and from what the database itself
-- knows. A finding is a code with figures; the app has the words. No finding carries a row, a path or a secret.

create type private.system_finding as (part text, scope text, state text, code text, detail jsonb);

-- The one place of thresholds; docs/operations.md lists them, and a test compares them with deploy/prometheus/alerts.yml. Where wrong is the
-- lower one, less is worse.
create function private.system_thresholds() returns table (name text, attention double precision, wrong double precision)
language sql immutable set search_path = ''
as $$
  values
    ('disk', 0.8, 0.9),
    ('backup', 26 * 3600, 36 * 3600),
    ('archive', 600, 3600),
    ('certificate', 14, 3),
    ('push', 300, 900),
    ('event_loop', 0.2, 1),
    ('database', 0.5, 2),
    ('clock', 5, 60),
    ('crashes', 0, 4)
$$;

create function private.system_grade(name text, figure double precision) returns text
language sql immutable set search_path = ''
as $$
  select case
    when figure is null then null
    when case when t.wrong < t.attention then figure < t.wrong else figure > t.wrong end then 'wrong'
    when case when t.wrong < t.attention then figure < t.attention else figure > t.attention end then 'attention'
    else 'fine'
  end
  from private.system_thresholds() t where t.name = system_grade.name
$$;

-- Only where there are several machines does a name say more than "the server".
create function private.has_several_machines() returns boolean
language sql stable security definer set search_path = ''
as $$ select count(distinct p.facts ->> 'host') > 1 from private.live_processes() p $$;

create function private.seconds_since(moment timestamptz) returns double precision
language sql stable set search_path = ''
as $$ select extract(epoch from now() - moment)::double precision $$;

-- The processes share one mailbox and one queue of mails, so the latest word counts.
create function private.mail_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'mail', null, judged[1], judged[2], case judged[2]
    when 'late' then jsonb_build_object('count', mail -> 'late', 'since', mail -> 'oldest_at', 'problem', coalesce(mail ->> 'problem', mail ->> 'connection_problem'))
    when 'given_up' then jsonb_build_object('count', mail -> 'given_up')
    when 'unusable' then jsonb_build_object('problem', mail -> 'connection_problem')
    else '{}'
  end
  from (select) as always
  left join lateral (
    select p.facts -> 'mail' as mail, coalesce((p.facts ->> 'is_demo')::boolean, false) as is_demo
    from private.live_processes() p where p.facts ? 'mail' order by p.reported_at desc limit 1
  ) latest on true
  cross join lateral (
    select case
      when mail is null then array['unwatched', 'elsewhere']
      when (mail ->> 'late')::int > 0 then array['wrong', 'late']
      when not (mail ->> 'is_on')::boolean and is_demo then array['fine', 'demo']
      when not (mail ->> 'is_on')::boolean then array['attention', 'off']
      when mail ->> 'connection_problem' is not null then array['wrong', 'unusable']
      when (mail ->> 'given_up')::int > 0 then array['attention', 'given_up']
      else array['fine', 'on']
    end as judged
  ) j
$$;

-- Of the last hour, the latest 2,000. A device that is gone is no fault of the channel.
create function private.push_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 4
as $$
  with recent as materialized (
    select d.channel, d.state <> 'sent' as is_failed, d.reason, d.finished_at
    from private.push_deliveries d
    where d.finished_at > now() - interval '1 hour' and (
      d.state = 'sent' or d.state in ('failed', 'uncertain') and d.device_id is not null and d.reason is distinct from 'channel is off'
    )
    order by d.finished_at desc limit 2000
  ), figures as (
    select r.channel, count(*) filter (where not is_failed) as sent, count(*) filter (where is_failed) as failed,
      min(r.finished_at) filter (where is_failed) as since,
      (array_agg(substring(r.reason from '^[45]\d\d\M') order by r.finished_at desc) filter (where is_failed))[1] as status
    from recent r group by 1
  )
  select 'push_' || c.channel, null, judged[1], judged[2], case judged[2]
    when 'failing' then jsonb_build_object('count', f.failed, 'since', f.since, 'status', f.status)
    when 'on' then '{}'
    when 'idle' then '{}'
    -- Only the names of settings; the detail may quote what they hold.
    else jsonb_build_object('settings', array(select m[1] from regexp_matches(c.detail, 'PUSH_[A-Z_]+', 'g') m))
  end
  from public.push_channels c
  left join figures f on f.channel = c.channel
  cross join lateral (
    select case
      when not c.is_on and (c.channel = 'web' or exists (select from public.push_devices d where d.channel = c.channel))
        then array['attention', 'off']
      when not c.is_on then array['fine', 'unused']
      when f.failed >= 3 and f.sent = 0 then array['wrong', 'failing']
      when f.failed > f.sent / 10.0 then array['attention', 'failing']
      when f.sent > 0 then array['fine', 'on']
      else array['fine', 'idle']
    end as judged
  ) j
  union all
  select 'push_queue', null, coalesce(private.system_grade('push', private.seconds_since(since)), 'fine'),
    case when private.system_grade('push', private.seconds_since(since)) <> 'fine' then 'late' else 'empty' end,
    case when private.system_grade('push', private.seconds_since(since)) <> 'fine' then jsonb_build_object('since', since) else '{}' end
  from (select) as always
  left join lateral (
    select least(
      (select min(d.due_at) from private.push_deliveries d where d.state = 'waiting'),
      (select o.created_at from private.push_outbox o where o.spread_at is null order by o.id limit 1)
    ) as since
    where exists (select from public.push_devices)
  ) oldest on true
$$;

-- Processes of one machine see the same disks. Used is what nobody but root may still write.
create function private.disk_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 2
as $$
  select distinct on (disk.name, p.facts ->> 'host') 'disk_' || disk.name, case when (select private.has_several_machines()) then p.facts ->> 'host' end,
    case when disk.is_there and disk.is_writable then private.system_grade('disk', 1 - disk.free / disk.bytes) else 'wrong' end,
    case
      when not disk.is_there then 'unreachable'
      when not disk.is_writable then 'read_only'
      when private.system_grade('disk', 1 - disk.free / disk.bytes) = 'fine' then 'free'
      else 'full'
    end,
    case when disk.is_there and disk.is_writable then jsonb_build_object(
      'free_bytes', disk.free, 'used_percent', floor(100 * (1 - disk.free / disk.bytes))
    ) else '{}' end
  from private.live_processes() p
  cross join lateral (
    select e.key as name, jsonb_typeof(e.value) = 'object' as is_there,
      coalesce((e.value ->> 'is_writable')::boolean, true) as is_writable,
      (e.value ->> 'free_bytes')::double precision as free, nullif((e.value ->> 'bytes')::double precision, 0) as bytes
    from jsonb_each(p.facts -> 'disks') e
  ) disk
  where disk.name in ('data', 'backup') and (disk.bytes is not null or not disk.is_there)
  order by disk.name, p.facts ->> 'host', p.reported_at desc
$$;

create function private.without_places(words text) returns text
language sql immutable set search_path = ''
as $$
  select left(regexp_replace(regexp_replace(words, '[a-zA-Z][a-zA-Z0-9+]*://[^[:space:]]+', '…', 'g'), '[^[:space:]]*[/\\][^[:space:]]*', '…', 'g'), 300)
$$;
comment on function private.without_places is 'A sentence without the paths and addresses in it.';

-- Nightly ones are tried out; of those that somebody makes by hand or by a job of their own, only the time is known.
create function private.backup_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'backup', null, judged[1], judged[2], jsonb_build_object(
    'at', case when judged[2] = 'own' then own.made_at else s.verified_at end,
    'failed_at', case when judged[2] = 'failed' then s.failed_at end,
    'said', case when judged[2] = 'failed' then private.without_places(s.failure) end,
    'count', case when judged[2] = 'incomplete' then s.missing_files end
  )
  from private.backup_state() s
  left join lateral (
    select bool_or((p.facts #>> '{backup,is_on}')::boolean) as is_on, bool_or((p.facts ->> 'is_demo')::boolean) as is_demo,
      bool_or((p.facts #>> '{disks,backup_shares_disk}')::boolean) as shares_disk
    from private.live_processes() p
  ) live on true
  cross join lateral (
    select greatest(s.verified_at, max(c.checked_at)) as made_at from private.system_checks c where c.part = 'backup'
  ) own
  cross join lateral (
    select private.system_grade('backup', private.seconds_since(s.verified_at)) as by_age,
      private.system_grade('backup', private.seconds_since(own.made_at)) as own_by_age
  ) g
  cross join lateral (
    select case
      when not live.is_on and own.made_at is not null or live.is_on is null and own.made_at > now() - interval '7 days'
        then array[case when g.own_by_age = 'fine' then 'fine' else 'attention' end, 'own']
      when live.is_on is null then array['unwatched', 'elsewhere']
      when not live.is_on and coalesce(live.is_demo, false) then array['fine', 'demo']
      when not live.is_on then array['attention', 'off']
      when s.failed_at is not null then array[case when g.by_age in ('fine', 'attention') then 'attention' else 'wrong' end, 'failed']
      when s.verified_at is null and s.running_since is not null then array['fine', 'first']
      when s.verified_at is null then array['attention', 'none']
      when g.by_age <> 'fine' then array[g.by_age, 'old']
      when s.missing_files > 0 then array['attention', 'incomplete']
      when live.shares_disk then array['attention', 'same_disk']
      else array['fine', 'good']
    end as judged
  ) j
$$;

revoke execute on all functions in schema private from public;

-- ./schemas/system_status.sql

-- The rest of what is judged, and the page that admins read.

create function private.archive_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'archive', null, judged[1], judged[2], jsonb_build_object(
    'since', case when judged[2] = 'unsealed' then r.recorded_at end,
    'count', case when judged[2] = 'broken' then c.result -> 'findings' end,
    'at', c.checked_at
  )
  from (select) as always
  left join lateral (
    select a.recorded_at from archive.records a where a.seq > coalesce((archive.last_seal()).to_seq, 0) order by a.seq limit 1
  ) r on true
  left join private.system_checks c on c.part = 'archive'
  cross join lateral (select private.system_grade('archive', private.seconds_since(r.recorded_at)) as by_age) g
  cross join lateral (
    select case
      when (c.result ->> 'findings')::bigint > 0 then array['wrong', 'broken']
      when g.by_age <> 'fine' then array[g.by_age, 'unsealed']
      else array['fine', 'sealed']
    end as judged
  ) j
$$;

-- What the process with the latest word has as its public address, and what was found there.
create function private.certificate_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'certificate', site ->> 'host', judged[1], judged[2], jsonb_build_object(
    'expires_at', c.result -> 'expires_at', 'days', case when judged[2] = 'expiring' then floor(days) end,
    'at', case when c.result ? 'problem' then c.checked_at end
  )
  from (select) as always
  left join lateral (
    select p.facts -> 'site' as site from private.live_processes() p where p.facts ? 'site' order by p.reported_at desc limit 1
  ) latest on true
  left join private.system_checks c on c.part = 'certificate' and c.result ->> 'host' = site ->> 'host'
  cross join lateral (
    select extract(epoch from (c.result ->> 'expires_at')::timestamptz - now()) / 86400 as days
  ) left_over
  cross join lateral (
    select case
      when site is null then array['unwatched', 'elsewhere']
      when (site ->> 'is_local')::boolean then array['fine', 'local']
      when not (site ->> 'is_https')::boolean then array['attention', 'http']
      when c.part is null or not c.result ? 'problem' then array['fine', 'unchecked']
      when c.result ->> 'problem' = 'unreachable' then array['attention', 'unreachable']
      when days < 0 then array['wrong', 'expired']
      when c.result ->> 'problem' in ('name', 'untrusted') then array['wrong', c.result ->> 'problem']
      when private.system_grade('certificate', days) <> 'fine' then array[private.system_grade('certificate', days), 'expiring']
      else array['fine', 'valid']
    end as judged
  ) j
$$;

-- One line for each process, and what only shows when they are compared.
create function private.process_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 8
as $$
  with live as materialized (
    select p.*, case when (select private.has_several_machines()) then p.facts ->> 'host' end as machine,
      case when count(*) over (partition by p.facts ->> 'host') > 1 then
        row_number() over (partition by p.facts ->> 'host' order by (p.facts #>> '{place,worker}')::int, p.started_at, p.id)
      end as number,
      private.system_grade('event_loop', (p.facts ->> 'event_loop_seconds')::double precision) as event_loop,
      (p.facts #>> '{database,seconds}')::double precision as answer_seconds,
      (p.facts #>> '{database,clock_ahead_seconds}')::double precision as clock_ahead,
      (p.facts #>> '{database,away_until}')::timestamptz as away_until
    from private.live_processes() p
  )
  select 'process', l.machine, coalesce(l.event_loop, 'fine'), case when l.event_loop <> 'fine' then 'busy' else 'runs' end,
    jsonb_build_object(
      'number', l.number, 'pid', l.facts -> 'pid', 'version', l.facts ->> 'version', 'started_at', l.started_at,
      'seconds', (l.facts ->> 'event_loop_seconds')::double precision
    )
  from live l
  union all
  select 'versions', null, 'attention', 'mixed', jsonb_build_object('versions', to_jsonb(array_agg(distinct l.facts ->> 'version')))
  from live l having count(distinct concat_ws(' ', l.facts ->> 'version', l.facts ->> 'schema')) > 1
  union all
  (
    select 'database', l.machine,
      case
        when l.away_until > now() - interval '1 hour' and private.system_grade('database', l.answer_seconds) <> 'wrong'
          then 'attention'
        else private.system_grade('database', l.answer_seconds)
      end,
      case
        when l.away_until > now() - interval '1 hour' then 'away'
        when private.system_grade('database', l.answer_seconds) <> 'fine' then 'slow'
        else 'answers'
      end,
      jsonb_build_object('seconds', l.answer_seconds, 'since', l.facts #> '{database,away_since}', 'until', l.facts #> '{database,away_until}')
    from live l where l.answer_seconds is not null
    order by l.away_until > now() - interval '1 hour' desc nulls last, l.answer_seconds desc limit 1
  )
  union all
  select 'database', null, 'fine', 'answers', '{}' where not exists (select from live l where l.answer_seconds is not null)
  union all
  (
    select 'clock', l.machine, private.system_grade('clock', abs(l.clock_ahead)),
      case when private.system_grade('clock', abs(l.clock_ahead)) = 'fine' then 'right' else 'off' end,
      jsonb_build_object('seconds', round(l.clock_ahead::numeric, 1))
    from live l where l.clock_ahead is not null order by abs(l.clock_ahead) desc limit 1
  )
$$;

-- Processes that end by themselves. Who replaces them (WORKERS, systemd, a container) brings back most of them, so that nobody notices;
-- a worker that is not brought back was not heard of for three minutes, and is missing.
create function private.restarts_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  with crashed as (
    select count(*)::int as count, max(c.reported_at) as at from private.crashed_processes() c
  ), missing as (
    select l.facts ->> 'host' as host, max((l.facts ->> 'workers')::int) - count(*)::int as count
    from private.live_processes() l
    where l.facts ? 'workers'
    group by 1, l.facts #>> '{place,port}'
    having count(*) < max((l.facts ->> 'workers')::int) and min(l.started_at) < now() - interval '1 minute'
  )
  select 'restarts', null, judged[1], judged[2], jsonb_build_object(
    'count', case when judged[2] = 'missing' then m.count else c.count end, 'at', case when judged[2] = 'crashed' then c.at end
  )
  from crashed c
  left join lateral (select sum(missing.count)::int as count from missing) m on true
  cross join lateral (
    select case
      when m.count > 0 then array['wrong', 'missing']
      else array[private.system_grade('crashes', c.count), 'crashed']
    end as judged
  ) j
  where judged[1] <> 'fine'
$$;

create function private.links_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'links', null, judged[1], judged[2], '{}'::jsonb
  from private.system_part('links') s
  cross join lateral (
    select case
      when s.part is null then array['unwatched', 'elsewhere']
      when s.is_on then array['fine', 'checked']
      else array['attention', 'offline']
    end as judged
  ) j
$$;

create function private.system_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 16
as $$
  select * from private.mail_finding()
  union all select * from private.push_findings()
  union all select * from private.disk_findings()
  union all select * from private.backup_finding()
  union all select * from private.archive_finding()
  union all select * from private.certificate_finding()
  union all select * from private.process_findings()
  union all select * from private.restarts_finding()
  union all select * from private.links_finding()
$$;

create function public.system_status()
returns table (part text, scope text, state text, code text, detail jsonb)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select f.part, f.scope, f.state, f.code, jsonb_strip_nulls(
    case when f.part = 'database' then f.detail || jsonb_build_object('bytes', pg_database_size(current_database())) else f.detail end
  )
  from private.system_findings() f
  order by array_position(array['wrong', 'attention', 'fine', 'unwatched'], f.state), array_position(array[
    'backup', 'disk_data', 'database', 'archive', 'restarts', 'process', 'mail', 'push_queue', 'push_web', 'push_apns', 'push_fcm', 'certificate',
    'disk_backup', 'clock', 'versions', 'links'
  ], f.part), f.scope, (f.detail ->> 'number')::int;
end
$$;
comment on function public.system_status is
  'For admins: what is fine, needs attention, is wrong, or is not watched here, as codes with figures; the worst first, then by what is lost with it.';

-- One row per problem until it has been over for an hour, so that admins are notified once, by whichever process.
create table private.system_alerts (
  problem text primary key,
  began_at timestamptz not null default now(),
  fine_since timestamptz,
  announced_at timestamptz
);
comment on table private.system_alerts is 'What is wrong with the system, and whether admins were notified. A failed backup sends its own notice.';
alter table private.system_alerts enable row level security;
revoke all on private.system_alerts from anon, authenticated, service_role;

create function private.system_part_name(part text, is_spanish boolean) returns text
language sql immutable set search_path = ''
as $$
  select case when is_spanish then es else en end
  from (values
    ('mail', 'Email', 'Correo'),
    ('push_web', 'Notifications in browsers', 'Notificaciones en navegadores'),
    ('push_fcm', 'Notifications on Android', 'Notificaciones en Android'),
    ('push_apns', 'Notifications on iPhone', 'Notificaciones en iPhone'),
    ('push_queue', 'Waiting notifications', 'Notificaciones en espera'),
    ('disk_data', 'Disk', 'Disco'),
    ('disk_backup', 'Disk of the backups', 'Disco de las copias'),
    ('archive', 'Archive', 'Archivo'),
    ('certificate', 'Certificate', 'Certificado'),
    ('process', 'Server load', 'Carga del servidor'),
    ('restarts', 'Server processes', 'Procesos del servidor'),
    ('database', 'Database', 'Base de datos'),
    ('clock', 'Clock', 'Reloj')
  ) names (name, en, es)
  where name = part
$$;

-- What is wrong, in a few words for a notice; the page has whole sentences. Null if there is no more to say than the part.
create function private.system_reason(finding private.system_finding, is_spanish boolean) returns text
language sql immutable set search_path = ''
as $$
  select format(case when is_spanish then es else en end, figure)
  from (select
    case
      when finding.part = 'mail' then coalesce('mail ' || (finding.detail ->> 'problem'), 'mail waiting')
      when finding.detail ? 'status' and finding.detail ->> 'status' is not null then 'push refused'
      else regexp_replace(finding.part, '^(push|disk)_(?!queue).*', '\1') || ' ' || finding.code
    end as key,
    coalesce(
      finding.detail ->> 'status', finding.detail ->> 'used_percent', finding.detail ->> 'days', finding.detail ->> 'count', ''
    ) as figure
  ) f
  join (values
    ('mail login', 'the mail server doesn''t accept the login', 'el servidor de correo no acepta el acceso'),
    ('mail certificate', 'the mail server''s certificate is invalid', 'el certificado del servidor de correo no es válido'),
    ('mail encryption', 'the mail server doesn''t offer the encryption', 'el servidor de correo no ofrece el cifrado'),
    ('mail unreachable', 'the mail server can''t be reached', 'no se puede llegar al servidor de correo'),
    ('mail refused', 'the mail server refuses them', 'el servidor de correo los rechaza'),
    ('mail waiting', 'some have been waiting for more than ten minutes', 'algunos esperan desde hace más de diez minutos'),
    ('push failing', 'none arrives', 'no llega ninguna'),
    ('push refused', 'none arrives, the push service answered %s', 'no llega ninguna, el servicio de avisos respondió %s'),
    ('push_queue late', 'some have been waiting for a quarter of an hour', 'algunas esperan desde hace un cuarto de hora'),
    ('disk full', '%s %% full', 'ocupado al %s %%'),
    ('disk unreachable', 'the folder can''t be reached', 'no se puede llegar a la carpeta'),
    ('disk read_only', 'the server may not write there', 'el servidor no puede escribir ahí'),
    ('archive unsealed', 'records have been waiting for their seal for an hour', 'hay registros que esperan su sello desde hace una hora'),
    ('archive broken', 'the verification found problems (%s)', 'la verificación encontró problemas (%s)'),
    ('certificate expiring', 'it expires in %s days', 'vence en %s días'),
    ('certificate expired', 'it expired', 'venció'),
    ('certificate name', 'it is for another address', 'es de otra dirección'),
    ('certificate untrusted', 'browsers don''t trust it', 'los navegadores no confían en él'),
    ('process busy', 'it has more to do than it can', 'tiene más trabajo del que puede hacer'),
    ('restarts crashed', '%s ended by themselves within an hour', '%s terminaron solos en una hora'),
    ('restarts missing', '%s can''t be started', 'no arrancan: %s'),
    ('database slow', 'it takes too long to answer', 'tarda demasiado en responder'),
    ('database away', 'it takes too long to answer', 'tarda demasiado en responder'),
    ('clock off', 'server and database don''t agree on the time', 'el servidor y la base de datos no tienen la misma hora')
  ) words (key, en, es) using (key)
$$;

-- What counts as the same problem.
create function private.system_problem(finding private.system_finding) returns text
language sql immutable set search_path = ''
as $$ select left(concat_ws(' ', finding.part, case when finding.part like 'disk%' then finding.scope end), 200) $$;

create function private.system_problems_in_words(findings private.system_finding[], is_spanish boolean) returns text
language sql immutable set search_path = ''
as $$
  select string_agg(distinct
    private.system_part_name(f.part, is_spanish) || coalesce(' (' || f.scope || ')', '')
    || coalesce(': ' || private.system_reason(f, is_spanish), '') || '.', ' '
  )
  from unnest(findings) f
$$;

-- Told after a quarter of an hour, as alerts.yml waits: what passes by itself is nobody's business.
create function private.announce_system_problems() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  wrong private.system_finding[];
  announced private.system_finding[];
begin
  -- Of several processes that report at the same time one is enough.
  if not pg_try_advisory_xact_lock(7240120) then
    return;
  end if;
  select array_agg(f) into wrong from private.system_findings() f where f.state = 'wrong' and f.part <> 'backup';
  with named as (
    select distinct private.system_problem(w) as problem from unnest(wrong) w
  ), begun as (
    insert into private.system_alerts as a (problem) select n.problem from named n
    on conflict (problem) do update set fine_since = null where a.fine_since is not null
  )
  update private.system_alerts a set fine_since = now()
  where a.fine_since is null and a.problem not in (select n.problem from named n);
  delete from private.system_alerts a where a.fine_since < now() - interval '1 hour';

  with notified as (
    update private.system_alerts a set announced_at = now()
    where a.announced_at is null and a.fine_since is null and a.began_at < now() - interval '15 minutes'
    returning a.problem
  )
  select array_agg(w order by w.part, w.scope) into announced
  from unnest(wrong) w where private.system_problem(w) in (select n.problem from notified n);
  if announced is null then
    return;
  end if;
  perform private.notify_admins(
    'Something is wrong with the server', 'Algo va mal en el servidor',
    private.system_problems_in_words(announced, false) || ' The page System under Admin says what to do.',
    private.system_problems_in_words(announced, true) || ' La página Sistema, en Administración, dice qué hacer.',
    '/admin/system'
  );
end
$$;

revoke execute on function public.system_status() from public, anon, service_role;
grant execute on function public.system_status() to authenticated;
revoke execute on all functions in schema private from public;
