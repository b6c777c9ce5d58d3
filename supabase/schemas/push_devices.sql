-- Where push notifications reach a member. A device belongs to the member who registered it last, so that a shared phone never
-- shows one person another's messages, and goes with the session that did: a lost phone is signed out from elsewhere. Only the
-- push worker reads tokens.

create table public.push_devices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.members (id) on delete cascade,
  platform text not null,
  channel text not null,
  token text not null,
  p256dh text,
  auth text,
  label text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  session_id uuid,
  constraint "Platform must be ios, android or web" check (platform in ('ios', 'android', 'web')),
  constraint "Channel must be apns, fcm or web" check (channel in ('apns', 'fcm', 'web')),
  constraint "Token must be 1 to 2000 visible characters" check (token ~ '^[\x21-\x7e]+$' and char_length(token) <= 2000),
  constraint "A web subscription is an https address with its two keys" check (
    channel <> 'web'
    or (token ~ '^https?://' and p256dh ~ '^[\w-]{80,100}=*$' and auth ~ '^[\w-]{20,30}=*$') is true
  ),
  constraint "Label is at most 100 characters" check (char_length(label) <= 100)
);
comment on table public.push_devices is 'Devices that receive push notifications, each with the address its provider assigned.';
comment on column public.push_devices.token is 'FCM or APNs token, or the endpoint of a web subscription.';
comment on column public.push_devices.session_id is 'Null when registered without a session, or before devices had one: goes with any session of the member.';

create unique index push_devices_token on public.push_devices (token);
create index push_devices_user_id on public.push_devices (user_id, last_seen_at desc);

alter table public.push_devices enable row level security;
revoke all on public.push_devices from anon, authenticated;
grant select (id, user_id, platform, channel, label, created_at, last_seen_at), delete
  on public.push_devices to authenticated;
create policy "members see their own devices" on public.push_devices
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members remove their own devices" on public.push_devices
  for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create function private.most_devices() returns int
language sql immutable set search_path = ''
as $$ select 10 $$;

create function private.add_device(
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

  -- A session is one device. Otherwise a stolen token's would stay beside its owner's, and ten of them push that out.
  with gone as (
    delete from public.push_devices d
    where d.user_id = owner_id and d.session_id = this_session and d.id <> device_id
    returning d.token
  )
  update private.members m set push_token = null from gone g where m.id = owner_id and m.push_token = g.token;
  delete from public.push_devices d where d.id in (
    select old.id from public.push_devices old where old.user_id = owner_id
    order by old.last_seen_at desc, old.id = device_id desc offset private.most_devices()
  );
  return device_id;
end
$$;

create function public.register_push_device(
  token text, platform text, channel text default null,
  p256dh text default null, auth text default null, label text default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_member() then
    raise exception 'Only members register devices' using errcode = '42501';
  end if;
  return private.add_device(
    (select auth.uid()), token, platform,
    coalesce(channel, case platform when 'ios' then 'apns' when 'android' then 'fcm' else 'web' end),
    p256dh, register_push_device.auth, label
  );
exception
  when not_null_violation or check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.register_push_device is 'Sends push for the caller to this device from now on. Returns its id.';

create function public.remove_push_device(token text) returns void
language sql security definer set search_path = ''
as $$
  update private.members m set push_token = null
  where m.id = (select auth.uid()) and m.is_active and m.push_token = remove_push_device.token;
  delete from public.push_devices d
  where d.user_id = (select auth.uid()) and (select private.is_member()) and d.token = remove_push_device.token;
$$;
comment on function public.remove_push_device is 'At sign-out: stops push for the caller on this device.';

revoke execute on function public.register_push_device, public.remove_push_device from public, anon;
grant execute on function public.register_push_device, public.remove_push_device to authenticated;

-- users.push_token, which the app writes on registration, adds a device too. Tokens are recognized by their shape: APNs
-- tokens are hexadecimal. Web subscriptions need keys and come only through register_push_device.
create function private.follow_push_token() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_apple constant boolean := new.push_token ~* '^[0-9a-f]{64,200}$';
begin
  if old.push_token is not null then
    delete from public.push_devices d
    where d.user_id = new.id and d.token = old.push_token and new.push_token is null;
  end if;
  if new.push_token ~ '^[\x21-\x7e]+$' and char_length(new.push_token) between 20 and 2000
    and new.push_token !~ '^https?:' and not exists (
    select from public.push_devices d where d.token = new.push_token and d.user_id = new.id
  ) then
    perform private.add_device(
      new.id, new.push_token, case when is_apple then 'ios' else 'android' end,
      case when is_apple then 'apns' else 'fcm' end, null, null, null
    );
  end if;
  return null;
end
$$;

create trigger follow_push_token after update of push_token on private.members
  for each row when (old.push_token is distinct from new.push_token)
  execute function private.follow_push_token();

create function private.forget_devices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.push_devices d where d.user_id = new.id;
  return null;
end
$$;

create trigger forget_devices after update of is_active on private.members
  for each row when (old.is_active and not new.is_active) execute function private.forget_devices();

-- Whatever ended the session: a sign-out elsewhere, a new password, a recovery code, an admin.
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

-- A device whose provider no longer knows it.
create function private.drop_dead_device(device_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  dead public.push_devices;
begin
  delete from public.push_devices d where d.id = drop_dead_device.device_id returning * into dead;
  update private.members m set push_token = null where m.id = dead.user_id and m.push_token = dead.token;
end
$$;

-- The push channels this installation can use; the worker reports them when it starts.
create table public.push_channels (
  channel text primary key,
  is_on boolean not null,
  detail text not null default '',
  public_key text,
  checked_at timestamptz not null default now(),
  constraint "Channel must be apns, fcm or web" check (channel in ('apns', 'fcm', 'web'))
);
comment on table public.push_channels is 'Which push providers this installation has credentials for.';
insert into public.push_channels (channel, is_on, detail) values
  ('apns', false, 'No worker has reported yet'),
  ('fcm', false, 'No worker has reported yet'),
  ('web', false, 'No worker has reported yet');

alter table public.push_channels enable row level security;
revoke all on public.push_channels from anon, authenticated;
grant select on public.push_channels to authenticated;
create policy "admins see which channels work" on public.push_channels
  for select to authenticated using ((select private.is_admin()));

create function public.push_public_key() returns text
language sql stable security definer set search_path = ''
as $$
  select c.public_key from public.push_channels c
  where c.channel = 'web' and c.is_on and (select private.is_member())
$$;
comment on function public.push_public_key is 'The key that browsers subscribe with; null while web push is off.';

create function public.report_push_channels(channels jsonb) returns void
language sql security definer set search_path = ''
as $$
  update public.push_channels c set
    is_on = r.is_on, detail = coalesce(r.detail, ''), public_key = r.public_key, checked_at = now()
  from jsonb_to_recordset(channels) as r (channel text, is_on boolean, detail text, public_key text)
  where c.channel = r.channel
$$;
comment on function public.report_push_channels is 'The worker reports which channels it has credentials for.';

revoke execute on function public.push_public_key, public.report_push_channels from public, anon, authenticated;
grant execute on function public.push_public_key to authenticated;
grant execute on function public.report_push_channels to service_role;
revoke execute on all functions in schema private from public;
