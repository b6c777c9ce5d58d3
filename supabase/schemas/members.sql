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
-- Lists are sorted by it: an accent or a small letter does not send a name behind Z.
create function private.sort_name(first_name text, last_name text) returns text
language sql immutable parallel safe
return btrim(private.member_words(first_name, last_name, ''));

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
return case when private.is_blank(words) then '' else btrim(
  words,
  E'\t\n\u000B\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF'
) end;
-- A person's name, or another text of one line: no line break, and nothing that turns the direction of writing or hides, which
-- would let one name pass for another. Joiners stay, because some scripts need them.
create function private.one_line(words text) returns text
language sql immutable parallel safe
return private.trimmed(regexp_replace(
  regexp_replace(
    words,
    '[\u00AD\u034F\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]', '', 'g'
  ),
  '[\u0001-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'
));
-- A name in the data of a sign-up, which its caller chooses freely: empty for anything but a text.
create function private.name_given(data jsonb, part text) returns text
language sql immutable parallel safe
return case jsonb_typeof(data -> part) when 'string' then left(private.one_line(data ->> part), 100) else '' end;

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
  mentions_read_at timestamptz not null default '-infinity',
  phone text,
  phone_audience text not null default 'leaders',
  email_audience text not null default 'everyone',
  state text,
  about text not null default '',
  -- Stored, because stripping accents from 10,000 names on every two-letter search takes a tenth of a second.
  searchable text generated always as (
    private.member_words(first_name, last_name, case when email_audience = 'everyone' then email end)
  ) stored,
  sort_name text not null generated always as (private.sort_name(first_name, last_name)) stored,
  constraint "Role must be user or admin" check (role in ('user', 'admin')),
  constraint "Status must be known"
    check (status in ('waiting', 'declined', 'active', 'suspended', 'removed', 'deleted')),
  constraint "Admins are on the team" check (role = 'user' or status in ('active', 'suspended')),
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
  'waiting: until an admin lets them in. declined: an admin did not. suspended: until an admin lifts it. removed: no longer on the team. deleted: the account is gone, and the row carries no personal data.';
comment on column private.members.status_reason is 'Why an admin suspended or removed the member; for admins.';
comment on column private.members.admitted_at is 'When they first came onto the team; null: never, or it was taken back.';
comment on column private.members.sponsor_id is 'Who brought them in.';
comment on column private.members.can_supervise is 'Reviews what the team writes; a permission of its own, which admins give.';
comment on column private.members.newcomers_seen_at is 'When an admin last looked at who waits.';
comment on column private.members.mentions_read_at is
  'Up to when they marked mentions as read under Notifications; their chats are read only once opened.';
comment on column private.members.phone is 'In E.164, such as +13125550142.';
comment on column private.members.phone_audience is 'Who sees the number (contact_details.sql).';
comment on column private.members.email_audience is 'Who sees the address (contact_details.sql).';
comment on column private.members.state is 'Where they work: a two-letter code of the United States.';
comment on column private.members.about is 'A short line about themselves.';
comment on column private.members.searchable is 'Name and e-mail, unless that is hidden, in lower case without accents, for searching.';
comment on column private.members.sort_name is 'First and last name in lower case without accents, for sorting.';

-- A new message takes its chat out of every archive; one probe of this index finds them.
create index members_archived_chats on private.members using gin (archived_chats) with (fastupdate = off);
create index members_admins on private.members (id) where role = 'admin' and is_active;
create index members_supervisors on private.members (id) where can_supervise and is_active;
create index members_waiting on private.members (status_changed_at, id) where status = 'waiting';
create index members_sponsor_id on private.members (sponsor_id);
create index members_by_words on private.members using gin (searchable extensions.gin_trgm_ops) with (fastupdate = off)
  where is_active;
create index members_by_state on private.members (state, sort_name, id) where is_active and state is not null;
create index members_by_name on private.members (sort_name, id) where is_active;

-- The words typed as patterns, the longest (most selective) first. At most five.
create function private.member_patterns(query text) returns text[]
language sql immutable set search_path = ''
as $$
  select array(
    select '%' || regexp_replace(word, '([%_\\])', '\\\1', 'g') || '%'
    from regexp_split_to_table(lower(private.without_accents(left(query, 200))), '\s+') word
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

-- Whether the caller's token says of all that the owner of its session has shown: a copy from before ends when the second factor is shown
-- again. Tokens tell the time in seconds.
create function private.knows_latest_proof() returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (
    select from auth.mfa_amr_claims shown
    where shown.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
      and floor(extract(epoch from shown.updated_at)) > (
        select max((proof ->> 'timestamp')::bigint) from jsonb_array_elements((select auth.jwt()) -> 'amr') proof
      )
  )
$$;

-- An access token outlives its session by up to an hour, so signing out everywhere, suspending or deleting an account
-- would leave open devices reading and writing. This is for storage and live topics; the Data API checks every request
-- (require_live_session). A token without a session is a trusted server's own. Session and token must show the second factor, since
-- a token may have been stolen before; for a minute after its set-up, one from before that will do, as open channels still show it.
create function private.session_is_live() returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select auth.jwt()) ->> 'session_id' is null or exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and (
        private.knows_latest_proof() and (
          s.aal >= 'aal2' and coalesce((select auth.jwt()) ->> 'aal', '') >= 'aal2'
          or not private.has_second_factor(s.user_id)
        )
        or s.aal >= 'aal2' and exists (
          select from auth.mfa_amr_claims shown
          where shown.session_id = s.id and shown.authentication_method = 'totp' and shown.created_at > now() - interval '1 minute'
        ) and not exists (
          select from auth.mfa_factors f
          where f.user_id = s.user_id and f.status = 'verified'
            and f.created_at <= to_timestamp(coalesce((select auth.jwt()) ->> 'iat', 'infinity')::float)
        )
      )
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

-- What members call somebody. A person whose admission was taken back is not among those who are or were on the team, and
-- the address of a member who is suspended or left is no name.
create function private.name_for_members(member private.members) returns text
language sql immutable parallel safe
return case when member.admitted_at is null then 'Former member'
  else private.display_name(member.first_name, member.last_name, case when member.is_active then member.email end) end;

create function private.assert_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see this' using errcode = '42501';
  end if;
end
$$;

-- Whether a password, a code or a mailed link was shown for this token within 15 minutes. The token says it: one from before knows nothing
-- of what was shown since.
create function private.has_proved_recently() returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from jsonb_array_elements(coalesce((select auth.jwt()) -> 'amr', '[]')) proof
    where to_timestamp((proof ->> 'timestamp')::bigint) > now() - interval '15 minutes'
  )
$$;

-- Before what outlasts a stolen token of a leader: who is let in or put out, who has which rights and sees which contact details, what is
-- reviewed, what everybody agrees to, and what the archive keeps.
create function private.require_recent_proof() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role' and not private.has_proved_recently() then
    raise exception 'Confirm that it is you first' using errcode = 'PT428';
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

-- Taken to make or end an admin, after the locks on members: of two admins who end each other's rights at the same moment, the
-- second sees the first one's change.
create function private.lock_admins() returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('private.members: admins', 0)) $$;

-- There is always an admin.
create function private.keep_an_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_admins();
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
    perform private.lock_admins();
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
