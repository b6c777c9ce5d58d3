-- Who is in a chat, who has seen a message, and adding several members to a group at once.

-- A page of a chat's participants by name; the creator first. Serves the member list and the mentions.
create function public.chat_members(
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
    and (query = '' or strpos(lower(m.first_name || ' ' || m.last_name), lower(btrim(query))) > 0)
  order by coalesce(c.created_by = m.id, false) desc, m.first_name, m.last_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

create function public.add_chat_members(chat_id uuid, member_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if chat_id not in (select private.my_created_group_ids()) then
    raise exception 'Only the creator adds members to a group' using errcode = '42501';
  end if;
  insert into public.chat_participants as p (chat_id, user_id, is_active)
  select add_chat_members.chat_id, id, true from unnest(member_ids) id
  on conflict on constraint chat_participants_pkey do update set is_active = true where not p.is_active;
end
$$;

-- Who has read up to a message, latest first, with the number of all; nothing when the team has it switched off.
create function public.message_seen_by(message_id uuid, max_results integer default 50)
returns table (id uuid, first_name text, last_name text, seen_at timestamptz, total bigint)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.first_name, u.last_name, p.last_read_at, count(*) over ()
  from public.chat_messages m
  join public.chat_participants p on p.chat_id = m.chat_id and p.is_active
    and p.user_id <> m.sender_id and p.last_read_at >= m.sent_at
  join private.members u on u.id = p.user_id
  where m.id = message_id and m.chat_id in (select private.my_chat_ids())
    and (select s.seen_by_enabled from public.team_settings s)
  order by p.last_read_at desc, u.id
  limit least(max_results, 200)
$$;

-- The caller's chats that somebody of this name takes part in, for the chat list's search.
create function public.chats_with_member(query text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select distinct p.chat_id
  from private.members m
  join public.chat_participants p on p.user_id = m.id and p.is_active
  where btrim(query) <> '' and p.chat_id in (select private.my_chat_ids())
    and strpos(lower(m.first_name || ' ' || m.last_name), lower(btrim(query))) > 0
$$;

-- Tells a chat that somebody has read it. Only small chats: in a large one every message would be followed by one
-- broadcast per reader to every reader.
create function private.announce_reading() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select s.seen_by_enabled from public.team_settings s) and (
    select count(*) from (
      select from public.chat_participants p where p.chat_id = new.chat_id and p.is_active
      limit private.most_announced_participants() + 1
    ) as chosen
  ) <= private.most_announced_participants() then
    perform realtime.send(
      jsonb_build_object('chat_id', new.chat_id, 'user_id', new.user_id), 'participant_read',
      'chat:' || new.chat_id, true
    );
  end if;
  return null;
end
$$;

create trigger announce_reading after update on public.chat_participants
  for each row when (new.last_read_at is distinct from old.last_read_at)
  execute function private.announce_reading();

revoke execute on all functions in schema private from public;
revoke execute on function
  public.chat_members(uuid, text, integer, integer), public.add_chat_members(uuid, uuid[]),
  public.message_seen_by(uuid, integer), public.chats_with_member(text)
from public, anon;
grant execute on function
  public.chat_members(uuid, text, integer, integer), public.add_chat_members(uuid, uuid[]),
  public.message_seen_by(uuid, integer), public.chats_with_member(text)
to authenticated, service_role;
