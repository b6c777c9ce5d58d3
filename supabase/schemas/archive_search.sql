-- Search in the archive: everything that was ever said, in every version. The index is a table of its own that the worker
-- fills from sealed records, so that a message does not pay for it. Whom, where and what kind a record is about are entries of
-- the same index as its words: however criteria are combined, one index answers.

-- What somebody wrote in a record, in any of its versions, with names of chats and files and titles of notices.
create function archive.text_of(content json) returns text
language sql immutable parallel safe
return concat_ws(
  E'\n', nullif(content ->> 'text', ''), case when json_typeof(content -> 'before') = 'string' then content ->> 'before' end,
  content ->> 'reason', content ->> 'note', content ->> 'title', content ->> 'name',
  content -> 'after' ->> 'title', content -> 'after' ->> 'text', content -> 'attachment' ->> 'name'
);

-- Supervisors search what the team said and who belonged where. What supervision, leaders and members note about each other
-- (reports, reviews, looks, searches, holds, blocks) is in the owner's export alone: it may be about the supervisor.
create function archive.is_searched(kind text) returns boolean
language sql immutable parallel safe
return split_part(kind, '.', 1) in ('message', 'reaction', 'notice', 'chat', 'member');

-- The words of a file's name count one by one as well: "returns_2026.pdf" would else be a single one.
create function archive.words_of(r archive.records) returns tsvector
language sql immutable parallel safe
return private.message_words(private.without_invisible(concat_ws(
  ' ', archive.text_of((r).content), translate((r).content -> 'attachment' ->> 'name', '_.-', '   ')
)));

-- No word begins with a colon, not even the beginning of one that is searched. Kinds are found whole and by the word before the dot.
create function archive.search_terms(r archive.records) returns tsvector
language sql immutable parallel safe
return archive.words_of(r) || array_to_tsvector(array_remove(array[
  ':person:' || (r).actor_id::text, ':person:' || (r).member_id::text, ':chat:' || (r).chat_id::text, ':kind:' || (r).kind,
  ':kind:' || split_part((r).kind, '.', 1)
], null));

create table archive.search_entries (
  seq bigint primary key,
  recorded_at timestamptz not null,
  terms tsvector not null
);
comment on table archive.search_entries is 'What sealed records are found by. Follows from them, and proves nothing.';
create index search_terms on archive.search_entries using gin (terms);
create index search_times on archive.search_entries (recorded_at, seq);
alter table archive.search_entries enable row level security;

create table archive.search_state (
  is_only_row boolean primary key default true check (is_only_row),
  last_seal bigint not null default 0,
  to_seq bigint not null default 0
);
comment on table archive.search_state is 'The last seal whose records are in archive.search_entries.';
insert into archive.search_state default values;
alter table archive.search_state enable row level security;

create function public.index_archive(max_seals int default 20) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  seal archive.seals;
  added integer;
  records integer := 0;
  seals integer := 0;
  most constant integer := least(greatest(max_seals, 1), 100);
begin
  if not pg_try_advisory_xact_lock(hashtextextended('archive: search', 0)) then
    return jsonb_build_object('records', 0, 'is_done', true);
  end if;
  for seal in
    select s.* from archive.seals s
    where s.number > (select p.last_seal from archive.search_state p) order by s.number limit most
  loop
    insert into archive.search_entries (seq, recorded_at, terms)
    select r.seq, r.recorded_at, archive.search_terms(r)
    from archive.records r
    where (r.seq between seal.from_seq and seal.to_seq or r.seq = any (seal.late)) and archive.is_searched(r.kind)
    on conflict do nothing;
    get diagnostics added = row_count;
    records := records + added;
    seals := seals + 1;
    update archive.search_state set last_seal = seal.number, to_seq = seal.to_seq;
  end loop;
  return jsonb_build_object('records', records, 'is_done', seals < most);
end
$$;
comment on function public.index_archive is
  'For servers, after sealing: makes sealed records searchable. Call it again soon while it is not done.';

-- Everybody of whose names and addresses, of any time, one has all these words; also those who left. Null if nobody is asked for.
create function archive.people_called(words text) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(words);
  found uuid[];
begin
  if private.is_blank(words) then
    return null;
  end if;
  found := array(
    select distinct r.member_id from archive.records r
    where r.chat_id is null and r.kind in ('member.joined', 'member.changed', 'member.left')
      and lower(private.without_accents(concat_ws(
        ' ', r.content ->> 'name', r.content ->> 'email', r.content -> 'before' ->> 'name', r.content -> 'before' ->> 'email',
        r.content -> 'after' ->> 'name', r.content -> 'after' ->> 'email'
      ))) like all (patterns)
    limit 21
  );
  if cardinality(found) > 20 then
    raise exception 'More than 20 people are called this' using errcode = '22023';
  end if;
  return found;
end
$$;

