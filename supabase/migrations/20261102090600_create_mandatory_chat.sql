-- The team chat: made once, here, with every member in it from the moment they join.

insert into public.chats (name, type) values ('Rally Chat', 'mandatory');

create function private.join_mandatory_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.chat_participants (chat_id, user_id)
  select id, new.id from public.chats where type = 'mandatory'
  on conflict do nothing;
  return null;
end
$$;

create trigger join_mandatory_chat after insert on private.members
  for each row execute function private.join_mandatory_chat();

create function private.keep_mandatory_chat() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The mandatory chat cannot be changed or deleted' using errcode = '42501';
end
$$;

create trigger keep_mandatory_chat before update of name, type, is_active or delete on public.chats
  for each row when (old.type = 'mandatory') execute function private.keep_mandatory_chat();

revoke execute on all functions in schema private from public;
