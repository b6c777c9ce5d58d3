-- online:<user id>: a member's devices are present there while the app is in sight, and whoever has a chat of two with
-- them may look. Why one topic per person and not one for the team: docs/decisions/004-presence-per-person.md

create function private.online_member(topic text) returns uuid
language sql immutable set search_path = ''
as $$ select case when topic ~ '^online:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 8)::uuid end $$;

create function private.shares_individual_chat(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.chat_participants theirs
    join public.chats c on c.id = theirs.chat_id and c.type = 'individual' and c.is_active
    where theirs.user_id = member_id and theirs.is_active and theirs.chat_id in (select private.my_chat_ids())
  )
$$;

-- As in 20261102091300_guard_realtime_topics.sql, with online:<user id>.
create or replace function private.may_listen(topic text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.members where id = (select auth.uid()) and is_active) and (
    topic = 'team'
    or topic in ('user:' || (select auth.uid()), 'online:' || (select auth.uid()))
    or topic in (
      select kind || id from private.my_chat_ids() id cross join (values ('chat:'), ('typing:')) kinds (kind)
    )
    or private.online_member(topic) is not null
      and private.shares_individual_chat(private.online_member(topic))
  )
$$;

create or replace function private.may_speak(topic text, extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.may_listen(topic) and (
    extension = 'presence' and topic not like 'user:%'
      and (topic not like 'online:%' or topic = 'online:' || (select auth.uid()))
    or extension = 'broadcast' and topic like 'typing:%' and private.may_send_messages()
  )
$$;

revoke execute on all functions in schema private from public;
