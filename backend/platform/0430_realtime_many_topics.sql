-- One broadcast to many topics as one row and one notification. Telling fifty members of a message with a row for each
-- cost four times what storing the message did. Hosted Supabase has no such function: look with to_regprocedure first.
set role supabase_realtime_admin;

alter table realtime.messages add column topics text[];
comment on column realtime.messages.topics is
  'Set by realtime.send_to_topics: the broadcast is for each of them, and "topic" is empty. Heard live, not replayed.';

-- As in 0400_realtime.sql; the header names all topics where there are several.
create or replace function realtime.announce_message() returns trigger
language plpgsql set search_path = ''
as $$
declare
  header text := jsonb_build_array(
    new.id, coalesce(to_jsonb(new.topics), to_jsonb(new.topic)), new.event, coalesce(new.private, false)
  )::text;
  announcement text := header || E'\n' || new.payload::text;
begin
  if announcement is null or octet_length(announcement) > 7500 then
    announcement := header;
  end if;
  perform pg_notify('realtime_messages', announcement);
  return null;
end
$$;

-- A hundred topics named by a word and a uuid fit into the header of one notification.
create function realtime.send_to_topics(payload jsonb, event text, topics text[], private boolean default true)
returns void language plpgsql
as $$
begin
  for start in 1 .. coalesce(cardinality(topics), 0) by 100 loop
    insert into realtime.messages (payload, event, topic, topics, private, extension)
    values (payload, event, '', topics[start : start + 99], private, 'broadcast');
  end loop;
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

revoke execute on function realtime.send_to_topics(jsonb, text, text[], boolean) from public;
grant execute on function realtime.send_to_topics(jsonb, text, text[], boolean) to postgres, service_role;

reset role;
