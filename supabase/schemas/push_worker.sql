-- The push worker's calls, with the secret key: claim what is due, report what became of it. A delivery is marked as being
-- sent, and that is committed, before the provider is called. If the worker dies then, it is not retried: nobody gets
-- a notification twice, and the admin page counts those whose outcome is unknown.

create function private.most_push_attempts() returns int
language sql immutable set search_path = ''
as $$ select 6 $$;

-- Unread messages in all of a member's chats, for the number on the app's icon; stops counting at 100. A chat that was
-- marked as unread counts as one at least, and so does one with mentions only that has one. Muted and archived chats are
-- left out, as in the number on the Chat tab.
create function private.unread_badge(member_id uuid) returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from (
    select
    from private.members me
    join private.chat_participants p on p.user_id = me.id and p.is_active
      and p.chat_id <> all (me.hidden_chats || me.archived_chats)
      and coalesce(p.muted_until, '-infinity') <= now()
    join public.chats c on c.id = p.chat_id and c.is_active and (c.type <> 'mandatory' or me.rally_enabled)
    left join lateral (
      select newest.sender_id from (
        select m.sender_id, m.is_deleted from public.chat_messages m
        where m.chat_id = c.id and m.sent_at > coalesce(p.last_read_at, '-infinity') and not p.mentions_only
        order by m.sent_at desc limit 200
      ) newest
      where newest.sender_id <> me.id and not newest.is_deleted and newest.sender_id <> all (private.blocked_by(me.id))
    ) unread on true
    where me.id = member_id and (
      unread.sender_id is not null or p.is_marked_unread
      or p.mentions_only and p.mentioned_at > coalesce(p.last_read_at, '-infinity')
    )
    limit 100
  ) counted
$$;

