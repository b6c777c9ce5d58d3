-- Live updates, published by the database itself so that nobody has to poll and nobody can forge one.
--   chat:<chat id>    message_inserted, message_updated   the message
--                     participant_read                    { chat_id, user_id }
--   typing:<chat id>  typing                              { user_id }; presence of members who have the chat open
--   user:<user id>    chat_changed                        { chat_id }: new message, read, pinned or muted elsewhere, joined, left
--                     saved_changed                       { chat_id }: the member saved a message, or no longer does
--                     draft_changed                       { chat_id, device }: what the member typed on a device
--                     reaction_changed                    { message_id, emoji, is_on }: the member's own reactions
--                     permissions_changed                 the member's role or permissions changed
--                     blocks_changed                      the member blocked or unblocked somebody
--                     report_closed                       somebody decided a report of the member
--                     notifications_read                  the member read or acknowledged notifications
--                     session_ended                       one of the member's sessions ended, or the account is suspended
--   online:<user id>  presence of that member's devices while the app is in view
--   team              content_changed                     { table, spread_ms }: members, content, settings or notices changed
--   admins            content_changed                     { table }: onboarding progress, broken links or newcomers changed
--   supervisor:<user id>  content_changed                 { table }: the review queue changed (review_queue.sql)
-- The publishing triggers are in their tables' files; those on members, chats and participants are here.

-- A new message in a chat with more participants than this is not published to each of them, because that would store one
-- row per participant and message. Members of such a chat get it on the chat's own topic.
create function private.most_notified_participants() returns int
language sql immutable set search_path = ''
as $$ select 50 $$;

create function private.is_large_chat(chat uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select count(*) > private.most_notified_participants() from (
    select from private.chat_participants p where p.chat_id = chat and p.is_active
    limit private.most_notified_participants() + 1
  ) counted
$$;

-- The embedded backend has a function for this. Elsewhere one insert writes what realtime.send would, row by row, and
-- like both never fails the surrounding transaction.
create function private.publish_to_members(recipients uuid[], event text, payload jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.send_to_topics(jsonb,text,text[],boolean)') is not null then
    perform realtime.send_to_topics(payload, event, array(select 'user:' || r from unnest(recipients) r), true);
    return;
  end if;
  begin
    insert into realtime.messages (payload, event, topic, private, extension)
    select publish_to_members.payload, publish_to_members.event, 'user:' || recipient, true, 'broadcast'
    from unnest(recipients) recipient;
  exception when others then
    raise warning 'WarnSendingBroadcastMessage: % to members: %', event, sqlerrm;
  end;
end
$$;

-- Every open app reads again what is published to the team. All of them at the same moment would be more than a server answers,
-- so each waits some part of this time: two milliseconds a member, at most twenty seconds.
create function private.team_spread_ms() returns int
language sql stable security definer set search_path = ''
as $$
  select (2 * count(*))::int from (select from private.members m where m.is_active limit 10000) as team
$$;

-- Publishes to the team that a table changed.
create function private.publish_to_team(changed_table text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('table', changed_table, 'spread_ms', private.team_spread_ms()), 'content_changed', 'team', true
  );
end
$$;

-- Shared by the tables that the whole team reads.
create function private.publish_content() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_team(tg_table_name);
  return null;
end
$$;

create function private.publish_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_team('users');
  return null;
end
$$;

create trigger publish_new_member after insert on private.members
  for each row when (new.status = 'active') execute function private.publish_team();
create trigger publish_changed_member after update on private.members
  for each row
  when (
    (old.first_name, old.last_name, old.email, old.email_audience, old.is_active)
    is distinct from (new.first_name, new.last_name, new.email, new.email_audience, new.is_active)
  )
  execute function private.publish_team();

-- Who comes back reads again what changed, instead of everything. Publications are kept for three days.
create function public.changed_tables(seconds int) returns setof text
language sql stable security definer set search_path = ''
as $$
  select distinct m.payload ->> 'table'
  from realtime.messages m
  where m.extension = 'broadcast' and m.private and m.event = 'content_changed'
    and m.topic in (
      select 'team' where (select private.is_member())
      union all select 'admins' where (select private.is_admin())
      union all select 'supervisor:' || (select auth.uid()) where (select private.is_supervisor())
    )
    and m.inserted_at >= (now() at time zone 'utc') - make_interval(secs => least(greatest(seconds, 0), 3600))
$$;
comment on function public.changed_tables is
  'The tables that were published as changed in the last seconds, at most an hour, on the topics "team", to admins "admins", and to supervisors their own.';
revoke execute on function public.changed_tables from public, anon;
grant execute on function public.changed_tables to authenticated;

create function private.publish_permissions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{}'::jsonb, 'permissions_changed', 'user:' || new.id, true);
  return null;
end
$$;

create trigger publish_permissions after update on private.members
  for each row
  when (
    (old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages, old.can_supervise)
    is distinct from (new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages, new.can_supervise)
  )
  execute function private.publish_permissions();

create function private.publish_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('chat_id', new.chat_id), 'chat_changed', 'user:' || new.user_id, true
  );
  return null;
end
$$;

create trigger publish_new_participant after insert on private.chat_participants
  for each row execute function private.publish_participant();
create trigger publish_changed_participant after update on private.chat_participants
  for each row
  when (
    old.is_active <> new.is_active
    or old.last_read_at is distinct from new.last_read_at
    or old.muted_until is distinct from new.muted_until
    or old.pinned_at is distinct from new.pinned_at
    or old.is_marked_unread <> new.is_marked_unread
    or old.mentions_only <> new.mentions_only
    or old.mentioned_at is distinct from new.mentioned_at
  )
  execute function private.publish_participant();

-- A renamed or closed chat is published to all participants, however many there are.
create function private.publish_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_members(
    array(select p.user_id from private.chat_participants p where p.chat_id = new.id and p.is_active),
    'chat_changed',
    jsonb_build_object('chat_id', new.id)
  );
  return null;
end
$$;

create trigger publish_chat after update of name, is_active on public.chats
  for each row execute function private.publish_chat();

-- Publishes to a chat that a participant has read it. Small chats only: in a large one every message would be followed
-- by one broadcast per reader to every reader.
create function private.publish_reading() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select s.seen_by_enabled from public.team_settings s) and not private.is_large_chat(new.chat_id) then
    perform realtime.send(
      jsonb_build_object('chat_id', new.chat_id, 'user_id', new.user_id), 'participant_read',
      'chat:' || new.chat_id, true
    );
  end if;
  return null;
