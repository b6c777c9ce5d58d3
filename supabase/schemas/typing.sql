-- The database publishes that a member is typing, in the caller's own name. Members do not broadcast it themselves: a policy
-- sees the topic of a broadcast, not whose name is in it.

create function public.publish_typing(chat_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  typing_topic constant text := 'typing:' || chat_id;
begin
  if not private.may_send_to(chat_id) then
    -- Whoever was blocked types on; nobody sees it.
    if exists (select from public.chats c where c.id = chat_id and c.type = 'individual')
      and private.is_pair_apart(chat_id, me) then
      return;
    end if;
    raise exception 'You may not send messages to this chat' using errcode = '42501';
  end if;
  -- The app calls every 2.5 seconds while the member types. More frequent calls are not published.
  if exists (
    select from realtime.messages m
    where m.topic = typing_topic and m.extension = 'broadcast' and m.private
      and m.inserted_at > (now() at time zone 'utc') - interval '2 seconds'
      and m.payload ->> 'user_id' = me::text
  ) then
    return;
  end if;
  perform realtime.send(jsonb_build_object('user_id', me), 'typing', typing_topic, true);
end
$$;
comment on function public.publish_typing is 'Shows the other participants for a few seconds that the caller is typing.';
revoke execute on function public.publish_typing(uuid) from public, anon, service_role;
grant execute on function public.publish_typing(uuid) to authenticated;
