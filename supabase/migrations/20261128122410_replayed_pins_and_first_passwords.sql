-- Replayed lists of pins no longer hold the text of messages that were edited or deleted since, and an account that has a
-- password is never sent to choose its first one. Texts that are stored for replay go, and so does the mark of accounts with a password.

create or replace function private.forget_published(chat_ids uuid[], message_ids uuid[], since timestamptz) returns void
language sql security definer set search_path = ''
as $$
  update realtime.messages m set payload = m.payload || '{"message": "", "attachment": null}'
  where m.topic in (select 'chat:' || id from unnest(chat_ids) id) and m.extension = 'broadcast' and m.private
    and m.inserted_at >= (since - interval '5 minutes') at time zone 'utc'
    and m.payload ->> 'id' in (select id::text from unnest(message_ids) id);
  -- Lists of pins have the text as well.
  update realtime.messages m set payload = jsonb_set(m.payload, '{pins}', (
    select jsonb_agg(case
      when pin ->> 'message_id' in (select id::text from unnest(message_ids) id) then jsonb_set(pin, '{message,message}', '""')
      else pin
    end)
    from jsonb_array_elements(m.payload -> 'pins') pin
  ))
  where m.topic in (select 'chat:' || id from unnest(chat_ids) id) and m.extension = 'broadcast' and m.private
    and m.event = 'pins_changed' and m.inserted_at >= (since - interval '5 minutes') at time zone 'utc'
    and exists (
      select from jsonb_array_elements(m.payload -> 'pins') pin
      where pin ->> 'message_id' in (select id::text from unnest(message_ids) id)
    )
$$;

create function private.drop_needs_password() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.raw_user_meta_data := new.raw_user_meta_data - 'needs_password';
  return new;
end
$$;

create trigger drop_needs_password before insert or update of encrypted_password, raw_user_meta_data on auth.users
  for each row when (new.encrypted_password <> '' and new.raw_user_meta_data ? 'needs_password')
  execute function private.drop_needs_password();

revoke execute on function private.drop_needs_password() from public;

update realtime.messages m set payload = jsonb_set(m.payload, '{pins}', (
  select jsonb_agg(jsonb_set(pin, '{message,message}', '""')) from jsonb_array_elements(m.payload -> 'pins') pin
))
where m.event = 'pins_changed' and m.extension = 'broadcast' and m.private and jsonb_array_length(m.payload -> 'pins') > 0;

update auth.users set raw_user_meta_data = raw_user_meta_data - 'needs_password'
where encrypted_password <> '' and raw_user_meta_data ? 'needs_password';
