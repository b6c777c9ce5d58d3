-- The audit log: what leaders changed, with before and after. Triggers write it in the transaction of the change
-- (audit_triggers.sql), so nothing that reaches the tables goes around it. Nobody changes or deletes an entry; those older
-- than private.audit_log_kept_for() are pruned. product.md P155 and docs/decisions/013-audit-log.md

create table private.audit_log (
  id bigint generated always as identity primary key,
  -- Not now(): the entries of one transaction keep their order.
  recorded_at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  kind text not null,
  action text not null,
  object_id uuid,
  object_name text,
  people uuid[] not null default '{}',
  before jsonb,
  after jsonb,
  details jsonb not null default '{}',
  searchable text not null default '',
  constraint "Kind must be known" check (
    kind in ('member', 'setting', 'content', 'chat', 'notice', 'message', 'invitation', 'supervision', 'archive', 'rules')
  )
);
-- No foreign keys: an entry outlives what it is about. Members are named when the log is read.
comment on table private.audit_log is 'Who changed which right, setting, content, chat, notice, invitation or rule. Append only.';
comment on column private.audit_log.actor_id is 'Null: nobody signed in, but a server with the secret key, or the SQL console.';
comment on column private.audit_log.people is 'The members concerned.';
comment on column private.audit_log.before is 'The columns that changed; long values are shortened, secrets hidden.';
comment on column private.audit_log.details is 'What is no column: the reason given, which list of content, how many.';

create index audit_log_by_time on private.audit_log (recorded_at desc, id desc);
create index audit_log_by_kind on private.audit_log (kind, recorded_at desc, id desc);
create index audit_log_by_actor on private.audit_log (actor_id, recorded_at desc, id desc);
create index audit_log_people on private.audit_log using gin (people) with (fastupdate = off);
create index audit_log_words on private.audit_log using gin (searchable extensions.gin_trgm_ops) with (fastupdate = off);

alter table private.audit_log enable row level security;
revoke all on private.audit_log from anon, authenticated, service_role;

create function private.audit_log_kept_for() returns interval
language sql immutable set search_path = ''
as $$ select interval '2 years' $$;

-- The owner of the tables and the SQL console too.
create function private.keep_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and old.recorded_at < now() - private.audit_log_kept_for() then
    return old;
  end if;
  raise exception 'The audit log is never changed' using errcode = '42501';
end
$$;
create trigger keep_audit_log before update or delete on private.audit_log
  for each row execute function private.keep_audit_log();

create function private.keep_all_of_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The audit log is never changed' using errcode = '42501';
end
$$;
create trigger keep_all_of_audit_log before truncate on private.audit_log
  for each statement execute function private.keep_all_of_audit_log();

-- The push worker calls this every few seconds; nearly always it finds nothing.
create function private.prune_audit_log() returns void
language sql security definer set search_path = ''
as $$
  delete from private.audit_log e where e.id in (
    select old.id from private.audit_log old
    where old.recorded_at < now() - private.audit_log_kept_for()
    order by old.recorded_at limit 100
  )
$$;

-- How many characters two texts have in common at their beginning.
create function private.common_start(one text, other text) returns integer
language plpgsql immutable set search_path = ''
as $$
declare
  low integer := 0;
  high integer := least(char_length(one), char_length(other));
  middle integer;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if left(one, middle) = left(other, middle) then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end
$$;

-- Of a long text the part around the first difference to `other`, of a long list its beginning; both with the whole length.
create function private.shortened(value jsonb, other jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  most_characters constant integer := 300;
  most_items constant integer := 20;
  words text;
  skipped integer := 0;
begin
  if jsonb_typeof(value) = 'array' and jsonb_array_length(value) > most_items then
    return jsonb_build_object(
      'items', jsonb_path_query_array(value, '$[0 to 19]'), 'length', jsonb_array_length(value)
    );
  end if;
  words := value #>> '{}';
  if words is null or char_length(words) <= most_characters or jsonb_typeof(value) = 'array' and char_length(words) <= 8000 then
    return value;
  end if;
  if jsonb_typeof(other) = 'string' then
    skipped := greatest(private.common_start(words, other #>> '{}') - 60, 0);
  end if;
  return jsonb_build_object(
    'text', substr(words, skipped + 1, most_characters), 'skipped', skipped, 'length', char_length(words)
  );
end
$$;

-- The values of one row that differ from the other's; null if none do.
create function private.changed_values(one jsonb, other jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(
    key,
    case when value <> 'null' and key ~ '(^|_)(password|token|secret|hash|key|auth)s?($|_)' then '{"hidden": true}'
      else private.shortened(value, other -> key) end
  )
  from jsonb_each(one)
  where value is distinct from other -> key
$$;

create function private.audit_words(entry private.audit_log) returns text
language sql immutable set search_path = ''
as $$
  select left(lower(private.without_accents(concat_ws(
    ' ', entry.object_name, entry.details ->> 'reason',
    (
      select string_agg(each #>> '{}', ' ')
      from jsonb_path_query(jsonb_build_array(entry.before, entry.after), '$.** ? (@.type() == "string")') each
      where each #>> '{}' !~ '^[0-9a-f]{8}-[0-9a-f-]{27}$'
    )
  ))), 4000)
$$;

-- Nothing is recorded of a change that changed nothing.
create function private.record_change(
  kind text, action text, object_id uuid, object_name text, before jsonb, after jsonb,
  people uuid[] default '{}', details jsonb default '{}', actor_id uuid default auth.uid()
) returns void
language plpgsql set search_path = ''
as $$
declare
  entry private.audit_log;
begin
  if action = 'changed' and before is null and after is null then
    return;
  end if;
  entry.object_name := left(object_name, 200);
  entry.before := before;
  entry.after := after;
  entry.details := jsonb_strip_nulls(details);
  insert into private.audit_log (actor_id, kind, action, object_id, object_name, people, before, after, details, searchable)
  values (
    actor_id, kind, action, object_id, entry.object_name,
    array(select distinct each from unnest(people) each where each is not null limit 5000),
    before, after, entry.details, private.audit_words(entry)
  );
end
$$;

revoke execute on all functions in schema private from public;
