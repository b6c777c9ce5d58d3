-- The number on the app's icon is the one on the Chat tab: a muted chat has no part in either.

create or replace function private.unread_badge(member_id uuid) returns int
language sql stable security definer set search_path = ''
as $$
  select count(*)::int from (
    select
    from private.members me
    join public.chat_participants p on p.user_id = me.id and p.is_active and p.chat_id <> all (me.hidden_chats)
      and coalesce(p.muted_until, '-infinity') <= now()
    join public.chats c on c.id = p.chat_id and c.is_active and (c.type <> 'mandatory' or me.rally_enabled)
    cross join lateral (
      select newest.sender_id, newest.is_deleted from (
        select m.sender_id, m.is_deleted from public.chat_messages m
        where m.chat_id = c.id and m.sent_at > coalesce(p.last_read_at, '-infinity')
        order by m.sent_at desc limit 200
      ) newest
      where newest.sender_id <> me.id and not newest.is_deleted
    ) unread
    where me.id = member_id
    limit 100
  ) counted
$$;

revoke execute on function private.unread_badge from public;
