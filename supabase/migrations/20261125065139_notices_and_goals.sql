-- Two goals saved at once follow each other. A notice stays withdrawn, has a link of its own kind and goes out at a time.

create or replace function public.save_goal(
  "position" text, metric text, value numeric, period text, own_ratios jsonb default '{}'
) returns uuid
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  new_id uuid;
begin
  -- Saved twice at once, one goal follows the other; the second may have begun before the first was there.
  perform pg_advisory_xact_lock(hashtextextended('public.goals: ' || (select auth.uid()), 0));
  update public.goals as goal set ended_at = greatest(now(), goal.created_at)
  where goal.user_id = (select auth.uid()) and goal.ended_at is null;
  insert into public.goals as goal (position, metric, value, period, own_ratios)
  values ($1, $2, $3, $4, $5)
  returning goal.id into new_id;
  return new_id;
end
$$;

create or replace function private.guard_notice() returns trigger
language plpgsql set search_path = ''
as $$
declare
  unchanging constant text[] := array['published_at', 'updated_at', 'updated_by'];
begin
  new.title := btrim(new.title);
  new.link := nullif(btrim(new.link), '');
  if new.audience = 'chat' and new.audience_chat_id is null and tg_op = 'INSERT' then
    raise exception 'Choose a chat' using errcode = '23514';
  end if;
  if tg_op = 'UPDATE' and old.published_at is not null and
    (new.title, new.body, new.link, new.audience, new.audience_role, new.audience_members, new.is_urgent,
      new.must_acknowledge, new.scheduled_for)
    is distinct from
    (old.title, old.body, old.link, old.audience, old.audience_role, old.audience_members, old.is_urgent,
      old.must_acknowledge, old.scheduled_for)
  then
    raise exception 'A published notice cannot be changed' using errcode = '42501', hint = 'Withdraw it and write another.';
  end if;
  if tg_op = 'UPDATE' and old.cancelled_at is not null and new.cancelled_at is null then
    raise exception 'A withdrawn notice cannot be brought back' using errcode = '42501', hint = 'Write another.';
  end if;
  -- Going out is no change.
  if tg_op = 'UPDATE' and to_jsonb(new) - unchanging is distinct from to_jsonb(old) - unchanging then
    new.updated_at := now();
    new.updated_by := (select auth.uid());
  end if;
  return new;
end
$$;

create or replace function public.remind_notice(notice_id uuid)
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

-- Such rows could only be written past the app: a link that leads nowhere is dropped, and a notice of no day is withdrawn.
alter table public.team_notices disable trigger guard_notice;
update public.team_notices set link = null where link ~ '^/\\';
update public.team_notices set scheduled_for = null, cancelled_at = coalesce(cancelled_at, now())
where not isfinite(scheduled_for);
alter table public.team_notices enable trigger guard_notice;

alter table public.team_notices add constraint "Choose a date and a time" CHECK (isfinite(scheduled_for));

alter table public.team_notices drop constraint "Link must be a web address or a path";
alter table public.team_notices add constraint "Link must be a web address or a path" CHECK (((link ~* '^(https?://[^\s/?#]+|/(?![/\\]))[^\s]*$'::text) AND (char_length(link) <= 2000)));