-- Whether a delivery is still wanted now: a reason to skip it, a time to hold it back until, or neither.
create function private.push_verdict(
  delivery private.push_deliveries, entry private.push_outbox, out skip text, out hold_until timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  member private.members;
  settings public.notification_settings;
  message public.chat_messages;
  notice public.team_notices;
begin
  select * into member from private.members m where m.id = delivery.user_id;
  select * into settings from public.notification_settings s where s.user_id = delivery.user_id;
  if delivery.device_id is null then
    skip := 'device removed';
  elsif not exists (
    select from public.push_devices d where d.id = delivery.device_id and d.user_id = delivery.user_id
  ) then
    skip := 'device has another owner';
  elsif not member.is_active then
    skip := 'former member';
  elsif entry.created_at < now() - interval '1 day' then
    skip := 'too old';
  elsif entry.kind = 'message' then
    select * into message from public.chat_messages m where m.id = entry.message_id;
    skip := case
      when message.id is null or message.is_deleted then 'deleted'
      when private.has_blocked(member.id, message.sender_id) then 'blocked'
      when message.chat_id = any (member.hidden_chats) then 'hidden'
      when not coalesce(case when delivery.is_pressing then settings.mentions else settings.messages end, true)
        then 'switched off'
      else (
        select case
          when not p.is_active then 'left the chat'
          when c.type = 'mandatory' and not member.rally_enabled then 'chat disabled'
          when not c.is_active then 'chat closed'
          when p.last_read_at >= message.sent_at then 'read'
          when p.muted_until > now() then 'muted'
          when p.mentions_only and not delivery.is_pressing and not exists (
            select from public.chat_messages q where q.id = message.reply_to and q.sender_id = p.user_id
          ) then 'mentions only'
        end
        from private.chat_participants p join public.chats c on c.id = p.chat_id
        where p.chat_id = message.chat_id and p.user_id = delivery.user_id
      )
    end;
    if not delivery.is_pressing or not coalesce(settings.mentions_pass_quiet, true) then
      hold_until := private.quiet_until(delivery.user_id, now());
    end if;
  elsif entry.kind = 'notice' then
    select * into notice from public.team_notices n where n.id = entry.notice_id;
    skip := case
      when notice.cancelled_at is not null then 'withdrawn'
      when not notice.is_urgent and not coalesce(settings.notices, true) then 'switched off'
      when exists (
        select from public.notice_receipts r
        where r.notice_id = notice.id and r.user_id = delivery.user_id
          and (r.acknowledged_at is not null or r.opened_at is not null and not notice.must_acknowledge)
      ) then 'read'
    end;
    if not notice.is_urgent then
      hold_until := private.quiet_until(delivery.user_id, now());
    end if;
  elsif entry.kind = 'newcomer' then
    skip := case
      when member.role <> 'admin' then 'no admin'
      when not coalesce(settings.notices, true) then 'switched off'
      when not exists (select from private.members w where w.id = entry.newcomer_id and w.status = 'waiting') then 'decided'
    end;
    hold_until := private.quiet_until(delivery.user_id, now());
  end if;
end
$$;

-- The member's language, read from where the auth service reads the language of its mails.
create function private.reads_spanish(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.users u
    where u.id = member_id
      and coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language') ~* '^es\M'
  )
$$;

create function private.push_text(
  entry private.push_outbox, recipient uuid,
  out title text, out body text, out chat_id uuid, out message_id uuid, out notice_id uuid, out link text,
  out sent_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  if entry.kind = 'message' then
    select
      case when c.type = 'individual' then sender.name else c.name end,
      case when c.type = 'individual' then '' else sender.name || ': ' end
        || case when private.is_blank(m.message) then coalesce('📎 ' || (m.attachment ->> 'name'), '📷') else left(m.message, 300) end,
      m.chat_id, m.id, '/chat/' || m.chat_id, m.sent_at
    into title, body, chat_id, message_id, link, sent_at
    from public.chat_messages m
    join public.chats c on c.id = m.chat_id
    cross join lateral (
      select private.name_for_members(s) as name
      from private.members s where s.id = m.sender_id
    ) sender
    where m.id = entry.message_id;
  elsif entry.kind = 'notice' then
    select n.title, left(n.body, 300), n.id, '/notifications', n.published_at
    into title, body, notice_id, link, sent_at
    from public.team_notices n where n.id = entry.notice_id;
  elsif entry.kind = 'newcomer' then
    select
      case when private.reads_spanish(recipient) then 'Alguien espera entrar al equipo' else 'Someone is waiting to join' end,
      private.display_name(w.first_name, w.last_name, w.email)
        || case when s.id is null then '' else ' · ' || private.display_name(s.first_name, s.last_name, s.email) end,
      '/admin/members?filter=waiting', w.status_changed_at
    into title, body, link, sent_at
    from private.members w left join private.members s on s.id = w.sponsor_id
    where w.id = entry.newcomer_id;
  else
    if private.reads_spanish(recipient) then
      title := 'Prueba';
      body := 'Las notificaciones llegan a este dispositivo.';
    else
      title := 'Test';
      body := 'Notifications reach this device.';
    end if;
    link := '/notifications';
    sent_at := entry.created_at;
  end if;
end
$$;

create function public.claim_push_deliveries(channels text[], max_results int default 50, lease_seconds int default 120)
returns table (
  id bigint, attempt int, channel text, token text, p256dh text, auth text, kind text, title text, body text,
  chat_id uuid, message_id uuid, notice_id uuid, link text, sent_at timestamptz, badge int, collapse_key text,
  is_pressing boolean
)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  delivery private.push_deliveries;
  entry private.push_outbox;
  verdict record;
  is_first boolean;
  claimed int := 0;
begin
  update private.push_deliveries d set state = 'uncertain', reason = 'the worker stopped while sending', finished_at = now()
  where d.state = 'sending' and d.claimed_until < now();
  perform private.publish_due_notices();
  perform private.spread_push_outbox();

  -- Mentions and urgent notices overtake what a busy team chat has waiting.
  foreach is_first in array array[true, false] loop
    for delivery in
      select d.* from private.push_deliveries d
      where d.state = 'waiting' and d.due_at <= now() and d.is_pressing = is_first
      order by d.due_at, d.id limit 500 for update skip locked
    loop
      exit when claimed >= max_results;
      select * into entry from private.push_outbox o where o.id = delivery.outbox_id;
      select * into verdict from private.push_verdict(delivery, entry);
      if verdict.skip is null and delivery.channel <> all (channels) then
        update private.push_deliveries d set state = 'failed', reason = 'channel is off', finished_at = now()
        where d.id = delivery.id;
      elsif verdict.skip is not null then
        update private.push_deliveries d set state = 'skipped', reason = verdict.skip, finished_at = now()
        where d.id = delivery.id;
      elsif verdict.hold_until is not null then
        update private.push_deliveries d set due_at = verdict.hold_until, reason = 'quiet hours' where d.id = delivery.id;
      else
        claimed := claimed + 1;
        update private.push_deliveries d set
          state = 'sending', reason = null, attempts = d.attempts + 1,
          claimed_until = now() + make_interval(secs => lease_seconds),
          passed_quiet_hours = private.quiet_until(d.user_id, now()) is not null
        where d.id = delivery.id;
        return query
          select delivery.id, delivery.attempts + 1, delivery.channel, v.token, v.p256dh, v.auth, entry.kind, t.title, t.body,
            t.chat_id, t.message_id, t.notice_id, t.link, t.sent_at, private.unread_badge(delivery.user_id),
            delivery.collapse_key, delivery.is_pressing
          from public.push_devices v, private.push_text(entry, delivery.user_id) t where v.id = delivery.device_id;
      end if;
    end loop;
  end loop;

  delete from private.push_outbox o where o.id in (
    select old.id from private.push_outbox old where old.created_at < now() - interval '30 days' limit 100
  );
  perform private.prune_audit_log();
end
$$;
comment on function public.claim_push_deliveries is 'For the push worker: due notifications, each claimed for the length of the lease.';

-- outcome: sent, retry (not sent, try again), gone (the device does not exist), failed, uncertain (sent, or not).
create function public.settle_push_deliveries(results jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  result record;
  delivery private.push_deliveries;
begin
  for result in
    select * from jsonb_to_recordset(results)
      as r (id bigint, attempt int, outcome text, reason text, retry_after_seconds double precision)
  loop
    select * into delivery from private.push_deliveries d
    where d.id = result.id and d.state = 'sending' and d.attempts = result.attempt for update;
    -- The lease expired in the meantime; what was recorded then stands.
    continue when not found;

    if result.outcome = 'retry' and delivery.attempts < private.most_push_attempts() then
      update private.push_deliveries d set
        state = 'waiting', reason = left(result.reason, 300), claimed_until = null,
        due_at = now() + greatest(
          make_interval(secs => least(coalesce(result.retry_after_seconds, 0), 3600)),
          -- 5 s, 10 s, 20 s …, with a quarter of jitter so that a recovering provider is not stampeded.
          interval '5 seconds' * 2 ^ (d.attempts - 1) * (1 + random() / 4)
        )
      where d.id = delivery.id;
      continue;
    end if;

    update private.push_deliveries d set
      state = case when result.outcome in ('sent', 'uncertain') then result.outcome else 'failed' end,
      reason = left(result.reason, 300), claimed_until = null, finished_at = now()
    where d.id = delivery.id;
    if result.outcome = 'gone' then
      perform private.drop_dead_device(delivery.device_id);
    end if;
  end loop;
end
$$;
comment on function public.settle_push_deliveries is 'For the push worker: the outcome of what it claimed.';

revoke execute on function public.claim_push_deliveries, public.settle_push_deliveries from public, anon, authenticated;
grant execute on function public.claim_push_deliveries, public.settle_push_deliveries to service_role;
revoke execute on all functions in schema private from public;
