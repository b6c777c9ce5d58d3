-- chat_list(): the whole list in one call. Every part is an index probe with a bound, so a long history costs nothing:
-- one probe for the last message, at most 100 counted unread ones. Runs with the owner's rights, because the policies
-- would be asked again for every row; the caller's own participations are the only way in.

create function public.chat_list() returns table (
  chat_id uuid,
  name text,
  type text,
  title text,
  other_user_id uuid,
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
  muted_until timestamptz
)
language plpgsql stable security definer set search_path = ''
-- While a team is young the planner finds reading the whole table cheaper, and keeps that plan as the table grows.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query
  select
    c.id, c.name, c.type,
    case when c.type = 'individual' then coalesce(other.name, c.name, '') else c.name end,
    other.id,
    members.count::int,
    last.id, last.message, last.sent_at, last.sender_id,
    case when sender.id is not null
      then private.display_name(sender.first_name, sender.last_name, sender.email) end,
    unread.count::int,
    p.last_read_at, c.created_at,
    c.id = any (me.archived_chats),
    false, -- hidden chats are left out; the column tells a client of its own lists apart
    p.muted_until
  from private.members me
  join public.chat_participants p on p.user_id = me.id and p.is_active
  join public.chats c on c.id = p.chat_id and c.is_active
  cross join lateral (
    select count(*) from public.chat_participants others where others.chat_id = c.id and others.is_active
  ) members
  left join lateral (
    select o.id, private.display_name(o.first_name, o.last_name, o.email) as name
    from public.chat_participants others
    join private.members o on o.id = others.user_id
    where c.type = 'individual' and others.chat_id = c.id and others.user_id <> me.id
    limit 1
  ) other on true
  left join lateral (
    select m.id, m.message, m.sent_at, m.sender_id
    from public.chat_messages m
    where m.chat_id = c.id and not m.is_deleted
    order by m.sent_at desc, m.id desc
    limit 1
  ) last on true
  left join private.members sender on sender.id = last.sender_id
  cross join lateral (
    select count(*) from (
      -- A member who wrote a thousand messages without reading one still costs a bounded look.
      select newest.sender_id, newest.is_deleted
      from (
        select m.sender_id, m.is_deleted
        from public.chat_messages m
        where m.chat_id = c.id and m.sent_at > coalesce(p.last_read_at, '-infinity')
        order by m.sent_at desc
        limit 1000
      ) newest
      where newest.sender_id <> me.id and not newest.is_deleted
      limit 100
    ) counted
  ) unread
  where me.id = (select auth.uid()) and me.is_active
    and c.id <> all (me.hidden_chats)
    and (c.type <> 'mandatory' or me.rally_enabled)
  order by c.type = 'mandatory' desc, unread.count > 0 desc, coalesce(last.sent_at, c.created_at) desc, c.id;
end
$$;
comment on function public.chat_list is
  'The caller''s chats, the mandatory one first, then unread ones, then by latest message. Unread stops at 100.';

revoke execute on function public.chat_list from public, anon;
grant execute on function public.chat_list to authenticated, service_role;

-- The time is the server's, so that a device whose clock is behind does not leave messages unread. The trigger on
-- chat_participants tells the member's other devices.
create function public.mark_chat_read(chat_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.chat_participants p set last_read_at = now()
  where p.chat_id = mark_chat_read.chat_id and p.user_id = (select auth.uid()) and p.is_active
$$;
comment on function public.mark_chat_read is 'Everything in this chat is read by the caller.';

revoke execute on function public.mark_chat_read from public, anon;
grant execute on function public.mark_chat_read to authenticated, service_role;
