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

-- Each session has tries of its own: with the password alone nobody uses up the owner's.
create table private.recovery_attempts (
  session_id uuid primary key references auth.sessions (id) on delete cascade,
  attempts integer not null default 1,
  since timestamptz not null default now(),
  redeemed text,
  redeemed_at timestamptz
);
comment on table private.recovery_attempts is
  'Recovery codes tried lately, for rate limiting, and the hash of the one that raised the session, in case its answer is lost.';
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

-- A stolen access token must not lock its owner out with an authenticator app of its own: a new factor takes a session that just began.
-- Deferred, since the auth service writes down only after the factor which session verified it.
create function private.require_recent_sign_in() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select from auth.sessions s join auth.mfa_amr_claims proof on proof.session_id = s.id
    where s.factor_id = new.id and s.user_id = new.user_id
      and proof.authentication_method in ('password', 'otp', 'magiclink', 'recovery', 'invite', 'email/signup')
      and proof.created_at > now() - interval '15 minutes'
  ) then
    raise exception 'Sign in again with your password to turn on two-step verification' using errcode = '42501';
  end if;
  return null;
end
$$;
create constraint trigger require_recent_sign_in after update of status on auth.mfa_factors
  deferrable initially deferred
  for each row when (new.status = 'verified' and old.status <> 'verified') execute function private.require_recent_sign_in();

-- Ten new codes; those before are worth nothing. A stolen token makes none: they would stand in for the factor for good.
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
  perform private.require_recent_proof();
  -- Serializes two calls, of which the later one's codes count.
  perform from auth.users u where u.id = me for update;
  delete from private.recovery_codes r where r.user_id = me;
  if found then
    perform private.note_account_mail(me, 'recovery_codes_replaced');
  end if;
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

