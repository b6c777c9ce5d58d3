-- Uploads that a client may continue after a broken connection (tus). Not part of the hosted schema, which keeps their state
-- next to the bytes. What has arrived lies in the file store in parts, so that every process can continue an upload.

set role supabase_storage_admin;

create table storage.resumable_uploads (
  id uuid not null primary key,
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  owner_id text,
  role text not null,
  -- Whose limit it counts against: an account, or an address without one.
  uploader text not null,
  -- Of the signed address that it was begun with.
  signature_id uuid,
  upsert boolean not null,
  length bigint not null,
  received bigint not null default 0,
  -- The request that began to send last.
  writer uuid,
  declared_type text,
  cache_control text not null,
  user_metadata jsonb not null,
  -- As the client sent it, and reads it again.
  metadata text not null,
  expires_at timestamptz not null,
  finished_at timestamptz,
  constraint received_within_length check (received between 0 and length)
);
comment on table storage.resumable_uploads is 'Uploads begun in the last day, and how much of each has arrived.';
create index resumable_uploads_bucket_id on storage.resumable_uploads (bucket_id);
create index resumable_uploads_expires_at on storage.resumable_uploads (expires_at);
create index resumable_uploads_open on storage.resumable_uploads (uploader) where finished_at is null;

create table storage.resumable_parts (
  upload_id uuid not null references storage.resumable_uploads (id) on delete cascade,
  start_at bigint not null,
  size bigint not null,
  version text not null,
  primary key (upload_id, start_at)
);
comment on table storage.resumable_parts is 'What has arrived of an upload. Each part is a file, noted in storage.leftovers until it is removed.';

alter table storage.resumable_uploads enable row level security;
alter table storage.resumable_parts enable row level security;

-- In the transaction of the object's row, which runs with the member's rights: an upload becomes one object, also when two
-- requests end it at the same time, or a process dies right after the commit.
create function storage.end_resumable_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update storage.resumable_uploads set finished_at = now()
  where id = current_setting('storage.resumable_upload')::uuid and finished_at is null;
  if not found then
    raise exception 'The upload has ended' using errcode = '23505';
  end if;
  return null;
end
$$;
create trigger end_resumable_upload after insert or update of version on storage.objects
  for each row when (coalesce(current_setting('storage.resumable_upload', true), '') <> '')
  execute function storage.end_resumable_upload();
revoke execute on function storage.end_resumable_upload from public;

reset role;
