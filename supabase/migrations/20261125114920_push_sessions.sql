-- A push device goes with the session that registered it, so that nothing arrives on a lost phone any more. Those that exist
-- have no session yet: they go with any session of the member, and get one when the app next starts on them.

drop function public.forget_push_devices(text);

alter table public.push_devices add column session_id uuid;

create or replace function private.add_device(
  owner_id uuid, token text, platform text, channel text, p256dh text, auth text, label text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  device_id uuid;
  this_session constant uuid := case when owner_id = (select auth.uid()) then ((select auth.jwt()) ->> 'session_id')::uuid end;
begin
  -- Locked, so that a session that ends meanwhile takes the device with it.
  perform from auth.sessions s where s.id = this_session for key share;
  if this_session is not null and not found then
    raise exception 'Your session has ended' using errcode = 'PT401';
  end if;
  insert into public.push_devices as d (user_id, token, platform, channel, p256dh, auth, label, session_id)
  values (owner_id, add_device.token, add_device.platform, add_device.channel, add_device.p256dh,
    add_device.auth, left(add_device.label, 100), this_session)
  on conflict (token) do update set
    user_id = excluded.user_id, platform = excluded.platform, channel = excluded.channel,
    p256dh = excluded.p256dh, auth = excluded.auth, label = coalesce(excluded.label, d.label),
    session_id = excluded.session_id, last_seen_at = now()
  returning d.id into device_id;

  delete from public.push_devices d where d.id in (
    select old.id from public.push_devices old where old.user_id = owner_id
    order by old.last_seen_at desc, old.id = device_id desc offset private.most_devices()
  );
  return device_id;
end
$$;

create function private.forget_devices_of_sessions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with gone as (
    delete from public.push_devices d using ended e
    where d.user_id = e.user_id and (d.session_id = e.id or d.session_id is null)
    returning d.user_id, d.token
  )
  update private.members m set push_token = null from gone g where m.id = g.user_id and m.push_token = g.token;
  return null;
end
$$;

create trigger forget_devices_of_sessions after delete on auth.sessions
  referencing old table as ended for each statement execute function private.forget_devices_of_sessions();

comment on column public.push_devices.session_id is 'Null when registered without a session, or before devices had one: goes with any session of the member.';

revoke execute on function private.forget_devices_of_sessions() from public;
