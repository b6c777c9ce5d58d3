-- search_messages(): full-text search over the caller's chats. English word forms and, for every other language and
-- for a word still being typed, plain words without accents.

-- Bodies that are parsed here and now: they need no search_path, and Postgres can work them into the index's own
-- expression, which is computed with the rights of whoever writes a message.
create function private.without_accents(words text) returns text
language sql immutable parallel safe
return extensions.unaccent('extensions.unaccent'::regdictionary, words);

create function private.message_words(message text) returns tsvector
language sql immutable parallel safe
return to_tsvector('pg_catalog.simple'::regconfig, private.without_accents(message))
  || to_tsvector('pg_catalog.english'::regconfig, private.without_accents(message));

create index chat_messages_words on public.chat_messages using gin (private.message_words(message))
  where not is_deleted;

-- What was typed, read both ways; the last word may be unfinished.
create function private.message_query(query text) returns tsquery
language plpgsql immutable set search_path = ''
as $$
declare
  typed constant text := private.without_accents(left(query, 200));
  words tsquery := websearch_to_tsquery('pg_catalog.simple', typed);
  -- Letters and digits only, so that nothing typed can be an operator.
  last_word constant text := substring(typed from '([[:alnum:]]+)$');
  earlier constant tsquery := websearch_to_tsquery(
    'pg_catalog.simple', left(typed, length(typed) - coalesce(length(last_word), 0))
  );
begin
  -- Somebody who quotes or excludes words means exactly these.
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

-- With the owner's rights: under row-level security Postgres may not use the word index. The join on my_chat_ids()
-- says the same as the policy. Of a word that is everywhere, the newest 500 messages are ranked.
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
    from public.chat_participants p
    join private.members o on o.id = p.user_id
    where c.type = 'individual' and p.chat_id = c.id and p.user_id <> me
    limit 1
  ) other on true
  where c.is_active
  order by b.rank desc, b.sent_at desc;
end
$$;
comment on function public.search_messages is 'Messages of the caller''s chats that match, best first, with the words around the match.';

revoke execute on function public.search_messages from public, anon;
grant execute on function public.search_messages to authenticated, service_role;
revoke execute on all functions in schema private from public;
grant execute on function private.without_accents(text), private.message_words(text) to authenticated, service_role;
