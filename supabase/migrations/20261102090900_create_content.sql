-- What admins publish: one table per type, alike but for the category and the schedule's own fields. Members read
-- what is active; a deletion sets is_active to false, so that it can be restored.

create table public.home_content (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  description text,
  url text,
  image_url text,
  category text not null default 'General',
  sort_order integer not null default 0,
  is_active boolean not null default true,
  constraint "Title is required" check (title ~ '\S'),
  constraint "Title is at most 200 characters" check (char_length(title) <= 200),
  constraint "Description is at most 10000 characters" check (char_length(description) <= 10000),
  constraint "URL must be a web address (https://…)"
    check (url ~* '^https?://[^\s/?#]+[^\s]*$' and char_length(url) <= 2000),
  constraint "Image URL must be a web address or a path"
    check (image_url ~* '^(https?://[^\s/?#]+|/)[^\s]*$' and char_length(image_url) <= 2000)
);
create table public.training_content (like public.home_content including all);
create table public.newrepstart_content (like public.home_content including all);
create table public.licensing_content (like public.home_content including all);
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

comment on table public.home_content is 'Cards on the welcome screen.';
comment on table public.training_content is 'Training resources in eight categories.';
comment on table public.newrepstart_content is 'The onboarding list of a new representative.';
comment on table public.licensing_content is 'Study material for the two licences.';
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
