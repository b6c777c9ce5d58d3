-- Live updates about people.
--   user:<user id>   permissions_changed   the member's own role or permissions changed
--   team             content_changed       { table: "users" }: somebody joined, left or has another name

create function private.announce_permissions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{}'::jsonb, 'permissions_changed', 'user:' || new.id, true);
  perform private.recheck_listener(new.id);
  return null;
end
$$;

create trigger announce_permissions after update on private.members
  for each row
  when (
    (old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages)
    is distinct from (new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages)
  )
  execute function private.announce_permissions();

create function private.announce_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "users"}'::jsonb, 'content_changed', 'team', true);
  return null;
end
$$;

create trigger announce_new_member after insert on private.members
  for each row execute function private.announce_team();
create trigger announce_changed_member after update on private.members
  for each row
  when (
    (old.first_name, old.last_name, old.email, old.is_active)
    is distinct from (new.first_name, new.last_name, new.email, new.is_active)
  )
  execute function private.announce_team();

revoke execute on all functions in schema private from public;
