-- The test of a device's push reads in the member's language, found where the accounts service finds that of its mails.

-- As in 20261121090300_push_worker.sql otherwise.
create or replace function private.push_text(
  entry private.push_outbox,
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
        || case when m.message ~ '\S' then left(m.message, 300) else '📷' end,
      m.chat_id, m.id, '/chat/' || m.chat_id, m.sent_at
    into title, body, chat_id, message_id, link, sent_at
    from public.chat_messages m
    join public.chats c on c.id = m.chat_id
    cross join lateral (
      select private.display_name(s.first_name, s.last_name, s.email) as name
      from private.members s where s.id = m.sender_id
    ) sender
    where m.id = entry.message_id;
  elsif entry.kind = 'notice' then
    select n.title, left(n.body, 300), n.id, '/notifications', n.published_at
    into title, body, notice_id, link, sent_at
    from public.team_notices n where n.id = entry.notice_id;
  else
    if exists (
      select from public.push_devices d join auth.users u on u.id = d.user_id
      where d.id = entry.device_id
        and coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language') ~* '^es\M'
    ) then
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
