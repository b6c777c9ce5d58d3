-- Uploads have a quota per member and one for the team, and what no message uses is removed after a day. Triggers on storage.objects
-- keep count, so both hold on hosted Supabase too, where the service makes the final write.

-- What one member may upload to one bucket, and the whole team to the bucket of chats. Deleting frees room, but does not
-- restore the day's share.
create function private.image_quota(
  out files_per_day int, out bytes_per_day bigint, out files int, out bytes bigint, out team_bytes bigint, out image_bytes bigint
)
language sql immutable set search_path = ''
as $$
  select 200, 2::bigint * 1024 * 1024 * 1024, 20000, 20::bigint * 1024 * 1024 * 1024, 500::bigint * 1024 * 1024 * 1024,
    10::bigint * 1024 * 1024
$$;

-- What no message uses is removed after this. A device that was offline for longer uploads it again.
create function private.unused_image_life() returns interval
language sql immutable set search_path = ''
as $$ select interval '24 hours' $$;

create table private.image_usage (
  bucket_id text not null,
  owner_id text not null,
  day date not null,
  files_today int not null,
  bytes_today bigint not null,
  files int not null,
  bytes bigint not null,
  primary key (bucket_id, owner_id)
) with (fillfactor = 70);
comment on table private.image_usage is 'How much each member has uploaded: in total, and on the day of the last upload (UTC).';

create table private.unused_images (
  name text primary key,
  owner_id text,
  created_at timestamptz not null,
  taken_at timestamptz
);
comment on table private.unused_images is 'Images and files in the bucket chat-images that no message uses yet.';
comment on column private.unused_images.taken_at is 'When a clean-up took it for removal; from then on no message can use it.';
create index unused_images_by_age on private.unused_images (created_at);

-- One row, so that concurrent uploads cannot both take the last room.
create table private.team_file_usage (
  is_only_row boolean primary key default true check (is_only_row),
  bytes bigint not null default 0
) with (fillfactor = 10);
comment on table private.team_file_usage is 'The bytes of all images and files in chats.';
insert into private.team_file_usage default values;

alter table private.image_usage enable row level security;
alter table private.team_file_usage enable row level security;
alter table private.unused_images enable row level security;
revoke all on private.image_usage, private.team_file_usage, private.unused_images from anon, authenticated, service_role;

-- The size the storage service measured; during its rights check it is the declared one, which cannot be trusted.
create function private.image_bytes(metadata jsonb) returns bigint
language sql immutable set search_path = ''
as $$
  select case when jsonb_typeof(metadata -> 'size') = 'number'
    then greatest(least((metadata ->> 'size')::numeric, 1e12), 0)::bigint else 0 end
$$;

create function private.count_image() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  buckets constant text[] := '{chat-images,images}';
  today constant date := (now() at time zone 'utc')::date;
  -- Replacing an image is one more upload; other changes to its row are not.
  is_upload constant boolean := tg_op = 'INSERT' or tg_op = 'UPDATE' and new.version is distinct from old.version;
  size constant bigint := case when tg_op = 'DELETE' then 0 else private.image_bytes(new.metadata) end;
  old_size constant bigint := case when tg_op = 'INSERT' then 0 else private.image_bytes(old.metadata) end;
  added constant bigint := case when tg_op <> 'DELETE' and new.bucket_id = 'chat-images' then size else 0 end
    - case when tg_op <> 'INSERT' and old.bucket_id = 'chat-images' then old_size else 0 end;
  team_bytes bigint;
  quota record;
  usage private.image_usage;
