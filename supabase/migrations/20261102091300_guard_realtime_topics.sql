-- Who may listen and speak on which live topic. Announcements come from the database alone: members may speak
-- only on typing:<chat id>, and show their presence there, on chat:<chat id> and on team.

create function private.may_listen(topic text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.members where id = (select auth.uid()) and is_active) and (
    topic = 'team'
    or topic = 'user:' || (select auth.uid())
    or topic in (
      select kind || id from private.my_chat_ids() id cross join (values ('chat:'), ('typing:')) kinds (kind)
    )
  )
$$;

create function private.may_speak(topic text, extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.may_listen(topic) and (
    extension = 'presence' and topic not like 'user:%'
    or extension = 'broadcast' and topic like 'typing:%' and private.may_send_messages()
  )
$$;

create policy "members listen to the team, their own topic and their chats" on realtime.messages
  for select to authenticated
  using (extension in ('broadcast', 'presence') and (select private.may_listen((select realtime.topic()))));

create policy "members show presence and that they are typing" on realtime.messages
  for insert to authenticated
  with check (private.may_speak((select realtime.topic()), extension));

revoke execute on all functions in schema private from public;
grant execute on function private.may_listen(text), private.may_speak(text, text) to authenticated, service_role;
