-- Exceptions of the lexicon reached across the ends of clauses: with "no guarantee*" as one, "Any risk? No. Guaranteed returns!" was caught
-- by nothing. They hold within a clause now. What an entry caught leaves out what its reader wrote, who could tell from the sum what was
-- decided about themselves. A member who sends a long phrase is refused before any work. A supervisor whose right ends while a decision waits
-- for another decides nothing, and a chat that is being deleted is not held. A supervisor reads what
-- was said around a message that the archive's search found, and finds groups by who is in them. No rows change: phrases and patterns are as
-- they were, and looks from before show the whole chat, or what was said around their item.

comment on function public.look_at_chat(pg_catalog.uuid,pg_catalog.text,pg_catalog.uuid) is null;

alter table private.lexicon_entries drop constraint "Phrase needs letters or digits";

drop function private.lexicon_matches(private.lexicon_entries,text);

drop function public.look_at_chat(uuid,text,uuid);

create or replace function public.place_legal_hold(
  reason text, member_id uuid default null, chat_id uuid default null, hold_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  perform private.require_recent_proof();
  if member_id is not null and not exists (select from private.members m where m.id = place_legal_hold.member_id) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  if chat_id is not null then
    -- One that is being deleted is gone before it is held.
    perform from public.chats c where c.id = place_legal_hold.chat_id for key share;
    if not found then
      raise exception 'This chat no longer exists' using errcode = 'PT404';
    end if;
  end if;
  insert into archive.holds (id, member_id, chat_id, reason, placed_by)
  values (hold_id, place_legal_hold.member_id, place_legal_hold.chat_id, btrim(place_legal_hold.reason), (select auth.uid()))
  on conflict do nothing;
  if found then
    perform archive.record(
      'hold.placed', json_build_object('reason', btrim(place_legal_hold.reason)), place_legal_hold.chat_id, hold_id,
      place_legal_hold.member_id
    );
    perform archive.record_hold_change('hold_placed', hold_id, btrim(place_legal_hold.reason));
  elsif not exists (
    select from archive.holds h
    where h.id = hold_id and h.lifted_at is null
      and (h.member_id, h.chat_id) is not distinct from (place_legal_hold.member_id, place_legal_hold.chat_id)
  ) then
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  end if;
  return hold_id;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create function private.plain_clauses(words text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select ' ' || btrim(regexp_replace(
    replace(replace(regexp_replace(
      translate(
        lower(case
          -- ASCII has none of all this.
          when octet_length(words) = char_length(words) then left(words, 8000)
          else private.without_accents(normalize(regexp_replace(
            normalize(private.without_invisible(left(words, 8000)), NFKD),
            -- Marks above, below and across letters.
            '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g'
          ), NFKC))
        end),
        -- Fillers look like spaces and are letters.
        chr(4447) || chr(4448) || '|''`´’‘', '   '
      ),
      -- Not the point in 12.5, nor the hyphen in risk-free.
      '[.,:;?!](?![[:alnum:]%$])|-(?=\s)|[()[\]{}–—¡¿\n\r\u2028\u2029\u3002]', ' | ', 'g'
      ), '%', ' % '), '$', ' $ '
    ), '[^[:alnum:]%$|]+', ' ', 'g'
  )) || ' '
$$;

create function private.words_of_clauses(clauses text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select replace(clauses, ' |', '') $$;

create or replace function private.plain_words(words text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select private.words_of_clauses(private.plain_clauses(words)) $$;

drop function private.without_exceptions(text,text[]);
create function private.without_exceptions(clauses text, exceptions text[]) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  excepted text;
begin
  for excepted in
    select private.lexicon_words(each) from unnest(exceptions) each order by length(each) desc, each
  loop
    clauses := coalesce(regexp_replace(clauses, ' ' || excepted || '(?= )', ' #', 'g'), clauses);
  end loop;
  return private.words_of_clauses(clauses);
end
$$;

create function private.lexicon_matches(entry private.lexicon_entries, words text, clauses text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select strpos(words, entry.stem) > 0 and words ~ entry.pattern
    and (entry.exceptions = '{}' or private.without_exceptions(clauses, entry.exceptions) ~ entry.pattern)
$$;

create or replace function public.lexicon()
returns table (
  id uuid, language text, category text, phrase text, near text, within integer, exceptions text[], is_active boolean,
  updated_at timestamptz, updated_by uuid, caught bigint, violations bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.assert_supervisor();
  return query
  with counted as (
    select (label ->> 'id')::uuid as entry_id, count(*) as items, count(*) filter (where i.outcome = 'violation') as bad
    from private.review_items i cross join jsonb_array_elements(i.caught) label
    -- Nobody learns from a sum what was decided about themselves.
    where i.source = 'lexicon' and i.created_at > now() - interval '90 days' and i.member_id <> me
    group by 1
  )
  select e.id, e.language, e.category, e.phrase, e.near, e.within, e.exceptions, e.is_active, e.updated_at, e.updated_by,
    coalesce(c.items, 0), coalesce(c.bad, 0)
  from private.lexicon_entries e left join counted c on c.entry_id = e.id
  order by e.category, e.language, e.phrase, e.id
  limit 1000;
end
$$;

create or replace function public.save_lexicon_entry(
  entry_id uuid, language text, category text, phrase text, near text default null, within integer default 5,
  exceptions text[] default '{}', is_active boolean default true
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  new_pattern text;
begin
  perform private.assert_supervisor();
  perform private.require_recent_proof();
  if char_length(phrase) > 200 or char_length(near) > 200 then
    raise exception 'Phrase is at most 100 characters' using errcode = '23514';
  end if;
  new_pattern := private.lexicon_pattern(phrase, nullif(private.trimmed(near), ''), within);
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

create or replace function public.test_lexicon(words text)
returns table (id uuid, category text, phrase text, near text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  clauses text;
  plain text;
begin
  perform private.assert_supervisor();
  clauses := private.plain_clauses(left(test_lexicon.words, 4000));
  plain := private.words_of_clauses(clauses);
  return query
  select e.id, e.category, e.phrase, e.near from private.lexicon_entries e
  where e.is_active and private.lexicon_matches(e, plain, clauses)
  order by e.category, e.phrase limit 100;
end
$$;

create or replace function private.review_part(
  seal archive.seals, after_seq bigint, seed text, team_percent numeric, out added integer, out last_seq bigint
)
language plpgsql security definer set search_path = ''
as $$
declare
  zone constant text := (select s.time_zone from public.team_settings s);
  -- So many characters, fewer for a lexicon larger than the 130 entries that come with it.
  most constant bigint := 6500000 / (select greatest(count(*), 130) from private.lexicon_entries e where e.is_active);
  items private.review_items[];
begin
  with part as materialized (
    select r.seq, r.recorded_at, r.kind, r.subject_id, r.chat_id, r.member_id, said.words, char_length(said.words) as length
    from (
      -- What a team had before it had an archive is not gone through. The limit stands twice so that no more is read.
      (
        select * from archive.records
        where seq between greatest(seal.from_seq, after_seq + 1) and seal.to_seq and not seal.open @> seq
          and kind in ('message.sent', 'message.edited') and member_id is not null and content ->> 'snapshot' is null
        order by seq limit 250
      )
      union all
      select * from archive.records
      where seq = any (seal.late) and seq > after_seq
        and kind in ('message.sent', 'message.edited') and member_id is not null and content ->> 'snapshot' is null
      order by seq limit 250
    ) r
    cross join lateral (
      select concat_ws(' ', r.content ->> 'text', r.content -> 'attachment' ->> 'name') as words
    ) said
  ), folded as materialized (
    select p.seq, p.recorded_at, p.kind, p.subject_id, p.chat_id, p.member_id, private.plain_clauses(p.words) as clauses
    from (select *, sum(part.length) over (order by part.seq) - part.length as before from part) p
    where p.before < most
  ), authors as materialized (
    select each.member_id, s.leader_id, s.percent
    from (select distinct f.member_id from folded f) each
    cross join lateral private.author_sampling(each.member_id, team_percent) s
  ), batch as materialized (
    select p.seq, p.recorded_at, p.kind, p.subject_id, p.chat_id, p.member_id, a.leader_id, a.percent, p.clauses,
      private.words_of_clauses(p.clauses) as words,
      case p.kind when 'message.sent' then private.sample_draw(p.seq, seed) end as draw
    -- Folding makes several of some characters.
    from (select *, sum(char_length(f.clauses)) over (order by f.seq) - char_length(f.clauses) as before from folded f) p
    join authors a on a.member_id = p.member_id
    where p.before < most
  ), weeks as (
    select date_trunc('week', b.recorded_at at time zone zone)::date as week, b.leader_id, count(*) as messages,
      bool_or(private.is_drawn(b.draw, b.percent)) as is_covered,
      (array_agg(b.seq order by b.draw, b.seq) filter (where b.percent > 0))[1] as lowest_seq
    from batch b where b.kind = 'message.sent' group by 1, 2
  ), counted as (
    insert into private.review_weeks as w (week, leader_id, messages, is_covered, spare_seq)
    select n.week, n.leader_id, n.messages, n.is_covered, case when not n.is_covered then n.lowest_seq end from weeks n
    on conflict on constraint review_weeks_key do update set
      messages = w.messages + excluded.messages,
      is_covered = w.is_covered or excluded.is_covered,
      spare_seq = case
        when w.is_covered or excluded.is_covered then null
        when private.sample_draw(w.spare_seq, seed) <= private.sample_draw(excluded.spare_seq, seed) then w.spare_seq
        else coalesce(excluded.spare_seq, w.spare_seq)
      end
  ), entries as materialized (
    -- Most entries are in none of the messages, which one look over all of them shows.
    select e from private.lexicon_entries e where e.is_active and strpos((select string_agg(b.words, '') from batch b), e.stem) > 0
  ), found as (
    select 'lexicon' as source, b.subject_id, max(b.seq) as seq, jsonb_agg(distinct private.lexicon_label(n.e)) as caught
    from entries n join batch b on private.lexicon_matches(n.e, b.words, b.clauses)
    group by b.subject_id
    union all
    select 'sample', b.subject_id, max(b.seq), '[]' from batch b where private.is_drawn(b.draw, b.percent) group by b.subject_id
  ), queued as (
    insert into private.review_items as i (
      source, message_id, chat_id, member_id, leader_id, record_seq, caught, percent, occurred_at
    )
    select f.source, f.subject_id, b.chat_id, b.member_id, b.leader_id, f.seq, f.caught,
      case f.source when 'sample' then b.percent end, b.recorded_at
    from found f join batch b on b.seq = f.seq
    where not exists (
      select from private.review_items known
      where known.message_id = f.subject_id and known.source = f.source and known.record_seq >= f.seq
    )
    order by f.seq
    on conflict (source, message_id) where source <> 'report' and closed_at is null do update set
      record_seq = excluded.record_seq, version = i.version + 1, caught = (
        select jsonb_agg(distinct label) from jsonb_array_elements(i.caught || excluded.caught) label
      )
    returning i
  )
  select coalesce(array_agg(q.i), '{}'), (select max(b.seq) from batch b) into items, last_seq from queued q;
  added := private.record_queued(items);
end
$$;

create or replace function private.item_to_review(item_id uuid, if_version integer) returns private.review_items
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  perform private.assert_supervisor();
  select * into item from private.review_items i where i.id = item_id for update;
  -- They may have waited for it while the right was taken from them.
  perform private.assert_supervisor();
  if item.id is null then
    raise exception 'There is no such item' using errcode = 'PT404';
  elsif not private.may_review(item) then
    raise exception 'Somebody else has to review this' using errcode = '42501';
  elsif if_version <> item.version then
    raise exception 'Another supervisor has changed this meanwhile' using errcode = 'PT409';
  end if;
  return item;
end
$$;

create function private.look_around(chat_id uuid, sent bigint, out from_seq bigint, out to_seq bigint)
language sql stable security definer set search_path = ''
as $$
  select
    coalesce((
      select min(b.seq) from (
        select r.seq from archive.records r
        where r.chat_id = look_around.chat_id and r.kind = 'message.sent' and r.seq < sent order by r.seq desc limit 20
      ) b
    ), sent),
    coalesce((
      select max(a.seq) from (
        select r.seq from archive.records r
        where r.chat_id = look_around.chat_id and r.kind = 'message.sent' and r.seq > sent order by r.seq limit 20
      ) a
    ), sent)
$$;

create function public.look_at_chat(
  chat_id uuid, reason text, look_id uuid default gen_random_uuid(), message_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  sent bigint;
begin
  perform private.assert_supervisor();
  sent := private.sent_seq(look_at_chat.chat_id, message_id);
  if not exists (select from public.chats c where c.id = look_at_chat.chat_id) then
    raise exception 'This chat no longer exists' using errcode = 'PT404';
  end if;
  insert into private.looks (id, supervisor_id, chat_id, reason, from_seq, to_seq)
  select look_id, (select auth.uid()), look_at_chat.chat_id, private.trimmed(look_at_chat.reason),
    coalesce(around.from_seq, 0), coalesce(around.to_seq, 9223372036854775807)
  from private.look_around(look_at_chat.chat_id, sent) around
  on conflict (id) do nothing;
  if not found and not exists (
    select from private.looks l
    where l.id = look_id and l.supervisor_id = (select auth.uid()) and l.chat_id = look_at_chat.chat_id
  ) then
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  end if;
  return look_id;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create or replace function public.open_review_item(item_id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
  me constant uuid := (select auth.uid());
  look uuid;
  sent bigint;
begin
  item := private.item_to_review(item_id, null);
  sent := private.sent_seq(item.chat_id, item.message_id, item.record_seq);
  if sent is null then
    return null;
  end if;
  select l.id into look from private.looks l
  where l.supervisor_id = me and l.chat_id = item.chat_id and l.item_id = item.id and l.expires_at > now() limit 1;
  if look is null then
    insert into private.looks (id, supervisor_id, chat_id, reason, item_id, from_seq, to_seq)
    select gen_random_uuid(), me, item.chat_id, 'Review: ' || item.source, item.id, around.from_seq, around.to_seq
    from private.look_around(item.chat_id, sent) around
    returning id into look;
  end if;
  return look;
end
$$;

create or replace function private.look_shows_image(object_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_supervisor() and exists (
    select from archive.files f
    join private.looks l on l.chat_id = private.chat_of_image(f.path)
    where f.path = object_name and l.supervisor_id = (select auth.uid()) and l.expires_at > now()
      and (l.to_seq = 9223372036854775807 or exists (
        select from archive.records r
        where r.chat_id = l.chat_id and r.seq between l.from_seq and l.to_seq and r.kind = 'message.sent' and r.subject_id = f.message_id
      ))
  )
$$;

create or replace function public.find_chats(query text default '', max_results integer default 50)
returns table (id uuid, type text, title text, members bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
begin
  perform private.assert_supervisor();
  return query
  select c.id, c.type, private.chat_title(c.id),
    (select count(*) from private.chat_participants p where p.chat_id = c.id and p.is_active)
  from public.chats c
  where patterns = '{}' and c.type <> 'individual'
    or patterns <> '{}' and lower(private.without_accents(coalesce(c.name, ''))) like all (patterns)
    or patterns <> '{}' and c.type <> 'mandatory' and c.id in (
      select p.chat_id from private.chat_participants p
      where p.user_id in (
        select m.id from private.members m
        where private.member_words(m.first_name, m.last_name, '') like all (patterns) order by m.sort_name, m.id limit 20
      )
    )
  order by lower(private.without_accents(coalesce(c.name, ''))) like all (patterns) desc, c.type = 'mandatory' desc,
    c.type = 'group' desc, c.created_at desc, c.id
  limit least(greatest(coalesce(max_results, 50), 1), 100);
end
$$;

comment on function public.find_chats(pg_catalog.text,integer) is 'For supervisors: all groups, or chats by their name or by the name of who is in them.';

comment on function public.lexicon() is 'For supervisors: the lexicon, with what each entry caught in the last 90 days and how much of that was a violation, but for what the caller wrote.';

comment on function public.look_at_chat(pg_catalog.uuid,pg_catalog.text,pg_catalog.uuid,pg_catalog.uuid) is 'For supervisors: begins a look of an hour at any chat, or at a message of it and what was said around it, with its reason. It is recorded.';

alter table private.lexicon_entries add constraint "Phrase needs a word of two letters or digits" CHECK (((COALESCE(private.lexicon_words(phrase), ''::text) ~ '[[:alnum:]]{2}'::text) AND ((near IS NULL) OR (private.lexicon_words(near) IS NOT NULL))));

revoke execute on function private.lexicon_matches(private.lexicon_entries,text,text) from public;

revoke execute on function private.look_around(uuid,bigint) from public;

revoke execute on function private.plain_clauses(text) from public;

revoke execute on function private.without_exceptions(text,text[]) from public;

revoke execute on function private.words_of_clauses(text) from public;

revoke execute on function public.look_at_chat(uuid,text,uuid,uuid) from anon;

revoke execute on function public.look_at_chat(uuid,text,uuid,uuid) from public;

revoke execute on function public.look_at_chat(uuid,text,uuid,uuid) from service_role;
