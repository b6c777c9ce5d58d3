-- The lexicon: words and phrases that put a message into the review queue. Supervisors edit it; nobody writes a regular
-- expression, so matching stays cheap whatever is typed. Forms: docs/supervision.md

-- Text as the lexicon sees it: small letters without accents, apostrophes and invisible characters, words between single
-- spaces, one space around all of it, and a | where a clause ends. NFKC folds the letters that only look different.
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

create function private.plain_words(words text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select private.words_of_clauses(private.plain_clauses(words)) $$;

-- A phrase as a pattern over such a text; a word that ends with * stands for all that begin so. Nothing but letters, digits,
-- % and $ is left of it, so there is nothing to escape but the $.
create function private.lexicon_words(phrase text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select string_agg(
    replace(btrim(private.plain_words(part)), '$', '[$]') || case when part like '%*' then '[^ ]*' else '' end, ' ' order by place
  )
  from regexp_split_to_table(btrim(phrase), '\s+') with ordinality parts (part, place)
  where private.plain_words(part) ~ '[^ ]'
$$;

create function private.lexicon_pattern(phrase text, near text, within integer) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select ' ' || case
    when near is null then private.lexicon_words(phrase)
    else format(
      '(?:%1$s (?:[^ ]+ ){0,%3$s}%2$s|%2$s (?:[^ ]+ ){0,%3$s}%1$s)', private.lexicon_words(phrase),
      private.lexicon_words(near), within
    )
  end || ' '
$$;

-- An exception holds within a clause: "Any risk? No. Guaranteed returns!" has no "no guarantee". The longest first, and one
-- after the other: as the alternatives of one pattern, a text that nearly matches several of them at each of its words would
-- take a hundred times as long.
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

-- What any text with the phrase contains: a quick look before the pattern.
create function private.lexicon_stem(phrase text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select ' ' || replace(split_part(split_part(private.lexicon_words(phrase), ' ', 1), '[^', 1), '[$]', '$') $$;

create function private.longest(texts text[]) returns integer
language sql immutable parallel safe set search_path = ''
as $$ select max(char_length(each)) from unnest(texts) each $$;

create table private.lexicon_entries (
  id uuid primary key default gen_random_uuid(),
  language text not null,
  category text not null,
  phrase text not null,
  near text,
  within integer not null default 5,
  exceptions text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references private.members (id) on delete set null,
  stem text generated always as (private.lexicon_stem(phrase)) stored,
  pattern text generated always as (private.lexicon_pattern(phrase, near, within)) stored,
  constraint "Language must be en or es" check (language in ('en', 'es')),
  constraint "Category must be known" check (category in (
    'guarantee', 'risk', 'replacement', 'channel', 'rebate', 'misrepresentation', 'forgery', 'churning', 'claim', 'complaint', 'other'
  )),
  constraint "Phrase is at most 100 characters" check (char_length(phrase) <= 100 and char_length(near) <= 100),
  constraint "Phrase needs a word of two letters or digits" check (
    coalesce(private.lexicon_words(phrase), '') ~ '[[:alnum:]]{2}'
    and (near is null or private.lexicon_words(near) is not null)
  ),
  constraint "Words apart are 1 to 20" check (within between 1 and 20),
  constraint "At most 20 exceptions of 100 characters each"
    check (cardinality(exceptions) <= 20 and private.longest(exceptions) <= 100),
  constraint "Exceptions are at most 1000 characters in all" check (char_length(array_to_string(exceptions, '')) <= 1000)
);
comment on table private.lexicon_entries is 'Words and phrases that put a message into the review queue.';
comment on column private.lexicon_entries.near is 'A second phrase, at most `within` words away on either side.';
comment on column private.lexicon_entries.exceptions is 'Phrases that are taken out of the text before the entry is looked for.';
create index lexicon_entries_updated_by on private.lexicon_entries (updated_by);
alter table private.lexicon_entries enable row level security;
revoke all on private.lexicon_entries from anon, authenticated, service_role;

-- The words are those of the clauses: put together once for all entries.
create function private.lexicon_matches(entry private.lexicon_entries, words text, clauses text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select strpos(words, entry.stem) > 0 and words ~ entry.pattern
    and (entry.exceptions = '{}' or private.without_exceptions(clauses, entry.exceptions) ~ entry.pattern)
$$;

-- How an entry is shown next to what it caught, also when it has changed since.
create function private.lexicon_label(entry private.lexicon_entries) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'id', entry.id, 'category', entry.category, 'phrase', entry.phrase, 'near', entry.near
  ))
$$;

-- In the archive and in the audit log; also what an operator changes in the SQL console.
create function private.record_lexicon() returns trigger
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

create function public.lexicon()
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
comment on function public.lexicon is
  'For supervisors: the lexicon, with what each entry caught in the last 90 days and how much of that was a violation, but for what the caller wrote.';

-- The id comes from the caller, so that saving twice adds one entry. Entries are paused, not deleted: items refer to them.
create function public.save_lexicon_entry(
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
comment on function public.save_lexicon_entry is 'For supervisors: adds or changes an entry of the lexicon.';

create function public.test_lexicon(words text)
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
comment on function public.test_lexicon is 'For supervisors: the active entries that a text would be caught by.';

revoke execute on function public.lexicon, public.save_lexicon_entry, public.test_lexicon from public, anon, service_role;
grant execute on function public.lexicon, public.save_lexicon_entry, public.test_lexicon to authenticated;
revoke execute on all functions in schema private from public;
