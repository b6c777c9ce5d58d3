-- A session that has ended, and an account that is suspended or deleted, loses its private channels at once. Hosted
-- Supabase lets them live until the access token expires.
set role supabase_auth_admin;

-- A token without a session is one that a trusted server signed for itself.
create function auth_service.session_lives(session_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select session_lives.session_id is null or exists (
    select from auth.sessions s
    join auth.users u on u.id = s.user_id
    where s.id = session_lives.session_id and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
  )
$$;
revoke execute on function auth_service.session_lives(uuid) from public;
grant usage on schema auth_service to supabase_realtime_admin;
grant execute on function auth_service.session_lives(uuid) to supabase_realtime_admin;

set role supabase_realtime_admin;

create function realtime.recheck_session() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform pg_notify('realtime_recheck', old.user_id::text);
  return null;
end
$$;

create function realtime.recheck_account() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform pg_notify('realtime_recheck', new.id::text);
  return null;
end
$$;

reset role;

create trigger recheck_channels after delete on auth.sessions
  for each row execute function realtime.recheck_session();
create trigger recheck_channels after update on auth.users
  for each row
  when ((old.banned_until, old.deleted_at) is distinct from (new.banned_until, new.deleted_at))
  execute function realtime.recheck_account();