-- By a part of any name it ever had, or by the id; also chats that are gone. Null if none is asked for.
create function archive.chats_called(words text) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  found uuid[];
begin
  if private.is_blank(words) then
    return null;
  end if;
  if words ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return array[words::uuid];
  end if;
  found := array(
    select distinct r.chat_id from archive.records r
    where r.kind in ('chat.created', 'chat.renamed')
      and strpos(lower(private.without_accents(r.content ->> 'name')), lower(private.without_accents(btrim(words)))) > 0
    limit 51
  );
  if cardinality(found) > 50 then
    raise exception 'More than 50 chats are called this' using errcode = '22023';
  end if;
  return found;
end
$$;

create function archive.any_term(prefix text, ids uuid[]) returns tsquery
language sql immutable set search_path = ''
as $$ select string_agg(quote_literal(prefix || id), ' | ')::tsquery from unnest(ids) id $$;

-- The newest first, below `before_seq`. Looks into a part of the archive that grows as long as too little is found, so
-- that a word that is everywhere costs no more than one that is rare.
create function archive.search(
  words text, people uuid[], chats uuid[], kind text, from_time timestamptz, to_time timestamptz, before_seq bigint, most integer
) returns setof archive.records
language plpgsql stable set search_path = ''
as $$
declare
  indexed constant bigint := (select p.to_seq from archive.search_state p);
  first_time constant timestamptz := coalesce(from_time, '-infinity');
  end_time constant timestamptz := coalesce(to_time, 'infinity');
  wanted tsquery;
  term tsquery;
  low bigint := 1;
  top bigint := least(nullif(before_seq, (-9223372036854775808)::bigint) - 1, 9223372036854775806);
  breadth bigint := 20000;
  given integer := 0;
  step integer;
begin
  foreach term in array array[
    case when not private.is_blank(words) then private.message_query(private.without_invisible(words)) end,
    case when people is not null then coalesce(archive.any_term(':person:', people), '') end,
    case when chats is not null then coalesce(archive.any_term(':chat:', chats), '') end,
    case when not private.is_blank(kind) then quote_literal(':kind:' || regexp_replace(kind, '[^a-z._]', '', 'g'))::tsquery end
  ] loop
    continue when term is null;
    -- Nobody is called this, or nothing but words that say nothing.
    if numnode(term) = 0 then
      return;
    end if;
    wanted := case when wanted is null then term else wanted && term end;
  end loop;
  if (select count(*) from (select from archive.records r where r.seq > indexed limit 5001) waiting) > 5000 then
    raise exception 'The archive is still being prepared for searching' using errcode = 'PT503';
  end if;

  -- What the worker has not come to yet.
  return query
  select r.* from archive.records r
  where r.seq > indexed and r.seq <= coalesce(top, r.seq)
    and r.recorded_at >= first_time and r.recorded_at < end_time and archive.is_searched(r.kind)
    and (wanted is null or archive.search_terms(r) @@ wanted)
  order by r.seq desc limit most;
  get diagnostics given = row_count;

  top := least(top, indexed);
  if from_time is not null or to_time is not null then
    select least(top, max(e.seq)), coalesce(min(e.seq), top + 1) into top, low
    from archive.search_entries e where e.recorded_at >= first_time and e.recorded_at < end_time;
  end if;
  while given < most and top >= low loop
    -- Executed dynamically, so that each step is planned for these words.
    return query execute $search$
      with found as materialized (
        select e.seq from archive.search_entries e
        where e.seq between $1 and $2 and e.recorded_at >= $3 and e.recorded_at < $4 and ($5 is null or e.terms @@ $5)
      ), newest as (
        select f.seq from found f order by f.seq desc limit $6
      )
      select r.* from newest n join archive.records r on r.seq = n.seq order by r.seq desc
    $search$ using greatest(low, top - breadth + 1), top, first_time, end_time, wanted, most - given;
    get diagnostics step = row_count;
    given := given + step;
    top := top - breadth;
    breadth := breadth * 4;
  end loop;
end
$$;

-- What became of a message after it was sent.
create function archive.versions_of(message_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'seq', v.seq, 'recorded_at', archive.utc(v.recorded_at), 'kind', v.kind, 'actor_name', v.actor_name,
    'before', left(v.content ->> 'before', 1000), 'text', left(v.content ->> 'text', 1000),
    'reason', left(v.content ->> 'reason', 1000)
  )) order by v.seq), '[]')
  from (
    select r.* from archive.records r
    where r.subject_id = message_id and r.kind in (
      'message.edited', 'message.deleted', 'message.restored', 'message.removed', 'message.changed', 'message.erased'
    )
    order by r.seq limit 20
  ) v
$$;

