-- What the Notifications page and Notification Management show, each in one call.

-- One view per kind of notification, all with the same columns and only the caller's rows. Authors have nothing to
-- acknowledge in their own notices.
create view private.my_notices as
select 'notice' as kind, n.id, null::uuid as chat_id, n.title, n.body, n.link, greatest(r.received_at, r.reminded_at) as at,
  r.opened_at is null or r.acknowledged_at is null and r.opened_at < coalesce(r.reminded_at, '-infinity') as is_unread,
  n.is_urgent, n.must_acknowledge and n.created_by is distinct from r.user_id as must_acknowledge,
  case when n.created_by is distinct from r.user_id then r.acknowledged_at end as acknowledged_at, r.reminded_at,
  case when a.id is not null then private.name_for_members(a) end as author
from public.notice_receipts r
join public.team_notices n on n.id = r.notice_id and n.cancelled_at is null
left join private.members a on a.id = n.created_by
where r.user_id = (select auth.uid()) and (select private.is_member());

create view private.my_mentions as
select 'mention' as kind, m.id, m.chat_id, private.name_for_members(s) as title, left(m.message, 300) as body,
  '/chat/' || m.chat_id as link, m.sent_at as at, m.sent_at > greatest(p.last_read_at, me.mentions_read_at) as is_unread,
  false as is_urgent, false as must_acknowledge, null::timestamptz as acknowledged_at, null::timestamptz as reminded_at,
  null as author
from public.chat_messages m
join private.chat_participants p on p.chat_id = m.chat_id and p.user_id = (select auth.uid())
join private.members me on me.id = p.user_id
join private.members s on s.id = m.sender_id
where m.mentions <> '{}' and m.mentions @> array[(select auth.uid())] and not m.is_deleted
  and m.chat_id in (select private.my_chat_ids())
  and m.sender_id <> all (private.blocked_by((select auth.uid())));

-- For admins: the text is who invited them.
create view private.my_newcomers as
select 'newcomer' as kind, w.id, null::uuid as chat_id, private.display_name(w.first_name, w.last_name, w.email) as title,
  case when s.id is null then '' else private.display_name(s.first_name, s.last_name, s.email) end as body,
  '/admin/members?filter=waiting' as link, w.status_changed_at as at,
  w.status_changed_at > me.newcomers_seen_at as is_unread, false as is_urgent, false as must_acknowledge,
  null::timestamptz as acknowledged_at, null::timestamptz as reminded_at, null as author
from private.members w
join private.members me on me.id = (select auth.uid()) and (select private.is_admin())
left join private.members s on s.id = w.sponsor_id
where w.status = 'waiting';

-- What became of the caller's reports; the text is the outcome.
create view private.my_report_outcomes as
select 'report' as kind, r.id, null::uuid as chat_id, private.name_for_members(m) as title, r.outcome as body,
  '/profile/reports' as link, r.closed_at as at, r.closed_at > coalesce(r.seen_at, '-infinity') as is_unread,
  false as is_urgent, false as must_acknowledge, null::timestamptz as acknowledged_at, null::timestamptz as reminded_at,
  null as author
from private.reports r join private.members m on m.id = r.member_id
where r.reporter_id = (select auth.uid()) and (select private.is_member()) and r.closed_at is not null;

-- A page ends at (at, id): several notices may be published at the same moment.
create function public.my_notifications(
  max_results int default 50, before timestamptz default 'infinity',
  before_id uuid default '00000000-0000-0000-0000-000000000000'
)
returns table (
  kind text, id uuid, chat_id uuid, title text, body text, link text, at timestamptz, is_unread boolean,
  is_urgent boolean, must_acknowledge boolean, acknowledged_at timestamptz, reminded_at timestamptz, author text
)
language sql stable security definer set search_path = ''
as $$
  (
    select n.* from private.my_notices n where (n.at, n.id) < (before, before_id)
    order by n.at desc, n.id desc limit least(max_results, 200)
  )
  union all
  (
    select m.* from private.my_mentions m where (m.at, m.id) < (before, before_id)
    order by m.at desc, m.id desc limit least(max_results, 200)
  )
  union all
  (
    select w.* from private.my_newcomers w where (w.at, w.id) < (before, before_id)
    order by w.at desc, w.id desc limit least(max_results, 200)
  )
  union all
  (
    select r.* from private.my_report_outcomes r where (r.at, r.id) < (before, before_id)
    order by r.at desc, r.id desc limit least(max_results, 200)
  )
  order by 7 desc, 2 desc limit least(max_results, 200)
