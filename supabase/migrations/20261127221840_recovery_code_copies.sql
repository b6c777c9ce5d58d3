-- A recovery code leaves no earlier refresh token of its session that could still be exchanged.

create or replace function public.use_recovery_code(code text) returns boolean
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
  -- Two of the member's devices take turns: the right code ends the other's session.
  perform from auth.users u where u.id = me for no key update;
  -- A trusted server's own token has no session to raise; one that has just ended is none either.
  perform from auth.sessions s where s.id = this_session and s.user_id = me for key share;
  if not found then
    return false;
  end if;
  insert into private.recovery_attempts as known (session_id) values (this_session)
  on conflict (session_id) do update set
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

  delete from private.recovery_attempts a where a.session_id = this_session;
  select f.id into factor from auth.mfa_factors f
  where f.user_id = me and f.status = 'verified' order by f.created_at limit 1;
  update auth.sessions s set aal = 'aal2', factor_id = factor where s.id = this_session and s.user_id = me;
  insert into auth.mfa_amr_claims as known (id, session_id, created_at, updated_at, authentication_method)
  values (gen_random_uuid(), this_session, now(), now(), 'totp')
  on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at;
  delete from auth.sessions s where s.user_id = me and s.id <> this_session;
  -- The last one before the valid one still stands for it, in case its answer was lost: a copy would be raised, too.
  delete from auth.refresh_tokens t where t.session_id = this_session and t.revoked;
  perform private.record_change('member', 'recovery_code_used', me, null, null, null, array[me]);
  return true;
end
$$;
