-- Push notifications still to be sent. A message, notice or newcomer writes one row to the outbox in its own transaction, whatever
-- the size of the team, so it is pushed exactly if it was stored; the worker later spreads it over devices.

create table private.push_outbox (
  id bigserial primary key,
  kind text not null,
  -- No foreign keys to messages, devices and members: inserting a message must not pay for them, and missing ones are skipped.
  message_id uuid,
  notice_id uuid references public.team_notices (id) on delete cascade,
  device_id uuid,
  newcomer_id uuid,
  is_reminder boolean not null default false,
  created_at timestamptz not null default now(),
  spread_at timestamptz,
  constraint "Kind must be message, notice, newcomer or test" check (kind in ('message', 'notice', 'newcomer', 'test')),
  constraint "An entry is about one thing" check (num_nonnulls(message_id, notice_id, device_id, newcomer_id) = 1)
);
comment on table private.push_outbox is 'Messages, notices, newcomers and tests whose push notifications are still to be sent.';
create index push_outbox_waiting on private.push_outbox (id) where spread_at is null;
create index push_outbox_notice_id on private.push_outbox (notice_id) where notice_id is not null;
create index push_outbox_created_at on private.push_outbox (created_at);

create table private.push_deliveries (
  id bigserial primary key,
  outbox_id bigint not null references private.push_outbox (id) on delete cascade,
  user_id uuid not null references private.members (id) on delete cascade,
  device_id uuid references public.push_devices (id) on delete set null,
  channel text not null,
  collapse_key text not null,
  is_pressing boolean not null default false,
  passed_quiet_hours boolean not null default false,
  state text not null default 'waiting',
  reason text,
  attempts int not null default 0,
  due_at timestamptz not null,
  claimed_until timestamptz,
  finished_at timestamptz,
  constraint "State must be known" check (
    state in ('waiting', 'sending', 'sent', 'skipped', 'collapsed', 'failed', 'uncertain')
  )
);
comment on table private.push_deliveries is 'One notification for one device, and its outcome.';
comment on column private.push_deliveries.is_pressing is 'A mention or an urgent notice: may override quiet hours.';
comment on column private.push_deliveries.state is
  'uncertain: a worker died or lost its connection while sending; reported, never retried, since it may have arrived.';
create index push_deliveries_due on private.push_deliveries (is_pressing, due_at, id) where state = 'waiting';
create index push_deliveries_claimed on private.push_deliveries (claimed_until) where state = 'sending';
create index push_deliveries_collapse on private.push_deliveries (device_id, collapse_key, id);
create index push_deliveries_outbox_id on private.push_deliveries (outbox_id);
create index push_deliveries_user_id on private.push_deliveries (user_id);
create index push_deliveries_finished_at on private.push_deliveries (finished_at);

alter table private.push_outbox enable row level security;
alter table private.push_deliveries enable row level security;
revoke all on private.push_outbox, private.push_deliveries from anon, authenticated, service_role;

-- An open thread marks itself as read within this time, and then nothing needs to be pushed.
create function private.push_delay() returns interval
language sql immutable set search_path = ''
as $$ select interval '2 seconds' $$;

-- In a large chat a device that was notified and has not read since is left alone for this long.
create function private.large_chat_pause() returns interval
language sql immutable set search_path = ''
as $$ select interval '10 minutes' $$;

create function private.queue_message_push() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Costs one index probe while the team has no device.
  if exists (select from public.push_devices) then
    insert into private.push_outbox (kind, message_id) values ('message', new.id);
    perform pg_notify('push_outbox', '');
  end if;
  return null;
end
$$;
create trigger queue_message_push after insert on public.chat_messages
  for each row execute function private.queue_message_push();

