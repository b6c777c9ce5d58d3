-- Tokens from before the second factor was shown are worth nothing after it: live topics, images, refresh tokens of a session that a
-- recovery code raised. Reports of errors name files of the app only; of many at once none is lost to the log.

create or replace function private.session_is_live() returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select auth.jwt()) ->> 'session_id' is null or exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and (s.aal >= 'aal2' and coalesce((select auth.jwt()) ->> 'aal', '') >= 'aal2' or not exists (
        select from auth.mfa_factors f
        where f.user_id = s.user_id and f.status = 'verified'
          and (s.aal >= 'aal2' is not true
            or f.created_at <= to_timestamp(coalesce((select auth.jwt()) ->> 'iat', 'infinity')::float))
      ))
  )
$$;

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
  -- A trusted server's own token has no session to raise; one that has just ended is none either. Waits for a refresh of it.
  perform from auth.sessions s where s.id = this_session and s.user_id = me for update;
  if not found then
    return false;
  end if;
  -- Somebody has refreshed the session since, and may be a thief with a copy: raised, it would be theirs alone.
  if exists (
    select from auth.refresh_tokens t
    where t.session_id = this_session and not t.revoked
      and date_trunc('second', t.created_at) > to_timestamp(((select auth.jwt()) ->> 'iat')::float)
  ) then
    raise exception 'Enter the recovery code again' using errcode = 'PT409';
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
  values (gen_random_uuid(), this_session, clock_timestamp(), clock_timestamp(), 'totp')
  on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at;
  delete from auth.sessions s where s.user_id = me and s.id <> this_session;
  -- The last one before the valid one still stands for it, in case its answer was lost: a copy would be raised, too.
  delete from auth.refresh_tokens t where t.session_id = this_session and t.revoked;
  perform private.record_change('member', 'recovery_code_used', me, null, null, null, array[me]);
  return true;
end
$$;

create or replace function private.is_app_error(kind text, places text[], screen text, browser text) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(
    kind ~ '^([A-Z][A-Za-z]{0,30})?(Error|Exception)$'
    and array_ndims(places) = 1 and cardinality(places) between 1 and 5
    and (select bool_and(coalesce(place ~ '^[A-Za-z0-9_.-]{1,80}\.(js|tsx?):[0-9]{1,7}:[0-9]{1,7}$', false)) from unnest(places) place)
    and screen ~ '^(/|(/[a-z0-9:-]{1,40}){1,6})$'
    and browser ~ '^(Chrome|Edge|Firefox|Safari|Samsung Internet|Other)( [0-9]{1,4})?( on (Android|iOS|Windows|macOS|Linux|ChromeOS))?$',
    false
  )
$$;

create or replace function public.take_app_errors() returns table (
  kind text, places text[], screen text, browser text, reports integer
)
language sql volatile security definer set search_path = ''
as $$
  update private.app_errors e set logged_at = now()
  where (e.kind, e.places, e.screen, e.browser) in (
    select due.kind, due.places, due.screen, due.browser from private.app_errors due
    where due.logged_at is null or due.logged_at < least(due.last_at, now() - interval '1 hour')
    order by due.last_at desc limit 10
    for update skip locked
  )
  returning e.kind, e.places, e.screen, e.browser, e.reports
$$;
