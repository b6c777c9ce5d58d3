-- Realtime: the messages that the database broadcasts, and the table whose policies say who may join a private topic.
-- Names, columns and rights are hosted Supabase's. Where hosted reads the write-ahead log, here a trigger sends a
-- notification in the transaction that wrote the row, so a message is delivered if and only if it was committed.
set role supabase_realtime_admin;

create table realtime.messages (
  id uuid not null default gen_random_uuid() primary key,
  topic text not null,
  extension text not null,
  payload jsonb,
  binary_payload bytea,
  event text,
  private boolean default false,
  updated_at timestamp not null default (now() at time zone 'utc'),
  inserted_at timestamp not null default (now() at time zone 'utc'),
  topics text[]
);
comment on table realtime.messages is
  'Broadcasts, kept three days for replay. Policies on it decide who may receive (select) and send (insert) on a private topic.';
comment on column realtime.messages.topics is
  'Set by realtime.send_to_topics: the broadcast is for each of them, and "topic" is empty. Delivered live, not replayed.';

-- Replay reads the newest of one topic. Catching up after a lost connection and clearing out read by time alone, seldom:
-- rows arrive in that order, and this kind of index costs an insert next to nothing.
create index messages_topic_inserted_at_index on realtime.messages (topic, inserted_at desc)
  where extension = 'broadcast' and private;
create index messages_inserted_at_index on realtime.messages
  using brin (inserted_at) with (pages_per_range = 16, autosummarize = on);

alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to postgres, anon, authenticated, service_role;

-- The topic whose rights a policy checks.
create function realtime.topic() returns text
language sql stable
as $$ select nullif(current_setting('realtime.topic', true), '')::text $$;

-- A notification holds 8000 bytes at most. The first line names the message, its topics and whether its transaction waits
-- for the disk; the payload follows when it fits, otherwise each listening process reads it by its id.
create function realtime.publish_message() returns trigger
language plpgsql set search_path = ''
as $$
declare
  header text := jsonb_build_array(
    new.id, coalesce(to_jsonb(new.topics), to_jsonb(new.topic)), new.event, coalesce(new.private, false),
    current_setting('synchronous_commit') <> 'off'
  )::text;
  notification text := header || E'\n' || new.payload::text;
begin
  if notification is null or octet_length(notification) > 7500 then
    notification := header;
  end if;
  -- An assignment, because `perform` would start a query of its own for each message.
  notification := pg_notify('realtime_messages', notification);
  return null;
end
$$;

-- Rows without an event are checks of a member's rights, never messages.
create trigger publish_message after insert on realtime.messages
  for each row when (new.extension = 'broadcast' and new.event is not null)
  execute function realtime.publish_message();

reset role;
