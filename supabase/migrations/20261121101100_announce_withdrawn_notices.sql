-- A notice that is withdrawn leaves every open screen at once, as it came.

create function private.announce_withdrawn_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "team_notices"}'::jsonb, 'content_changed', 'team', true);
  return null;
end
$$;

create trigger announce_withdrawn_notice after update of cancelled_at on public.team_notices
  for each row when (old.published_at is not null and old.cancelled_at is distinct from new.cancelled_at)
  execute function private.announce_withdrawn_notice();

revoke execute on function private.announce_withdrawn_notice() from public;
