-- Finding messages at any size. An index of words answers for a rare word whatever the size of the history, but for a common
-- one it lists half of it, so a common word is looked for among the newest messages of the caller's chats instead. Which it is
-- the planner's statistics of the index say. See docs/decisions/023-search.md.

-- The most common words of messages, and in how many they were at the last ANALYZE.
create function private.common_words() returns table (lexeme text, messages double precision)
language sql stable set search_path = ''
as $$
  select e.lexeme, e.frequency * c.reltuples
  from pg_catalog.pg_class c
  join pg_catalog.pg_stats s on s.schemaname = 'public' and s.tablename = c.relname
  cross join lateral unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e (lexeme, frequency)
  where c.oid = 'public.chat_messages_words'::regclass and e.lexeme is not null
$$;

-- The word with one letter wrong, missing, too many, or swapped with the next, as the beginning of a word.
create function private.near_pattern(word text) returns text
language sql immutable set search_path = ''
as $$
  select case when word !~ '^[[:alnum:]]{4,20}$' then '\m' || regexp_replace(word, '[^[:alnum:]]', '.', 'g')
    else '\m(' || string_agg(concat_ws('|',
      left(word, n - 1) || '\w' || substr(word, n + 1),
      left(word, n) || '\w' || substr(word, n + 1),
      case when length(word) > 4 then left(word, n - 1) || substr(word, n + 1) end,
      left(word, n - 1) || substr(word, n + 1, 1) || substr(word, n, 1) || substr(word, n + 2)
    ), '|') || ')' end
  from generate_series(1, length(word)) n
$$;

-- What of a word one wrong letter leaves: one of its halves, or both where the letters between them are swapped. Far cheaper to
-- look for than near_pattern().
create function private.near_parts(word text) returns text[]
language sql immutable set search_path = ''
as $$
  select case when word !~ '^[[:alnum:]]{4,20}$' then array['%' || regexp_replace(word, '[^[:alnum:]]', '_', 'g') || '%'] else array[
    '%' || left(word, half) || '%', '%' || substr(word, half + 1) || '%',
    '%' || left(word, half - 1) || substr(word, half + 1, 1) || substr(word, half, 1) || '%'
  ] end
  from (select length(word) / 2 as half) h
$$;

-- Chats whose messages the caller finds: current ones, without those of two with a blocked person.
create function private.my_searched_chats() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  blocked constant uuid[] := private.blocked_by(me);
begin
  return array(
    select c.id from private.my_chat_ids() mine join public.chats c on c.id = mine
    where c.is_active and (c.type <> 'individual' or blocked = '{}' or not exists (
      select from private.chat_participants p where p.chat_id = c.id and p.user_id = any (blocked)
    ))
  );
end
$$;

-- The newest messages of chats, and from when on these are all there are; null: all. A first look at each chat says how busy
-- they are, and so how far back the second one goes; both together read a few times as many entries of the index as wanted.
create function private.newest_messages(
  chats uuid[], senders uuid[], until timestamptz, has_image boolean, most integer, out ids uuid[], out since timestamptz
)
language plpgsql stable set search_path = ''
as $$
declare
  looked_at constant integer := case when senders is null then most else 4 * most end;
  share constant integer := least(looked_at, greatest(3, 2 * looked_at / greatest(cardinality(chats), 1)));
begin
  execute format($search$
    with first_look as (
      select chat, r.* from unnest($1) chat cross join lateral (
        select m.id, m.sent_at, m.sender_id, m.is_deleted from public.chat_messages m
        where m.chat_id = chat and m.sent_at < $3 %1$s order by m.sent_at desc, m.id desc limit $6
      ) r
    ), busy as (
      select f.chat, $6 / greatest(extract(epoch from max(f.sent_at) - min(f.sent_at)), 1) as pace, max(f.sent_at) as latest
      from first_look f group by f.chat having count(*) = $6
    ), reach as (
      select sum(b.pace) as pace, max(b.latest) - make_interval(secs => ($4 / sum(b.pace))::float) as since from busy b
    ), second_look as (
      select r.*, r.count = c.cap as is_cut
      from busy b cross join reach
      cross join lateral (select $6 + ceil(3 * $4 * b.pace / reach.pace)::integer as cap) c
      cross join lateral (
        select m.*, min(m.sent_at) over () as since, count(*) over () as count from (
          select m.id, m.sent_at, m.sender_id, m.is_deleted from public.chat_messages m
          where m.chat_id = b.chat and m.sent_at < $3 and m.sent_at >= reach.since %1$s
          order by m.sent_at desc, m.id desc limit c.cap
        ) m
      ) r
    ), bound as (
      select greatest((select r.since from reach r), (select max(l.since) from second_look l where l.is_cut)) as since
    ), newest as (
      select l.* from (
        select f.id, f.sent_at, f.sender_id, f.is_deleted from first_look f where f.chat not in (select b.chat from busy b)
        union all select l.id, l.sent_at, l.sender_id, l.is_deleted from second_look l
      ) l
      where l.sent_at >= coalesce((select b.since from bound b), '-infinity') order by l.sent_at desc limit $4
    ), found as (
      select n.id, n.sent_at from newest n
      where not n.is_deleted and ($2 is null or n.sender_id = any ($2)) order by n.sent_at desc limit $5
    )
    select array(select f.id from found f order by f.sent_at desc),
      case
        when (select count(*) from found) = $5 then (select min(f.sent_at) from found f)
        when (select count(*) from newest) = $4 then (select min(n.sent_at) from newest n)
        else (select b.since from bound b)
      end
  $search$, case when has_image then 'and m.attachment is not null and not m.is_deleted and m.attachment ->> ''kind'' is null' else '' end)
  into ids, since using chats, senders, until, looked_at, most, share;
