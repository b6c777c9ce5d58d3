-- A search says under which number the archive recorded it, so that an export can be made of the same search. A name that more
-- than 50 chats had is refused: the search looked into 50 of them and did not say so. No row changes.

create or replace function archive.chats_called(words text) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  found uuid[];
begin
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

drop function archive.record_look(text,text,json);
create function archive.record_look(kind text, reason text, criteria json) returns bigint
language plpgsql set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  if char_length(private.without_invisible(private.trimmed(reason))) < 3 or char_length(reason) > 500 then
    raise exception 'Say why you search, in 3 to 500 characters' using errcode = '22023';
  end if;
  perform archive.record(
    kind, json_build_object('reason', private.trimmed(reason), 'criteria', json_strip_nulls(criteria)), audience => 'admins'
  );
  return currval('archive.records_seq_seq');
end
$$;

drop function public.search_archive(text,text,text,text,text,timestamp with time zone,timestamp with time zone,bigint,integer);
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
  recorded_as bigint;
begin
  recorded_as := archive.record_look('search.made', search_archive.reason, json_build_object(
    'words', nullif(left(search_archive.words, 200), ''), 'person', nullif(left(search_archive.person, 200), ''),
    'chat', nullif(left(search_archive.chat, 200), ''), 'kind', nullif(left(search_archive.kind, 50), ''),
    'from', archive.utc(from_time), 'to', archive.utc(to_time), 'before', before_seq
  ));
  return query
  select r.seq, r.recorded_at, r.kind, r.actor_name, r.actor_email, r.actor_role,
    coalesce(r.content -> 'member' ->> 'name', case when r.member_id = r.actor_id then r.actor_name end),
    r.chat_id, archive.title_of(r.chat_id), r.subject_id,
    case when char_length(t.text) <= 400 then t.text else ts_headline(
      'pg_catalog.simple', left(t.text, 20000), typed, 'StartSel="", StopSel="", MaxWords=60, MinWords=40, ShortWord=2'
    ) end,
    case when r.kind like 'message.%' then archive.versions_of(r.subject_id) else '[]' end, recorded_as
  from archive.search(
    left(search_archive.words, 200), left(search_archive.person, 200), left(search_archive.chat, 200),
    left(search_archive.kind, 50), from_time, to_time, before_seq, least(greatest(coalesce(max_results, 50), 1), 50)
  ) r
  cross join lateral (select archive.text_of(r.content)) t (text);
end
$$;

comment on function public.search_archive(pg_catalog.text,pg_catalog.text,pg_catalog.text,pg_catalog.text,pg_catalog.text,timestamp with time zone,timestamp with time zone,bigint,integer) is 'For supervisors: records by words, person, chat, kind and time, the newest first, below before_seq. Each call is recorded with its reason, under the number search_seq.';

revoke execute on function archive.record_look(text,text,json) from public;

revoke execute on function public.search_archive(text,text,text,text,text,timestamp with time zone,timestamp with time zone,bigint,integer) from anon;

revoke execute on function public.search_archive(text,text,text,text,text,timestamp with time zone,timestamp with time zone,bigint,integer) from public;

revoke execute on function public.search_archive(text,text,text,text,text,timestamp with time zone,timestamp with time zone,bigint,integer) from service_role;