create function private.queue_notice(notice_id uuid, is_reminder boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.push_outbox (kind, notice_id, is_reminder)
  values ('notice', queue_notice.notice_id, queue_notice.is_reminder);
  perform pg_notify('push_outbox', '');
end
$$;

-- A test that cannot arrive is refused with the reason, instead of failing where only admins look.
create function public.send_test_push(device_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  device public.push_devices;
begin
  select * into device from public.push_devices d
  where d.id = send_test_push.device_id and d.user_id = (select auth.uid()) and (select private.is_member());
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
comment on function public.send_test_push is 'Sends a test notification to one of the caller''s own devices.';
revoke execute on function public.send_test_push from public, anon;
grant execute on function public.send_test_push to authenticated;

-- The recipients of an entry. Decides only what cannot change any more; push_verdict decides the rest when it is sent.
create function private.push_recipients(entry private.push_outbox)
returns table (user_id uuid, device_id uuid, channel text, collapse_key text, is_pressing boolean, due_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  with message as materialized (
    select m.*, private.is_large_chat(m.chat_id) as is_in_large_chat,
      (select q.sender_id from public.chat_messages q where q.id = m.reply_to) as replies_to
    from public.chat_messages m
    where entry.kind = 'message' and m.id = entry.message_id
  )
  select p.user_id, d.id, d.channel, m.chat_id::text, p.user_id = any (m.mentions), m.sent_at + private.push_delay()
  from message m
  join private.chat_participants p on p.chat_id = m.chat_id and p.is_active and p.user_id <> m.sender_id
  join public.push_devices d on d.user_id = p.user_id
  left join lateral (
    select o.created_at from private.push_deliveries e join private.push_outbox o on o.id = e.outbox_id
    where e.device_id = d.id and e.collapse_key = m.chat_id::text
    order by e.id desc limit 1
  ) latest on m.is_in_large_chat
  -- Those who want only what is meant for them are in no list for the rest: it would replace a reply that waits.
  where case when p.mentions_only then coalesce(p.user_id = any (m.mentions || m.replies_to), false)
    else latest.created_at is null or p.user_id = any (m.mentions)
      or latest.created_at <= greatest(m.sent_at - private.large_chat_pause(), coalesce(p.last_read_at, '-infinity'))
    end
  union all
  select r.user_id, d.id, d.channel, n.id::text, n.is_urgent, now()
  from public.team_notices n
  join public.notice_receipts r on r.notice_id = n.id and r.user_id is distinct from n.created_by
    and (not entry.is_reminder or r.acknowledged_at is null)
  join public.push_devices d on d.user_id = r.user_id
  where entry.kind = 'notice' and n.id = entry.notice_id
  union all
  -- One collapse key for all: of many newcomers who arrive while a phone is out of reach, it shows the last.
  select m.id, d.id, d.channel, 'newcomers', false, now()
  from private.members m
  join public.push_devices d on d.user_id = m.id
  where entry.kind = 'newcomer' and m.is_active and m.role = 'admin'
  union all
  select d.user_id, d.id, d.channel, 'test', true, now()
  from public.push_devices d
  where entry.kind = 'test' and d.id = entry.device_id
$$;

create function private.spread_push_outbox() returns void
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  entry private.push_outbox;
begin
  for entry in
    select o.* from private.push_outbox o where o.spread_at is null
    order by o.kind = 'message', o.id limit 100 for update skip locked
  loop
    -- The newest message of a chat replaces earlier ones, except those that are pressing.
    with recipients as (select * from private.push_recipients(entry)),
    collapsed as (
      update private.push_deliveries old set state = 'collapsed', finished_at = now()
      from recipients r
      where old.device_id = r.device_id and old.collapse_key = r.collapse_key and old.state = 'waiting'
        and (r.is_pressing or not old.is_pressing)
    )
    insert into private.push_deliveries (outbox_id, user_id, device_id, channel, collapse_key, is_pressing, due_at)
    select entry.id, r.user_id, r.device_id, r.channel, r.collapse_key, r.is_pressing, r.due_at from recipients r;

    update private.push_outbox o set spread_at = now() where o.id = entry.id;
  end loop;
end
$$;

revoke execute on all functions in schema private from public;
