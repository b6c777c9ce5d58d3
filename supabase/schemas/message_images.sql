-- Images and files in messages: a private bucket, one folder per chat, readable by its participants only.

-- The chat an object belongs to, from its folder; null if that is not a uuid.
create function private.chat_of_image(object_name text) returns uuid
language sql immutable set search_path = ''
as $$
  select case when split_part(object_name, '/', 1) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then split_part(object_name, '/', 1)::uuid end
$$;

create function private.message_of_image(object_name text) returns uuid
language sql immutable set search_path = ''
as $$
  select case when split_part(object_name, '/', 2) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.'
    then left(split_part(object_name, '/', 2), 36)::uuid end
$$;

-- The archive keeps the image of a deleted message; nobody sees it in the chat any more.
create function private.image_is_shown(object_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (
    select from public.chat_messages m where m.id = private.message_of_image(object_name) and m.is_deleted
  )
$$;

create function private.image_is_sent(object_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.chat_messages m
    where m.id = private.message_of_image(object_name) and m.attachment ->> 'path' = object_name
  )
$$;

-- The attachment of a new message, reduced to its known fields. Refused unless it is the sender's own upload for that
-- message. Takes the image off the list of unused ones (image_uploads.sql): if a message and a clean-up want it at the
-- same moment, one of them gets it.
create function private.checked_attachment(
  chat_id uuid, message_id uuid, sender_id uuid, attachment jsonb
)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  path constant text := attachment ->> 'path';
  is_file constant boolean := attachment -> 'kind' is not distinct from '"file"';
  sides constant jsonb := jsonb_build_array(attachment -> 'width', attachment -> 'height');
  metadata jsonb;
begin
  if not is_file and exists (
    select from jsonb_array_elements(sides) side
    where jsonb_typeof(side) is distinct from 'number' or side::numeric not between 1 and 20000
      or side::numeric <> trunc(side::numeric)
  ) then
    raise exception 'An image needs its width and height' using errcode = '23514';
  end if;
  if path is null or not starts_with(path, chat_id || '/' || message_id || '.') then
    raise exception 'The image of this message was not uploaded' using errcode = '23514';
  end if;
  delete from private.unused_images i
  where i.name = path and i.owner_id = checked_attachment.sender_id::text and i.taken_at is null;
  if not found then
    raise exception 'The image of this message was not uploaded' using errcode = '23514';
  end if;
  select o.metadata into metadata from storage.objects o where o.bucket_id = 'chat-images' and o.name = path;
  if is_file then
    return private.checked_file(path, attachment ->> 'name', metadata);
  elsif metadata ->> 'mimetype' not like 'image/%' then
    raise exception 'The image of this message was not uploaded' using errcode = '23514';
  end if;
  return jsonb_build_object('path', path, 'width', sides -> 0, 'height', sides -> 1);
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function
  private.chat_of_image(text), private.image_is_shown(text), private.image_is_sent(text)
to authenticated, service_role;

-- Skipped where there is no file storage, so that the database also runs without it.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;

  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values (
    'chat-images', 'chat-images', false, 25 * 1024 * 1024,
    array[
      'image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf',
      'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.spreadsheet',
      'application/vnd.oasis.opendocument.presentation', 'text/plain', 'text/csv',
      'video/mp4', 'video/webm', 'video/quicktime', 'audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/ogg'
    ]
  )
  on conflict (id) do update set
    public = excluded.public, file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types;

  create policy "participants see the images of their chats" on storage.objects
    for select to authenticated
    using (
      bucket_id = 'chat-images' and (select private.session_is_live())
      and private.chat_of_image(name) in (select private.my_chat_ids()) and private.image_is_shown(name)
    );
  create policy "participants who may send upload images to their chats" on storage.objects
    for insert to authenticated
    with check (bucket_id = 'chat-images' and (select private.session_is_live()) and private.may_send_to(private.chat_of_image(name)));
  create policy "uploaders and admins delete images that were not sent" on storage.objects
    for delete to authenticated
    using (
      bucket_id = 'chat-images' and (select private.session_is_live())
      and private.chat_of_image(name) in (select private.my_chat_ids())
      and (owner_id = (select auth.uid())::text or (select private.is_admin())) and not private.image_is_sent(name)
    );
end
$$;