end
$$;

create trigger publish_reading after update on private.chat_participants
  for each row when (new.last_read_at is distinct from old.last_read_at)
  execute function private.publish_reading();

-- Who may subscribe and publish. Why presence has one topic per person: docs/decisions/004-presence-per-person.md

create function private.online_member(topic text) returns uuid
language sql immutable set search_path = ''
as $$ select case when topic ~ '^online:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 8)::uuid end $$;

create function private.shares_individual_chat(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.chat_participants theirs
    join public.chats c on c.id = theirs.chat_id and c.type = 'individual' and c.is_active
    where theirs.user_id = member_id and theirs.is_active and theirs.chat_id in (select private.my_chat_ids())
      and member_id <> all (private.apart_from((select auth.uid())))
  )
$$;

create function private.can_receive(topic text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.session_is_live() and private.is_member() and (
    topic = 'team'
    or topic in ('user:' || (select auth.uid()), 'online:' || (select auth.uid()))
    or topic in (
      select kind || id from private.my_chat_ids() id cross join (values ('chat:'), ('typing:')) kinds (kind)
    )
    or private.online_member(topic) is not null
      and private.shares_individual_chat(private.online_member(topic))
  )
$$;

-- Members publish nothing but presence, and only where the app looks at it: while they have a chat open, and on their own
-- online:<user id>. Broadcasts come from the database alone. What a device tracks may contain text, so members who may not
-- send messages show no presence either.
create function private.can_send(topic text, extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select extension = 'presence' and private.can_receive(topic)
    and (topic like 'typing:%' or topic = 'online:' || (select auth.uid()))
    and private.may_send_messages()
    -- Of two with a block between them, neither shows the other anything in their chat.
    and not exists (
      select from private.my_chat_ids() mine (id) join public.chats c on c.id = mine.id and c.type = 'individual'
      where topic = 'typing:' || c.id and private.is_pair_apart(c.id, (select auth.uid()))
    )
$$;

create policy "members receive from the team, their own topic and their chats" on realtime.messages
  for select to authenticated
  using (extension in ('broadcast', 'presence') and (select private.can_receive((select realtime.topic()))));

create policy "members show that they are online and have a chat open" on realtime.messages
  for insert to authenticated
  with check (private.can_send((select realtime.topic()), extension));

-- Payloads on this topic name a table and no member; what changed is then read as an admin.
create policy "admins receive what concerns admins" on realtime.messages
  for select to authenticated
  using (extension = 'broadcast' and (select realtime.topic()) = 'admins' and (select private.is_admin()) and (select private.session_is_live()));

revoke execute on all functions in schema private from public;
grant execute on function private.can_receive(text), private.can_send(text, text) to authenticated, service_role;
