-- What is read on one device was unread on the others until they were opened again: it is published to the member. And an
-- author read "Acknowledged" on a notice of their own, which asks nothing of them. Rows stay as they are.

create function private.publish_notifications_read() returns void
language sql security definer set search_path = ''
as $$ select private.publish_to_members(array[(select auth.uid())], 'notifications_read', '{}') $$;

create or replace function public.mark_notice_opened(notice_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.notice_receipts r set
    opened_at = case when r.opened_at >= coalesce(r.reminded_at, '-infinity') then r.opened_at else now() end,
    shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = mark_notice_opened.notice_id;
  select private.publish_notifications_read();
$$;

create or replace function public.acknowledge_notice(notice_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.notice_receipts r set
    acknowledged_at = coalesce(r.acknowledged_at, now()), opened_at = coalesce(r.opened_at, now()),
    shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = acknowledge_notice.notice_id;
  select private.publish_notifications_read();
$$;

create or replace function public.mark_reports_seen() returns void
language sql security definer set search_path = ''
as $$
  update private.reports r set seen_at = now()
  where r.reporter_id = (select auth.uid()) and (select private.is_member())
    and r.closed_at > coalesce(r.seen_at, '-infinity');
  select private.publish_notifications_read();
$$;

create or replace view private.my_notices as
select 'notice' as kind, n.id, null::uuid as chat_id, n.title, n.body, n.link, greatest(r.received_at, r.reminded_at) as at,
  r.opened_at is null or r.acknowledged_at is null and r.opened_at < coalesce(r.reminded_at, '-infinity') as is_unread,
  n.is_urgent, n.must_acknowledge and n.created_by is distinct from r.user_id as must_acknowledge,
  case when n.created_by is distinct from r.user_id then r.acknowledged_at end as acknowledged_at, r.reminded_at,
  case when a.id is not null then private.name_for_members(a) end as author
from public.notice_receipts r
join public.team_notices n on n.id = r.notice_id and n.cancelled_at is null
left join private.members a on a.id = n.created_by
where r.user_id = (select auth.uid()) and (select private.is_member());

create or replace function public.mark_notifications_read(until timestamptz, notice_ids uuid[] default '{}') returns void
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
  select private.publish_notifications_read();
$$;

create or replace function public.mark_newcomers_seen() returns void
language sql security definer set search_path = ''
as $$
  update private.members m set newcomers_seen_at = now() where m.id = (select auth.uid()) and (select private.is_admin());
  select private.publish_notifications_read();
$$;

revoke execute on function private.publish_notifications_read() from public;
