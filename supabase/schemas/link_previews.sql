-- What the page of a link says about itself, for whoever of the chat wants to know before opening it. Fetched by a server when
-- somebody asks, never by itself, and kept for a week.

create table private.link_previews (
  -- A link may be longer than an index entry.
  link uuid primary key generated always as (md5(url)::uuid) stored,
  url text not null,
  title text,
  description text,
  site text,
  fetched_at timestamptz not null default now()
);
comment on table private.link_previews is 'Pages that members asked about: their title, description and host, or none of it if the site did not answer.';
create index link_previews_fetched_at on private.link_previews (fetched_at);
alter table private.link_previews enable row level security;
revoke all on private.link_previews from anon, authenticated, service_role;

create table private.link_preview_fetches (
  user_id uuid primary key references private.members (id) on delete cascade,
  fetches integer not null default 1,
  since timestamptz not null default now()
);
comment on table private.link_preview_fetches is 'Pages fetched for a member lately, for rate limiting.';
alter table private.link_preview_fetches enable row level security;
revoke all on private.link_preview_fetches from anon, authenticated, service_role;

-- A site that did not answer is asked again sooner.
create function private.known_link_preview(address text) returns setof private.link_previews
language sql stable set search_path = ''
as $$
  select p.* from private.link_previews p
  where p.link = private.link_id(known_link_preview.address)
    and p.fetched_at > now() - case when p.site is null then interval '10 minutes' else interval '7 days' end
$$;

-- Raises for everybody who cannot read the message, and counts what has to be fetched.
create function public.link_preview(message_id uuid, link text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 60;
  me constant uuid := (select auth.uid());
  address constant text := case when link ~* '^www\.' then 'https://' || link else link end;
  preview private.link_previews;
begin
  if address is null or address !~* '^https?://[^[:space:]]+$' or char_length(address) > 2000 then
    raise exception 'This is not a link' using errcode = '22023';
  end if;
  if not private.is_member() or not exists (
    select from public.chat_messages m
    where m.id = link_preview.message_id and not m.is_deleted and m.chat_id in (select private.my_chat_ids())
      and m.sender_id <> all (private.blocked_by(me)) and strpos(m.message, link_preview.link) > 0
  ) then
    raise exception 'There is no such message' using errcode = 'PT404';
  end if;
  select * into preview from private.known_link_preview(address);
  if found then
    return jsonb_build_object(
      'url', preview.url, 'title', preview.title, 'description', preview.description, 'site', preview.site, 'is_fetched', true
    );
  end if;
  delete from private.link_preview_fetches f where f.user_id = me and f.since < now() - interval '1 hour';
  insert into private.link_preview_fetches as known (user_id) values (me)
  on conflict (user_id) do update set fetches = known.fetches + 1;
  if (select f.fetches from private.link_preview_fetches f where f.user_id = me) > most_an_hour then
    raise exception 'Too many previews: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  return jsonb_build_object('url', address, 'is_fetched', false);
end
$$;
comment on function public.link_preview is
  'What is known about a link in a message that the caller can read. Not fetched yet: a server is to fetch it, and save_link_preview.';

create function public.save_link_preview(url text, title text, description text, site text)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  saved jsonb;
begin
  delete from private.link_previews p where p.fetched_at < now() - interval '7 days';
  insert into private.link_previews as known (url, title, description, site)
  values (
    left(save_link_preview.url, 2000), nullif(left(private.one_line(save_link_preview.title), 200), ''),
    nullif(left(private.one_line(save_link_preview.description), 300), ''), left(save_link_preview.site, 253)
  )
  on conflict (link) do update set
    title = excluded.title, description = excluded.description, site = excluded.site, fetched_at = now()
  returning jsonb_build_object('title', known.title, 'description', known.description, 'site', known.site) into saved;
  return saved;
end
$$;
comment on function public.save_link_preview is 'For the server: what it read at a link; nulls if nothing.';

revoke execute on function public.link_preview(uuid, text), public.save_link_preview(text, text, text, text) from public, anon, authenticated, service_role;
grant execute on function public.link_preview(uuid, text) to authenticated;
grant execute on function public.save_link_preview(text, text, text, text) to service_role;
revoke execute on all functions in schema private from public;
