-- The storage schema that hosted Supabase has built in: buckets, objects and the helpers policies use.
-- Everyone may try everything here; row-level security is on and decides, and no policy means no.
-- The bytes lie outside the database, under the random `version` of their row.

set role supabase_storage_admin;

create table storage.buckets (
  id text not null primary key,
  name text not null,
  -- Deprecated by the protocol in favour of owner_id, yet still part of its replies.
  owner uuid,
  owner_id text,
  public boolean not null default false,
  avif_autodetection boolean not null default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  type text not null default 'STANDARD' check (type = 'STANDARD'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bname unique (name),
  constraint bucket_name_length check (length(name) between 1 and 100),
  constraint file_size_limit_positive check (file_size_limit >= 0)
);
comment on table storage.buckets is 'Named collections of objects with their limits; objects of a public bucket are readable by address.';

create table storage.objects (
  id uuid not null primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets (id),
  name text not null,
  owner uuid,
  owner_id text,
  -- What the service knows of the bytes: mimetype, size, eTag, cacheControl, lastModified.
  metadata jsonb,
  user_metadata jsonb,
  version text,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  constraint object_name_length check (length(name) between 1 and 1024)
);
comment on table storage.objects is 'One row per stored file. Write through the storage service: a row without its bytes is of no use.';
create unique index bucketid_objname on storage.objects (bucket_id, name);
-- Listing a folder is a range of names in byte order.
create index objects_bucket_id_name_c on storage.objects (bucket_id, name collate "C");

-- Not part of the hosted schema: what the service needs to forget no file and to delete none too early.
create table storage.leftovers (
  version text not null primary key,
  due_at timestamptz not null
);
comment on table storage.leftovers is 'Versions whose bytes no object needs (any more), to be removed once due. A version is noted before its bytes are written and struck out when its row is, so a crash in between leaves nothing behind.';
create index leftovers_due_at on storage.leftovers (due_at);
alter table storage.leftovers enable row level security;

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
grant all on storage.buckets, storage.objects to postgres with grant option;

create function storage.foldername(name text) returns text[]
language sql immutable parallel safe
as $$ select (string_to_array(name, '/'))[1 : array_length(string_to_array(name, '/'), 1) - 1] $$;

create function storage.filename(name text) returns text
language sql immutable parallel safe
as $$ select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)] $$;

create function storage.extension(name text) returns text
language sql immutable parallel safe
as $$ select reverse(split_part(reverse(storage.filename(name)), '.', 1)) $$;

create function storage.operation() returns text
language sql stable
as $$ select current_setting('storage.operation', true) $$;
comment on function storage.operation() is 'What the service is about to do, for policies, e.g. storage.object.upload.';

-- With or without the `storage.` that the names of operations begin with.
create function storage.allow_only_operation(expected_operation text) returns boolean
language sql stable
as $$
  select expected_operation <> ''
    and coalesce(
      regexp_replace(storage.operation(), '^storage\.', '') = regexp_replace(expected_operation, '^storage\.', ''),
      false
    )
$$;

create function storage.allow_any_operation(expected_operations text[]) returns boolean
language sql stable
as $$
  select exists (
    select from unnest(expected_operations) as expected where storage.allow_only_operation(expected)
  )
$$;

create function storage.get_size_by_bucket() returns table (size bigint, bucket_id text)
language sql stable
as $$
  select sum((metadata ->> 'size')::bigint)::bigint, bucket_id from storage.objects group by bucket_id
$$;

create function storage.update_updated_at_column() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at = now();
  return new;
end
$$;
create trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();
create trigger update_buckets_updated_at before update on storage.buckets
  for each row execute function storage.update_updated_at_column();

create function storage.track_leftovers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' and old.version is not null and (tg_op = 'DELETE' or new.version is distinct from old.version) then
    insert into storage.leftovers (version, due_at) values (old.version, now()) on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    delete from storage.leftovers where version = new.version;
  end if;
  return null;
end
$$;
create trigger track_leftovers after insert or delete or update of version on storage.objects
  for each row execute function storage.track_leftovers();

-- A row deleted by hand would leave its bytes behind, so only the service, which sets this switch, deletes.
create function storage.protect_delete() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), '') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using hint = 'This prevents accidental data loss from orphaned objects.', errcode = '42501';
  end if;
  return null;
end
$$;
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

reset role;

-- Migrations run as `postgres` and write policies on these tables, which takes their owner's rights: `postgres` is a
-- member of the owner (0100).
