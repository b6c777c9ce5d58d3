-- In the app an admin could place a legal hold only on groups of their own; they find every group by its name now. The list of holds
-- says who lifted one and why, as the archive has it. The lexicon refuses a phrase it has already; entries from before stay as they are.
-- Exceptions are taken out one after the other, as written: twenty entries with long ones, and ten messages made for them, took the
-- worker more than its minute at every try, and nothing was reviewed any more. A removed message's reason is no longer part of what
-- search_archive gives as said; it is with the versions, like what a message was before. Lists of members say who supervises. A file counts
-- as missing once the store said five times that it has none, not after five tries of any outcome; tries from before stay counted.

alter table private.lexicon_entries drop column excepted;

drop function public.list_members(text,text,integer,integer);
create function public.list_members(
  filter text default 'active', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, joined_at timestamptz,
  last_active_at timestamptz, status_changed_at timestamptz, sponsor_name text, can_supervise boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  stuck uuid[];
begin
  perform private.assert_admin();
  if filter = 'stuck' then
    stuck := array(select private.stuck_members());
  end if;
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.created_at, private.last_active_at(m.id),
    m.status_changed_at,
    (select private.display_name(s.first_name, s.last_name, s.email) from private.members s where s.id = m.sponsor_id),
    m.can_supervise
  from private.members m
  where m.status <> 'deleted' and private.member_matches(m, filter)
    and (filter <> 'stuck' or m.id = any (stuck))
    and (
      m.searchable like all (private.member_patterns(query))
      -- A hidden address is not in there, and an admin searches by it all the same.
      or m.email_audience <> 'everyone'
        and private.member_words(m.first_name, m.last_name, m.email) like all (private.member_patterns(query))
    )
  -- Who waits, the longest first.
  order by case when filter = 'waiting' then m.status_changed_at end, m.sort_name, m.id
  limit greatest(least(max_results, 200), 0) offset greatest(skip, 0);
end
$$;

create or replace function public.take_archive_files(max_results int default 20) returns table (path text, message_id uuid)
language sql security definer set search_path = ''
as $$
  update archive.files f set taken_at = now()
  where f.path in (
    select w.path from archive.files w
    where not w.is_recorded and coalesce(w.taken_at < now() - interval '10 minutes', true)
    order by w.taken_at nulls first, w.sent_at limit least(max_results, 100)
    for update skip locked
  )
  returning f.path, f.message_id
$$;

create or replace function public.record_archive_file(path text, sha256 text default null, bytes bigint default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  file archive.files;
  message public.chat_messages;
begin
  if sha256 is not null and (sha256 !~ '^[0-9a-f]{64}$' or bytes is null) then
    raise invalid_parameter_value using message = 'a file has a SHA-256 in hexadecimal and a size';
  end if;
  update archive.files f set
    tries = f.tries + case when sha256 is null then 1 else 0 end, is_recorded = sha256 is not null or f.tries >= 4
  where f.path = record_archive_file.path and not f.is_recorded
  returning * into file;
  if file.is_recorded is not true then
    return;
  end if;
  select * into message from public.chat_messages m where m.id = file.message_id;
  perform archive.record(
    'message.file',
    json_strip_nulls(json_build_object(
      'path', file.path, 'sha256', sha256, 'bytes', bytes, 'is_missing', case when sha256 is null then true end
    )),
    message.chat_id, file.message_id, message.sender_id, 'chat'
  );
end
$$;

drop function public.legal_holds();
create function public.legal_holds()
returns table (
  id uuid, member_id uuid, chat_id uuid, name text, reason text, placed_at timestamptz, placed_by uuid, placed_by_name text,
  lifted_at timestamptz, lifted_by_name text, lift_reason text
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select h.id, h.member_id, h.chat_id, coalesce(held.name, archive.name_of(m.first_name, m.last_name), c.name), h.reason, h.placed_at,
    h.placed_by, archive.name_of(p.first_name, p.last_name), h.lifted_at, archive.name_of(l.first_name, l.last_name),
    -- As the archive has it, for as long as it keeps such records.
    (
      select r.content ->> 'reason' from archive.records r where r.subject_id = h.id and r.kind = 'hold.lifted' limit 1
    )
  from archive.holds h
  left join private.members m on m.id = h.member_id
  -- By the name of the time, as long as the hold keeps the account.
  left join archive.waiting_erasures w on w.member_id = h.member_id and h.lifted_at is null
  left join lateral archive.named(w.member_id) held on true
  left join public.chats c on c.id = h.chat_id
  left join private.members p on p.id = h.placed_by
  left join private.members l on l.id = h.lifted_by
  order by h.lifted_at is not null, h.placed_at desc, h.id
  limit 500;
end
$$;

create function public.find_groups(query text default '', max_results integer default 50)
returns table (id uuid, title text, members bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select c.id, private.chat_title(c.id),
    (select count(*) from private.chat_participants p where p.chat_id = c.id and p.is_active)
  from public.chats c
  where c.type <> 'individual'
    and lower(private.without_accents(coalesce(c.name, ''))) like all (private.member_patterns(query))
  order by c.type = 'mandatory' desc, lower(c.name), c.id
  limit least(greatest(coalesce(max_results, 50), 1), 100);
end
$$;

create or replace function public.search_archive(
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

create function private.without_exceptions(words text, exceptions text[]) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  excepted text;
begin
  for excepted in
    select private.lexicon_words(each) from unnest(exceptions) each order by length(each) desc, each
  loop
    words := coalesce(regexp_replace(words, ' ' || excepted || '(?= )', ' |', 'g'), words);
  end loop;
  return words;
end
$$;

create or replace function private.lexicon_matches(entry private.lexicon_entries, words text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select strpos(words, entry.stem) > 0 and words ~ entry.pattern
    and (entry.exceptions = '{}' or private.without_exceptions(words, entry.exceptions) ~ entry.pattern)
$$;

create or replace function private.record_lexicon() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  ignored constant text[] := '{id,stem,pattern,created_at,updated_at,updated_by}';
  entry constant private.lexicon_entries := case tg_op when 'DELETE' then old else new end;
  one constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - ignored end;
  other constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - ignored end;
begin
  if one is distinct from other then
    perform archive.record(
      'review.lexicon', json_build_object('before', one, 'after', other), subject_id => entry.id, audience => 'nobody'
    );
    perform private.record_change(
      'supervision',
      case tg_op when 'INSERT' then 'lexicon_added' when 'DELETE' then 'lexicon_removed' else 'lexicon_changed' end,
      entry.id, entry.phrase, private.changed_values(jsonb_strip_nulls(one), coalesce(other, '{}')),
      private.changed_values(jsonb_strip_nulls(other), coalesce(one, '{}'))
    );
  end if;
  return null;
end
$$;

create or replace function public.save_lexicon_entry(
  entry_id uuid, language text, category text, phrase text, near text default null, within integer default 5,
  exceptions text[] default '{}', is_active boolean default true
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  new_pattern constant text := private.lexicon_pattern(phrase, nullif(private.trimmed(near), ''), within);
begin
  perform private.assert_supervisor();
  perform private.require_recent_proof();
  perform pg_advisory_xact_lock(hashtextextended('private.lexicon_entries', 0));
  if not exists (select from private.lexicon_entries e where e.id = entry_id)
    and (select count(*) from private.lexicon_entries) >= 1000
  then
    raise exception 'The lexicon has at most 1000 entries' using errcode = '23514';
  -- One that has it stays as it is, also if another had it before.
  elsif exists (select from private.lexicon_entries e where e.id <> entry_id and e.pattern = new_pattern)
    and not exists (select from private.lexicon_entries e where e.id = entry_id and e.pattern = new_pattern)
  then
    raise exception 'The lexicon has this phrase already' using errcode = '23505';
  end if;
  insert into private.lexicon_entries as e (id, language, category, phrase, near, within, exceptions, is_active, updated_by)
  values (
    entry_id, save_lexicon_entry.language, save_lexicon_entry.category, btrim(save_lexicon_entry.phrase),
    nullif(private.trimmed(save_lexicon_entry.near), ''), save_lexicon_entry.within,
    array(select btrim(each) from unnest(save_lexicon_entry.exceptions) each where not private.is_blank(each)),
    save_lexicon_entry.is_active, (select auth.uid())
  )
  on conflict (id) do update set
    language = excluded.language, category = excluded.category, phrase = excluded.phrase, near = excluded.near,
    within = excluded.within, exceptions = excluded.exceptions, is_active = excluded.is_active, updated_at = now(),
    updated_by = excluded.updated_by;
exception
  -- The constraint is named by the sentence that the caller is to read.
  when check_violation or not_null_violation then
    raise exception using errcode = sqlstate, message = coalesce(substring(sqlerrm from 'check constraint "(.*)"'), sqlerrm);
end
$$;

create or replace function public.review_item(item_id uuid)
returns table (
  id uuid, source text, member_id uuid, member_name text, leader_name text, chat_id uuid, chat_title text, message_id uuid,
  words text, record_seq bigint, caught jsonb, percent numeric, of_week date, report_reason text, report_note text, reporter_name text,
  occurred_at timestamptz, created_at timestamptz, assigned_to uuid, assigned_name text, outcome text, closed_at timestamptz,
  version integer, events jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  select i.id, i.source, i.member_id, private.member_name(i.member_id), private.member_name(i.leader_id), i.chat_id,
    private.chat_title(i.chat_id), i.message_id, private.words_to_review(r.content), i.record_seq, i.caught, i.percent, i.of_week, p.reason, p.note,
    private.member_name(i.reporter_id), i.occurred_at, i.created_at, i.assigned_to, private.member_name(i.assigned_to),
    i.outcome, i.closed_at, i.version,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'at', e.recorded_at, 'action', e.action, 'note', e.note, 'outcome', e.outcome,
        'actor', private.member_name(e.actor_id), 'assignee', private.member_name(e.assignee_id),
        'is_own', e.assignee_id = e.actor_id
      ) order by e.recorded_at, e.id)
      from (
        select * from private.review_events v where v.item_id = i.id order by v.recorded_at desc limit 200
      ) e
    ), '[]')
  from private.review_items i
  left join archive.records r on r.seq = i.record_seq
  left join private.reports p on p.id = i.report_id
  where i.id = item_id and private.may_review(i);
end
$$;

comment on function public.find_groups(pg_catalog.text,integer) is 'For admins: groups by their name, also those the caller is not in, to place a hold on. Not who is in them.';

revoke execute on function private.without_exceptions(text,text[]) from public;

revoke execute on function public.find_groups(text,integer) from anon;

revoke execute on function public.find_groups(text,integer) from public;

revoke execute on function public.find_groups(text,integer) from service_role;

revoke execute on function public.legal_holds() from anon;

revoke execute on function public.legal_holds() from public;

revoke execute on function public.legal_holds() from service_role;

revoke execute on function public.list_members(text,text,integer,integer) from anon;

revoke execute on function public.list_members(text,text,integer,integer) from public;

revoke execute on function public.list_members(text,text,integer,integer) from service_role;

drop function private.lexicon_exceptions(text[]);

comment on function public.legal_holds() is 'For admins: the legal holds, those that last first.';

comment on function public.list_members(pg_catalog.text,pg_catalog.text,integer,integer) is 'For admins: a page of members by first name. filter: active, new, stuck, admins, never_opened, silent, waiting (the longest first), suspended, removed, declined or all.';
