-- Files in messages: PDF, Office and text documents, video and audio, in the bucket of the images. What a message says of its
-- file is what storage measured; only the name is the sender's own.

-- The type that a name promises; null for one that is not sent. Neither scripts, programs and archives nor anything that a
-- browser would run as a page, whatever it is called.
create function private.type_of_file_name(name text) returns text
language sql immutable set search_path = ''
as $$
  select case lower(substring(name from '\.([[:alnum:]]+)$'))
    when 'pdf' then 'application/pdf'
    when 'doc' then 'application/msword'
    when 'xls' then 'application/vnd.ms-excel'
    when 'ppt' then 'application/vnd.ms-powerpoint'
    when 'docx' then 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    when 'xlsx' then 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    when 'pptx' then 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
    when 'odt' then 'application/vnd.oasis.opendocument.text'
    when 'ods' then 'application/vnd.oasis.opendocument.spreadsheet'
    when 'odp' then 'application/vnd.oasis.opendocument.presentation'
    when 'txt' then 'text/plain'
    when 'csv' then 'text/csv'
    when 'mp4' then 'video/mp4'
    when 'webm' then 'video/webm'
    when 'mov' then 'video/quicktime'
    when 'mp3' then 'audio/mpeg'
    when 'm4a' then 'audio/mp4'
    when 'wav' then 'audio/wav'
    when 'ogg' then 'audio/ogg'
  end
$$;

-- Without what a name could hide its real ending with, such as marks that turn the direction of writing, and without
-- separators of folders.
create function private.clean_file_name(name text) returns text
language sql immutable set search_path = ''
as $$
  select btrim(regexp_replace(
    regexp_replace(name, '[\u0001-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]', '', 'g'),
    '[/\\]', '_', 'g'
  ))
$$;

-- The attachment of a message with a file, from what storage knows of it.
create function private.checked_file(path text, name text, metadata jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  shown constant text := private.clean_file_name(name);
  promised constant text := private.type_of_file_name(shown);
  type constant text := btrim(split_part(metadata ->> 'mimetype', ';', 1));
begin
  if shown is null or char_length(shown) not between 1 and 200 then
    raise exception 'A file needs a name of at most 200 characters' using errcode = '23514';
  end if;
  -- Of a video or a recording, only its player sees what exactly it is.
  if promised is null or type is distinct from promised
    and not (split_part(type, '/', 1) in ('video', 'audio') and split_part(type, '/', 1) = split_part(promised, '/', 1))
    or right(path, 6) !~ ('\.' || lower(substring(shown from '[[:alnum:]]+$')) || '$')
  then
    raise exception 'Files of this type cannot be sent' using errcode = '23514';
  end if;
  return jsonb_build_object(
    'kind', 'file', 'path', path, 'name', shown, 'size', private.image_bytes(metadata), 'type', type
  );
end
$$;

revoke execute on all functions in schema private from public;
