-- A recovery code is answered with the refresh token to go on with, the only one left of the session: a copy of an earlier one is worth
-- nothing, whoever is faster. If the answer is lost, the same code is answered again.

alter table private.recovery_attempts add column redeemed text;

alter table private.recovery_attempts add column redeemed_at timestamp with time zone;

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

drop function public.use_recovery_code(text);
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
  return private.renew_refresh_token(this_session);
end
$$;

comment on function public.use_recovery_code(pg_catalog.text) is 'Uses up one recovery code in place of the second factor. Returns the refresh token to go on with, the only one of the session that is left. Null: there is no such code.';

comment on table private.recovery_attempts is 'Recovery codes tried lately, for rate limiting, and the hash of the one that raised the session, in case its answer is lost.';

revoke execute on function private.renew_refresh_token(uuid) from public;

revoke execute on function public.use_recovery_code(text) from anon;

revoke execute on function public.use_recovery_code(text) from public;

revoke execute on function public.use_recovery_code(text) from service_role;

-- The function is a new one, so its grant has gone.
grant execute on function public.use_recovery_code(text) to authenticated;
