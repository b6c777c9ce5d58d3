-- Images in messages: a private bucket, a folder per chat, readable by its participants only. Guarded like the
-- bucket of content images, so that the database also runs where there is no file storage.

-- The chat an object belongs to, from its folder; null for anything that is not a uuid.
create function private.chat_of_image(object_name text) returns uuid
language sql immutable set search_path = ''
as $$
  select case when split_part(object_name, '/', 1) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then split_part(object_name, '/', 1)::uuid end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.chat_of_image(text) to authenticated, service_role;

do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;

  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values (
    'chat-images', 'chat-images', false, 10 * 1024 * 1024,
    array['image/png', 'image/jpeg', 'image/webp', 'image/gif']
  )
  on conflict (id) do update set
    public = excluded.public, file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types;

  create policy "participants see the images of their chats" on storage.objects
    for select to authenticated
    using (bucket_id = 'chat-images' and private.chat_of_image(name) in (select private.my_chat_ids()));
  create policy "participants who may send upload images to their chats" on storage.objects
    for insert to authenticated
    with check (bucket_id = 'chat-images' and private.may_send_to(private.chat_of_image(name)));
  create policy "senders and admins delete images" on storage.objects
    for delete to authenticated
    using (
      bucket_id = 'chat-images' and private.chat_of_image(name) in (select private.my_chat_ids())
      and (owner_id = (select auth.uid())::text or (select private.is_admin()))
    );
end
$$;
