-- What a member read on one device stayed unread on their others until those were opened again; it is now published to the
-- member. Calls that mark several receipts could deadlock. Authors saw "Acknowledged" on their own notices, which ask nothing
-- of them. And people who were sent an invitation a second time were signed in without being asked for a password: the last
-- statement repairs the links that have not been opened yet, and whoever was let in can set a password with "Forgot
-- Password?". All other rows stay as they are.

create function private.publish_notifications_read() returns void
language sql security definer set search_path = ''
as $$ select private.publish_to_members(array[(select auth.uid())], 'notifications_read', '{}') $$;

create function private.lock_my_receipts() returns void
language sql security definer set search_path = ''
as $$ select from private.members m where m.id = (select auth.uid()) for no key update $$;

create or replace function public.mark_notices_shown(notice_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  select private.lock_my_receipts();
  update public.notice_receipts r set shown_at = now()
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = any (notice_ids) and r.shown_at is null
$$;

create or replace function public.mark_notice_opened(notice_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notice_receipts r set opened_at = now(), shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = mark_notice_opened.notice_id
    and (r.opened_at is null or r.opened_at < r.reminded_at);
  if found then
    perform private.publish_notifications_read();
  end if;
end
$$;

create or replace function public.acknowledge_notice(notice_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notice_receipts r set
    acknowledged_at = now(), opened_at = coalesce(r.opened_at, now()), shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = acknowledge_notice.notice_id
    and r.acknowledged_at is null;
  if found then
    perform private.publish_notifications_read();
  end if;
end
$$;

create or replace function public.mark_reports_seen() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.reports r set seen_at = now()
  where r.reporter_id = (select auth.uid()) and (select private.is_member())
    and r.closed_at > coalesce(r.seen_at, '-infinity');
  if found then
    perform private.publish_notifications_read();
  end if;
end
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

create or replace function public.prepare_invitation_mail(invitation_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  address constant text := (
    select i.email from public.invitations i
    where i.id = prepare_invitation_mail.invitation_id and i.accepted_at is null and i.revoked_at is null
  );
begin
  update auth.users u set
    encrypted_password = '',
    raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || jsonb_build_object(
      'first_name', i.first_name, 'last_name', i.last_name, 'locale', i.locale, 'needs_password', true,
      'invited_by', btrim(m.first_name || ' ' || m.last_name)
    )
  from public.invitations i join private.members m on m.id = i.invited_by
  where i.id = prepare_invitation_mail.invitation_id
    and u.email = address and u.email_confirmed_at is null and u.deleted_at is null;
  perform private.let_in(address);
  return (
    select case when i.accepted_at is not null then 'joined' when i.revoked_at is not null then 'taken_back' else 'due' end
    from public.invitations i where i.id = prepare_invitation_mail.invitation_id
  );
end
$$;

create or replace function public.mark_newcomers_seen() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.members m set newcomers_seen_at = now()
  where m.id = (select auth.uid()) and (select private.is_admin())
    and exists (select from private.members w where w.status = 'waiting' and w.status_changed_at > m.newcomers_seen_at);
  if found then
    perform private.publish_notifications_read();
  end if;
end
$$;

revoke execute on function private.lock_my_receipts() from public;

revoke execute on function private.publish_notifications_read() from public;

update auth.users u
set encrypted_password = '', raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || '{"needs_password": true}'
from public.invitations i
where i.email = u.email and i.accepted_at is null and i.revoked_at is null and i.times_sent > 1
  and u.email_confirmed_at is null and u.invited_at is not null and u.deleted_at is null;
