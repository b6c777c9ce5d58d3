-- Notices from admins to the team: now or later, to everyone or some, to be read or to be acknowledged. Publishing
-- writes one receipt per recipient; the receipts define who may read a notice and who has not acknowledged it.

create table public.team_notices (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  body text not null default '',
  link text,
  audience text not null default 'all',
  audience_role text,
  audience_chat_id uuid references public.chats (id) on delete set null,
  audience_members uuid[] not null default '{}',
  is_urgent boolean not null default false,
  must_acknowledge boolean not null default false,
  scheduled_for timestamptz,
  published_at timestamptz,
  cancelled_at timestamptz,
  created_by uuid default auth.uid() references private.members (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  updated_by uuid,
  constraint "Title is required" check (not private.is_blank(title)),
  constraint "Title is at most 100 characters" check (char_length(title) <= 100),
  constraint "Text is at most 2000 characters" check (char_length(body) <= 2000),
  constraint "Link must be a web address or a path"
    check (link ~* '^(https?://[^\s/?#]+|/(?![/\\]))[^\s]*$' and char_length(link) <= 2000),
  constraint "Choose a date and a time" check (isfinite(scheduled_for)),
  constraint "Audience must be all, role, chat or members" check (audience in ('all', 'role', 'chat', 'members')),
  constraint "Choose a role" check (audience <> 'role' or (audience_role in ('user', 'admin')) is true),
  constraint "Choose at least one member" check (audience <> 'members' or cardinality(audience_members) between 1 and 2000)
);
comment on table public.team_notices is 'Announcements by admins. Published ones can only be withdrawn, not changed.';
comment on column public.team_notices.scheduled_for is 'Null: immediately.';
comment on column public.team_notices.updated_at is 'When it was last changed or withdrawn; null if it never was.';
comment on column public.team_notices.is_urgent is 'Overrides quiet hours and switched-off notices; each time is recorded.';

create index team_notices_audience_chat_id on public.team_notices (audience_chat_id) where audience_chat_id is not null;
create index team_notices_created_by on public.team_notices (created_by);
create index team_notices_due on public.team_notices (scheduled_for) where published_at is null and cancelled_at is null;

create table public.notice_receipts (
  notice_id uuid not null references public.team_notices (id) on delete cascade,
  user_id uuid not null references private.members (id) on delete cascade,
  received_at timestamptz not null default now(),
  shown_at timestamptz,
  opened_at timestamptz,
  acknowledged_at timestamptz,
  reminded_at timestamptz,
  mailed_at timestamptz,
  primary key (notice_id, user_id)
);
comment on table public.notice_receipts is 'One row per member a notice was published to, and what they did with it.';
create index notice_receipts_reminded on public.notice_receipts (reminded_at)
  where acknowledged_at is null and reminded_at is not null;
create index notice_receipts_user_id on public.notice_receipts (user_id, received_at desc);

create function private.my_notice_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$ select r.notice_id from public.notice_receipts r where r.user_id = (select auth.uid()) $$;

alter table public.team_notices enable row level security;
revoke all on public.team_notices from anon, authenticated;
-- Not to whom else it went.
grant select (
  id, title, body, link, audience, is_urgent, must_acknowledge, scheduled_for, published_at, cancelled_at, created_by,
  created_at, updated_at, updated_by
), insert (
  id, title, body, link, audience, audience_role, audience_chat_id, audience_members, is_urgent, must_acknowledge,
  scheduled_for
), update (
  title, body, link, audience, audience_role, audience_chat_id, audience_members, is_urgent, must_acknowledge,
  scheduled_for, cancelled_at
) on public.team_notices to authenticated;

create policy "members read what was published to them, admins all" on public.team_notices
  for select to authenticated
  using (
    (select private.is_admin())
    or cancelled_at is null and id in (select private.my_notice_ids()) and (select private.is_member())
  );
create policy "admins write notices" on public.team_notices
  for insert to authenticated with check ((select private.is_admin()) and created_by = (select auth.uid()));
create policy "admins change and withdraw notices" on public.team_notices
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

alter table public.notice_receipts enable row level security;
revoke all on public.notice_receipts from anon, authenticated;
grant select on public.notice_receipts to authenticated;

create policy "members see their own receipts, admins all" on public.notice_receipts
  for select to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()) or (select private.is_admin()));

create function private.guard_notice() returns trigger
language plpgsql set search_path = ''
as $$
declare
  unchanging constant text[] := array['published_at', 'updated_at', 'updated_by'];
begin
  new.title := btrim(new.title);
  new.link := nullif(btrim(new.link), '');
  if new.audience = 'chat' and new.audience_chat_id is null and tg_op = 'INSERT' then
    raise exception 'Choose a chat' using errcode = '23514';
  end if;
  if tg_op = 'UPDATE' and old.published_at is not null and
    (new.title, new.body, new.link, new.audience, new.audience_role, new.audience_members, new.is_urgent,
      new.must_acknowledge, new.scheduled_for)
    is distinct from
    (old.title, old.body, old.link, old.audience, old.audience_role, old.audience_members, old.is_urgent,
      old.must_acknowledge, old.scheduled_for)
  then
    raise exception 'A published notice cannot be changed' using errcode = '42501', hint = 'Withdraw it and write another.';
  end if;
  if tg_op = 'UPDATE' and old.cancelled_at is not null and new.cancelled_at is null then
    raise exception 'A withdrawn notice cannot be brought back' using errcode = '42501', hint = 'Write another.';
  end if;
  -- Going out is no change.
  if tg_op = 'UPDATE' and to_jsonb(new) - unchanging is distinct from to_jsonb(old) - unchanging then
    new.updated_at := now();
    new.updated_by := (select auth.uid());
  end if;
  return new;
