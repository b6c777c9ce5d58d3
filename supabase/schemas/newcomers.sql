-- Admins learn of everybody who waits to be let in: in the app at once, on their devices, and never twice.

create function private.announce_newcomer() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.push_devices) then
    insert into private.push_outbox (kind, newcomer_id) values ('newcomer', new.id);
    perform pg_notify('push_outbox', '');
  end if;
  return null;
end
$$;
create trigger announce_newcomer after insert on private.members
  for each row when (new.status = 'waiting') execute function private.announce_newcomer();

create function private.publish_newcomers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "newcomers"}'::jsonb, 'content_changed', 'admins', true);
  return null;
end
$$;
create trigger publish_newcomer after insert on private.members
  for each row when (new.status = 'waiting') execute function private.publish_newcomers();
create trigger publish_decision after update of status on private.members
  for each row when ((old.status = 'waiting') <> (new.status = 'waiting')) execute function private.publish_newcomers();

create function public.mark_newcomers_seen() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.members m set newcomers_seen_at = now()
  where m.id = (select auth.uid()) and (select private.is_admin())
    and exists (select from private.members w where w.status = 'waiting' and w.status_changed_at > m.newcomers_seen_at);
  if found then
    perform private.publish_notifications_read();
  end if;
end
$$;
comment on function public.mark_newcomers_seen is 'For admins: those who wait now are no longer unread under Notifications.';

revoke execute on function public.mark_newcomers_seen() from public, anon, service_role;
grant execute on function public.mark_newcomers_seen() to authenticated;
revoke execute on all functions in schema private from public;
