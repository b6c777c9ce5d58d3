-- Images and files sent with messages. Their bytes stay in storage for as long as the archive needs them, also when the message is
-- deleted. Postgres cannot read them: a server does, within a minute (supabase/functions/archive), and archives their
-- SHA-256 and size as the record message.file.

create table archive.files (
  path text primary key,
  message_id uuid not null,
  sent_at timestamptz not null default now(),
  taken_at timestamptz,
  tries integer not null default 0,
  is_recorded boolean not null default false
);
comment on table archive.files is 'Objects of the bucket chat-images that the archive keeps.';
comment on column archive.files.taken_at is 'When a server last took it to read its bytes.';
create index files_waiting on archive.files (sent_at) where not is_recorded;
create index files_by_message on archive.files (message_id);
alter table archive.files enable row level security;

create function archive.keep_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.files (path, message_id) values (new.attachment ->> 'path', new.id) on conflict do nothing;
  return null;
end
$$;
create trigger archive_file after insert on public.chat_messages
  for each row when (new.attachment ->> 'path' is not null) execute function archive.keep_file();
create trigger archive_changed_file after update on public.chat_messages
  for each row when (new.attachment ->> 'path' is not null and new.attachment is distinct from old.attachment)
  execute function archive.keep_file();

-- Hands images over to the clean-up of image_uploads.sql, unless a message still shows them.
create function archive.release_files(message_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  with released as (
    delete from archive.files f
    where f.message_id = any (message_ids) and not exists (
      select from archive.records r where r.subject_id = f.message_id and r.kind = 'message.file'
    )
    returning f.path, f.message_id
  )
  insert into private.unused_images (name, created_at)
  select r.path, '-infinity' from released r
  where not exists (select from public.chat_messages m where m.id = r.message_id and not m.is_deleted)
  on conflict do nothing
$$;

-- An image that the archive need not keep any longer goes with its message.
create function archive.drop_unkept_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.unused_images (name, created_at)
  select new.attachment ->> 'path', '-infinity'
  where not exists (select from archive.files f where f.message_id = new.id)
  on conflict do nothing;
  return null;
end
$$;
create trigger archive_drops_file after update of is_deleted on public.chat_messages
  for each row when (new.is_deleted and not old.is_deleted and new.attachment is not null)
  execute function archive.drop_unkept_file();

-- Storage removes the bytes of a row that is deleted, moved or replaced.
create function archive.refuse_file_loss() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.bucket_id = 'chat-images' and exists (select from archive.files f where f.path = old.name) then
    raise exception 'The archive keeps this image' using errcode = '42501';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

-- For servers: images whose bytes are to be read. Taken again after ten minutes, if the one who took it fails; those never
-- taken come first, so that what cannot be read keeps nothing waiting.
create function public.take_archive_files(max_results int default 20) returns table (path text, message_id uuid)
language sql security definer set search_path = ''
as $$
  update archive.files f set taken_at = now()
  where f.path in (
    select w.path from archive.files w
    where not w.is_recorded and coalesce(w.taken_at < now() - interval '10 minutes', true)
    order by w.taken_at nulls first, w.sent_at limit least(max_results, 100)
    for update skip locked
  )
  returning f.path, f.message_id
$$;
comment on function public.take_archive_files is 'For servers: sent images whose SHA-256 is still to be archived.';

-- Without a hash: the file is not there. That is archived too, after a few tries, and searched for no longer.
create function public.record_archive_file(path text, sha256 text default null, bytes bigint default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  file archive.files;
  message public.chat_messages;
begin
  if sha256 is not null and (sha256 !~ '^[0-9a-f]{64}$' or bytes is null) then
    raise invalid_parameter_value using message = 'a file has a SHA-256 in hexadecimal and a size';
  end if;
  update archive.files f set
    tries = f.tries + case when sha256 is null then 1 else 0 end, is_recorded = sha256 is not null or f.tries >= 4
  where f.path = record_archive_file.path and not f.is_recorded
  returning * into file;
  if file.is_recorded is not true then
    return;
  end if;
  select * into message from public.chat_messages m where m.id = file.message_id;
  perform archive.record(
    'message.file',
    json_strip_nulls(json_build_object(
      'path', file.path, 'sha256', sha256, 'bytes', bytes, 'is_missing', case when sha256 is null then true end
    )),
    message.chat_id, file.message_id, message.sender_id, 'chat'
  );
end
$$;
comment on function public.record_archive_file is 'For servers: archives what a sent image consists of, once.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.take_archive_files, public.record_archive_file from public, anon, authenticated;
grant execute on function public.take_archive_files, public.record_archive_file to service_role;

-- Skipped where there is no file storage.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  create trigger archive_keeps_file before delete on storage.objects
    for each row execute function archive.refuse_file_loss();
  create trigger archive_keeps_changed_file before update of bucket_id, name, version on storage.objects
    for each row
    when ((old.bucket_id, old.name, old.version) is distinct from (new.bucket_id, new.name, new.version))
    execute function archive.refuse_file_loss();
end
$$;
