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

-- Asks for a new look at the rights on open channels: of a user (by id) or of everyone on a topic. Called by a
-- project's triggers when membership changes. Hosted Supabase has no such function: look with to_regprocedure first.
create function realtime.recheck(user_or_topic text) returns void
language sql
as $$ select pg_notify('realtime_recheck', user_or_topic) $$;

create function realtime.recheck(topic text, user_id uuid) returns void
language sql
as $$ select pg_notify('realtime_recheck', json_build_object('topic', topic, 'user', user_id)::text) $$;

revoke execute on function realtime.recheck(text), realtime.recheck(text, uuid) from public;
grant execute on function realtime.recheck(text), realtime.recheck(text, uuid) to postgres, service_role;

reset role;
