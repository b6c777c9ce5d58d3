-- What the data API needs in the database, as hosted Supabase has it: word of every change of the schema on the
-- channel `pgrst`, and two functions through which a statement refuses its own result. The statement and its COMMIT
-- travel together, so a result that must not stand has to fail inside the transaction.

create schema rest;
grant usage on schema rest to anon, authenticated, service_role;

-- Raises when `refused` is true. The code tells the data API what to answer; `rows` goes into the answer.
create function rest.refuse_if(refused boolean, code text, rows bigint) returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  if refused then
    raise exception using errcode = 'REST0', message = code, detail = rows;
  end if;
  return true;
end
$$;

-- Adds up the bytes of a reply's rows and fails past 8 MiB (`LIMITS.answerBytes` of the data API): the sum begins that
-- far below the largest bigint. So Postgres stops in the middle instead of building what is then too large to send.
create aggregate rest.answer_bytes(int) (
  sfunc = pg_catalog.int84pl, stype = bigint, initcond = '9223372036846387199'
);

create function extensions.pgrst_ddl_watch() returns event_trigger
language plpgsql set search_path = ''
as $$
declare
  command record;
begin
  for command in select * from pg_catalog.pg_event_trigger_ddl_commands() loop
    if command.command_tag in (
      'CREATE SCHEMA', 'ALTER SCHEMA', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
      'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE', 'CREATE VIEW', 'ALTER VIEW', 'CREATE MATERIALIZED VIEW',
      'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER FUNCTION', 'CREATE TRIGGER', 'CREATE TYPE', 'ALTER TYPE',
      'CREATE RULE', 'COMMENT'
    ) and command.schema_name is distinct from 'pg_temp' then
      perform pg_catalog.pg_notify('pgrst', 'reload schema');
      return;
    end if;
  end loop;
end
$$;

create function extensions.pgrst_drop_watch() returns event_trigger
language plpgsql set search_path = ''
as $$
declare
  dropped record;
begin
  for dropped in select * from pg_catalog.pg_event_trigger_dropped_objects() loop
    if dropped.object_type in (
      'schema', 'table', 'table column', 'foreign table', 'view', 'materialized view', 'function', 'trigger', 'type', 'rule',
      'table constraint'
    ) and not dropped.is_temporary then
      perform pg_catalog.pg_notify('pgrst', 'reload schema');
      return;
    end if;
  end loop;
end
$$;

create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
