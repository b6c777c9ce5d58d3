-- The archive: everything that was said, and who belonged where, record by record. Triggers write it in the transaction
-- of the event (archive_messages.sql, archive_chats.sql, archive_team.sql), so nothing that reaches the tables goes around
-- it. Nobody changes or deletes a record: archive_seals.sql chains them, and archive_pruning.sql removes those that need
-- not be kept any longer. Format and guarantees: docs/archive.md

create schema archive;
comment on schema archive is 'The records a firm has to keep. Never reachable through the Data API.';
revoke all on schema archive from public;

create table archive.records (
  seq bigint generated always as identity primary key,
  -- Not now(): the records of one transaction keep their order.
  recorded_at timestamptz not null default clock_timestamp(),
  kind text not null,
  actor_id uuid,
  actor_name text,
  actor_email text,
  actor_role text not null,
  chat_id uuid,
  subject_id uuid,
  member_id uuid,
  audience text not null,
  -- Not jsonb: hashed as the text that was stored, so that no version of Postgres can change a hash.
  content json not null,
  constraint "Audience must be known" check (audience in ('chat', 'team', 'notice', 'admins', 'nobody'))
);
-- No foreign keys: a record outlives what it is about.
comment on table archive.records is 'Append only: what was said and done, in the order of seq, with the names of the time.';
comment on column archive.records.kind is
  'Such as message.sent; docs/archive.md lists all. The word before the dot decides how long it is kept.';
comment on column archive.records.actor_id is 'The member who did it; null for a server, the SQL console and a sign-up.';
comment on column archive.records.actor_role is 'The database role of the writer: authenticated, service_role, postgres …';
comment on column archive.records.subject_id is 'The message, notice or hold it is about.';
comment on column archive.records.member_id is 'Whom it is about: the author of a message, who joined, who was held.';
comment on column archive.records.audience is
  'Who could read it: chat and team as of this record (archive.audience_of), notice as its content says, admins, or nobody.';

create index records_by_chat on archive.records (chat_id, seq) where chat_id is not null;
-- What became of a message. Its first record is found in its chat: every message would pay for a longer index.
create index records_by_subject on archive.records (subject_id, seq) where kind <> 'message.sent';
-- Who belonged where at any record.
create index records_of_membership on archive.records (chat_id, member_id, seq)
  where kind in ('chat.joined', 'chat.left', 'member.joined', 'member.changed', 'member.left');
-- What a chat was ever called.
create index records_of_chat_names on archive.records (chat_id, seq) where kind in ('chat.created', 'chat.renamed');
create index records_of_pruning on archive.records (seq) where kind = 'archive.pruned';

alter table archive.records enable row level security;

create function archive.refuse_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The archive can only be added to' using errcode = '42501';
end
$$;
create trigger refuse_update before update on archive.records
  for each statement execute function archive.refuse_change();
create trigger refuse_truncate before truncate on archive.records
  for each statement execute function archive.refuse_change();

-- The functions from here to actor() pin no search_path, so that Postgres inlines them: every message pays for them.

-- To the microsecond, whatever the session's time zone.
create function archive.utc(moment timestamptz) returns text
language sql stable parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

create function archive.name_of(first_name text, last_name text) returns text
language sql immutable parallel safe
return nullif(btrim(first_name || ' ' || last_name), '');

-- auth.uid() reads all claims into jsonb, which takes 15 µs longer.
create function archive.caller_id() returns uuid
language sql stable
return (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')::uuid;

-- A security definer function is its owner, but the setting `role` stays the caller's. None: a login of its own.
create function archive.caller_role() returns text
language sql stable
return coalesce(nullif(current_setting('role'), 'none'), session_user);

-- A member by name and e-mail. Deleting the account takes both away while it is recorded; then the last record of the
-- member's state has them.
create function archive.named(member_id uuid) returns table (id uuid, name text, email text)
language sql stable
as $$
  select m.id,
    case m.status when 'deleted' then state.content ->> 'name' else archive.name_of(m.first_name, m.last_name) end,
    case m.status when 'deleted' then state.content ->> 'email' else m.email end
  from private.members m
  left join lateral (
    select r.content from archive.records r
    where m.status = 'deleted' and r.chat_id is null and r.member_id = m.id
      and r.kind in ('member.joined', 'member.changed', 'member.left')
    order by r.seq desc limit 1
  ) state on true
  where m.id = named.member_id
$$;

create function archive.actor() returns table (id uuid, name text, email text, role text)
language sql stable
as $$
  select me.id, m.name, m.email, archive.caller_role()
  from (select archive.caller_id() as id) me
  left join archive.named(me.id) m on true
$$;

-- Appends a record of what the caller does; for every feature whose events are to be kept. The transaction gets its id
-- before the record its number, which sealing builds on.
create function archive.record(
  kind text, content json, chat_id uuid default null, subject_id uuid default null, member_id uuid default null,
  audience text default 'admins'
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_current_xact_id();
  insert into archive.records (
    kind, actor_id, actor_name, actor_email, actor_role, chat_id, subject_id, member_id, audience, content
  )
  select record.kind, a.id, a.name, a.email, a.role, record.chat_id, record.subject_id, record.member_id,
    record.audience, record.content
  from archive.actor() a;
end
$$;

-- Whom a record is about, by the names of the time; nothing if that is the caller, whom every record names.
create function archive.person(member_id uuid) returns json
language sql stable set search_path = ''
as $$
  select json_build_object('name', m.name, 'email', m.email)
  from archive.named(member_id) m
  where m.id is distinct from archive.caller_id()
$$;

-- The columns of two versions of a row that differ.
create function archive.difference(before jsonb, after jsonb) returns json
language sql immutable set search_path = ''
as $$
  select json_build_object(
    'before', jsonb_object_agg(b.key, b.value), 'after', jsonb_object_agg(b.key, difference.after -> b.key)
  )
  from jsonb_each(before) b
  where b.value is distinct from difference.after -> b.key
$$;

-- A table emptied at once: its rows were recorded when they were written; that it happened is a record as well.
create function archive.record_truncate() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record('archive.truncated', json_build_object('table', tg_table_schema || '.' || tg_table_name));
  return null;
end
$$;

revoke execute on all functions in schema archive from public;
