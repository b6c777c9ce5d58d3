-- The rest of what is judged, and the page that admins read.

create function private.archive_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'archive', null, judged[1], judged[2], jsonb_build_object(
    'since', case judged[2] when 'unsealed' then r.recorded_at when 'unreviewed' then s.sealed_at end,
    'count', case when judged[2] = 'broken' then c.result -> 'findings' end,
    'at', c.checked_at
  )
  from (select) as always
  left join lateral (
    select a.recorded_at from archive.records a where a.seq > coalesce((archive.last_seal()).to_seq, 0) order by a.seq limit 1
  ) r on true
  left join lateral (
    select n.sealed_at from private.review_worker w join archive.seals n on n.number > w.seal order by n.number limit 1
  ) s on true
  left join private.system_checks c on c.part = 'archive'
  cross join lateral (
    select private.system_grade('archive', private.seconds_since(r.recorded_at)) as by_age,
      private.system_grade('archive', private.seconds_since(s.sealed_at)) as by_review
  ) g
  cross join lateral (
    select case
      when (c.result ->> 'findings')::bigint > 0 then array['wrong', 'broken']
      when g.by_age <> 'fine' then array[g.by_age, 'unsealed']
      when g.by_review <> 'fine' then array[g.by_review, 'unreviewed']
      else array['fine', 'sealed']
    end as judged
  ) j
$$;

-- What the process with the latest word has as its public address, and what was found there.
create function private.certificate_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'certificate', site ->> 'host', judged[1], judged[2], jsonb_build_object(
    'expires_at', c.result -> 'expires_at', 'days', case when judged[2] = 'expiring' then floor(days) end,
    'at', case when c.result ? 'problem' then c.checked_at end
  )
  from (select) as always
  left join lateral (
    select p.facts -> 'site' as site from private.live_processes() p where p.facts ? 'site' order by p.reported_at desc limit 1
  ) latest on true
  left join private.system_checks c on c.part = 'certificate' and c.result ->> 'host' = site ->> 'host'
  cross join lateral (
    select extract(epoch from (c.result ->> 'expires_at')::timestamptz - now()) / 86400 as days
  ) left_over
  cross join lateral (
    select case
      when site is null then array['unwatched', 'elsewhere']
      when (site ->> 'is_local')::boolean then array['fine', 'local']
      when not (site ->> 'is_https')::boolean then array['attention', 'http']
      when c.part is null or not c.result ? 'problem' then array['fine', 'unchecked']
      when c.result ->> 'problem' = 'unreachable' then array['attention', 'unreachable']
      when days < 0 then array['wrong', 'expired']
      when c.result ->> 'problem' in ('name', 'untrusted') then array['wrong', c.result ->> 'problem']
      when private.system_grade('certificate', days) <> 'fine' then array[private.system_grade('certificate', days), 'expiring']
      else array['fine', 'valid']
    end as judged
  ) j
$$;

