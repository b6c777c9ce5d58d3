-- How the realtime service finds out what a member may do on private topics: it does it, sees what the policies on
-- realtime.messages say, and undoes it. One call, one round trip; nothing of it stays. Whose session has ended
-- (0440_realtime_sessions.sql) may do nothing.
set role supabase_realtime_admin;

-- Which of `extensions` ('broadcast', 'presence') the role with these claims may read, or write, on a topic.
create function realtime.try_rights(
  operation text, topic_name text, role_name text, claims text, extensions text[]
) returns text[] language plpgsql
as $$
declare
  allowed text[] := '{}';
  each_extension text;
  trial_id uuid;
  trial_ids uuid[] := '{}';
begin
  if not auth_service.session_lives((claims::json ->> 'session_id')::uuid) then
    return allowed;
  end if;
  -- Nothing is kept, so nobody has to wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  begin
    if operation = 'read' then
      foreach each_extension in array extensions loop
        insert into realtime.messages (topic, extension) values (topic_name, each_extension)
        returning id into trial_id;
        trial_ids := trial_ids || trial_id;
      end loop;
    end if;
    perform
      set_config('role', role_name, true),
      set_config('realtime.topic', topic_name, true),
      set_config('request.jwt.claims', claims, true),
      set_config('request.jwt.claim.sub', coalesce(claims::json ->> 'sub', ''), true),
      set_config('request.jwt.claim.role', role_name, true);
    if operation = 'read' then
      select coalesce(array_agg(extension), '{}') into allowed
      from realtime.messages where id = any (trial_ids);
    else
      foreach each_extension in array extensions loop
        begin
          insert into realtime.messages (topic, extension) values (topic_name, each_extension);
          allowed := allowed || each_extension;
        exception when insufficient_privilege then
          null;
        end;
      end loop;
    end if;
    raise exception using errcode = 'RT001';
  exception when sqlstate 'RT001' then
    return allowed;
  end;
end
$$;

-- Which of `topic_names` the role with these claims may broadcast to.
create function realtime.writable_topics(topic_names text[], role_name text, claims text)
returns text[] language plpgsql
as $$
declare
  allowed text[] := '{}';
  each_topic text;
begin
  foreach each_topic in array topic_names loop
    if realtime.try_rights('write', each_topic, role_name, claims, '{broadcast}') <> '{}' then
      allowed := allowed || each_topic;
    end if;
  end loop;
  return allowed;
end
$$;

-- Removes messages older than `keep`, some at a time; says how many, so that the caller knows when it is done.
create function realtime.delete_old_messages(keep interval, at_most integer) returns integer
language plpgsql
as $$
declare
  deleted integer;
begin
  delete from realtime.messages
  where id in (
    select id from realtime.messages
    where inserted_at < (now() at time zone 'utc') - keep
    order by inserted_at limit at_most for update skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

revoke execute on function realtime.try_rights(text, text, text, text, text[]),
  realtime.writable_topics(text[], text, text),
  realtime.delete_old_messages(interval, integer) from public;

reset role;