end
$$;

-- Messages with the words but for one letter each: the newest, and those with words that begin alike.
create function private.find_near_messages(
  words text[], chats uuid[], senders uuid[], until timestamptz, has_image boolean, most integer
)
returns setof uuid
language plpgsql stable set search_path = '' set enable_seqscan = off
as $$
declare
  blocked constant uuid[] := private.blocked_by((select auth.uid()));
  near constant text[] := array(select private.near_pattern(w) from unnest(words) w);
  -- Three letters, also with one pair swapped, unless too many words begin so.
  beginnings constant tsquery[] := array(
    select string_agg(quote_literal(b) || ':*', ' | ')::tsquery
    from unnest(words) w
    cross join lateral (values
      (left(w, 3)), (left(w, 1) || substr(w, 3, 1) || substr(w, 2, 1)), (substr(w, 2, 1) || left(w, 1) || substr(w, 3, 1))
    ) three (b)
    where w ~ '^[[:alnum:]]{4,20}$'
    group by w
    having (
      select coalesce(sum(c.messages), 0) from private.common_words() c where c.lexeme like any (array_agg(three.b || '%'))
    ) <= 10000
  );
  halves constant text[] := (select private.near_parts(w) from unnest(words) w order by length(w) desc limit 1);
  candidates uuid[] := (select n.ids from private.newest_messages(chats, senders, until, has_image, 1000) n);
begin
  if beginnings <> '{}' then
    execute $search$
      with found as materialized (
        select m.id, m.chat_id, m.sender_id, m.sent_at, m.attachment from public.chat_messages m
        where private.message_words(m.message) @@ $1 and not m.is_deleted
      )
      select $2 || array(
        select f.id from found f
        where f.chat_id = any ($3) and f.sent_at < $4 and ($5 is null or f.sender_id = any ($5))
          and (not $6 or f.attachment is not null and f.attachment ->> 'kind' is null) and f.id <> all ($2)
        order by f.sent_at desc limit 1000
      )
    $search$ into candidates
    using private.all_of(beginnings), candidates, chats, until, senders, has_image;
  end if;
  return query
  select h.id from unnest(candidates) c cross join lateral (
    select m.id from (
      select m.id, lower(private.without_accents(m.message)) as words
      from public.chat_messages m where m.id = c and m.sender_id <> all (blocked) offset 0
    ) m
    where (m.words like halves[1] or m.words like halves[2] or m.words like halves[3]) and m.words ~ all (near)
  ) h limit most;
end
$$;

-- The newest messages of the chats that match, by rank, and last a row without an id: messages before its time were not
-- looked at. Without words all that pass the filters do. Only messages of the chats are parsed. enable_seqscan: only the index
-- knows the words without parsing every message.
create function private.find_messages(
  query text, chats uuid[], senders uuid[], until timestamptz, has_image boolean, most integer
)
returns table (id uuid, sent_at timestamptz, rank real, is_near boolean)
language plpgsql stable set search_path = '' set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  most_indexed constant integer := 10000;
  most_looked_at constant integer := 2000;
  blocked constant uuid[] := private.blocked_by((select auth.uid()));
  is_exact constant boolean := private.is_meant_exactly(query);
  typed constant text := case when is_exact
    then regexp_replace(regexp_replace(query, '(^|\s)-("[^"]*"?|\S+)', ' ', 'g'), '"', ' ', 'g') || ' ' else query end;
  wanted constant tsquery := private.message_query(query);
  words text[];
  rare tsquery[];
  indexed tsquery;
  parts text[];
  candidates uuid[];
  hits uuid[];
  since timestamptz;
  is_near boolean := false;