$$;
comment on function public.my_notifications is
  'Notices to the caller, messages that mention them, what became of their reports (the text is the outcome) and, for admins, who waits to be let in (the text is who invited them), newest first.';

-- They stay on Home until they are acknowledged; 200 of them are more than anybody reads.
create function public.my_unacknowledged_notices()
returns table (
  kind text, id uuid, chat_id uuid, title text, body text, link text, at timestamptz, is_unread boolean,
  is_urgent boolean, must_acknowledge boolean, acknowledged_at timestamptz, reminded_at timestamptz, author text
)
language sql stable security definer set search_path = ''
as $$
  select n.* from private.my_notices n where n.must_acknowledge and n.acknowledged_at is null
  order by n.at desc, n.id desc limit 200
$$;
comment on function public.my_unacknowledged_notices is 'Notices that the caller has yet to acknowledge, newest first.';

create function public.unread_notification_count() returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from (
    (select from private.my_notices n where n.is_unread limit 100)
    union all
    (select from private.my_mentions m where m.is_unread limit 100)
    union all
    (select from private.my_newcomers w where w.is_unread limit 100)
    union all
    (select from private.my_report_outcomes r where r.is_unread limit 100)
    limit 100
  ) unread
$$;
comment on function public.unread_notification_count is 'Unread notifications of the caller, at most 100.';

-- A receipt carries the time at which its publishing transaction began, but is visible only once that has committed,
-- perhaps after the caller read `until`. So notices of the last five minutes are marked only if the caller names them.
-- The conditions are on the receipt itself: after waiting for a concurrent reminder they are checked again, and the notice
-- stays unread.
create function public.mark_notifications_read(until timestamptz, notice_ids uuid[] default '{}') returns void
language plpgsql strict security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  is_changed boolean;
begin
  if not private.is_member() then
    return;
  end if;
  perform private.lock_my_receipts();
  update public.notice_receipts r set opened_at = now(), shown_at = coalesce(r.shown_at, now())
  where r.user_id = me and greatest(r.received_at, r.reminded_at) <= until
    and (r.notice_id = any (notice_ids) or r.received_at < until - interval '5 minutes')
    and (r.opened_at is null or r.acknowledged_at is null and r.opened_at < r.reminded_at)
    and exists (select from public.team_notices n where n.id = r.notice_id and n.cancelled_at is null);
  is_changed := found;
  update private.reports r set seen_at = now()
  where r.reporter_id = me and r.closed_at <= until and r.closed_at > coalesce(r.seen_at, '-infinity');
  is_changed := is_changed or found;
  update private.members m set mentions_read_at = least(until, now())
  where m.id = me and m.mentions_read_at < least(until, now());
  is_changed := is_changed or found;
  update private.members m set newcomers_seen_at = least(until, now())
  where m.id = me and private.is_admin() and m.newcomers_seen_at < least(until, now());
  if is_changed or found then
    perform private.publish_notifications_read();
  end if;
end
$$;
comment on function public.mark_notifications_read is
  'Marks the caller''s notifications up to a moment as read, and of the latest notices those named: what came since stays unread. Acknowledges nothing, and reads no chat.';

