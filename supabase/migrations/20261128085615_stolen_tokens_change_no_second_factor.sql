-- A stolen access token set up an authenticator app of its own or made recovery codes, and so locked the account's owner out. Factors
-- and codes stay as they are.

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

create or replace function public.create_recovery_codes() returns text[]
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
  -- In the token: one from before says nothing of what was shown since.
  if not exists (
    select from jsonb_array_elements(coalesce((select auth.jwt()) -> 'amr', '[]')) proof
    where to_timestamp((proof ->> 'timestamp')::bigint) > now() - interval '15 minutes'
  ) then
    raise exception 'Enter a code from your authenticator app first' using errcode = 'PT428';
  end if;
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

create or replace function public.use_recovery_code(code text) returns text
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

alter table private.account_mails drop constraint "Event must be known";
alter table private.account_mails add constraint "Event must be known" CHECK ((event = ANY (ARRAY['approved'::text, 'declined'::text, 'second_factor_on'::text, 'second_factor_off'::text, 'second_factor_reset'::text, 'recovery_code_used'::text, 'recovery_codes_replaced'::text])));

CREATE CONSTRAINT TRIGGER require_recent_sign_in AFTER UPDATE OF status ON auth.mfa_factors DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.status = 'verified'::auth.factor_status) AND (old.status <> 'verified'::auth.factor_status))) EXECUTE FUNCTION private.require_recent_sign_in();

revoke execute on function private.require_recent_sign_in() from public;
