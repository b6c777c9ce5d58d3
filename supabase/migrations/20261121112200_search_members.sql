-- search_members(): finding people in a team of 10,000. Through the view the search would read everybody: a security
-- barrier keeps `ilike` away from the rows, and so from every index.

create extension if not exists pg_trgm with schema extensions;

-- Bodies that are parsed here and now, so that an index can be built from them.
create function private.member_words(first_name text, last_name text, email text) returns text
language sql immutable parallel safe
return lower(private.without_accents(first_name || ' ' || last_name || ' ' || coalesce(email, '')));

-- Stored, because taking accents off 10,000 names anew for a search of two letters takes a tenth of a second.
alter table private.members add column searchable text
  generated always as (private.member_words(first_name, last_name, email)) stored;
comment on column private.members.searchable is 'Names and address without accents and capitals, for searching.';

create index members_by_words on private.members using gin (searchable extensions.gin_trgm_ops) with (fastupdate = off)
  where is_active;
create index members_by_name on private.members (first_name, last_name, id) where is_active;

-- The words typed as patterns, the longest one first: it narrows most. At most five.
create function private.member_patterns(query text) returns text[]
language sql immutable set search_path = ''
as $$
  select array(
    select '%' || word || '%'
    from regexp_split_to_table(lower(private.without_accents(left(query, 200))), '[\s%_\\]+') word
    where word <> ''
    order by length(word) desc, word
    limit 5
  )
$$;

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
  -- Planned for these very words: the index of words helps a rare name, the index of names a common letter.
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
comment on function public.search_members is 'All other members by first name, in whom every word of the query occurs; a page.';

-- As in 20261121085300_chat_members.sql, found by the same words. Only names count here: nobody mentions an address.
create or replace function public.chat_members(
  chat_id uuid, query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, is_creator boolean, joined_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, m.email, coalesce(c.created_by = m.id, false), p.joined_at
  from public.chat_participants p
  join private.members m on m.id = p.user_id
  join public.chats c on c.id = p.chat_id
  where p.chat_id = chat_members.chat_id and p.is_active and m.is_active
    and p.chat_id in (select private.my_chat_ids())
    and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
  order by coalesce(c.created_by = m.id, false) desc, m.first_name, m.last_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

create or replace function public.chats_with_member(query text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select distinct p.chat_id
  from private.members m
  join public.chat_participants p on p.user_id = m.id and p.is_active
  where private.member_patterns(query) <> '{}' and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
    and p.chat_id in (select private.my_chat_ids())
$$;

revoke execute on function public.search_members(text, integer, integer) from public, anon;
grant execute on function public.search_members(text, integer, integer) to authenticated, service_role;
revoke execute on all functions in schema private from public;
