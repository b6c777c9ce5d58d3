-- Search. Messages: full-text search over the caller's chats, by English word forms and, for every other language and
-- for a word still being typed, by plain words without accents. Members: every word typed occurs in name or e-mail.

-- Parsed on creation and inlined into the index expression, like private.without_accents().
create function private.message_words(message text) returns tsvector
language sql immutable parallel safe
return to_tsvector('pg_catalog.simple'::regconfig, private.without_accents(message))
  || to_tsvector('pg_catalog.english'::regconfig, private.without_accents(message));

create index chat_messages_words on public.chat_messages using gin (private.message_words(message))
  where not is_deleted;

-- The query read both ways; its last word may be unfinished.
create function private.message_query(query text) returns tsquery
language plpgsql immutable set search_path = ''
as $$
declare
  typed constant text := private.without_accents(left(query, 200));
  words tsquery := websearch_to_tsquery('pg_catalog.simple', typed);
  -- Letters and digits only, so that user input cannot contain an operator.
  last_word constant text := substring(typed from '([[:alnum:]]+)$');
  earlier constant tsquery := websearch_to_tsquery(
    'pg_catalog.simple', left(typed, length(typed) - coalesce(length(last_word), 0))
  );
begin
  -- Quoted or excluded words are meant exactly.
  if typed ~ '["-]' then
    return words;
  end if;
  words := words || websearch_to_tsquery('pg_catalog.english', typed);
  if length(last_word) >= 2 then
    words := words || case when numnode(earlier) > 0
      then earlier && to_tsquery('pg_catalog.simple', last_word || ':*')
      else to_tsquery('pg_catalog.simple', last_word || ':*') end;
  end if;
  return words;
end
$$;

-- Runs with the owner's rights: under row-level security Postgres may not use the word index. The condition on
-- my_chat_ids() restricts it as the policy does. For a very common word, only the newest 500 messages are ranked.
create function public.search_messages(query text, max_results int default 50) returns table (
  message_id uuid,
  chat_id uuid,
  chat_title text,
  sender_id uuid,
  sender_name text,
  snippet text,
  sent_at timestamptz,
  rank real
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  words constant tsquery := private.message_query(query);
  me constant uuid := (select auth.uid());
begin
  if numnode(words) = 0 or not private.is_member() then
    return;
  end if;
  return query
  with candidates as (
    select m.id, m.chat_id, m.sender_id, m.message, m.sent_at
    from public.chat_messages m
    where private.message_words(m.message) @@ words and not m.is_deleted
      and m.chat_id in (select private.my_chat_ids())
    order by m.sent_at desc
    limit 500
  ), best as (
    select f.*, ts_rank(private.message_words(f.message), words) as rank
    from candidates f
    order by rank desc, f.sent_at desc
    limit least(greatest(coalesce(max_results, 50), 0), 100)
  )
  select
    b.id, b.chat_id,
    case when c.type = 'individual' then coalesce(other.name, c.name, '') else c.name end,
    b.sender_id,
    private.display_name(sender.first_name, sender.last_name, sender.email),
    case when char_length(b.message) <= 160 then b.message else ts_headline(
      'pg_catalog.english', b.message, words, 'StartSel="", StopSel="", MaxWords=28, MinWords=16, ShortWord=2'
    ) end,
    b.sent_at, b.rank
  from best b
  join public.chats c on c.id = b.chat_id
  join private.members sender on sender.id = b.sender_id
  left join lateral (
    select private.display_name(o.first_name, o.last_name, o.email) as name
    from private.chat_participants p
    join private.members o on o.id = p.user_id
    where c.type = 'individual' and p.chat_id = c.id and p.user_id <> me
    limit 1
  ) other on true
  where c.is_active
  order by b.rank desc, b.sent_at desc;
end
$$;
comment on function public.search_messages is 'Matching messages of the caller''s chats, best first, with the words around the match.';

-- Finds people in a team of 10,000. Through the view public.users the search would read everybody: a security barrier
-- keeps `ilike` away from the rows, and so from every index.
create function public.search_members(query text default '', max_results integer default 50, skip integer default 0)
returns table (id uuid, first_name text, last_name text, email text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
begin
  if not private.is_member() then
    return;
  end if;
  -- Dynamic, so that it is planned for these words: the trigram index suits a rare name, the name index a common letter.
  return query execute $search$
    select m.id, m.first_name, m.last_name, m.email
    from private.members m
    where m.is_active and m.id <> $1
      and ($2 is null or m.searchable like $2) and m.searchable like all ($3)
    order by m.first_name, m.last_name, m.id
    limit $4 offset $5
  $search$ using (select auth.uid()), patterns[1], patterns[2:], least(max_results, 200), greatest(skip, 0);
end
$$;
comment on function public.search_members is 'A page of the other members whose name or e-mail contains every word of the query, by first name.';

revoke execute on function public.search_messages, public.search_members from public, anon;
grant execute on function public.search_messages, public.search_members to authenticated, service_role;
revoke execute on all functions in schema private from public;
grant execute on function private.message_words(text) to authenticated, service_role;
