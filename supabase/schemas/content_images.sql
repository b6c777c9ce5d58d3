-- Images of content items: public to anyone who has the address, uploaded by admins only, and nothing but images. SVG is
-- left out, because it can carry scripts. Skipped where there is no file storage, so that the database also runs
-- without it.

do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;

  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values (
    'images', 'images', true, 10 * 1024 * 1024,
    array['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']
  )
  on conflict (id) do update set
    public = excluded.public, file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types;

  create policy "members see which images there are" on storage.objects
    for select to authenticated using (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_member()));
  create policy "admins upload images" on storage.objects
    for insert to authenticated with check (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_admin()));
  create policy "admins replace images" on storage.objects
    for update to authenticated
    using (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_admin()))
    with check (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_admin()));
  create policy "admins delete images" on storage.objects
    for delete to authenticated using (bucket_id = 'images' and (select private.session_is_live()) and (select private.is_admin()));
end
$$;
