-- A copied token from before a code stays worthless when two-step verification is turned off: the time of the code stays with the session. For
-- live topics and images a token from before the set-up ends with it as well, as for requests. No rows change; a channel that
-- is open meanwhile gets the next token with its client's next heartbeat.

create or replace function private.session_is_live() returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select auth.jwt()) ->> 'session_id' is null or exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid and private.knows_latest_proof()
      and (
        s.aal >= 'aal2' and coalesce((select auth.jwt()) ->> 'aal', '') >= 'aal2'
        or not private.has_second_factor(s.user_id)
      )
  )
$$;

create or replace function public.require_live_session() returns void
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

revoke execute on function private.keep_time_of_proof() from public;
