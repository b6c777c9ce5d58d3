-- Taking back a deletion or a departure right away: what the Undo of the screen calls. Also what became of a chat that
-- the caller is no longer in.

create function private.undo_period() returns interval
language sql immutable set search_path = ''
as $$ select interval '1 minute' $$;

-- Only the sender's own deletion: what an admin removed stays removed. An image is gone for good.
create function public.restore_message(message_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.chat_messages m set is_deleted = false, deleted_by = null
  where m.id = restore_message.message_id and m.is_deleted and m.attachment is null
    and m.sender_id = (select auth.uid()) and m.deleted_by = m.sender_id
    and m.changed_at > now() - private.undo_period()
    and private.may_send_to(m.chat_id);
  if not found then
    raise exception 'It is too late to undo this' using errcode = '42501';
  end if;
end
$$;

-- Only the caller's own departure: who was removed does not come back on their own.
create function public.rejoin_chat(chat_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.chat_participants p set is_active = true
  where p.chat_id = rejoin_chat.chat_id and p.user_id = (select auth.uid()) and not p.is_active
    and p.left_by = p.user_id and p.left_at > now() - private.undo_period()
    and (select private.is_member())
    and exists (select from public.chats c where c.id = p.chat_id and c.is_active);
  if not found then
    raise exception 'It is too late to undo this' using errcode = '42501';
  end if;
end
$$;

create function public.chat_departure(chat_id uuid) returns table (title text, was_removed boolean)
language sql stable security definer set search_path = ''
as $$
  select p.left_name, p.left_by is distinct from p.user_id
  from private.chat_participants p
  join public.chats c on c.id = p.chat_id and c.type = 'group'
  where p.chat_id = chat_departure.chat_id and p.user_id = (select auth.uid()) and not p.is_active
$$;
comment on function public.chat_departure is 'Whether the caller left this group or was removed from it; nothing if neither.';

revoke execute on function
  public.restore_message(uuid), public.rejoin_chat(uuid), public.chat_departure(uuid)
from public, anon;
grant execute on function
  public.restore_message(uuid), public.rejoin_chat(uuid), public.chat_departure(uuid)
to authenticated, service_role;
revoke execute on all functions in schema private from public;