begin
  -- Before any member's row, always: a clean-up removes files of many members.
  if added <> 0 then
    update private.team_file_usage t set bytes = greatest(t.bytes + added, 0) returning t.bytes into team_bytes;
  end if;
  if tg_op <> 'INSERT' and old.bucket_id = any (buckets) then
    update private.image_usage u set files = greatest(u.files - 1, 0), bytes = greatest(u.bytes - old_size, 0)
    where u.bucket_id = old.bucket_id and u.owner_id = old.owner_id;
  end if;
  if tg_op <> 'DELETE' and new.owner_id is not null and new.bucket_id = any (buckets) then
    insert into private.image_usage as u (bucket_id, owner_id, day, files_today, bytes_today, files, bytes)
    values (
      new.bucket_id, new.owner_id, today, is_upload::int,
      case when is_upload then size else greatest(size - old_size, 0) end, 1, size
    )
    on conflict (bucket_id, owner_id) do update set
      day = excluded.day,
      files_today = case when u.day = excluded.day then u.files_today else 0 end + excluded.files_today,
      bytes_today = case when u.day = excluded.day then u.bytes_today else 0 end + excluded.bytes_today,
      files = u.files + 1, bytes = u.bytes + size
    returning * into usage;
    select * into quota from private.image_quota();
    if is_upload and new.metadata ->> 'mimetype' like 'image/%' and size > quota.image_bytes then
      raise exception 'Images are at most 10 MB' using errcode = '42501';
    elsif added > 0 and team_bytes > quota.team_bytes then
      raise exception 'The team has no room left for photos and files' using errcode = '42501';
    elsif usage.files_today > quota.files_per_day or usage.bytes_today > quota.bytes_per_day then
      raise exception 'You have sent too many photos and files today' using errcode = '42501';
    elsif usage.files > quota.files or usage.bytes > quota.bytes then
      raise exception 'You have no room left for photos and files' using errcode = '42501';
    end if;
  end if;

  if tg_op = 'DELETE' or tg_op = 'UPDATE' and (old.bucket_id, old.name) <> (new.bucket_id, new.name) then
    delete from private.unused_images i where old.bucket_id = 'chat-images' and i.name = old.name;
  elsif tg_op = 'INSERT' and new.bucket_id = 'chat-images' then
    insert into private.unused_images (name, owner_id, created_at) values (new.name, new.owner_id, now())
    on conflict (name) do update set owner_id = excluded.owner_id, created_at = excluded.created_at, taken_at = null;
  end if;
  return null;
end
$$;

-- Claims images that no message has used in time, for removal through the storage service, which alone can remove their
-- bytes. What a clean-up claimed but did not remove is claimed again later.
create function public.take_unused_images(max_results int default 100) returns setof text
language sql security definer set search_path = ''
as $$
  update private.unused_images i set taken_at = now()
  where i.name in (
    select u.name from private.unused_images u
    where u.created_at < now() - private.unused_image_life()
      and coalesce(u.taken_at < now() - interval '10 minutes', true)
    order by u.created_at limit least(max_results, 1000)
    for update skip locked
  )
  returning i.name
$$;
comment on function public.take_unused_images is
  'For servers: names of images and files in the bucket chat-images to remove.';

-- Counts what a project already holds, and from then on every upload. Skipped where there is no file storage.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  insert into private.image_usage
  select o.bucket_id, o.owner_id, (now() at time zone 'utc')::date, 0, 0, count(*), sum(private.image_bytes(o.metadata))
  from storage.objects o
  where o.bucket_id in ('chat-images', 'images') and o.owner_id is not null
  group by o.bucket_id, o.owner_id;
  insert into private.unused_images
  select o.name, o.owner_id, o.created_at from storage.objects o
  where o.bucket_id = 'chat-images' and not exists (
    select from public.chat_messages m where m.attachment ->> 'path' = o.name
  );
  update private.team_file_usage t set bytes = (
    select coalesce(sum(private.image_bytes(o.metadata)), 0) from storage.objects o where o.bucket_id = 'chat-images'
  );
  create trigger count_image after insert or delete or update of bucket_id, name, owner_id, version, metadata on storage.objects
    for each row execute function private.count_image();
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.take_unused_images from public, anon, authenticated;
grant execute on function public.take_unused_images to service_role;
