-- chat_list(): the whole list in one call. Every part is a bounded index probe, so a long history costs nothing: one
-- probe for the last message, at most 100 unread ones counted, and none where far_back.sql already knows there are 100.
-- Runs with the owner's rights, because the policies would otherwise be evaluated for every row; it starts from the
-- caller's own participations only.

create function public.chat_list(with_hidden boolean default false) returns table (
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
comment on function public.chat_list is
  'The caller''s chats, the mandatory one first, then pinned ones, then unread ones, then by latest message. Unread stops at 100.'
  ' Hidden chats are left out unless asked for, chats with people whom the caller blocked always.';

revoke execute on function public.chat_list from public, anon;
grant execute on function public.chat_list to authenticated, service_role;

-- An archived chat returns to the list when a message arrives in it.
create function private.unarchive_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.members m set archived_chats = array_remove(m.archived_chats, new.chat_id)
  where m.archived_chats @> array[new.chat_id];
  return null;
end
$$;

create trigger unarchive_chat after insert on public.chat_messages
  for each row execute function private.unarchive_chat();

revoke execute on all functions in schema private from public;

-- The caller's chats that a person of this name takes part in, for the chat list's search: one of them, and how many there are. Not the
-- chat of the whole team, in which everybody is. The newest come first: an answer has at most 1,000 rows.
create function public.chats_with_member(query text)
returns table (chat_id uuid, first_name text, last_name text, found integer)
language sql stable security definer set search_path = ''
as $$
  select
    p.chat_id,
    (array_agg(m.first_name order by m.first_name, m.last_name, m.id))[1],
    (array_agg(m.last_name order by m.first_name, m.last_name, m.id))[1],
    count(*)::integer
  from private.members m
  join private.chat_participants p on p.user_id = m.id and p.is_active
  where m.admitted_at is not null and private.member_patterns(query) <> '{}' and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
    and p.chat_id in (
      select c.id from public.chats c where c.id in (select private.my_chat_ids()) and c.type <> 'mandatory'
    )
  group by p.chat_id
  order by (select max(sent.sent_at) from public.chat_messages sent where sent.chat_id = p.chat_id) desc nulls last
$$;

revoke execute on function public.chats_with_member(text) from public, anon;
grant execute on function public.chats_with_member(text) to authenticated, service_role;
