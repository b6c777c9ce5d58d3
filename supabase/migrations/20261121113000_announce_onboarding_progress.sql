-- Admins see at once who ticked a step of New Rep Start.
--   admins   content_changed   { table: "onboarding_progress" }: somebody ticked an item or took that back
-- Only admins listen there. What is said names the table and nothing of the member; the overview is read as an admin.

create policy "admins listen to what concerns admins" on realtime.messages
  for select to authenticated
  using (extension = 'broadcast' and (select realtime.topic()) = 'admins' and (select private.is_admin()));

create function private.announce_onboarding_progress() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Ticking what is ticked, or deleting a member without ticks, changes nothing.
  if exists (select from changed) then
    perform realtime.send('{"table": "onboarding_progress"}'::jsonb, 'content_changed', 'admins', true);
  end if;
  return null;
end
$$;

create trigger announce_ticks after insert on public.onboarding_progress
  referencing new table as changed
  for each statement execute function private.announce_onboarding_progress();
create trigger announce_unticks after delete on public.onboarding_progress
  referencing old table as changed
  for each statement execute function private.announce_onboarding_progress();

revoke execute on function private.announce_onboarding_progress() from public;
