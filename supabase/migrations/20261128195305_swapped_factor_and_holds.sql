-- A copied token from before a code does not come back for live topics and images when the authenticator app is changed for another. Placing a
-- legal hold outlasts a stolen token, so it takes a recent sign-in or code as lifting one does. No rows change.

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
            or coalesce((select auth.jwt()) ->> 'aal', '') >= 'aal2'
            or f.created_at <= to_timestamp(coalesce((select auth.jwt()) ->> 'iat', 'infinity')::float)
            -- It took the place of one that the session had shown.
            or exists (
              select from auth.mfa_amr_claims shown
              where shown.session_id = s.id and shown.authentication_method = 'totp' and shown.created_at < f.created_at
            ))
      ))
  )
$$;

create or replace function public.place_legal_hold(
  reason text, member_id uuid default null, chat_id uuid default null, hold_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  perform private.require_recent_proof();
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