-- One line for each process, and what only shows when they are compared.
create function private.process_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 8
as $$
  with live as materialized (
    select p.*, case when (select private.has_several_machines()) then p.facts ->> 'host' end as machine,
      case when count(*) over (partition by p.facts ->> 'host') > 1 then
        row_number() over (partition by p.facts ->> 'host' order by (p.facts #>> '{place,worker}')::int, p.started_at, p.id)
      end as number,
      private.system_grade('event_loop', (p.facts ->> 'event_loop_seconds')::double precision) as event_loop,
      (p.facts #>> '{database,seconds}')::double precision as answer_seconds,
      (p.facts #>> '{database,clock_ahead_seconds}')::double precision as clock_ahead,
      (p.facts #>> '{database,away_until}')::timestamptz as away_until
    from private.live_processes() p
  )
  select 'process', l.machine, coalesce(l.event_loop, 'fine'), case when l.event_loop <> 'fine' then 'busy' else 'runs' end,
    jsonb_build_object(
      'number', l.number, 'pid', l.facts -> 'pid', 'version', l.facts ->> 'version', 'started_at', l.started_at,
      'seconds', (l.facts ->> 'event_loop_seconds')::double precision
    )
  from live l
  union all
  select 'versions', null, 'attention', 'mixed', jsonb_build_object('versions', to_jsonb(array_agg(distinct l.facts ->> 'version')))
  from live l having count(distinct concat_ws(' ', l.facts ->> 'version', l.facts ->> 'schema')) > 1
  union all
  (
    select 'database', l.machine,
      case
        when l.away_until > now() - interval '1 hour' and private.system_grade('database', l.answer_seconds) <> 'wrong'
          then 'attention'
        else private.system_grade('database', l.answer_seconds)
      end,
      case
        when l.away_until > now() - interval '1 hour' then 'away'
        when private.system_grade('database', l.answer_seconds) <> 'fine' then 'slow'
        else 'answers'
      end,
      jsonb_build_object('seconds', l.answer_seconds, 'since', l.facts #> '{database,away_since}', 'until', l.facts #> '{database,away_until}')
    from live l where l.answer_seconds is not null
    order by l.away_until > now() - interval '1 hour' desc nulls last, l.answer_seconds desc limit 1
  )
  union all
  select 'database', null, 'fine', 'answers', '{}' where not exists (select from live l where l.answer_seconds is not null)
  union all
  (
    select 'clock', l.machine, private.system_grade('clock', abs(l.clock_ahead)),
      case when private.system_grade('clock', abs(l.clock_ahead)) = 'fine' then 'right' else 'off' end,
      jsonb_build_object('seconds', round(l.clock_ahead::numeric, 1))
    from live l where l.clock_ahead is not null order by abs(l.clock_ahead) desc limit 1
  )
$$;

-- Processes that end by themselves. Who replaces them (WORKERS, systemd, a container) brings back most of them, so that nobody notices;
-- a worker that is not brought back was not heard of for three minutes, and is missing.
create function private.restarts_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  with crashed as (
    select count(*)::int as count, max(c.reported_at) as at from private.crashed_processes() c
  ), missing as (
    select l.facts ->> 'host' as host, max((l.facts ->> 'workers')::int) - count(*)::int as count
    from private.live_processes() l
    where l.facts ? 'workers'
    group by 1, l.facts #>> '{place,port}'
    having count(*) < max((l.facts ->> 'workers')::int) and min(l.started_at) < now() - interval '1 minute'
  )
  select 'restarts', null, judged[1], judged[2], jsonb_build_object(
    'count', case when judged[2] = 'missing' then m.count else c.count end, 'at', case when judged[2] = 'crashed' then c.at end
  )
  from crashed c
  left join lateral (select sum(missing.count)::int as count from missing) m on true
  cross join lateral (
    select case
      when m.count > 0 then array['wrong', 'missing']
      else array[private.system_grade('crashes', c.count), 'crashed']
    end as judged
  ) j
  where judged[1] <> 'fine'
$$;

create function private.links_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'links', null, judged[1], judged[2], '{}'::jsonb
  from private.system_part('links') s
  cross join lateral (
    select case
      when s.part is null then array['unwatched', 'elsewhere']
      when s.is_on then array['fine', 'checked']
      else array['attention', 'offline']
    end as judged
  ) j
$$;

-- Of the last day. A device that reports one has mostly gone on; nothing is wrong with the system itself.
create function private.app_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'app', null, judged[1], judged[2], jsonb_build_object('count', e.count, 'at', e.at)
  from (select nullif(count(*)::int, 0) as count, max(a.last_at) as at from private.app_errors a where a.last_at > now() - interval '1 day') e
  cross join lateral (
    select case
      when not (select s.app_errors_enabled from public.team_settings s) then array['unwatched', 'off']
      when e.count > 0 then array['attention', 'errors']
      else array['fine', 'quiet']
    end as judged
  ) j
$$;

create function private.system_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 16
as $$
  select * from private.mail_finding()
  union all select * from private.push_findings()
  union all select * from private.disk_findings()
  union all select * from private.backup_finding()
  union all select * from private.archive_finding()
  union all select * from private.certificate_finding()
  union all select * from private.process_findings()
  union all select * from private.restarts_finding()
  union all select * from private.links_finding()
  union all select * from private.app_finding()
$$;

create function public.system_status()
returns table (part text, scope text, state text, code text, detail jsonb)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select f.part, f.scope, f.state, f.code, jsonb_strip_nulls(
    case when f.part = 'database' then f.detail || jsonb_build_object('bytes', pg_database_size(current_database())) else f.detail end
  )
  from private.system_findings() f
  order by array_position(array['wrong', 'attention', 'fine', 'unwatched'], f.state), array_position(array[
    'backup', 'disk_data', 'database', 'archive', 'restarts', 'process', 'mail', 'push_queue', 'push_web', 'push_apns', 'push_fcm', 'certificate',
    'disk_backup', 'clock', 'versions', 'app', 'links'
  ], f.part), f.scope, (f.detail ->> 'number')::int;
end
$$;
comment on function public.system_status is
  'For admins: what is fine, needs attention, is wrong, or is not watched here, as codes with figures; the worst first, then by what is lost with it.';

-- One row per problem until it has been over for an hour, so that admins are notified once, by whichever process.
create table private.system_alerts (
  problem text primary key,
  began_at timestamptz not null default now(),
  fine_since timestamptz,
  announced_at timestamptz
);
comment on table private.system_alerts is 'What is wrong with the system, and whether admins were notified. A failed backup sends its own notice.';
alter table private.system_alerts enable row level security;
revoke all on private.system_alerts from anon, authenticated, service_role;

create function private.system_part_name(part text, is_spanish boolean) returns text
language sql immutable set search_path = ''
as $$
  select case when is_spanish then es else en end
  from (values
    ('mail', 'Email', 'Correo'),
    ('push_web', 'Notifications in browsers', 'Notificaciones en navegadores'),
    ('push_fcm', 'Notifications on Android', 'Notificaciones en Android'),
    ('push_apns', 'Notifications on iPhone', 'Notificaciones en iPhone'),
    ('push_queue', 'Waiting notifications', 'Notificaciones en espera'),
    ('disk_data', 'Disk', 'Disco'),
    ('disk_backup', 'Disk of the backups', 'Disco de las copias'),
    ('archive', 'Archive', 'Archivo'),
    ('certificate', 'Certificate', 'Certificado'),
    ('process', 'Server load', 'Carga del servidor'),
    ('restarts', 'Server processes', 'Procesos del servidor'),
    ('database', 'Database', 'Base de datos'),
    ('clock', 'Clock', 'Reloj')
  ) names (name, en, es)
  where name = part
$$;

-- What is wrong, in a few words for a notice; the page has whole sentences. Null if there is no more to say than the part.
create function private.system_reason(finding private.system_finding, is_spanish boolean) returns text
language sql immutable set search_path = ''
as $$
  select format(case when is_spanish then es else en end, figure)
  from (select
    case
      when finding.part = 'mail' then coalesce('mail ' || (finding.detail ->> 'problem'), 'mail waiting')
      when finding.detail ? 'status' and finding.detail ->> 'status' is not null then 'push refused'
      else regexp_replace(finding.part, '^(push|disk)_(?!queue).*', '\1') || ' ' || finding.code
    end as key,
    coalesce(
      finding.detail ->> 'status', finding.detail ->> 'used_percent', finding.detail ->> 'days', finding.detail ->> 'count', ''
    ) as figure
  ) f
  join (values
    ('mail login', 'the mail server doesn''t accept the login', 'el servidor de correo no acepta el acceso'),
    ('mail certificate', 'the mail server''s certificate is invalid', 'el certificado del servidor de correo no es válido'),
    ('mail encryption', 'the mail server doesn''t offer the encryption', 'el servidor de correo no ofrece el cifrado'),
    ('mail unreachable', 'the mail server can''t be reached', 'no se puede llegar al servidor de correo'),
    ('mail refused', 'the mail server refuses them', 'el servidor de correo los rechaza'),
    ('mail waiting', 'some have been waiting for more than ten minutes', 'algunos esperan desde hace más de diez minutos'),
    ('push failing', 'none arrives', 'no llega ninguna'),
    ('push refused', 'none arrives, the push service answered %s', 'no llega ninguna, el servicio de avisos respondió %s'),
    ('push_queue late', 'some have been waiting for a quarter of an hour', 'algunas esperan desde hace un cuarto de hora'),
    ('disk full', '%s %% full', 'ocupado al %s %%'),
    ('disk unreachable', 'the folder can''t be reached', 'no se puede llegar a la carpeta'),
    ('disk read_only', 'the server may not write there', 'el servidor no puede escribir ahí'),
    ('archive unsealed', 'records have been waiting for their seal for an hour', 'hay registros que esperan su sello desde hace una hora'),
    ('archive unreviewed', 'messages have been waiting for an hour to be checked for the review', 'hay mensajes que esperan desde hace una hora a que se revisen'),
    ('archive broken', 'the verification found problems (%s)', 'la verificación encontró problemas (%s)'),
    ('certificate expiring', 'it expires in %s days', 'vence en %s días'),
    ('certificate expired', 'it expired', 'venció'),
    ('certificate name', 'it is for another address', 'es de otra dirección'),
    ('certificate untrusted', 'browsers don''t trust it', 'los navegadores no confían en él'),
    ('process busy', 'it has more to do than it can', 'tiene más trabajo del que puede hacer'),
    ('restarts crashed', '%s ended by themselves within an hour', '%s terminaron solos en una hora'),
    ('restarts missing', '%s can''t be started', 'no arrancan: %s'),
    ('database slow', 'it takes too long to answer', 'tarda demasiado en responder'),
    ('database away', 'it takes too long to answer', 'tarda demasiado en responder'),
    ('clock off', 'server and database don''t agree on the time', 'el servidor y la base de datos no tienen la misma hora')
  ) words (key, en, es) using (key)
$$;

-- What counts as the same problem.
create function private.system_problem(finding private.system_finding) returns text
language sql immutable set search_path = ''
as $$ select left(concat_ws(' ', finding.part, case when finding.part like 'disk%' then finding.scope end), 200) $$;

create function private.system_problems_in_words(findings private.system_finding[], is_spanish boolean) returns text
language sql immutable set search_path = ''
as $$
  select string_agg(distinct
    private.system_part_name(f.part, is_spanish) || coalesce(' (' || f.scope || ')', '')
    || coalesce(': ' || private.system_reason(f, is_spanish), '') || '.', ' '
  )
  from unnest(findings) f
$$;

-- Told after a quarter of an hour, as alerts.yml waits: what passes by itself is nobody's business.
create function private.announce_system_problems() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  wrong private.system_finding[];
  announced private.system_finding[];
begin
  -- Of several processes that report at the same time one is enough.
  if not pg_try_advisory_xact_lock(7240120) then
    return;
  end if;
  select array_agg(f) into wrong from private.system_findings() f where f.state = 'wrong' and f.part <> 'backup';
  with named as (
    select distinct private.system_problem(w) as problem from unnest(wrong) w
  ), begun as (
    insert into private.system_alerts as a (problem) select n.problem from named n
    on conflict (problem) do update set fine_since = null where a.fine_since is not null
  )
  update private.system_alerts a set fine_since = now()
  where a.fine_since is null and a.problem not in (select n.problem from named n);
  delete from private.system_alerts a where a.fine_since < now() - interval '1 hour';

  with notified as (
    update private.system_alerts a set announced_at = now()
    where a.announced_at is null and a.fine_since is null and a.began_at < now() - interval '15 minutes'
    returning a.problem
  )
  select array_agg(w order by w.part, w.scope) into announced
  from unnest(wrong) w where private.system_problem(w) in (select n.problem from notified n);
  if announced is null then
    return;
  end if;
  perform private.notify_admins(
    'Something is wrong with the server', 'Algo va mal en el servidor',
    private.system_problems_in_words(announced, false) || ' The page System under Admin says what to do.',
    private.system_problems_in_words(announced, true) || ' La página Sistema, en Administración, dice qué hacer.',
    '/admin/system'
  );
end
$$;

revoke execute on function public.system_status() from public, anon, service_role;
grant execute on function public.system_status() to authenticated;
revoke execute on all functions in schema private from public;