begin
  with common as materialized (
    select * from private.common_words()
  ), counted as (
    select w.*, coalesce((
      select sum(c.messages) from common c where c.lexeme = any (w.forms)
        or not is_exact and exists (select from unnest(w.beginnings) b where c.lexeme ^@ b)
    ), 0) as messages,
      -- What all of its forms begin with; an English stem may end in i for y.
      case when w.word ~ '^[[:alnum:]]+$' then rtrim((
        select f from unnest(w.forms || w.beginnings) f order by length(f), f limit 1
      ), 'iy') end as stem
    from private.searched_words(typed) with ordinality w (word, wanted, forms, beginnings, place)
  )
  select array_agg(c.word order by c.place), array_agg(c.wanted) filter (where c.messages <= most_indexed),
    array_agg('%' || c.stem || '%') filter (where c.stem <> '')
  into words, rare, parts from counted c;
  if words is null and btrim(query) <> '' then
    return;
  end if;

  indexed := private.indexed_part(case when is_exact then wanted else private.all_of(rare) end);
  if rare is not null and indexed is not null and not has_image then
    execute $search$
      with found as materialized (
        select m.id, m.chat_id, m.sender_id, m.sent_at from public.chat_messages m
        where private.message_words(m.message) @@ $1 and not m.is_deleted
      )
      select array(
        select f.id from found f
        where f.chat_id = any ($2) and f.sent_at < $3 and ($4 is null or f.sender_id = any ($4))
        order by f.sent_at desc limit $5
      )
    $search$ into candidates
    using indexed, chats, until, senders, most_looked_at;
    if cardinality(candidates) = most_looked_at then
      since := (select m.sent_at from public.chat_messages m where m.id = candidates[most_looked_at]);
    end if;
    -- The index has looked at every word.
    if is_exact or cardinality(rare) = cardinality(words) then
      parts := null;
    end if;
  else
    select n.ids, n.since into candidates, since
    from private.newest_messages(chats, senders, until, has_image, most_looked_at) n;
  end if;

  -- One by one in the order of the candidates, until there are enough.
  hits := array(
    select h.id from unnest(candidates) c cross join lateral (
      select m.id from public.chat_messages m
      where m.id = c and m.sender_id <> all (blocked)
        and (parts is null or lower(private.without_accents(m.message)) like all (parts))
        and (words is null or private.message_words(m.message) @@ wanted)
      offset 0
    ) h limit most
  );
  if hits = '{}' and words is not null and not is_exact then
    hits := array(select private.find_near_messages(words, chats, senders, until, has_image, most));
    is_near := hits <> '{}';
  elsif cardinality(hits) = most then
    since := (select m.sent_at from public.chat_messages m where m.id = hits[most]);
  end if;

  return query
  select m.id, m.sent_at, r.rank, is_near
  from public.chat_messages m
  cross join lateral (
    select case when words is null or is_near then 0 else ts_rank(private.message_words(m.message), wanted) end::real as rank
  ) r
  where m.id = any (hits)
  order by r.rank desc, m.sent_at desc;
  if since is not null then
    return query select null::uuid, since, 0::real, false;
  end if;
end
$$;

-- A long message around what was found.
create function private.message_snippet(message text, wanted tsquery) returns text
language sql immutable set search_path = ''
as $$
  select case when char_length(message) <= 160 then message else ts_headline(
    'pg_catalog.english', message, wanted, 'StartSel="", StopSel="", MaxWords=28, MinWords=16, ShortWord=2'
  ) end
$$;

-- Runs with the owner's rights: under row-level security Postgres may not use the word index. The chats restrict it as the
-- policy does.
create function public.search_messages(query text, max_results int default 50, in_chat uuid default null) returns table (
  message_id uuid,
  chat_id uuid,
  chat_title text,
  sender_id uuid,
  sender_name text,
  snippet text,
  sent_at timestamptz,
  rank real,
  is_near boolean
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  if not private.is_member() or coalesce(btrim(query), '') = '' then
    return;
  end if;
  return query
  select m.id, m.chat_id, private.title_for_me(m.chat_id), m.sender_id,
    private.name_for_members(s), private.message_snippet(m.message, private.message_query(query)), m.sent_at, f.rank, f.is_near
  from private.find_messages(
    query, array(select c from unnest(private.my_searched_chats()) c where in_chat is null or c = in_chat), null,
    'infinity', false, least(greatest(coalesce(max_results, 50), 0), 100)
  ) with ordinality f
  join public.chat_messages m on m.id = f.id
  join private.members s on s.id = m.sender_id
  order by f.ordinality;
end
$$;
comment on function public.search_messages is
  'Matching messages of the caller''s chats, or of one of them, best first, with the words around the match; without any, those that differ by a letter a word (is_near).';

revoke execute on function public.search_messages from public, anon;
grant execute on function public.search_messages to authenticated, service_role;
revoke execute on all functions in schema private from public;