create function public.notice_results(notice_id uuid)
returns table (recipients int, sent int, shown int, opened int, acknowledged int, failed int, uncertain int, waiting int)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select r.recipients, d.sent, r.shown, r.opened, r.acknowledged, d.failed, d.uncertain, d.waiting
  from (
    select count(*)::int as recipients, count(c.shown_at)::int as shown, count(c.opened_at)::int as opened,
      count(c.acknowledged_at)::int as acknowledged
    from public.team_notices n
    join public.notice_receipts c on c.notice_id = n.id and c.user_id is distinct from n.created_by
    join private.members m on m.id = c.user_id and m.is_active
    where n.id = notice_results.notice_id
  ) r
  cross join (
    select
      (count(distinct e.user_id) filter (where e.state = 'sent'))::int as sent,
      (count(*) filter (where e.state = 'failed'))::int as failed,
      (count(*) filter (where e.state = 'uncertain'))::int as uncertain,
      (count(*) filter (where e.state in ('waiting', 'sending')))::int as waiting
    from private.push_outbox o join private.push_deliveries e on e.outbox_id = o.id
    where o.notice_id = notice_results.notice_id
  ) d;
end
$$;
comment on function public.notice_results is 'For admins: members addressed and reached, without the author; failed counts devices.';

create function public.count_notice_recipients(
  audience text, audience_role text default null, audience_chat_id uuid default null, audience_members uuid[] default '{}'
) returns int
language plpgsql stable security definer set search_path = ''
as $$
declare
  notice public.team_notices;
begin
  perform private.assert_admin();
  notice.audience := count_notice_recipients.audience;
  notice.audience_role := count_notice_recipients.audience_role;
  notice.audience_chat_id := count_notice_recipients.audience_chat_id;
  notice.audience_members := count_notice_recipients.audience_members;
  return (select count(*) from private.notice_audience(notice) member_id where member_id <> (select auth.uid()));
end
$$;
comment on function public.count_notice_recipients is
  'For admins: to how many others a notice of the caller would go if it were published now.';

create function public.notice_unacknowledged(notice_id uuid, max_results int default 50, skip int default 0)
returns table (id uuid, first_name text, last_name text, email text, reminded_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, r.reminded_at
  from public.notice_receipts r join private.members m on m.id = r.user_id and m.is_active
  where r.notice_id = notice_unacknowledged.notice_id and r.acknowledged_at is null
  order by m.sort_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0);
end
$$;
comment on function public.notice_unacknowledged is
  'For admins: a page of the members who have not acknowledged a notice, by first name.';

create function public.push_health()
returns table (
  channel text, is_on boolean, detail text, checked_at timestamptz, devices int, sent int, failed int, uncertain int,
  waiting int, passed_quiet_hours int, oldest_waiting_at timestamptz, last_error text
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.assert_admin();
  return query
  select c.channel, c.is_on, c.detail, c.checked_at,
    (select count(*)::int from public.push_devices d where d.channel = c.channel),
    e.sent, e.failed, e.uncertain, e.waiting, e.passed,
    e.oldest,
    (select f.reason from private.push_deliveries f
      where f.channel = c.channel and f.state in ('failed', 'uncertain') and f.finished_at > now() - interval '1 day'
      order by f.finished_at desc limit 1)
  from public.push_channels c
  cross join lateral (
    select
      (count(*) filter (where d.state = 'sent'))::int as sent,
      (count(*) filter (where d.state = 'failed'))::int as failed,
      (count(*) filter (where d.state = 'uncertain'))::int as uncertain,
      (count(*) filter (where d.state in ('waiting', 'sending')))::int as waiting,
      (count(*) filter (where d.state = 'sent' and d.passed_quiet_hours))::int as passed,
      min(d.due_at) filter (where d.state = 'waiting' and d.due_at < now()) as oldest
    from private.push_deliveries d
    where d.channel = c.channel and (d.finished_at > now() - interval '1 day' or d.finished_at is null)
  ) e
  order by c.channel;
end
$$;
comment on function public.push_health is 'For admins: channels, devices and the last 24 hours of deliveries.';

revoke execute on function
  public.my_notifications, public.my_unacknowledged_notices, public.unread_notification_count,
  public.mark_notifications_read, public.notice_results,
  public.count_notice_recipients, public.notice_unacknowledged, public.push_health
from public, anon;
grant execute on function
  public.my_notifications, public.my_unacknowledged_notices, public.unread_notification_count,
  public.mark_notifications_read, public.notice_results,
  public.count_notice_recipients, public.notice_unacknowledged, public.push_health
to authenticated;
