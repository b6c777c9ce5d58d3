-- The review queue: what the lexicon caught, what the random sample drew, and what members reported. Only functions for
-- supervisors read it (review_reading.sql, review_decisions.sql).

create table private.review_items (
  id uuid primary key default gen_random_uuid(),
  source text not null,
  -- No foreign keys: an item outlives what it is about.
  message_id uuid,
  chat_id uuid,
  member_id uuid not null,
  reporter_id uuid,
  leader_id uuid,
  report_id uuid unique,
  record_seq bigint,
  caught jsonb not null default '[]',
  percent numeric,
  of_week date,
  occurred_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  assigned_to uuid references private.members (id),
  outcome text,
  closed_at timestamptz,
  closed_by uuid,
  version integer not null default 1,
  urgency smallint not null generated always as (case source when 'report' then 1 when 'lexicon' then 2 else 3 end) stored,
  constraint "Source must be lexicon, sample or report" check (source in ('lexicon', 'sample', 'report')),
  constraint "Outcome must be fine, follow_up or violation" check (outcome in ('fine', 'follow_up', 'violation')),
  constraint "A decision has a time" check ((outcome is null) = (closed_at is null))
);
comment on table private.review_items is 'What a supervisor has to review, and what they decided.';
comment on column private.review_items.member_id is 'The author, or who is reported: never the one who reviews it.';
comment on column private.review_items.leader_id is 'The nearest active member above the author at the time.';
comment on column private.review_items.record_seq is 'The record of the archive with the version that was caught.';
comment on column private.review_items.percent is 'The share of messages that the sample took then.';
comment on column private.review_items.version is 'Grows with each decision, so that the second of two reviewers learns of the first.';
comment on column private.review_items.of_week is
  'Set when it was drawn as the week ended, since the sample had drawn nothing else of that leader''s people.';
comment on column private.review_items.urgency is 'Its place in the queue: what a member reported before what words caught, the sample last.';
create index review_items_open on private.review_items (urgency, created_at, id) where closed_at is null;
create index review_items_assigned on private.review_items (assigned_to, urgency, created_at, id) where closed_at is null;
create index review_items_closed on private.review_items (closed_at desc, id desc) where closed_at is not null;
create index review_items_created on private.review_items (created_at);
-- A message that is caught again while it waits is one item.
create unique index review_items_waiting on private.review_items (source, message_id)
  where source <> 'report' and closed_at is null;
create index review_items_message on private.review_items (message_id, source);
alter table private.review_items enable row level security;
revoke all on private.review_items from anon, authenticated, service_role;

create table private.review_events (
  id uuid primary key,
  item_id uuid not null references private.review_items (id),
  recorded_at timestamptz not null default clock_timestamp(),
  actor_id uuid not null,
  action text not null,
  note text not null default '',
  outcome text,
  assignee_id uuid,
  constraint "Review note is at most 2000 characters" check (char_length(note) <= 2000),
  constraint "Action must be known" check (action in ('noted', 'assigned', 'decided', 'reopened'))
);
comment on table private.review_events is 'Notes, assignments and decisions of a review. Append only.';
create index review_events_item on private.review_events (item_id, recorded_at);
alter table private.review_events enable row level security;
revoke all on private.review_events from anon, authenticated, service_role;

create function private.keep_review_events() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'What was noted in a review stays' using errcode = '42501';
end
$$;
create trigger keep_review_events before update or delete or truncate on private.review_events
  for each statement execute function private.keep_review_events();

-- Nobody reviews what they wrote, nor a report about or by themselves.
create function private.may_review(item private.review_items) returns boolean
language sql stable security definer set search_path = ''
as $$
  select item.member_id <> (select auth.uid()) and item.reporter_id is distinct from (select auth.uid())
$$;

-- The number of the record with which a message began. Sought backwards in its chat: what is reviewed is recent.
create function private.sent_seq(chat_id uuid, message_id uuid, until_seq bigint default 9223372036854775807) returns bigint
language sql stable security definer set search_path = ''
as $$
  select r.seq from archive.records r
  where r.chat_id = sent_seq.chat_id and r.seq <= until_seq and r.kind = 'message.sent' and r.subject_id = message_id
  order by r.seq desc limit 1
$$;

create function private.nearest_leader(member_id uuid) returns uuid
language sql stable security definer set search_path = ''
as $$ select above.id from private.upline(member_id) above where above.level = 1 $$;

create function private.record_review(kind text, item private.review_items, content jsonb default '{}') returns void
language sql security definer set search_path = ''
as $$
  select archive.record(
    'review.' || kind,
    json_strip_nulls((
      jsonb_build_object('source', item.source, 'message_id', item.message_id, 'member', archive.person(item.member_id)) || content
    )::json),
    item.chat_id, item.id, item.member_id, 'nobody'
  )
$$;

create function private.review_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.review_items (
    source, message_id, chat_id, member_id, reporter_id, leader_id, report_id, record_seq, occurred_at
  )
  values (
    'report', new.message_id, new.chat_id, new.member_id, new.reporter_id, private.nearest_leader(new.member_id), new.id,
    coalesce(
      (
        select r.seq from archive.records r
        where r.subject_id = new.message_id and r.kind = 'message.edited' order by r.seq desc limit 1
      ),
      private.sent_seq(new.chat_id, new.message_id)
    ),
    coalesce((select m.sent_at from public.chat_messages m where m.id = new.message_id), new.created_at)
  );
  return null;
end
$$;
create trigger review_report after insert on private.reports
  for each row execute function private.review_report();

-- Once per statement, to each supervisor on a topic of their own, except of what somebody else has to review.
create function private.publish_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "review_items"}'::jsonb, 'content_changed', 'supervisor:' || m.id, true)
  from private.members m
  where m.can_supervise and m.is_active and exists (
    select from changed c where c.member_id <> m.id and c.reporter_id is distinct from m.id
  );
  return null;
end
$$;
create trigger publish_new_review after insert on private.review_items
  referencing new table as changed for each statement execute function private.publish_review();
create trigger publish_changed_review after update on private.review_items
  referencing new table as changed for each statement execute function private.publish_review();

create policy "supervisors receive that their queue changed" on realtime.messages
  for select to authenticated
  using (
    extension = 'broadcast' and (select realtime.topic()) = 'supervisor:' || (select auth.uid())
    and (select private.is_supervisor()) and (select private.session_is_live())
  );

revoke execute on all functions in schema private from public;
