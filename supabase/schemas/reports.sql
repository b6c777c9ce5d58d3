-- Reports: a member reports a message or a person to the team's leaders, and sees what became of it.
-- Who reviews them sets outcome and closed_at.

create table private.reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid not null references private.members (id),
  member_id uuid not null references private.members (id),
  -- No foreign keys: a report outlives the message and the chat.
  message_id uuid,
  chat_id uuid,
  reason text not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  outcome text,
  closed_at timestamptz,
  seen_at timestamptz,
  constraint "Choose one of the reasons"
    check (reason in ('harassment', 'spam', 'misleading_claims', 'private_data', 'other')),
  constraint "Note is at most 1000 characters" check (char_length(note) <= 1000),
  constraint "Outcome must be fine, follow_up or violation" check (outcome in ('fine', 'follow_up', 'violation')),
  constraint "An outcome has a time" check ((outcome is null) = (closed_at is null))
);
comment on table private.reports is 'What members report to the team''s leaders: a message with its author, or a person.';
comment on column private.reports.member_id is 'Who is reported: the author of the message, or the person.';
comment on column private.reports.message_id is 'Null if the person is reported.';
comment on column private.reports.seen_at is 'When the reporter last looked at what became of it.';

create index reports_by_reporter on private.reports (reporter_id, created_at desc);
create index reports_member_id on private.reports (member_id);
-- The same thing is reported once as long as nobody has looked at it.
create unique index reports_open on private.reports (reporter_id, coalesce(message_id, member_id)) where closed_at is null;

alter table private.reports enable row level security;
revoke all on private.reports from anon, authenticated, service_role;

create function private.most_reports_a_day() returns int
language sql immutable set search_path = ''
as $$ select 20 $$;

-- The id comes from the caller, so that sending it twice makes one report, also when somebody has decided meanwhile.
create function private.add_report(report_id uuid, reported public.chat_messages, member_id uuid, reason text, note text)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  known private.reports;
begin
  -- Two taps at the same moment wait here; the second finds the first one's report.
  perform pg_advisory_xact_lock(hashtextextended('reports of ' || me, 0));
  select * into known from private.reports r
  where r.id = report_id or r.reporter_id = me and r.closed_at is null
    and coalesce(r.message_id, r.member_id) = coalesce(reported.id, add_report.member_id)
  order by r.id = report_id desc limit 1;
  if known.id = report_id and (
    known.reporter_id <> me or coalesce(known.message_id, known.member_id) <> coalesce(reported.id, add_report.member_id)
  ) then
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  elsif known.id is not null then
    return known.id;
  end if;
  if (
    select count(*) from private.reports r where r.reporter_id = me and r.created_at > now() - interval '1 day'
  ) >= private.most_reports_a_day() then
    raise exception 'Too many reports: at most % a day', private.most_reports_a_day() using errcode = 'PT429';
  end if;
  insert into private.reports (id, reporter_id, member_id, message_id, chat_id, reason, note)
  values (
    coalesce(report_id, gen_random_uuid()), me, add_report.member_id, reported.id, reported.chat_id,
    coalesce(add_report.reason, ''), private.trimmed(add_report.note)
  )
  returning * into known;
  return known.id;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

-- Also one that was deleted after the caller saw it: the archive has it.
create function public.report_message(
  message_id uuid, reason text, note text default '', report_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  reported public.chat_messages;
begin
  select m.* into reported from public.chat_messages m
  where m.id = report_message.message_id and m.chat_id in (select private.my_chat_ids());
  if reported.id is null then
    raise exception 'There is no such message' using errcode = 'PT404';
  elsif reported.sender_id = (select auth.uid()) then
    raise exception 'You cannot report yourself' using errcode = '22023';
  end if;
  return private.add_report(report_id, reported, reported.sender_id, report_message.reason, report_message.note);
end
$$;
comment on function public.report_message is
  'Reports a message of the caller''s chats to the team''s leaders. Reporting it again while nobody has decided changes nothing.';

create function public.report_member(
  member_id uuid, reason text, note text default '', report_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_member() or not exists (
    select from private.members m
    where m.id = report_member.member_id and m.admitted_at is not null and m.status <> 'deleted'
  ) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member_id = (select auth.uid()) then
    raise exception 'You cannot report yourself' using errcode = '22023';
  end if;
  return private.add_report(report_id, null, report_member.member_id, report_member.reason, report_member.note);
end
$$;
comment on function public.report_member is
  'Reports a person to the team''s leaders. Reporting them again while nobody has decided changes nothing.';

-- The message as far as the caller may still read it.
create function public.my_reports(max_results int default 50, before timestamptz default 'infinity')
returns table (
  id uuid, member_id uuid, member_name text, message_id uuid, message text, reason text, note text,
  created_at timestamptz, outcome text, closed_at timestamptz, is_unread boolean
)
language sql stable security definer set search_path = ''
as $$
  select r.id, r.member_id, private.name_for_members(m), r.message_id, left(said.message, 160),
    r.reason, r.note, r.created_at, r.outcome, r.closed_at, coalesce(r.closed_at > coalesce(r.seen_at, '-infinity'), false)
  from private.reports r
  join private.members m on m.id = r.member_id
  left join public.chat_messages said on said.id = r.message_id and not said.is_deleted
    and said.chat_id in (select private.my_chat_ids())
  where r.reporter_id = (select auth.uid()) and (select private.is_member()) and r.created_at < before
  order by r.created_at desc
  limit least(greatest(max_results, 1), 200)
$$;
comment on function public.my_reports is 'What the caller reported, the latest first, and what became of it.';

create function public.mark_reports_seen() returns void
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
comment on function public.mark_reports_seen is 'The caller has seen what became of their reports.';

create function private.publish_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_members(array[new.reporter_id], 'report_closed', '{}');
  return null;
end
$$;
create trigger publish_report after update on private.reports
  for each row when ((new.outcome, new.closed_at) is distinct from (old.outcome, old.closed_at))
  execute function private.publish_report();

revoke execute on function public.report_message, public.report_member, public.my_reports, public.mark_reports_seen
from public, anon, service_role;
grant execute on function public.report_message, public.report_member, public.my_reports, public.mark_reports_seen
to authenticated;
revoke execute on all functions in schema private from public;
