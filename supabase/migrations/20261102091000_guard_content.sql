-- Who reads and writes content, what a form may leave empty, and the news that something changed. The same for all
-- five tables, so written once.

-- A form sends '' where nothing was typed; stored is null, so "has a url" has one meaning.
create function private.tidy_content() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.title := btrim(coalesce(new.title, ''));
  new.description := nullif(btrim(new.description), '');
  new.url := nullif(btrim(new.url), '');
  new.image_url := nullif(btrim(new.image_url), '');
  new.sort_order := coalesce(new.sort_order, 0);
  return new;
end
$$;

-- Runs after tidy_content: triggers fire in the order of their names.
create function private.tidy_schedule() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.start_time is null or new.end_time is null then
    raise exception 'Start time and end time are required for schedule items' using errcode = '23502';
  end if;
  new.meeting_id := nullif(btrim(new.meeting_id), '');
  new.meeting_password := nullif(btrim(new.meeting_password), '');
  return new;
end
$$;

create function private.announce_content() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(jsonb_build_object('table', tg_table_name), 'content_changed', 'team', true);
  return null;
end
$$;

do $$
declare
  content text;
begin
  foreach content in array array[
    'home_content', 'training_content', 'newrepstart_content', 'licensing_content', 'schedule_content'
  ] loop
    execute format($sql$
      alter table public.%1$I enable row level security;
      revoke all on public.%1$I from anon, authenticated;
      grant select, insert, update on public.%1$I to authenticated;

      create policy "members read active items, admins all" on public.%1$I
        for select to authenticated
        using (is_active and (select private.is_member()) or (select private.is_admin()));
      create policy "admins add items" on public.%1$I
        for insert to authenticated with check ((select private.is_admin()));
      create policy "admins edit and retire items" on public.%1$I
        for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

      create trigger tidy_content before insert or update on public.%1$I
        for each row execute function private.tidy_content();
      create trigger announce_content after insert or update or delete on public.%1$I
        for each statement execute function private.announce_content();
    $sql$, content);
  end loop;
end
$$;

create trigger tidy_schedule before insert or update on public.schedule_content
  for each row execute function private.tidy_schedule();

revoke execute on all functions in schema private from public;
