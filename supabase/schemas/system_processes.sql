-- What each server process knows and nobody else: how it runs, its disks, its mail. It says so every minute. What it says is judged where
-- it is read (system_findings.sql), so that a page is right even when nobody has reported for a while.

-- Unlogged: what it holds is a minute old.
create unlogged table private.server_processes (
  id uuid primary key,
  started_at timestamptz not null,
  reported_at timestamptz not null default clock_timestamp(),
  facts jsonb not null,
  constraint "Facts must be an object of at most 8 kB" check (jsonb_typeof(facts) = 'object' and octet_length(facts::text) <= 8192)
);
comment on table private.server_processes is 'The server processes that run, each with what it last reported; at most 200. Not part of backups.';
create index server_processes_reported_at on private.server_processes (reported_at);
alter table private.server_processes enable row level security;
revoke all on private.server_processes from anon, authenticated, service_role;

-- Looked at less often, by one process for all, or by hand.
create table private.system_checks (
  part text primary key,
  checked_at timestamptz not null default now(),
  result jsonb not null,
  constraint "Part must be archive, backup or certificate" check (part in ('archive', 'backup', 'certificate')),
  constraint "A result must be an object of at most 2 kB" check (jsonb_typeof(result) = 'object' and octet_length(result::text) <= 2048)
);
comment on table private.system_checks is 'The latest check of the certificate, twice a day, the latest verification of the archive, and the latest backup made by hand or by a job.';
alter table private.system_checks enable row level security;
revoke all on private.system_checks from anon, authenticated, service_role;

-- A process at the same place, started later, took its place.
create function private.replaced_processes() returns setof uuid
language sql stable security definer set search_path = '' rows 4
as $$
  select old.id
  from private.server_processes old
  join private.server_processes next on next.started_at > old.started_at and next.facts -> 'place' = old.facts -> 'place'
    and next.facts -> 'host' = old.facts -> 'host'
$$;

-- One that has said nothing for three minutes has ended.
create function private.live_processes() returns setof private.server_processes
language sql stable security definer set search_path = '' rows 4
as $$
  select p.* from private.server_processes p
  where p.reported_at > now() - interval '3 minutes' and p.id not in (select private.replaced_processes())
$$;

-- Those of the last hour that ended without a word: one that is stopped is forgotten. A worker that is replaced goes on reporting until it
-- is, every minute.
create function private.crashed_processes() returns setof private.server_processes
language sql stable security definer set search_path = '' rows 4
as $$
  select p.* from private.server_processes p
  where p.reported_at between now() - interval '1 hour' and now() - case
    when p.id in (select private.replaced_processes()) then interval '75 seconds' else interval '3 minutes'
  end
$$;

create function public.report_process(process_id uuid, started_at timestamptz, facts jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  host constant text := facts #>> '{site,host}';
  is_due boolean := false;
begin
  insert into private.server_processes as p (id, started_at, facts) values (process_id, report_process.started_at, report_process.facts)
  on conflict (id) do update set facts = excluded.facts, reported_at = clock_timestamp();
  delete from private.server_processes p where p.reported_at < now() - interval '1 hour' or p.id in (
    select old.id from private.server_processes old order by old.reported_at desc offset 200
  );
  -- One process looks at the certificate, twice a day, or at once if the address is another one.
  if facts #>> '{site,is_https}' = 'true' then
    insert into private.system_checks as c (part, result) values ('certificate', jsonb_build_object('host', host))
    on conflict (part) do update set checked_at = now()
    where c.checked_at < now() - interval '12 hours' or c.checked_at > now() + interval '1 hour' or c.result ->> 'host' is distinct from host
    returning true into is_due;
  end if;
  perform private.announce_system_problems();
  return jsonb_build_object('certificate_is_due', coalesce(is_due, false));
exception
  -- The same error without its detail, which is the row.
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.report_process is
  'For the server, every minute: what this process knows. The answer says whether it is the one that looks at the certificate now.';

create function public.forget_process(process_id uuid) returns void
language sql security definer set search_path = ''
as $$ delete from private.server_processes p where p.id = process_id $$;
comment on function public.forget_process is 'For the server: this process ends.';

create function public.report_system_check(part text, result jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.system_checks as c (part, result) values (report_system_check.part, report_system_check.result)
  on conflict on constraint system_checks_pkey do update set result = excluded.result, checked_at = now();
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.report_system_check is
  'For the server: what became of the check of the certificate (host, expires_at, problem) or of the archive (findings), or that a backup was made (nothing).';

revoke execute on function
  public.report_process(uuid, timestamptz, jsonb), public.forget_process(uuid), public.report_system_check(text, jsonb)
from public, anon, authenticated;
grant execute on function
  public.report_process(uuid, timestamptz, jsonb), public.forget_process(uuid), public.report_system_check(text, jsonb)
to service_role;
revoke execute on all functions in schema private from public;
