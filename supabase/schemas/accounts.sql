-- A member's life follows the account: confirming the e-mail creates the profile, changing it updates the profile, and
-- deleting the account removes every personal detail while the messages stay readable.

create function private.follow_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.deleted_at is not null then
    perform private.forget_member(new.id);
    perform private.forget_in_audit_log(new.id);
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
  perform private.forget_in_audit_log(old.id);
  return null;
end
$$;

create function private.forget_member(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  address constant text := (select lower(m.email) from private.members m where m.id = member_id);
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
  delete from public.invitations i where i.accepted_by = member_id;
  -- Not one that an admin is renewing at this moment.
  delete from public.invitations i
  where i.id in (select known.id from public.invitations known where known.email = address for update skip locked);
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

-- While an invited account has no password, the app asks for one, because its user metadata says so. Anybody with one of its tokens can
-- write that, so an account with a password does not keep it.
create function private.drop_needs_password() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.raw_user_meta_data := new.raw_user_meta_data - 'needs_password';
  return new;
end
$$;
create trigger drop_needs_password before insert or update of encrypted_password, raw_user_meta_data on auth.users
  for each row when (new.encrypted_password <> '' and new.raw_user_meta_data ? 'needs_password')
  execute function private.drop_needs_password();

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
  -- Token and session: one that was stolen before a code was entered is worth nothing after it.
  if session.aal >= 'aal2' and claims ->> 'aal' >= 'aal2' and private.knows_latest_proof() then
    return;
  end if;
  if private.has_second_factor(session.user_id) then
    if current_setting('request.path', true) is distinct from '/rpc/use_recovery_code' then
      raise exception 'Enter your two-step code first' using errcode = 'PT403';
    end if;
  elsif not private.knows_latest_proof() then
    raise exception 'Your session has ended' using errcode = 'PT401';
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
  if not found or account.banned_until > now() or account.deleted_at is not null then
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
  perform archive.lock_holds();
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

-- A change of address that waits to be confirmed. The account is locked before its links, as when one is opened.
create function private.forget_email_change(account_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users u set
    email_change = '', email_change_sent_at = null, email_change_confirm_status = 0,
    email_change_token_new = '', email_change_token_current = ''
  where u.id = account_id and u.email_change <> '';
  if not found then
    return false;
  end if;
  delete from auth.one_time_tokens t
  where t.user_id = account_id and t.token_type::text in ('email_change_token_new', 'email_change_token_current');
  return true;
end
$$;

-- What was mailed to an account before opens nothing any more.
create function private.forget_mailed_links(account_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.forget_email_change(account_id);
  update auth.users u set recovery_token = '', confirmation_token = '', reauthentication_token = ''
  where u.id = account_id and (u.recovery_token <> '' or u.confirmation_token <> '' or u.reauthentication_token <> '');
  delete from auth.one_time_tokens t where t.user_id = account_id;
end
$$;

-- The auth service has no request for it.
create function public.cancel_my_email_change() returns boolean
language sql security definer set search_path = ''
as $$ select private.forget_email_change((select auth.uid())) $$;
comment on function public.cancel_my_email_change is
  'Keeps the caller''s address: the change that waits to be confirmed is forgotten, and the links mailed for it no longer work. False if none waits any more.';

-- What the caller reported, whom they blocked and which house rules they accepted, as the app shows it to them: without
-- the reviewer's notes. Nobody reads these tables, so they are no part of the search below.
create function private.own_safety_rows(me uuid, page_size integer, skipped bigint) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return jsonb_build_object(
    'reports', (
      select coalesce(jsonb_agg(to_jsonb(mine)), '[]') from (
        select r.id, r.member_id, private.name_for_members(m) as member_name, r.message_id,
          r.reason, r.note, r.created_at, r.outcome, r.closed_at
        from private.reports r join private.members m on m.id = r.member_id
        where r.reporter_id = me order by r.created_at, r.id limit page_size offset skipped
      ) mine
    ),
    'blocked_people', (
      select coalesce(jsonb_agg(to_jsonb(mine)), '[]') from (
        select b.blocked_id as member_id, private.name_for_members(m) as member_name,
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

-- Finds tables and views by their owner column, so that tables added later are included automatically; of their columns, those
-- that members may read. A page has at most 250 rows of each, which is 4 MB of the longest messages: an answer of the Data API
-- is limited to 8.
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
comment on function public.export_my_data is
  'A page of everything the caller owns: an array of rows for each table. `has_more`: the next page may have further rows.';

revoke execute on all functions in schema private from public;
-- Called by their definer only.
revoke execute on function private.typed_password_recently(), private.own_safety_rows(uuid, integer, bigint) from anon, authenticated;
revoke execute on function public.cancel_my_email_change(), public.delete_my_account(), public.export_my_data(integer)
from public, anon, service_role;
grant execute on function public.cancel_my_email_change(), public.delete_my_account(), public.export_my_data(integer)
to authenticated;
