-- What searching is built on: the words of messages, how a query reads them, and members by every word typed occurring in
-- their name or e-mail. Words are without accents, plain and by their English stem.

-- Parsed on creation and inlined into the index expression, like private.without_accents().
create function private.message_words(message text) returns tsvector
language sql immutable parallel safe
return to_tsvector('pg_catalog.simple'::regconfig, private.without_accents(message))
  || to_tsvector('pg_catalog.english'::regconfig, private.without_accents(message));

create index chat_messages_words on public.chat_messages using gin (private.message_words(message))
  where not is_deleted;

-- Up to eight words of a query, each with the ways it may be indexed: as typed, by its English stem, by whatever begins with
-- its Spanish stem (indexing those as well would cost every message), and by whatever begins with a word that is still being
-- typed. Words that say nothing ("the") count only where there is no other.
create function private.searched_words(query text)
returns table (word text, wanted tsquery, forms text[], beginnings text[])
language sql immutable set search_path = ''
as $$
  with typed as (
    select lower(private.without_accents(left(searched_words.query, 200))) as words
  ), split as (
    select word, place, place = max(place) over () and typed.words ~ '[[:alnum:]]$' as is_unfinished
    from typed, regexp_split_to_table(typed.words, '\s+') with ordinality as each (word, place)
    where word <> ''
  ), stemmed as (
    select s.*, s.word ~ '^[[:alnum:]]+$' as is_plain, e.stem as english, spanish.stem as spanish,
      cardinality(e.stems) = 0 or cardinality(spanish.stems) = 0 as says_nothing
    from split s
    cross join lateral (select stems, stems[1] as stem from ts_lexize('pg_catalog.english_stem', s.word) stems) e
    cross join lateral (select stems, stems[1] as stem from ts_lexize('pg_catalog.spanish_stem', s.word) stems) spanish
    where numnode(plainto_tsquery('pg_catalog.simple', s.word)) > 0
  ), counted as (
    select s.*, bool_and(says_nothing) over () as is_all_there_is from stemmed s
  ), formed as (
    select c.place, c.word, tsvector_to_array(to_tsvector('pg_catalog.simple', c.word))
        || case when c.is_plain and c.english <> c.word then array[c.english] else '{}' end as forms,
      case when c.is_plain and c.is_unfinished and length(c.word) >= 2 then array[c.word] else '{}' end
        || case when c.is_plain and c.spanish <> c.word and length(c.spanish) >= 4 then array[c.spanish] else '{}' end as beginnings,
      case when c.is_plain and c.english <> c.word then quote_literal(c.english) end as english
    from counted c
    where not c.says_nothing or c.is_all_there_is
    order by c.place limit 8
  )
  select f.word,
    concat_ws(
      ' | ', '(' || plainto_tsquery('pg_catalog.simple', f.word)::text || ')', f.english,
      (select string_agg(quote_literal(b) || ':*', ' | ') from unnest(f.beginnings) b)
    )::tsquery,
    f.forms, f.beginnings
  from formed f order by f.place
$$;

create function private.all_of(queries tsquery[]) returns tsquery
language sql immutable set search_path = ''
as $$ select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(queries) q $$;

-- Quoted or excluded words are meant exactly.
create function private.is_meant_exactly(query text) returns boolean
language sql immutable parallel safe
return query ~ '"|(^|\s)-\S';

create function private.message_query(query text) returns tsquery
language sql immutable set search_path = ''
as $$
  select case
    when private.is_meant_exactly(query) then
      -- Dashes in a row would be a negation of a negation, and Postgres refuses more than 32 of them.
      websearch_to_tsquery('pg_catalog.simple', regexp_replace(private.without_accents(left(query, 200)), '-[\s-]*-', '-', 'g'))
    else coalesce(private.all_of(array(select w.wanted from private.searched_words(query) w)), plainto_tsquery(''))
  end
$$;

-- What the index alone can answer of a query: its words in any order, and nothing excluded. A phrase in the index's condition
-- would have every message with its words read and parsed, foreign ones too, and the time would tell whether there are any.
create function private.indexed_part(query tsquery) returns tsquery
language sql immutable set search_path = ''
as $$ select nullif(nullif(regexp_replace(querytree(query), '<(-|\d+)>', '&', 'g'), ''), 'T')::tsquery $$;

-- Finds people in a team of 10,000. Through the view public.users the search would read everybody: a security barrier
-- keeps `ilike` away from the rows, and so from every index.
create function public.search_members(query text default '', max_results integer default 50, skip integer default 0)
returns table (id uuid, first_name text, last_name text, email text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
  -- These two cannot be in a new chat together.
  apart constant uuid[] := private.apart_from((select auth.uid()));
begin
  if not private.is_member() then
    return;
  end if;
  -- Dynamic, so that it is planned for these words: the trigram index suits a rare name, the name index a common letter.
  return query execute $search$
    select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience, true)
    from private.members m
    where m.is_active and m.id <> $1 and m.id <> all ($6)
      and ($2 is null or m.searchable like $2) and m.searchable like all ($3)
    order by m.sort_name, m.id
    limit $4 offset $5
  $search$ using (select auth.uid()), patterns[1], patterns[2:], least(max_results, 200), greatest(skip, 0), apart;
end
$$;
comment on function public.search_members is 'A page of the other members whose name or visible e-mail contains every word of the query, by first name. Without people whom the caller blocked or who blocked the caller.';

revoke execute on function public.search_members from public, anon;
grant execute on function public.search_members to authenticated, service_role;
revoke execute on all functions in schema private from public;
grant execute on function private.message_words(text) to authenticated, service_role;
