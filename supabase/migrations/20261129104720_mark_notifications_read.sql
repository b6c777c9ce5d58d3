-- "Mark all as read" under Notifications: notices and answers to reports have their own mark; mentions get one for all,
-- since only opening a chat may count as reading it. Nobody has used it yet: what is unread stays so. The count of what is
-- unread no longer stops at the newest hundred notifications.

alter table private.members add column mentions_read_at timestamp with time zone default '-infinity'::timestamp with time zone not null;

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

create view private.my_report_outcomes as
select 'report' as kind, r.id, null::uuid as chat_id, private.name_for_members(m) as title, r.outcome as body,
  '/profile/reports' as link, r.closed_at as at, r.closed_at > coalesce(r.seen_at, '-infinity') as is_unread,
  false as is_urgent, false as must_acknowledge, null::timestamptz as acknowledged_at, null::timestamptz as reminded_at,
  null as author
from private.reports r join private.members m on m.id = r.member_id
where r.reporter_id = (select auth.uid()) and (select private.is_member()) and r.closed_at is not null;

create or replace function public.my_notifications(
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

create or replace function public.unread_notification_count() returns int
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

create function public.mark_notifications_read(until timestamptz, notice_ids uuid[] default '{}') returns void
language sql strict security definer set search_path = ''
as $$
  update public.notice_receipts r set opened_at = now(), shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member())
    and greatest(r.received_at, r.reminded_at) <= until
    and (r.notice_id = any (notice_ids) or r.received_at < until - interval '5 minutes')
    and (r.opened_at is null or r.acknowledged_at is null and r.opened_at < r.reminded_at)
    and exists (select from public.team_notices n where n.id = r.notice_id and n.cancelled_at is null);
  update private.reports r set seen_at = now()
  where r.reporter_id = (select auth.uid()) and (select private.is_member())
    and r.closed_at <= until and r.closed_at > coalesce(r.seen_at, '-infinity');
  update private.members m set mentions_read_at = least(until, now())
  where m.id = (select auth.uid()) and (select private.is_member()) and m.mentions_read_at < least(until, now());
  update private.members m set newcomers_seen_at = least(until, now())
  where m.id = (select auth.uid()) and (select private.is_admin()) and m.newcomers_seen_at < least(until, now());
$$;

comment on function public.mark_notifications_read(timestamp with time zone,pg_catalog.uuid[]) is 'Marks the caller''s notifications up to a moment as read, and of the latest notices those named: what came since stays unread. Acknowledges nothing, and reads no chat.';

comment on column private.members.mentions_read_at is 'Up to when they marked mentions as read under Notifications; their chats are read only once opened.';

revoke execute on function public.mark_notifications_read(timestamp with time zone,uuid[]) from anon;

revoke execute on function public.mark_notifications_read(timestamp with time zone,uuid[]) from public;
