-- Nightly backups: the server claims a night, makes its backup, restores it for a trial and says how that went. Several servers agree
-- here on who does it. On hosted Supabase nobody claims one.

create table private.backups (
  id uuid primary key default gen_random_uuid(),
  due_at timestamptz not null,
  attempt integer not null,
  state text not null default 'running',
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  finished_at timestamptz,
  address text,
  bytes bigint,
  row_count bigint,
  file_count bigint,
  missing_files bigint,
  failure text,
  constraint "State must be running, verified or failed" check (state in ('running', 'verified', 'failed', 'gone'))
);
comment on table private.backups is 'One row per attempt at a nightly backup, the newest hundred. Not part of backups.';
comment on column private.backups.state is 'gone: it was verified, and is no longer where it was kept.';
comment on column private.backups.due_at is 'The night that the attempt is for.';
comment on column private.backups.seen_at is 'When the server that makes it last said that it is still at it.';
create unique index backups_attempt on private.backups (due_at, attempt);
create unique index backups_running on private.backups (state) where state = 'running';
create index backups_started_at on private.backups (started_at);
alter table private.backups enable row level security;
revoke all on private.backups from anon, authenticated, service_role;

create function private.most_backup_attempts() returns int
language sql immutable set search_path = ''
as $$ select 3 $$;

-- What the admin pages show of backups, in one row.
create function private.backup_state()
returns table (
  is_good boolean, running_since timestamptz, verified_at timestamptz, address text, bytes bigint, row_count bigint,
  file_count bigint, missing_files bigint, failed_at timestamptz, failure text
)
language sql stable security definer set search_path = ''
as $$
  select coalesce(good.finished_at > now() - interval '36 hours', false), running.started_at, good.finished_at, good.address,
    good.bytes, good.row_count, good.file_count, good.missing_files, bad.finished_at, bad.failure
  from (select) as always
  left join lateral (
    select b.* from private.backups b where b.state = 'verified' and b.finished_at <= now() + interval '1 hour'
    order by b.finished_at desc limit 1
  ) good on true
  left join lateral (
    select b.* from private.backups b
    where b.state = 'failed' and b.finished_at > coalesce(good.finished_at, '-infinity')
    order by b.finished_at desc limit 1
  ) bad on true
  left join private.backups running on running.state = 'running'
$$;
comment on function private.backup_state is
  'Whether there is a verified backup of the last day and a half, the latest one, and the failure since, if any.';

