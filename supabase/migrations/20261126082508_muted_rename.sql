-- A group's name is something said to everybody in it: who may not send messages may not rename it either. Rows stay as
-- they are.

create function private.check_renamed_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null and not private.may_send_messages() then
    raise exception 'Who may not send messages may not rename a group' using errcode = '42501';
  end if;
  return new;
end
$$;

create trigger check_renamed_chat before update of name on public.chats
  for each row when (old.name is distinct from new.name) execute function private.check_renamed_chat();

revoke execute on function private.check_renamed_chat() from public;
