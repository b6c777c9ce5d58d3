-- What triggers and functions of a project call to broadcast, as on hosted Supabase. `send` never fails the transaction
-- it is part of: what happened matters more than its echo.
set role supabase_realtime_admin;

create function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql
as $$
declare
  message_id uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (
    message_id,
    case when payload ? 'id' or jsonb_typeof(payload) <> 'object' then payload
      else jsonb_set(payload, '{id}', to_jsonb(message_id)) end,
    event, topic, private, 'broadcast'
  );
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void language plpgsql
as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
  values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
) returns void language plpgsql
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object(
      'old_record', old, 'record', new, 'operation', operation,
      'table', table_name, 'schema', table_schema
    ),
    event_name, topic_name
  );
exception when others then
  raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

-- One broadcast to many topics as one row and one notification: a row for each of fifty members costs four times what
-- storing the message does. A hundred topics, each a word and a uuid, fit into one notification's header. Hosted Supabase
-- has no such function: check with to_regprocedure first.
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

-- Has the rights on open channels checked again: of a user (by id) or of everyone on a topic. Called by a project's
-- triggers when membership changes. Hosted Supabase has no such function: check with to_regprocedure first.
create function realtime.recheck(user_or_topic text) returns void
language sql
as $$ select pg_notify('realtime_recheck', user_or_topic) $$;

create function realtime.recheck(topic text, user_id uuid) returns void
language sql
as $$ select pg_notify('realtime_recheck', json_build_object('topic', topic, 'user', user_id)::text) $$;

revoke execute on function realtime.recheck(text), realtime.recheck(text, uuid) from public;
grant execute on function realtime.recheck(text), realtime.recheck(text, uuid) to postgres, service_role;

reset role;
