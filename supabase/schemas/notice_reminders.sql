-- Reminders of notices that have to be acknowledged: in the app at once, on devices, and by mail a day later.

create table private.reminder_mailer (
  is_only_row boolean primary key default true check (is_only_row),
  seen_at timestamptz not null
);
comment on table private.reminder_mailer is 'When a server last asked which reminders to mail; without one, none are promised.';
alter table private.reminder_mailer enable row level security;
revoke all on private.reminder_mailer from anon, authenticated, service_role;

create function private.sends_reminder_mails() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.reminder_mailer r where r.seen_at > now() - interval '1 hour') $$;

-- A reminder makes the notice unread again, on top of the Notifications page, and is pushed to the devices there are.
create function public.remind_notice(notice_id uuid)
returns table (reminded int, with_device int, with_mail int, reminded_just_now int)
language plpgsql security definer set search_path = ''
as $$
declare
  -- So that a double click sends one.
  between_reminders constant interval := interval '1 minute';
begin
  if not private.is_admin() then
    raise exception 'Only admins send reminders' using errcode = '42501';
  end if;
  if exists (select from public.team_notices n where n.id = remind_notice.notice_id and n.cancelled_at is not null) then
    raise exception 'This notice was withdrawn' using errcode = '42501';
  end if;
  with receipts as (
    update public.notice_receipts r set reminded_at = now()
    from public.team_notices n, private.members m
    where n.id = remind_notice.notice_id and n.cancelled_at is null and r.notice_id = n.id
      and m.id = r.user_id and m.is_active
      and r.acknowledged_at is null and coalesce(r.reminded_at, '-infinity') < now() - between_reminders
    returning r.user_id, m.email
  )
  select count(*), count(*) filter (
    where exists (
      select from public.push_devices d join public.push_channels c on c.channel = d.channel and c.is_on
      where d.user_id = receipts.user_id
    )
  ), count(email) filter (where private.sends_reminder_mails())
  into reminded, with_device, with_mail from receipts;

  -- After the update, which waits for a reminder sent at the same moment.
  select count(*) - reminded into reminded_just_now
  from public.notice_receipts r
  where r.notice_id = remind_notice.notice_id and r.acknowledged_at is null
    and r.reminded_at >= now() - between_reminders;

  if reminded > 0 then
    perform private.queue_notice(notice_id, true);
    perform private.publish_to_team('team_notices');
  end if;
  return next;
end
$$;
comment on function public.remind_notice is
  'Sends the notice again to members who have not acknowledged it: how many, and how many of them a device or a mail reaches.';

-- Marks them as mailed before they are: a crash loses a mail rather than sending it twice.
create function public.claim_reminder_mails(max_results int default 50)
returns table (email text, language text, title text, body text)
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.reminder_mailer (seen_at) values (now())
  on conflict (is_only_row) do update set seen_at = excluded.seen_at;
  return query
  with due as (
    select r.notice_id, r.user_id, m.email, n.title, n.body
    from public.notice_receipts r
    join public.team_notices n on n.id = r.notice_id and n.cancelled_at is null
    join private.members m on m.id = r.user_id and m.is_active and m.email is not null
    where r.acknowledged_at is null and r.reminded_at <= now() - interval '1 day'
      and coalesce(r.mailed_at, '-infinity') < r.reminded_at
    order by r.reminded_at limit max_results
    for update of r skip locked
  ), mailed as (
    update public.notice_receipts r set mailed_at = now()
    from due d where r.notice_id = d.notice_id and r.user_id = d.user_id
  )
  select d.email, coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language', 'en'), d.title, d.body
  from due d join auth.users u on u.id = d.user_id;
end
$$;
comment on function public.claim_reminder_mails is
  'For the server: reminders not acknowledged after a day, each returned once.';

revoke execute on function public.remind_notice, public.claim_reminder_mails from public, anon, authenticated;
grant execute on function public.remind_notice to authenticated;
grant execute on function public.claim_reminder_mails to service_role;
revoke execute on all functions in schema private from public;
