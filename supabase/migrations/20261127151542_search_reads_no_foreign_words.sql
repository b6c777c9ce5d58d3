-- A phrase no longer has messages of other people's chats, or notices for others, read and parsed: how long a search took told
-- whether there were any with its words.

create function private.indexed_part(query tsquery) returns tsquery
language sql immutable set search_path = ''
as $$ select nullif(nullif(regexp_replace(querytree(query), '<(-|\d+)>', '&', 'g'), ''), 'T')::tsquery $$;

create or replace function private.find_messages(
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

create or replace function private.search_published(
  condition text, wanted tsquery, near text[], most integer
)
returns table (kind text, id uuid, title text, detail text, snippet text, at timestamptz)
language plpgsql stable set search_path = ''
as $body$
begin
  return query execute format($search$
    select f.kind, f.id, f.title, f.detail, left(f.body, 200), f.at
    from (
      select i.*, row_number() over (
        partition by i.kind
        order by private.message_words(i.title) @@ $1 desc, i.at desc, i.place, i.title
      ) as number
      from (
        select 'training' as kind, c.id, c.title, c.category as detail, c.description as body, null::timestamptz as at,
          c.sort_order as place
        from public.training_content c where c.is_active and %1$s
        union all
        select 'licensing', c.id, c.title, c.category, c.description, null, c.sort_order
        from public.licensing_content c where c.is_active and %1$s
        union all
        select 'newrepstart', c.id, c.title, null, c.description, null, c.sort_order
        from public.newrepstart_content c where c.is_active and %1$s
        union all
        select 'meeting', c.id, c.title, c.day_of_week, c.description, null, c.sort_order
        from public.schedule_content c where c.is_active and %1$s
        union all
        select 'notice', c.id, c.title, null, c.body, c.received_at, 0
        from (
          select n.id, n.title, n.body, r.received_at
          from public.team_notices n
          join public.notice_receipts r on r.notice_id = n.id and r.user_id = (select auth.uid())
          where n.published_at is not null and n.cancelled_at is null
            and ($4 is null or private.message_words(n.title || ' ' || n.body) @@ $4)
          offset 0
        ) c
        where %2$s
      ) i
    ) f
    where f.number <= $3 order by f.kind, f.number
  $search$,
    replace(condition, 'WORDS', $$private.message_words(c.title || ' ' || coalesce(c.description, ''))$$),
    replace(condition, 'WORDS', $$private.message_words(c.title || ' ' || c.body)$$)
  ) using wanted, near, most, case when near is null then private.indexed_part(wanted) end;
end
$body$;

revoke execute on function private.indexed_part(tsquery) from public;
