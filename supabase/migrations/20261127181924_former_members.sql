-- Members who deleted their account under a legal hold kept their name and address in the app until the hold ended; they are
-- former members at once now, and existing ones become it here. An account deleted just as its hold was lifted was never erased.
-- The address of a member who is suspended or left is shown to admins alone, and is no name either. A person whose admission was
-- taken back is called "Former member". Supervisors find chats by names, no longer by addresses too.

drop trigger archive_keeps_waiting_erasure on private.members;

drop function archive.keep_waiting_erasure();

create function private.name_for_members(member private.members) returns text
language sql immutable parallel safe
return case when member.admitted_at is null then 'Former member'
  else private.display_name(member.first_name, member.last_name, case when member.is_active then member.email end) end;

create function private.sees_email_of(member_id uuid, audience text, is_active boolean) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return member_id = (select auth.uid()) or private.is_admin()
    or is_active and (audience = 'everyone' or audience = 'leaders' and private.is_member() and private.leads(member_id));
end
$$;

create function private.shown_email(member_id uuid, email text, audience text, is_active boolean) returns text
language sql stable
return case when is_active and audience = 'everyone' then email
  when email is not null and private.sees_email_of(member_id, audience, is_active) then email end;

create or replace view public.users with (security_barrier) as
select
  id,
  case when (select private.is_trusted_role()) then email else private.shown_email(id, email, email_audience, is_active) end as email,
  first_name, last_name, role, created_at,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then push_token end as push_token,
  rally_enabled, can_create_chats, can_send_messages,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then hidden_chats end as hidden_chats,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then archived_chats end as archived_chats,
  is_active, status, sponsor_id, can_supervise,
  case when (select private.is_trusted_role()) then phone
    else private.shown_phone(id, phone, phone_audience, is_active) end as phone,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then phone_audience end as phone_audience,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then email_audience end as email_audience,
  state, about
from private.members
where (select private.is_member()) and admitted_at is not null or (select private.is_trusted_role());

create or replace function public.blocked_people()
returns table (id uuid, first_name text, last_name text, blocked_at timestamptz, rests boolean)
language sql stable security definer set search_path = ''
as $$
  -- Of a person whose admission was taken back: see private.name_for_members.
  select m.id, case when m.admitted_at is null then 'Former' else m.first_name end,
    case when m.admitted_at is null then 'member' else m.last_name end, b.created_at,
    private.is_leader(b.blocker_id) or private.is_leader(b.blocked_id)
  from private.blocks b join private.members m on m.id = b.blocked_id
  where b.blocker_id = (select auth.uid()) and (select private.is_member())
  order by m.sort_name, m.id
$$;

create or replace function public.chat_members(
  chat_id uuid, query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, is_creator boolean, joined_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience, true),
    coalesce(c.created_by = m.id, false), p.joined_at
  from private.chat_participants p
  join private.members m on m.id = p.user_id
  join public.chats c on c.id = p.chat_id
  where p.chat_id = chat_members.chat_id and p.is_active and m.is_active
    and p.chat_id in (select private.my_chat_ids())
    and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
  order by coalesce(c.created_by = m.id, false) desc, m.sort_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

create or replace function public.message_seen_by(message_id uuid, max_results integer default 50, skip integer default 0)
returns table (id uuid, first_name text, last_name text, seen_at timestamptz, total bigint)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.first_name, u.last_name, p.last_read_at, count(*) over ()
  from public.chat_messages m
  join private.chat_participants p on p.chat_id = m.chat_id and p.is_active
    and p.user_id <> m.sender_id and p.last_read_at >= m.sent_at and p.joined_at <= m.sent_at
  join private.members u on u.id = p.user_id and u.admitted_at is not null
  where m.id = message_id and m.chat_id in (select private.my_chat_ids())
    and (select s.seen_by_enabled from public.team_settings s)
  order by p.last_read_at desc, u.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

