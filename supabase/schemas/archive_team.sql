-- The team, its notices and what leaders change as records of the archive.

-- What of a member's row the archive follows: their name, and what they could read.
create function archive.member_state(m private.members) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object(
    'name', archive.name_of(m.first_name, m.last_name), 'email', m.email, 'role', m.role, 'status', m.status,
    'rally_enabled', m.rally_enabled
  )
$$;

-- Deleting an account replaces the name by "Former member"; the records before it keep the name of the time.
create function archive.record_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  after constant jsonb := archive.member_state(new);
begin
  if tg_op = 'INSERT' then
    perform archive.record('member.joined', after::json, member_id => new.id, audience => 'team');
  elsif new.status = 'deleted' then
    perform archive.record('member.left', archive.member_state(old)::json, member_id => new.id, audience => 'team');
  elsif archive.member_state(old) <> after then
    perform archive.record(
      'member.changed', (archive.difference(archive.member_state(old), after)::jsonb || after)::json,
      member_id => new.id, audience => 'team'
    );
  end if;
  return null;
end
$$;
create trigger archive_joined after insert on private.members
  for each row execute function archive.record_member();
-- Not for a push token or a hidden chat.
create trigger archive_changed after update on private.members
  for each row
  when (
    (old.first_name, old.last_name, old.email, old.role, old.status, old.rally_enabled)
    is distinct from (new.first_name, new.last_name, new.email, new.role, new.status, new.rally_enabled)
  )
  execute function archive.record_member();
create trigger archive_truncated before truncate on private.members
  for each statement execute function archive.record_truncate();

-- A notice is written, perhaps changed until it is published, and can be withdrawn.
create function archive.notice(n public.team_notices) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'title', n.title, 'text', n.body, 'link', n.link, 'audience', n.audience, 'audience_role', n.audience_role,
    'audience_members', nullif(n.audience_members, '{}'), 'is_urgent', n.is_urgent,
    'must_acknowledge', n.must_acknowledge, 'scheduled_for', archive.utc(n.scheduled_for)
  ))
$$;

create function archive.record_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  notice constant public.team_notices := case tg_op when 'DELETE' then old else new end;
  content constant json := archive.notice(notice)::json;
begin
  if tg_op = 'INSERT' then
    perform archive.record('notice.written', content, notice.audience_chat_id, notice.id, audience => 'admins');
  elsif tg_op = 'DELETE' then
    if notice.published_at is not null and archive.is_held(notice.audience_chat_id, null, 'notice') then
      raise exception 'A legal hold keeps this' using errcode = '42501';
    end if;
    perform archive.record('notice.erased', content, notice.audience_chat_id, notice.id, audience => 'admins');
  else
    if archive.notice(old) <> archive.notice(new) then
      perform archive.record(
        'notice.changed', archive.difference(archive.notice(old), archive.notice(new)), notice.audience_chat_id, notice.id
      );
    end if;
    if new.published_at is distinct from old.published_at then
      perform archive.record('notice.published', content, notice.audience_chat_id, notice.id, audience => 'notice');
    end if;
    if new.cancelled_at is distinct from old.cancelled_at then
      perform archive.record('notice.withdrawn', content, notice.audience_chat_id, notice.id, audience => 'notice');
    end if;
  end if;
  return null;
end
$$;
-- Its name puts it before publish_notice: written, then published.
create trigger archive_notice after insert or update or delete on public.team_notices
  for each row execute function archive.record_notice();
create trigger archive_truncated before truncate on public.team_notices
  for each statement execute function archive.record_truncate();

-- To the whole team or a role the recipients follow from the records of the team; the count is proof enough. Few are
-- named: whom a notice reached later.
create function archive.record_delivered() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'notice.delivered',
    json_strip_nulls(json_build_object('count', count(*), 'members', case when count(*) <= 50 then json_agg(r.user_id) end)),
    subject_id => r.notice_id, audience => 'notice'
  )
  from receipts r group by r.notice_id;
  return null;
end
$$;
create trigger archive_delivered after insert on public.notice_receipts
  referencing new table as receipts for each statement execute function archive.record_delivered();

create function archive.record_acknowledged() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'notice.acknowledged', '{}', subject_id => new.notice_id, member_id => new.user_id, audience => 'admins'
  );
  return null;
end
$$;
create trigger archive_acknowledged after update on public.notice_receipts
  for each row when (old.acknowledged_at is null and new.acknowledged_at is not null)
  execute function archive.record_acknowledged();

-- The audit log forgets after two years and looks names up when it is read; the archive keeps both.
create function archive.record_audit() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.records (kind, actor_id, actor_name, actor_email, actor_role, subject_id, audience, content)
  select 'audit.' || e.kind, a.id, a.name, a.email, a.role, e.object_id, 'admins',
    -- Not stripped of nulls: in before and after they say something.
    json_build_object(
      'action', e.action, 'name', e.object_name, 'people', e.people, 'before', e.before, 'after', e.after,
      'details', e.details, 'on_behalf_of', case when e.actor_id is distinct from a.id then e.actor_id end
    )
  from entries e cross join archive.actor() a;
  return null;
end
$$;
create trigger archive_audit after insert on private.audit_log
  referencing new table as entries for each statement execute function archive.record_audit();

revoke execute on all functions in schema archive from public;
