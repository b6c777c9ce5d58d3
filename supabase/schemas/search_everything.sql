-- One search over people, chats, messages, content, meetings and notices, in one request. Each kind shows what its own screen
-- would show the caller: nothing retired, withdrawn, not published yet or meant for others, also to admins.

create index training_content_words on public.training_content
  using gin (private.message_words(title || ' ' || coalesce(description, ''))) where is_active;
create index licensing_content_words on public.licensing_content
  using gin (private.message_words(title || ' ' || coalesce(description, ''))) where is_active;
create index newrepstart_content_words on public.newrepstart_content
  using gin (private.message_words(title || ' ' || coalesce(description, ''))) where is_active;
create index schedule_content_words on public.schedule_content
  using gin (private.message_words(title || ' ' || coalesce(description, ''))) where is_active;
create index team_notices_words on public.team_notices using gin (private.message_words(title || ' ' || body));

-- Whom "from:" names, the caller as "me".
create function private.named_senders(name text) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(name);
begin
  return case when patterns = '{}' then null when lower(btrim(name)) = 'me' then array[(select auth.uid())] else array(
    select m.id from private.members m
    where m.admitted_at is not null and m.searchable like patterns[1] and m.searchable like all (patterns[2:])
      and private.member_words(m.first_name, m.last_name, '') like all (patterns)
    limit 200
  ) end;
end
$$;

-- Those of the chats that "in:" names: by a part of the name, chats of two by the other's.
create function private.named_chats(name text, chats uuid[]) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(name);
begin
  return case when patterns = '{}' then chats else array(
    select c.id from public.chats c
    where c.id = any (chats) and lower(private.without_accents(private.title_for_me(c.id))) like all (patterns)
  ) end;
end
$$;

create function private.search_people(query text, most integer)
returns table (id uuid, title text, detail text, is_near boolean)
language plpgsql stable set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
  words constant text[] := array(
    select w from regexp_split_to_table(lower(private.without_accents(left(query, 200))), '[^[:alnum:]]+') w
    where w <> '' order by length(w) desc, w limit 5
  );
begin
  -- Whose name begins with the words comes before whose name only contains them.
  return query
  select f.id, private.display_name(f.first_name, f.last_name, f.email), f.email, false
  from public.search_members(query, 50) with ordinality f
  order by private.member_words(f.first_name, f.last_name, '') ~ all (array(select '\m' || w from unnest(words) w)) desc,
    f.ordinality
  limit most;
  if found or words = '{}' or not private.is_member() then
    return;
  end if;
  return query execute $search$
    with alike as materialized (
      select m.* from private.members m
      where m.is_active and (m.searchable like $5[1] or m.searchable like $5[2] or m.searchable like $5[3])
    )
    select m.id, private.display_name(m.first_name, m.last_name, m.email), private.shown_email(m.id, m.email, m.email_audience, true),
      true
    from alike m
    where m.id <> $1 and m.id <> all ($2) and m.searchable ~ all ($3)
    order by m.sort_name, m.id limit $4
  $search$ using me, private.apart_from(me), array(select private.near_pattern(w) from unnest(words) w), most,
    private.near_parts(words[1]);
end
$$;

-- What leaders published, those first whose title has the words. `condition` is on c.title and WORDS. Of the notices, only those
-- the caller received are parsed.
create function private.search_published(
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

-- Filters are about messages, so with any of them only messages are searched. The last row, "older", says before which time
-- messages were not looked at; the caller may ask again until then.
create function public.search_everything(
  query text default '', sender text default '', place text default '', until timestamptz default 'infinity',
  has_image boolean default false
)
returns table (
  kind text, id uuid, title text, detail text, snippet text, chat_id uuid, at timestamptz, is_near boolean
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  most constant integer := 5;
  most_messages constant integer := 20;
  typed constant text := btrim(left(query, 200));
  is_filtered constant boolean := btrim(sender) <> '' or btrim(place) <> '' or until < 'infinity' or has_image;
  chats uuid[];
  wanted tsquery;
begin
  if not private.is_member() or not is_filtered and length(typed) < 2 then
    return;
  end if;
  chats := private.my_searched_chats();
  wanted := private.message_query(typed);

  if not is_filtered then
    return query
    select 'person', p.id, p.title, p.detail, null::text, null::uuid, null::timestamptz, p.is_near
    from private.search_people(typed, most) p;

    return query
    select 'chat', c.id, c.name, null::text, null::text, c.id, null::timestamptz, false
    from public.chats c
    where c.id = any (chats) and c.type <> 'individual'
      and lower(private.without_accents(c.name)) like all (private.member_patterns(typed))
    order by c.created_at desc, c.id limit most;

    return query
    select p.kind, p.id, p.title, p.detail, p.snippet, null::uuid, p.at, false
    from private.search_published('WORDS @@ $1', wanted, null, most) p;
    if not found and not private.is_meant_exactly(typed) then
      return query
      select p.kind, p.id, p.title, p.detail, p.snippet, null::uuid, p.at, true
      from private.search_published(
        'lower(private.without_accents(c.title)) ~ all ($2)', wanted,
        array(select private.near_pattern(w.word) from private.searched_words(typed) w), most
      ) p
      where numnode(wanted) > 0;
    end if;
  end if;

  return query
  select case when f.id is null then 'older' else 'message' end, f.id, private.title_for_me(m.chat_id),
    case when s.id is not null then private.name_for_members(s) end,
    private.message_snippet(m.message, wanted), m.chat_id,
    f.sent_at, f.is_near
  from private.find_messages(
    typed, private.named_chats(place, chats), private.named_senders(sender), until, has_image, most_messages
  ) with ordinality f
  left join public.chat_messages m on m.id = f.id
  left join private.members s on s.id = m.sender_id
  order by f.ordinality;
end
$$;
comment on function public.search_everything is
  'What the caller may see of people, chats, messages, content, meetings and notices that match, by kind, best first; is_near: but for a letter a word. A row of kind older: messages before its time were not searched.';

revoke execute on function public.search_everything from public, anon, service_role;
grant execute on function public.search_everything to authenticated;
revoke execute on all functions in schema private from public;