create function public.backup_state()
returns table (
  is_good boolean, running_since timestamptz, verified_at timestamptz, address text, bytes bigint, row_count bigint,
  file_count bigint, missing_files bigint, failed_at timestamptz, failure text
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query select * from private.backup_state();
end
$$;
comment on function public.backup_state is 'For admins: how the nightly backups are.';

create function private.announce_failed_backup() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  zone constant text := (select s.time_zone from public.team_settings s);
  good constant timestamptz := (select s.verified_at from private.backup_state() s);
begin
  perform private.notify_admins(
    'The backup failed', 'La copia de seguridad falló',
    'Tonight''s backup could not be made, or could not be checked. '
      || coalesce('The last good one is of ' || to_char(good at time zone zone, 'MM/DD/YYYY') || '. ', 'There is no good one yet. ')
      || 'Contact the person who runs the server: the reason is in its log.',
    'La copia de seguridad de esta noche no se pudo hacer o no se pudo comprobar. '
      || coalesce('La última buena es del ' || to_char(good at time zone zone, 'DD/MM/YYYY') || '. ', 'Todavía no hay ninguna buena. ')
      || 'Avisa a quien administra el servidor: el motivo está en su registro.',
    '/admin/system'
  );
end
$$;

-- Null if there is nothing to do: the night has its backup, somebody is at it, or it has to wait after a failure. Called every minute,
-- so it is also the sign that backups are on. `due_at` comes from a clock that may be wrong, so a night that lies in the future
-- counts for nothing. `kept` are the names in the place, now and then; a night whose backup is not among them has none.
create function public.claim_backup(due_at timestamptz, kept text[] default null) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  latest private.backups;
  claimed uuid;
begin
  perform pg_advisory_xact_lock(7240119);
  -- A server that was killed says nothing more. Longer than a clock is off by.
  update private.backups b set state = 'failed', finished_at = now(), failure = 'The server stopped in the middle.'
  where b.state = 'running' and b.seen_at not between now() - interval '15 minutes' and now() + interval '15 minutes'
  returning * into latest;
  if latest.attempt >= private.most_backup_attempts() then
    perform private.announce_failed_backup();
  end if;
  -- A new one may have come after the names were read.
  update private.backups b set state = 'gone'
  where b.state = 'verified' and b.finished_at < now() - interval '5 minutes' and regexp_replace(b.address, '^.*/', '') <> all (kept);

  select b.* into latest from private.backups b
  where b.due_at <= now() and b.started_at <= now() order by b.due_at desc, b.attempt desc limit 1;
  if claim_backup.due_at <= now()
    and not exists (select from private.backups b where b.state = 'running')
    and (latest.id is null or latest.due_at < claim_backup.due_at
      or latest.due_at = claim_backup.due_at and (latest.state = 'gone'
        or latest.state = 'failed' and latest.attempt < private.most_backup_attempts()
          and latest.finished_at < now() - latest.attempt * interval '10 minutes'))
  then
    insert into private.backups as b (due_at, attempt)
    values (claim_backup.due_at, case when latest.due_at = claim_backup.due_at then latest.attempt + 1 else 1 end)
    on conflict do nothing
    returning b.id into claimed;
    delete from private.backups b where b.id in (
      select old.id from private.backups old order by old.started_at desc offset 100
    );
  end if;

  perform public.report_system_state(jsonb_build_array(jsonb_build_object(
    'part', 'backup', 'is_on', s.is_good,
    'problems', (s.failed_at is not null or not s.is_good and s.running_since is null)::int
  ))) from private.backup_state() s;
  return claimed;
end
$$;
comment on function public.claim_backup is
  'For the server: the attempt that is to be made now for the night of due_at, for this caller only; null if there is none.';

create function public.keep_backup_claim(backup_id uuid) returns void
language sql security definer set search_path = ''
as $$ update private.backups b set seen_at = now() where b.id = backup_id and b.state = 'running' $$;
comment on function public.keep_backup_claim is 'For the server: says every minute that it is still at it.';

-- `result` of a verified backup has address, bytes, row_count, file_count and missing_files; of a failed one, failure. An empty one gives the
-- claim back: the server was asked to stop.
create function public.settle_backup(backup_id uuid, result jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  settled private.backups;
begin
  if result = '{}'::jsonb then
    delete from private.backups b where b.id = backup_id and b.state = 'running';
    return;
  end if;
  update private.backups b set
    state = case when result ? 'failure' then 'failed' else 'verified' end,
    finished_at = now(), failure = left(result ->> 'failure', 500), address = left(result ->> 'address', 1000),
    bytes = (result ->> 'bytes')::bigint, row_count = (result ->> 'row_count')::bigint,
    file_count = (result ->> 'file_count')::bigint, missing_files = (result ->> 'missing_files')::bigint
  where b.id = backup_id and b.state <> 'verified'
  returning * into settled;
  if settled.state = 'failed' and settled.attempt >= private.most_backup_attempts() then
    perform private.announce_failed_backup();
  end if;
end
$$;
comment on function public.settle_backup is 'For the server: how the attempt went. Admins learn of the last failure of a night.';

revoke execute on function
  public.backup_state(), public.claim_backup(timestamptz, text[]), public.keep_backup_claim(uuid), public.settle_backup(uuid, jsonb)
from public, anon, authenticated, service_role;
grant execute on function public.backup_state() to authenticated;
grant execute on function
  public.claim_backup(timestamptz, text[]), public.keep_backup_claim(uuid), public.settle_backup(uuid, jsonb)
to service_role;
revoke execute on all functions in schema private from public;