-- Direct chats have no name: who is in them. A chat that is gone has its last one.
create function archive.title_of(chat_id uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    (select nullif(c.name, '') from public.chats c where c.id = title_of.chat_id),
    (
      select nullif(r.content ->> 'name', '') from archive.records r
      where r.chat_id = title_of.chat_id and r.kind in ('chat.created', 'chat.renamed') order by r.seq desc limit 1
    ),
    (
      select string_agg(distinct p.name, ', ') from (
        select coalesce(r.content -> 'member' ->> 'name', r.actor_name) as name from archive.records r
        where r.chat_id = title_of.chat_id and r.kind = 'chat.joined' order by r.member_id limit 2
      ) p
    ), ''
  )
$$;

-- What a search is for, by whom and about whom: names are looked up once, so that an export of the search means the same people
-- and chats. Returns the number of the record.
create function archive.record_look(
  record_kind text, reason text, words text, person text, chat text, kind text, from_time timestamptz, to_time timestamptz,
  before_seq bigint, out people uuid[], out chats uuid[], out recorded_as bigint
)
language plpgsql set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  if char_length(private.without_invisible(private.trimmed(reason))) < 3 or char_length(reason) > 500 then
    raise exception 'Say why you search, in 3 to 500 characters' using errcode = '22023';
  elsif from_time not between '0001-01-01' and '9999-12-31' or to_time not between '0001-01-01' and '9999-12-31' then
    raise datetime_field_overflow using message = 'times are from the years 1 to 9999';
  end if;
  people := archive.people_called(left(person, 200));
  chats := archive.chats_called(left(chat, 200));
  perform archive.record(
    record_kind, json_build_object('reason', private.trimmed(reason), 'criteria', json_strip_nulls(json_build_object(
      'words', nullif(left(words, 200), ''), 'person', nullif(left(person, 200), ''), 'people', people,
      'chat', nullif(left(chat, 200), ''), 'chats', chats, 'kind', nullif(left(kind, 50), ''),
      'from', archive.utc(from_time), 'to', archive.utc(to_time), 'before', before_seq
    ))), audience => 'admins'
  );
  recorded_as := currval('archive.records_seq_seq');
end
$$;

create function public.search_archive(
  reason text, words text default null, person text default null, chat text default null, kind text default null,
  from_time timestamptz default null, to_time timestamptz default null, before_seq bigint default null,
  max_results int default 50
) returns table (
  seq bigint, recorded_at timestamptz, record_kind text, actor_name text, actor_email text, actor_role text,
  member_name text, chat_id uuid, chat_title text, subject_id uuid, said text, versions jsonb, search_seq bigint
)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  typed constant tsquery := private.message_query(coalesce(search_archive.words, ''));
  look record;
begin
  look := archive.record_look(
    'search.made', search_archive.reason, search_archive.words, search_archive.person, search_archive.chat, search_archive.kind,
    from_time, to_time, before_seq
  );
  return query
  select r.seq, r.recorded_at, r.kind, r.actor_name, r.actor_email, r.actor_role,
    coalesce(r.content -> 'member' ->> 'name', case when r.member_id = r.actor_id then r.actor_name end),
    r.chat_id, archive.title_of(r.chat_id), r.subject_id,
    case when char_length(t.text) <= 400 then t.text else ts_headline(
      'pg_catalog.simple', left(t.text, 20000), typed, 'StartSel="", StopSel="", MaxWords=60, MinWords=40, ShortWord=2'
    ) end,
    case when r.kind like 'message.%' then archive.versions_of(r.subject_id) else '[]' end, look.recorded_as
  from archive.search(
    left(search_archive.words, 200), look.people, look.chats, left(search_archive.kind, 50), from_time, to_time,
    before_seq, least(greatest(coalesce(max_results, 50), 1), 50)
  ) r
  -- What a message was before, and why it was removed, is with its versions.
  cross join lateral (
    select archive.text_of(case when r.kind like 'message.%' then (r.content::jsonb - '{before,reason}'::text[])::json else r.content end)
  ) t (text);
end
$$;
comment on function public.search_archive is
  'For supervisors: records by words, person, chat, kind and time, the newest first, below before_seq. Each call is recorded with its reason, under the number search_seq.';

create function public.export_search(
  reason text, words text default null, person text default null, chat text default null, kind text default null,
  from_time timestamptz default null, to_time timestamptz default null, before_seq bigint default null,
  max_results int default 500
) returns table (seq bigint, line text)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  look record;
begin
  look := archive.record_look(
    'export.page', export_search.reason, export_search.words, export_search.person, export_search.chat, export_search.kind,
    from_time, to_time, before_seq
  );
  return query
  select r.seq, archive.line(r)
  from archive.search(
    left(export_search.words, 200), look.people, look.chats, left(export_search.kind, 50), from_time, to_time,
    before_seq, least(greatest(coalesce(max_results, 500), 1), 500)
  ) r;
end
$$;
comment on function public.export_search is
  'For supervisors: what search_archive finds, as the lines that were hashed. Each page is recorded with its reason.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.index_archive, public.search_archive, public.export_search
from public, anon, authenticated, service_role;
grant execute on function public.index_archive to service_role;
grant execute on function public.search_archive, public.export_search to authenticated;