-- A new refresh token, not derived from the session's earlier ones, of which none stays valid: a copy from before does not go on with
-- the session.
create function private.renew_refresh_token(this_session uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- As long as the auth service's own, which tells the two kinds apart by their length.
  token constant text := replace(private.new_recovery_code(), '-', '');
  stores_hashes constant boolean := to_regnamespace('auth_service') is not null;
begin
  delete from auth.refresh_tokens t where t.session_id = this_session;
  -- Newer auth services of Supabase keep no rows for a session's later tokens: they are signed with its key.
  if not stores_hashes and exists (
    select from pg_attribute a where a.attrelid = 'auth.sessions'::regclass and a.attname = 'refresh_token_counter'
  ) then
    update auth.sessions s set refresh_token_hmac_key = null, refresh_token_counter = null where s.id = this_session;
  end if;
  insert into auth.refresh_tokens (token, user_id, revoked, session_id, created_at, updated_at)
  select case when stores_hashes then encode(extensions.digest(token, 'sha256'), 'hex') else token end,
    s.user_id::text, false, s.id, now(), now()
  from auth.sessions s where s.id = this_session;
  return token;
end
$$;

-- The one call open to a session that has yet to show its second factor (require_live_session). A wrong code returns
-- null instead of raising, so that the attempt stays counted.
--
-- The session is raised as the auth service does it: the access token that the returned refresh token is exchanged for says `aal2`. The
-- member's other sessions end, because the phone that is lost may still be signed in. If the answer is lost, the same code is answered again.
create function public.use_recovery_code(code text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 10;
  me constant uuid := (select auth.uid());
  this_session constant uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
  typed constant text := private.plain_recovery_code(code);
  tried private.recovery_attempts;
  hash text;
begin
  -- A token that owes no code would get a refresh token for one.
  if private.has_shown_second_factor() then
    return null;
  end if;
  -- Two of the member's devices take turns: the right code ends the other's session.
  perform from auth.users u where u.id = me for no key update;
  -- A trusted server's own token has no session to raise; one that has just ended is none either. Waits for a refresh of it.
  perform from auth.sessions s where s.id = this_session and s.user_id = me for update;
  if not found then
    return null;
  end if;
  insert into private.recovery_attempts as known (session_id) values (this_session)
  on conflict (session_id) do update set
    attempts = case when known.since < now() - interval '1 hour' then 1 else known.attempts + 1 end,
    since = case when known.since < now() - interval '1 hour' then now() else known.since end
  returning * into tried;
  if tried.attempts > most_an_hour then
    raise exception 'Too many recovery codes: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  if tried.redeemed_at > now() - interval '2 minutes' and tried.redeemed = extensions.crypt(typed, tried.redeemed) then
    return private.renew_refresh_token(this_session);
  end if;

  select extensions.crypt(typed, left(r.code_hash, 29)) into hash from private.recovery_codes r where r.user_id = me limit 1;
  delete from private.recovery_codes r where r.user_id = me and r.code_hash = hash;
  if not found then
    return null;
  end if;

  update private.recovery_attempts a set attempts = 0, redeemed = hash, redeemed_at = now() where a.session_id = this_session;
  update auth.sessions s set aal = 'aal2', factor_id = (
    select f.id from auth.mfa_factors f where f.user_id = me and f.status = 'verified' order by f.created_at limit 1
  )
  where s.id = this_session;
  insert into auth.mfa_amr_claims as known (id, session_id, created_at, updated_at, authentication_method)
  values (gen_random_uuid(), this_session, now(), now(), 'totp')
  on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at;
  delete from auth.sessions s where s.user_id = me and s.id <> this_session;
  perform private.record_change('member', 'recovery_code_used', me, null, null, null, array[me]);
  perform private.note_account_mail(me, 'recovery_code_used');
  return private.renew_refresh_token(this_session);
end
$$;
comment on function public.use_recovery_code is
  'Uses up one recovery code in place of the second factor. Returns the refresh token to go on with, the only one of the session that is left. Null: there is no such code.';

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

-- The auth service takes back what the factor had shown. Tokens from before that must not come back with it, so the time of it stays, with what
-- the session had shown first.
create function private.keep_time_of_proof() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.mfa_amr_claims kept set updated_at = shown.updated_at
  from auth.sessions s join auth.mfa_amr_claims shown on shown.session_id = s.id
  where s.user_id = old.user_id and s.factor_id = old.id and kept.session_id = s.id
    and shown.authentication_method = 'totp' and kept.authentication_method <> 'totp' and kept.updated_at < shown.updated_at;
  return null;
end
$$;
create trigger keep_time_of_proof after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function private.keep_time_of_proof();

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
  perform private.require_recent_proof();
  if member_id = (select auth.uid()) then
    raise exception 'Turn off your own two-step verification in your profile' using errcode = '42501';
  end if;
  if exists (select from private.members m where m.id = reset_second_factor.member_id and m.status = 'deleted') then
    raise exception 'This member no longer exists' using errcode = 'PT404';
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

-- Admins and supervisors without a second factor lose their live topics at once: when the rule comes, and when the factor goes.
create function private.recheck_admins() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(m.id) from private.members m where (m.role = 'admin' or m.can_supervise) and m.is_active;
  return null;
end
$$;
create trigger recheck_admins after update of admins_need_second_factor on public.team_settings
  for each row when (new.admins_need_second_factor <> old.admins_need_second_factor)
  execute function private.recheck_admins();

-- With the factor, the auth service takes the second level from its owner's sessions.
create function private.recheck_lowered() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(old.user_id);
  return null;
end
$$;
create trigger recheck_lowered after update of aal on auth.sessions
  for each row when (old.aal >= 'aal2' and new.aal is distinct from old.aal) execute function private.recheck_lowered();

revoke execute on all functions in schema private from public;
revoke execute on function
  public.create_recovery_codes(), public.recovery_codes_left(), public.use_recovery_code(text),
  public.reset_second_factor(uuid, text), public.acts_as_admin()
from public, anon, service_role;
grant execute on function
  public.create_recovery_codes(), public.recovery_codes_left(), public.use_recovery_code(text),
  public.reset_second_factor(uuid, text), public.acts_as_admin()
to authenticated;
