-- A mark that could not be sent is sent later, and must not cover what came in between unseen: it says how far was read.
drop function public.mark_chat_read(uuid);
create function public.mark_chat_read(chat_id uuid, read_until timestamptz default now()) returns void
language sql security definer set search_path = ''
as $$
  update public.chat_participants p
  set last_read_at = greatest(p.last_read_at, least(read_until, now()))
  where p.chat_id = mark_chat_read.chat_id and p.user_id = (select auth.uid()) and p.is_active
    and p.last_read_at is distinct from greatest(p.last_read_at, least(read_until, now()))
$$;
comment on function public.mark_chat_read is
  'The caller has read this chat until that moment of the server''s clock, or everything in it.';

revoke execute on function public.mark_chat_read from public, anon;
grant execute on function public.mark_chat_read to authenticated, service_role;