end
$$;
create trigger guard_notice before insert or update on public.team_notices
  for each row execute function private.guard_notice();

create function private.notice_audience(notice public.team_notices) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.id from private.members m
  where m.is_active and case notice.audience
    when 'all' then true
    when 'role' then m.role = notice.audience_role
    when 'members' then m.id = any (notice.audience_members)
    when 'chat' then exists (
      select from private.chat_participants p
      where p.chat_id = notice.audience_chat_id and p.user_id = m.id and p.is_active
    )
    else false
  end
$$;

-- When a member has read a notice at the moment of getting it: its author knows what it says.
create function private.read_when_received(notice public.team_notices, member_id uuid) returns timestamptz
language sql stable set search_path = ''
as $$ select case when notice.created_by = member_id then now() end $$;

create function private.publish_notice(notice_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  notice public.team_notices;
begin
  update public.team_notices n set published_at = now()
  where n.id = publish_notice.notice_id and n.published_at is null and n.cancelled_at is null
  returning * into notice;
  if notice.id is null then
    return;
  end if;
  insert into public.notice_receipts (notice_id, user_id, shown_at, opened_at, acknowledged_at)
  select notice.id, member_id, read_at, read_at, case when notice.must_acknowledge then read_at end
  from private.notice_audience(notice) member_id, private.read_when_received(notice, member_id) read_at
  on conflict do nothing;
  perform private.queue_notice(notice.id, false);
  perform private.publish_to_team('team_notices');
end
$$;

-- What has to be acknowledged reaches those who join the team, the role or the chat later as well.
create function private.give_standing_notices(member_id uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into public.notice_receipts (notice_id, user_id, shown_at, opened_at, acknowledged_at)
  select n.id, m.id, read_at, read_at, read_at
  from private.members m
  join public.team_notices n on n.must_acknowledge and n.published_at is not null and n.cancelled_at is null
    and case n.audience
      when 'all' then true
      when 'role' then n.audience_role = m.role
      when 'chat' then exists (
        select from private.chat_participants p
        where p.chat_id = n.audience_chat_id and p.user_id = m.id and p.is_active
      )
      else false
    end
  cross join private.read_when_received(n, m.id) read_at
  where m.id = member_id and m.is_active
  on conflict do nothing
$$;

create function private.give_new_member_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.give_standing_notices(new.id);
  return null;
end
$$;
create trigger give_new_member_notices after insert or update of is_active, role on private.members
  for each row execute function private.give_new_member_notices();

create function private.give_new_participant_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.team_notices n where n.audience_chat_id = new.chat_id and n.must_acknowledge) then
    perform private.give_standing_notices(new.user_id);
  end if;
  return null;
end
$$;
create trigger give_new_participant_notices after insert or update of is_active on private.chat_participants
  for each row when (new.is_active) execute function private.give_new_participant_notices();

-- The push worker calls this every few seconds.
create function private.publish_due_notices() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  due uuid;
begin
  for due in
    select n.id from public.team_notices n
    where n.published_at is null and n.cancelled_at is null and coalesce(n.scheduled_for, n.created_at) <= now()
    order by n.scheduled_for limit 20 for update skip locked
  loop
    perform private.publish_notice(due);
  end loop;
end
$$;

create function private.publish_new_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(new.scheduled_for, now()) <= now() then
    perform private.publish_notice(new.id);
  end if;
  return null;
end
$$;
create trigger publish_notice after insert or update of scheduled_for on public.team_notices
  for each row when (new.published_at is null and new.cancelled_at is null)
  execute function private.publish_new_notice();

-- A withdrawn notice disappears from every open screen.
create function private.publish_withdrawn_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.publish_to_team('team_notices');
  return null;
end
$$;

create trigger publish_withdrawn_notice after update of cancelled_at on public.team_notices
  for each row when (old.published_at is not null and old.cancelled_at is distinct from new.cancelled_at)
  execute function private.publish_withdrawn_notice();

-- Tells the caller's other devices to read their notifications again.
create function private.publish_notifications_read() returns void
language sql security definer set search_path = ''
as $$ select private.publish_to_members(array[(select auth.uid())], 'notifications_read', '{}') $$;

-- Serializes a member's calls that mark several receipts: they would lock them in different orders and deadlock.
create function private.lock_my_receipts() returns void
language sql security definer set search_path = ''
as $$ select from private.members m where m.id = (select auth.uid()) for no key update $$;

create function public.mark_notices_shown(notice_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  select private.lock_my_receipts();
  update public.notice_receipts r set shown_at = now()
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = any (notice_ids) and r.shown_at is null
$$;

create function public.mark_notice_opened(notice_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notice_receipts r set opened_at = now(), shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = mark_notice_opened.notice_id
    and (r.opened_at is null or r.opened_at < r.reminded_at);
  if found then
    perform private.publish_notifications_read();
  end if;
end
$$;

create function public.acknowledge_notice(notice_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notice_receipts r set
    acknowledged_at = now(), opened_at = coalesce(r.opened_at, now()), shown_at = coalesce(r.shown_at, now())
  where r.user_id = (select auth.uid()) and (select private.is_member()) and r.notice_id = acknowledge_notice.notice_id
    and r.acknowledged_at is null;
  if found then
    perform private.publish_notifications_read();
  end if;
end
$$;

revoke execute on function
  public.mark_notices_shown, public.mark_notice_opened, public.acknowledge_notice
from public, anon;
grant execute on function
  public.mark_notices_shown, public.mark_notice_opened, public.acknowledge_notice
to authenticated;
revoke execute on all functions in schema private from public;
grant execute on function private.my_notice_ids() to authenticated, service_role;
