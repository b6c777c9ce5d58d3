-- What admins publish: one table per type, alike except for the category and the schedule's own columns. Members read
-- active items; retiring an item sets is_active to false, so that it can be restored.

create table public.home_content (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  description text,
  url text,
  image_url text,
  category text not null default 'General',
  sort_order integer not null default 0,
  is_active boolean not null default true,
  image_alt text,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint "Title is required" check (not private.is_blank(title)),
  constraint "Title is at most 200 characters" check (char_length(title) <= 200),
  constraint "Description is at most 10000 characters" check (char_length(description) <= 10000),
  constraint "URL must be a web address (https://…)"
    check (url ~* '^https?://[^\s/?#]+[^\s]*$' and char_length(url) <= 2000),
  constraint "Image URL must be a web address or a path"
    check (image_url ~* '^(https?://[^\s/?#]+|/)[^\s]*$' and char_length(image_url) <= 2000),
  constraint "Image description is at most 300 characters" check (char_length(image_alt) <= 300)
);
comment on table public.home_content is 'Cards on the welcome screen.';
comment on column public.home_content.version is 'Grows with every edit; a save names the version it edited.';

create table public.training_content (like public.home_content including all);
comment on table public.training_content is 'Training resources in eight categories.';

create table public.newrepstart_content (like public.home_content including all);
comment on table public.newrepstart_content is 'The onboarding list of a new representative.';

create table public.licensing_content (like public.home_content including all);
comment on table public.licensing_content is 'Study material for the two licenses.';

create table public.schedule_content (
  like public.home_content including all,
  day_of_week text not null default 'Monday',
  start_time time not null,
  end_time time not null,
  meeting_id text,
  meeting_password text,
  constraint "Day must be Monday to Sunday" check (
    day_of_week in ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')
  ),
  constraint "Start time must be before end time" check (start_time < end_time),
  constraint "Meeting ID is at most 100 characters" check (char_length(meeting_id) <= 100),
  constraint "Meeting password is at most 100 characters" check (char_length(meeting_password) <= 100)
);
comment on table public.schedule_content is 'Weekly meetings, in the time zone of team_settings.';

alter table public.training_content
  alter category drop default,
  add constraint "Category must be a training category" check (category in (
    'Setting appointments', 'First appointment', 'Preparing a plan', 'Second appointment', 'Investments',
    'Deliver Policy', 'Leadership training', 'Additional content'
  ));
alter table public.licensing_content
  alter category drop default,
  add constraint "Category must be a licensing category"
    check (category in ('Life insurance license', 'Securities license'));
alter table public.home_content add constraint "Category must be General" check (category = 'General');
alter table public.newrepstart_content add constraint "Category must be General" check (category = 'General');
alter table public.schedule_content add constraint "Category must be General" check (category = 'General');

create index home_content_order on public.home_content (sort_order) where is_active;
create index training_content_order on public.training_content (category, sort_order) where is_active;
create index newrepstart_content_order on public.newrepstart_content (sort_order) where is_active;
create index licensing_content_order on public.licensing_content (category, sort_order) where is_active;
create index schedule_content_order on public.schedule_content (day_of_week, sort_order) where is_active;

-- A form sends '' for what was left empty; null is stored, so that "has a url" has one meaning.
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

create function private.start_content_version() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.version := 1;
  new.updated_at := now();
  new.updated_by := (select auth.uid());
  return new;
end
$$;

-- Moving an item changes nothing but its sort_order, which must not turn another admin's open form into a conflict.
create function private.version_content() returns trigger
language plpgsql set search_path = ''
as $$
declare
  ignored constant text[] := array['sort_order', 'version', 'updated_at', 'updated_by'];
begin
  if to_jsonb(new) - ignored is distinct from to_jsonb(old) - ignored then
    new.version := old.version + 1;
    new.updated_at := now();
    new.updated_by := (select auth.uid());
  else
    new.version := old.version;
    new.updated_at := old.updated_at;
    new.updated_by := old.updated_by;
  end if;
  return new;
end
$$;

-- Rights and triggers are the same for all five tables, so they are written once.
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
      -- These names sort after tidy_content, so that trimmed blanks do not count as a change.
      create trigger version_content before update on public.%1$I
        for each row execute function private.version_content();
      create trigger version_content_start before insert on public.%1$I
        for each row execute function private.start_content_version();
      create trigger publish_content after insert or update or delete on public.%1$I
        for each statement execute function private.publish_content();
    $sql$, content);
  end loop;
end
$$;

create trigger tidy_schedule before insert or update on public.schedule_content
  for each row execute function private.tidy_schedule();

-- All positions of a list change in one statement, or none.
create function public.reorder_content(content_type text, item_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if content_type not in ('home', 'training', 'newrepstart', 'licensing', 'schedule') then
    raise exception 'Unknown content type' using errcode = '22023';
  end if;
  if not private.is_admin() then
    raise exception 'Only an admin may change the order' using errcode = '42501';
  end if;
  execute format(
    'update public.%I item set sort_order = place.ordinality::int
     from unnest($1) with ordinality as place (id, ordinality) where item.id = place.id',
    content_type || '_content'
  ) using item_ids;
end
$$;
comment on function public.reorder_content is 'Admins only: puts the items in the order of the list.';

revoke execute on all functions in schema private from public;
revoke execute on function public.reorder_content(text, uuid[]) from public, anon;
grant execute on function public.reorder_content(text, uuid[]) to authenticated;
