-- A reply waits on a device without a connection, and the message it quotes may be deleted meanwhile. The reply was
-- then refused for good; now it is stored without the quote. Quoting another chat's message is refused as before.

-- As in 20261121085000_chat_extras.sql otherwise.
create or replace function private.check_message_extras() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_quote_deleted boolean;
begin
  if new.reply_to is not null then
    select m.is_deleted into is_quote_deleted
    from public.chat_messages m where m.id = new.reply_to and m.chat_id = new.chat_id;
    if is_quote_deleted is null then
      raise exception 'The quoted message is not in this chat' using errcode = '23514';
    elsif is_quote_deleted then
      new.reply_to := null;
    end if;
  end if;
  new.mentions := array(
    select p.user_id from public.chat_participants p
    where p.chat_id = new.chat_id and p.is_active and p.user_id = any (new.mentions)
  );
  if new.attachment is not null then
    new.attachment := private.checked_attachment(new.chat_id, new.id, new.sender_id, new.attachment);
  end if;
  return new;
end
$$;
