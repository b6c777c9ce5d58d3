-- When a session's second factor is shown again, an access token from before is refused: a copy of it ends with the proof, not up to an
-- hour later. No rows change; a device that holds such a token refreshes it.

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

create or replace function private.session_is_live() returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select auth.jwt()) ->> 'session_id' is null or exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and (s.aal >= 'aal2' and coalesce((select auth.jwt()) ->> 'aal', '') >= 'aal2' and private.knows_latest_proof() or not exists (
        select from auth.mfa_factors f
        where f.user_id = s.user_id and f.status = 'verified'
          and (s.aal >= 'aal2' is not true
            or f.created_at <= to_timestamp(coalesce((select auth.jwt()) ->> 'iat', 'infinity')::float))
      ))
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
  if private.has_second_factor(session.user_id)
    and current_setting('request.path', true) is distinct from '/rpc/use_recovery_code'
  then
    raise exception 'Enter your two-step code first' using errcode = 'PT403';
  end if;
end
$$;

revoke execute on function private.knows_latest_proof() from public;
