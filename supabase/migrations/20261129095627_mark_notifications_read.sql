-- "Mark all as read" under Notifications: notices and answers to reports have their own mark; mentions get one for all,
-- since only opening a chat may count as reading it. Nobody has used it yet: what is unread stays so.

alter table private.members add column mentions_read_at timestamp with time zone default '-infinity'::timestamp with time zone not null;

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
    select n.* from private.my_notices n
    where (n.at, n.id) < (before, before_id)
    order by n.at desc, n.id desc limit least(max_results, 200)
  )
  union all
  (
    select 'mention', m.id, m.chat_id, private.name_for_members(s), left(m.message, 300),
      '/chat/' || m.chat_id, m.sent_at, m.sent_at > greatest(p.last_read_at, me.mentions_read_at), false, false,
      null::timestamptz, null::timestamptz, null
    from public.chat_messages m
    join private.chat_participants p on p.chat_id = m.chat_id and p.user_id = (select auth.uid())
    join private.members me on me.id = p.user_id
    join private.members s on s.id = m.sender_id
    where m.mentions <> '{}' and m.mentions @> array[(select auth.uid())] and not m.is_deleted
      and (m.sent_at, m.id) < (before, before_id)
      and m.chat_id in (select private.my_chat_ids())
      and m.sender_id <> all (private.blocked_by((select auth.uid())))
    order by m.sent_at desc, m.id desc limit least(max_results, 200)
  )
  union all
  (
    select 'newcomer', w.id, null::uuid, private.display_name(w.first_name, w.last_name, w.email),
      case when s.id is null then '' else private.display_name(s.first_name, s.last_name, s.email) end, '/admin/members?filter=waiting', w.status_changed_at,
      w.status_changed_at > me.newcomers_seen_at, false, false, null::timestamptz, null::timestamptz, null
    from private.members w
    join private.members me on me.id = (select auth.uid()) and (select private.is_admin())
    left join private.members s on s.id = w.sponsor_id
    where w.status = 'waiting' and (w.status_changed_at, w.id) < (before, before_id)
    order by w.status_changed_at desc, w.id desc limit least(max_results, 200)
  )
  union all
  (
    select 'report', r.id, null::uuid, private.name_for_members(m), r.outcome, '/profile/reports',
      r.closed_at, r.closed_at > coalesce(r.seen_at, '-infinity'), false, false, null::timestamptz, null::timestamptz,
      null
    from private.reports r join private.members m on m.id = r.member_id
    where r.reporter_id = (select auth.uid()) and (select private.is_member())
      and r.closed_at is not null and (r.closed_at, r.id) < (before, before_id)
    order by r.closed_at desc, r.id desc limit least(max_results, 200)
  )
  order by 7 desc, 2 desc limit least(max_results, 200)
$$;

create function public.mark_notifications_read(until timestamptz) returns void
language sql strict security definer set search_path = ''
as $$
  update public.notice_receipts r set opened_at = now(), shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid())
    and r.notice_id in (select n.id from private.my_notices n where n.is_unread and n.at <= until);
  update private.reports r set seen_at = now()
  where r.reporter_id = (select auth.uid()) and (select private.is_member())
    and r.closed_at <= until and r.closed_at > coalesce(r.seen_at, '-infinity');
  update private.members m set
    mentions_read_at = greatest(m.mentions_read_at, least(until, now())),
    newcomers_seen_at = case when (select private.is_admin()) then greatest(m.newcomers_seen_at, least(until, now()))
      else m.newcomers_seen_at end
  where m.id = (select auth.uid()) and (select private.is_member());
$$;

comment on function public.mark_notifications_read(timestamp with time zone) is 'Marks the caller''s notifications up to a moment as read, so that what came since stays unread. Acknowledges nothing, and reads no chat.';

comment on column private.members.mentions_read_at is 'Up to when they marked mentions as read under Notifications; their chats are read only once opened.';

revoke execute on function public.mark_notifications_read(timestamp with time zone) from anon;

revoke execute on function public.mark_notifications_read(timestamp with time zone) from public;
