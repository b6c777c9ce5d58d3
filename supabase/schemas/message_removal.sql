-- Removing somebody else's message: a leader's act, with a reason that only the sender reads.

-- Supervisors review every chat, admins those they take part in.
create function private.may_remove_from(chat_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_supervisor()
    or private.is_admin() and chat_id in (select private.my_chat_ids())
$$;

create function public.remove_message(message_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() and not private.is_supervisor() then
    raise exception 'Only admins see this' using errcode = '42501';
  end if;
  update public.chat_messages m set is_deleted = true, deleted_reason = private.trimmed(remove_message.reason)
  where m.id = remove_message.message_id and not m.is_deleted and private.may_remove_from(m.chat_id);
  -- Pressed twice, or deleted meanwhile: there is nothing left to remove.
  if not found and not exists (
    select from public.chat_messages m
    where m.id = remove_message.message_id and private.may_remove_from(m.chat_id)
  ) then
    raise exception 'There is no such message' using errcode = 'PT404';
  end if;
exception
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.remove_message is
  'For admins: removes a message of their chats; for supervisors, of any chat. Everybody sees that it was removed, the sender also why.';

revoke execute on function public.remove_message from public, anon, service_role;
grant execute on function public.remove_message to authenticated;
revoke execute on all functions in schema private from public;
