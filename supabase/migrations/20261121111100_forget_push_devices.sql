-- Whoever signs out everywhere, or everywhere else, must not be told there any more: a session that ended on another
-- device cannot take that device back itself.

create function public.forget_push_devices(except_token text default null) returns void
language sql security definer set search_path = ''
as $$
  update private.members m set push_token = null
  where m.id = (select auth.uid()) and m.push_token is distinct from except_token and m.push_token is not null;
  delete from public.push_devices d
  where d.user_id = (select auth.uid()) and d.token is distinct from except_token;
$$;
comment on function public.forget_push_devices is
  'No more push for the caller on any device, or on any but the one with this token.';

revoke execute on function public.forget_push_devices from public, anon;
grant execute on function public.forget_push_devices to authenticated;

-- A test that cannot arrive is refused with the reason, instead of failing where only admins look.
create or replace function public.send_test_push(device_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  device public.push_devices;
begin
  select * into device from public.push_devices d
  where d.id = send_test_push.device_id and d.user_id = (select auth.uid());
  if device.id is null then
    raise exception 'This is not one of your devices' using errcode = '42501';
  end if;
  if not exists (select from public.push_channels c where c.channel = device.channel and c.is_on) then
    raise exception 'Your team''s server does not send push notifications to this kind of device'
      using errcode = 'PT409';
  end if;
  if exists (
    select from private.push_outbox o
    where o.kind = 'test' and o.device_id = send_test_push.device_id and o.created_at > now() - interval '10 seconds'
  ) then
    raise exception 'Wait a moment before the next test' using errcode = 'PT429';
  end if;
  insert into private.push_outbox (kind, device_id) values ('test', send_test_push.device_id);
  perform pg_notify('push_outbox', '');
end
$$;