create or replace function public.my_saved_messages(
  max_results integer default 50, before timestamptz default 'infinity'
)
returns table (
  message_id uuid, chat_id uuid, chat_title text, sender_id uuid, sender_name text, message text,
  sent_at timestamptz, saved_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.chat_id, private.title_for_me(m.chat_id), m.sender_id, private.name_for_members(a),
    coalesce(nullif(left(m.message, 300), ''), m.attachment ->> 'name', ''),
    m.sent_at, s.saved_at
  from public.saved_messages s
  join public.chat_messages m on m.id = s.message_id and not m.is_deleted
  join private.members a on a.id = m.sender_id
  where s.user_id = (select auth.uid()) and s.chat_id in (select private.my_chat_ids()) and s.saved_at < before
  order by s.saved_at desc
  limit least(max_results, 200)
$$;

create or replace function public.chat_list(with_hidden boolean default false) returns table (
  chat_id uuid,
  name text,
  type text,
  title text,
  other_user_id uuid,
  other_email text,
  other_is_admin boolean,
  member_count int,
  last_message_id uuid,
  last_message text,
  last_message_at timestamptz,
  last_sender_id uuid,
  last_sender_name text,
  unread_count int,
  last_read_at timestamptz,
  created_at timestamptz,
  is_archived boolean,
  is_hidden boolean,
  muted_until timestamptz,
  is_pinned boolean,
  is_marked_unread boolean,
  mentions_only boolean,
  is_mentioned boolean,
  draft text,
  draft_at timestamptz
)
language plpgsql stable security definer set search_path = ''
-- On small tables the planner prefers a full scan, and keeps that plan as the tables grow.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
-- Planning takes three times as long as reading, and nothing that differs from call to call changes the plan.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  blocked constant uuid[] := private.blocked_by((select auth.uid()));
begin
  return query
  select
    c.id, c.name, c.type,
    case when c.type = 'individual' then coalesce(other.name, c.name, '') else c.name end,
    other.id, private.shown_email(other.id, other.email, other.email_audience, other.is_active), coalesce(other.role = 'admin', false),
    members.count::int,
    last.id, last.message, last.sent_at, last.sender_id,
    case when sender.id is not null then private.name_for_members(sender) end,
    unread.count::int,
    p.last_read_at, c.created_at,
    c.id = any (me.archived_chats),
    c.id = any (me.hidden_chats),
    p.muted_until,
    p.pinned_at is not null,
    p.is_marked_unread,
    p.mentions_only,
    coalesce(p.mentioned_at > coalesce(p.last_read_at, '-infinity'), false),
    d.message,
    d.written_at
  from private.members me
  join private.chat_participants p on p.user_id = me.id and p.is_active
  join public.chats c on c.id = p.chat_id and c.is_active
  cross join lateral (
    select count(*) from private.chat_participants others where others.chat_id = c.id and others.is_active
  ) members
  left join lateral (
    select o.id, private.name_for_members(o) as name, o.email, o.email_audience, o.is_active, o.role
    from private.chat_participants others
    join private.members o on o.id = others.user_id
    where c.type = 'individual' and others.chat_id = c.id and others.user_id <> me.id
    limit 1
  ) other on true
  left join lateral (
    -- Of a file, the name.
    select m.id, coalesce(nullif(m.message, ''), m.attachment ->> 'name', '') as message, m.sent_at, m.sender_id
    from public.chat_messages m
    where m.chat_id = c.id and not m.is_deleted
    order by m.sent_at desc, m.id desc
    limit 1
  ) last on true
  left join private.members sender on sender.id = last.sender_id
  left join public.chat_drafts d on d.user_id = me.id and d.chat_id = c.id
  left join private.far_back f on f.chat_id = c.id
  cross join lateral (
    select case
      when coalesce(p.last_read_at, '-infinity') < f.sent_at and blocked = '{}' then 100
      else (
        select count(*)
        from (
          -- Bounded even for a member who wrote a thousand messages without reading one.
          select newest.sender_id, newest.is_deleted
          from (
            select m.sender_id, m.is_deleted
            from public.chat_messages m
            where m.chat_id = c.id and m.sent_at > coalesce(p.last_read_at, '-infinity')
            order by m.sent_at desc
            limit 1000
          ) newest
          where newest.sender_id <> me.id and newest.sender_id <> all (blocked) and not newest.is_deleted
          limit 100
        ) counted
      )
    end as count
    -- Keeps it one value: in the order as well, it would be counted again.
    offset 0
  ) unread
  where me.id = (select auth.uid()) and me.is_active
    and (with_hidden or c.id <> all (me.hidden_chats))
    and (c.type <> 'mandatory' or me.rally_enabled)
    and (other.id is null or other.id <> all (blocked))
  order by c.type = 'mandatory' desc, p.pinned_at is not null desc, (unread.count > 0 or p.is_marked_unread) desc,
    coalesce(last.sent_at, c.created_at) desc, c.id;
end
$$;

create or replace function public.chats_with_member(query text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select p.chat_id
  from private.members m
  join private.chat_participants p on p.user_id = m.id and p.is_active
  where m.admitted_at is not null and private.member_patterns(query) <> '{}' and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
    and p.chat_id in (select private.my_chat_ids())
  group by p.chat_id
  order by (select max(sent.sent_at) from public.chat_messages sent where sent.chat_id = p.chat_id) desc nulls last
$$;

create or replace function public.search_members(query text default '', max_results integer default 50, skip integer default 0)
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

create or replace function public.list_people(
  query text default '', with_role text default null, in_state text default null, leader_id uuid default null,
  after_first_name text default null, after_last_name text default null, after_id uuid default null,
  max_results integer default 50
)
returns table (
  id uuid, first_name text, last_name text, email text, role text, can_supervise boolean, is_vice_president boolean, state text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
  apart constant uuid[] := private.apart_from((select auth.uid()));
  vice_presidents constant uuid[] := (select s.vice_presidents from public.team_settings s);
begin
  if not private.is_member() then
    return;
  end if;
  -- Dynamic, so that it is planned for these words and filters: each has an index that suits it.
  return query execute $people$
    select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience, true), m.role, m.can_supervise,
      m.id = any ($3), m.state
    from private.members m
    where m.is_active and m.id <> all ($2)
      and ($4 is null or m.searchable like $4) and m.searchable like all ($5)
      and case $6
        when 'admin' then m.role = 'admin'
        when 'supervisor' then m.can_supervise
        when 'vice_president' then m.id = any ($3)
        when 'sponsor' then exists (select from private.members r where r.sponsor_id = m.id and r.is_active)
        else $6 is null
      end
      and ($7 is null or m.state = $7)
      and ($8 is null or m.id in (select private.brought_in_by($8)))
      and ($11 is null or (m.sort_name, m.id) > (private.sort_name($9, $10), $11))
    order by m.sort_name, m.id
    limit $1
  $people$ using
    greatest(least(max_results, 200), 0), apart, vice_presidents, patterns[1], patterns[2:], with_role, in_state, leader_id,
    coalesce(after_first_name, ''), coalesce(after_last_name, ''), after_id;
end
$$;

create or replace function public.member_profile(member_id uuid)
returns table (
  id uuid, first_name text, last_name text, is_active boolean, role text, can_supervise boolean, is_vice_president boolean,
  email text, phone text, state text, about text, sponsor_id uuid, sponsor_name text, brought_in bigint, chat_id uuid
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  member private.members;
begin
  select * into member from private.members m where m.id = member_profile.member_id and m.admitted_at is not null;
  if member.id is null or not private.is_member() then
    return;
  elsif not member.is_active then
    return query select member.id, member.first_name, member.last_name, false, 'user', false, false,
      null::text, null::text, null::text, '', null::uuid, null::text, 0::bigint, null::uuid;
    return;
  end if;
  return query
  select member.id, member.first_name, member.last_name, true, member.role, member.can_supervise,
    (select member.id = any (s.vice_presidents) from public.team_settings s),
    private.shown_email(member.id, member.email, member.email_audience, true),
    private.shown_phone(member.id, member.phone, member.phone_audience, true),
    member.state, member.about, sponsor.id,
    case when sponsor.id is not null then private.display_name(sponsor.first_name, sponsor.last_name, sponsor.email) end,
    (select count(*) from private.brought_in_by(member.id)),
    (
      select c.id
      from private.chat_participants mine
      join public.chats c on c.id = mine.chat_id and c.type = 'individual' and c.is_active and c.created_by in (me, member.id)
      join private.chat_participants theirs on theirs.chat_id = c.id and theirs.user_id = member.id
      where mine.user_id = me and mine.is_active and member.id <> me
      order by c.created_at limit 1
    )
  from (select) one
  left join lateral (
    select s.* from private.upline(member.id) above join private.members s on s.id = above.id where above.level = 1
  ) sponsor on true;
end
$$;

create or replace function private.title_for_me(chat_id uuid) returns text
language sql stable set search_path = ''
as $$
  select case when c.type <> 'individual' then c.name else coalesce((
    select private.name_for_members(o)
    from private.chat_participants p join private.members o on o.id = p.user_id
    where p.chat_id = c.id and p.user_id <> (select auth.uid()) limit 1
  ), c.name, '') end
  from public.chats c where c.id = title_for_me.chat_id
$$;

create or replace function public.search_messages(query text, max_results int default 50, in_chat uuid default null) returns table (
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

create or replace function private.search_people(query text, most integer)
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

create or replace function public.search_everything(
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

create or replace function private.push_text(
  entry private.push_outbox, recipient uuid,
  out title text, out body text, out chat_id uuid, out message_id uuid, out notice_id uuid, out link text,
  out sent_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  if entry.kind = 'message' then
    select
      case when c.type = 'individual' then sender.name else c.name end,
      case when c.type = 'individual' then '' else sender.name || ': ' end
        || case when private.is_blank(m.message) then coalesce('📎 ' || (m.attachment ->> 'name'), '📷') else left(m.message, 300) end,
      m.chat_id, m.id, '/chat/' || m.chat_id, m.sent_at
    into title, body, chat_id, message_id, link, sent_at
    from public.chat_messages m
    join public.chats c on c.id = m.chat_id
    cross join lateral (
      select private.name_for_members(s) as name
      from private.members s where s.id = m.sender_id
    ) sender
    where m.id = entry.message_id;
  elsif entry.kind = 'notice' then
    select n.title, left(n.body, 300), n.id, '/notifications', n.published_at
    into title, body, notice_id, link, sent_at
    from public.team_notices n where n.id = entry.notice_id;
  elsif entry.kind = 'newcomer' then
    select
      case when private.reads_spanish(recipient) then 'Alguien espera entrar al equipo' else 'Someone is waiting to join' end,
      private.display_name(w.first_name, w.last_name, w.email)
        || case when s.id is null then '' else ' · ' || private.display_name(s.first_name, s.last_name, s.email) end,
      '/admin/members?filter=waiting', w.status_changed_at
    into title, body, link, sent_at
    from private.members w left join private.members s on s.id = w.sponsor_id
    where w.id = entry.newcomer_id;
  else
    if private.reads_spanish(recipient) then
      title := 'Prueba';
      body := 'Las notificaciones llegan a este dispositivo.';
    else
      title := 'Test';
      body := 'Notifications reach this device.';
    end if;
    link := '/notifications';
    sent_at := entry.created_at;
  end if;
end
$$;

create or replace function public.my_reports(max_results int default 50, before timestamptz default 'infinity')
returns table (
  id uuid, member_id uuid, member_name text, message_id uuid, message text, reason text, note text,
  created_at timestamptz, outcome text, closed_at timestamptz, is_unread boolean
)
language sql stable security definer set search_path = ''
as $$
  select r.id, r.member_id, private.name_for_members(m), r.message_id, left(said.message, 160),
    r.reason, r.note, r.created_at, r.outcome, r.closed_at, coalesce(r.closed_at > coalesce(r.seen_at, '-infinity'), false)
  from private.reports r
  join private.members m on m.id = r.member_id
  left join public.chat_messages said on said.id = r.message_id and not said.is_deleted
    and said.chat_id in (select private.my_chat_ids())
  where r.reporter_id = (select auth.uid()) and (select private.is_member()) and r.created_at < before
  order by r.created_at desc
  limit least(greatest(max_results, 1), 200)
$$;

create or replace function public.my_notifications(
  max_results int default 50, before timestamptz default 'infinity',
  before_id uuid default '00000000-0000-0000-0000-000000000000'
)
returns table (
  kind text, id uuid, chat_id uuid, title text, body text, link text, at timestamptz, is_unread boolean,
  is_urgent boolean, must_acknowledge boolean, acknowledged_at timestamptz, reminded_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  (
    select 'notice', n.id, null::uuid, n.title, n.body, n.link, greatest(r.received_at, r.reminded_at),
      r.opened_at is null or r.acknowledged_at is null and r.opened_at < coalesce(r.reminded_at, '-infinity'), n.is_urgent,
      n.must_acknowledge, r.acknowledged_at, r.reminded_at
    from public.notice_receipts r join public.team_notices n on n.id = r.notice_id
    where r.user_id = (select auth.uid()) and (select private.is_member())
      and n.cancelled_at is null and (greatest(r.received_at, r.reminded_at), n.id) < (before, before_id)
    order by 7 desc, 2 desc limit least(max_results, 200)
  )
  union all
  (
    select 'mention', m.id, m.chat_id, private.name_for_members(s), left(m.message, 300),
      '/chat/' || m.chat_id, m.sent_at, m.sent_at > coalesce(p.last_read_at, '-infinity'), false, false,
      null::timestamptz, null::timestamptz
    from public.chat_messages m
    join private.chat_participants p on p.chat_id = m.chat_id and p.user_id = (select auth.uid())
    join private.members s on s.id = m.sender_id
    where m.mentions <> '{}' and m.mentions @> array[(select auth.uid())] and not m.is_deleted
      and (m.sent_at, m.id) < (before, before_id)
      and m.chat_id in (select private.my_chat_ids())
      and m.sender_id <> all (private.blocked_by((select auth.uid())))
    order by m.sent_at desc, m.id desc limit least(max_results, 200)
  )
  union all
  (
    select 'newcomer', w.id, null::uuid, private.display_name(w.first_name, w.last_name, w.email),
      case when s.id is null then '' else private.display_name(s.first_name, s.last_name, s.email) end, '/admin/members?filter=waiting', w.status_changed_at,
      w.status_changed_at > me.newcomers_seen_at, false, false, null::timestamptz, null::timestamptz
    from private.members w
    join private.members me on me.id = (select auth.uid()) and (select private.is_admin())
    left join private.members s on s.id = w.sponsor_id
    where w.status = 'waiting' and (w.status_changed_at, w.id) < (before, before_id)
    order by w.status_changed_at desc, w.id desc limit least(max_results, 200)
  )
  union all
  (
    select 'report', r.id, null::uuid, private.name_for_members(m), r.outcome, '/profile/reports',
      r.closed_at, r.closed_at > coalesce(r.seen_at, '-infinity'), false, false, null::timestamptz, null::timestamptz
    from private.reports r join private.members m on m.id = r.member_id
    where r.reporter_id = (select auth.uid()) and (select private.is_member())
      and r.closed_at is not null and (r.closed_at, r.id) < (before, before_id)
    order by r.closed_at desc, r.id desc limit least(max_results, 200)
  )
  order by 7 desc, 2 desc limit least(max_results, 200)
$$;

create or replace function private.follow_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.deleted_at is not null then
    perform private.forget_member(new.id);
    perform private.forget_in_audit_log(new.id);
    return null;
  end if;
  update private.members m set email = new.email where m.id = new.id and m.status <> 'deleted';
  perform private.ensure_member(new.id, null, null);
  return null;
end
$$;

create or replace function private.forget_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.forget_member(old.id);
  perform private.forget_in_audit_log(old.id);
  return null;
end
$$;

create or replace function private.forget_member(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  address constant text := (select lower(m.email) from private.members m where m.id = member_id);
begin
  update private.members set
    status = 'deleted', status_reason = '', email = null, first_name = 'Former', last_name = 'member', role = 'user',
    push_token = null, hidden_chats = '{}', archived_chats = '{}',
    phone = null, phone_audience = 'leaders', email_audience = 'everyone', state = null, about = '',
    rally_enabled = false, can_create_chats = false, can_send_messages = false, can_supervise = false
  where id = member_id and status <> 'deleted';
  update private.chat_participants set is_active = false, last_read_at = null, muted_until = null,
    mentions_only = false, mentioned_at = null
  where user_id = member_id and is_active;
  delete from public.invitations i where i.accepted_by = member_id;
  -- Not one that an admin is renewing at this moment.
  delete from public.invitations i
  where i.id in (select known.id from public.invitations known where known.email = address for update skip locked);
end
$$;

create or replace function public.delete_my_account() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.typed_password_recently() then
    raise exception 'Sign in again with your password to delete your account' using errcode = '42501';
  end if;
  perform archive.lock_holds();
  if archive.is_account_held((select auth.uid())) then
    perform archive.postpone_erasure((select auth.uid()));
    return;
  end if;
  -- Triggers do the rest: messages stay readable under "Former member", personal data is removed, and a team's last
  -- admin is refused.
  delete from auth.users where id = (select auth.uid());
end
$$;

create or replace function private.own_safety_rows(me uuid, page_size integer, skipped bigint) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return jsonb_build_object(
    'reports', (
      select coalesce(jsonb_agg(to_jsonb(mine)), '[]') from (
        select r.id, r.member_id, private.name_for_members(m) as member_name, r.message_id,
          r.reason, r.note, r.created_at, r.outcome, r.closed_at
        from private.reports r join private.members m on m.id = r.member_id
        where r.reporter_id = me order by r.created_at, r.id limit page_size offset skipped
      ) mine
    ),
    'blocked_people', (
      select coalesce(jsonb_agg(to_jsonb(mine)), '[]') from (
        select b.blocked_id as member_id, private.name_for_members(m) as member_name,
          b.created_at as blocked_at
        from private.blocks b join private.members m on m.id = b.blocked_id
        where b.blocker_id = me order by b.created_at, b.blocked_id limit page_size offset skipped
      ) mine
    ),
    'accepted_house_rules', (
      select coalesce(jsonb_agg(to_jsonb(mine)), '[]') from (
        select a.version, a.accepted_at from private.rule_acceptances a
        where a.member_id = me order by a.version limit page_size offset skipped
      ) mine
    )
  );
end
$$;

create or replace function public.reset_second_factor(member_id uuid, reason text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  why constant text := private.trimmed(reason);
begin
  if not private.is_admin() then
    raise exception 'Only an admin resets two-step verification' using errcode = '42501';
  end if;
  if member_id = (select auth.uid()) then
    raise exception 'Turn off your own two-step verification in your profile' using errcode = '42501';
  end if;
  if exists (select from private.members m where m.id = reset_second_factor.member_id and m.status = 'deleted') then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  if why = '' then
    raise exception 'Give a reason' using errcode = '22023';
  end if;
  if char_length(why) > 200 then
    raise exception 'Reason is at most 200 characters' using errcode = '22023';
  end if;
  delete from auth.mfa_factors f where f.user_id = member_id;
  if not found then
    return false;
  end if;
  -- The lost phone is signed out too.
  delete from auth.sessions s where s.user_id = member_id;
  perform private.record_change(
    'member', 'second_factor_reset', member_id, null, null, null, array[member_id], jsonb_build_object('reason', why)
  );
  return true;
end
$$;

create function private.close_account(account_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users set banned_until = '2999-12-31' where id = account_id;
  perform private.forget_mailed_links(account_id);
end
$$;

create or replace function private.follow_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status in ('suspended', 'removed', 'declined') then
    perform private.close_account(new.id);
    update private.members set push_token = null where id = new.id and push_token is not null;
  elsif new.status in ('active', 'waiting') then
    update auth.users set banned_until = null where id = new.id and banned_until is not null;
  end if;
  -- Open devices still show a member's screens; after signing in again they show the waiting page.
  if old.status = 'active' and new.status = 'waiting' then
    delete from auth.sessions where user_id = new.id;
  end if;
  return null;
end
$$;

create or replace function public.supervisors() returns table (id uuid, first_name text, last_name text, email text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience, true)
  from private.members m
  where (select private.is_member()) and m.can_supervise and m.is_active
  order by m.sort_name, m.id
  limit 50
$$;

create function archive.lock_holds() returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('archive.holds', 0)) $$;

create or replace function archive.postpone_erasure(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- First the account, as set_member_status does.
  perform from auth.users u where u.id = postpone_erasure.member_id for no key update;
  insert into archive.waiting_erasures (member_id) values (postpone_erasure.member_id) on conflict do nothing;
  perform private.forget_member(postpone_erasure.member_id);
  perform private.close_account(postpone_erasure.member_id);
end
$$;

create or replace function public.lift_legal_hold(hold_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  hold archive.holds;
begin
  perform private.assert_admin();
  if private.is_blank(reason) then
    raise exception 'Give a reason for lifting the hold' using errcode = '23514';
  elsif char_length(reason) > 500 then
    raise exception 'Reason is at most 500 characters' using errcode = '23514';
  end if;
  perform archive.lock_holds();
  update archive.holds h set lifted_at = now(), lifted_by = (select auth.uid())
  where h.id = hold_id and h.lifted_at is null
  returning * into hold;
  if hold.id is null then
    return;
  end if;
  perform archive.record(
    'hold.lifted', json_build_object('reason', btrim(lift_legal_hold.reason)), hold.chat_id, hold.id, hold.member_id
  );
  perform archive.record_hold_change('hold_lifted', hold.id, btrim(lift_legal_hold.reason));
  perform archive.erase_waiting_accounts();
end
$$;

create or replace function public.legal_holds()
returns table (
  id uuid, member_id uuid, chat_id uuid, name text, reason text, placed_at timestamptz, placed_by uuid, placed_by_name text,
  lifted_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select h.id, h.member_id, h.chat_id, coalesce(held.name, archive.name_of(m.first_name, m.last_name), c.name), h.reason, h.placed_at,
    h.placed_by, archive.name_of(p.first_name, p.last_name), h.lifted_at
  from archive.holds h
  left join private.members m on m.id = h.member_id
  -- By the name of the time, as long as the hold keeps the account.
  left join archive.waiting_erasures w on w.member_id = h.member_id and h.lifted_at is null
  left join lateral archive.named(w.member_id) held on true
  left join public.chats c on c.id = h.chat_id
  left join private.members p on p.id = h.placed_by
  order by h.lifted_at is not null, h.placed_at desc, h.id
  limit 500;
end
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
    or patterns <> '{}' and c.type = 'individual' and c.id in (
      select p.chat_id from private.chat_participants p
      where p.user_id in (
        select m.id from private.members m
        where private.member_words(m.first_name, m.last_name, '') like all (patterns) order by m.sort_name, m.id limit 20
      )
    )
  order by c.type = 'mandatory' desc, c.type = 'group' desc, c.created_at desc, c.id
  limit least(greatest(coalesce(max_results, 50), 1), 100);
end
$$;

revoke execute on function archive.lock_holds() from public;

revoke execute on function private.close_account(uuid) from public;

revoke execute on function private.name_for_members(private.members) from public;

revoke execute on function private.sees_email_of(uuid,text,boolean) from public;

revoke execute on function private.shown_email(uuid,text,text,boolean) from public;

drop function private.shown_email(uuid,text,text);

grant execute on function private.sees_email_of(uuid,text,boolean) to authenticated;

grant execute on function private.sees_email_of(uuid,text,boolean) to service_role;

grant execute on function private.shown_email(uuid,text,text,boolean) to authenticated;

grant execute on function private.shown_email(uuid,text,text,boolean) to service_role;

drop function private.sees_email_of(uuid,text);

-- By hand: change comment view column public.users.email: from "Null where the member does not show it to the caller." to "Null where the member does not show it to the caller. Once they are suspended or left, only admins see it." (Postgres: syntax error at or near "column")

comment on column public.users.email is
  'Null where the member does not show it to the caller. Once they are suspended or left, only admins see it.';

-- Their accounts are closed already.
select private.forget_member(w.member_id) from archive.waiting_erasures w;
select archive.erase_waiting_accounts();
