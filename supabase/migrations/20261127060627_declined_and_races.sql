-- Being declined is a status of its own. So far people who waited were removed instead. Members are removed with a reason, so everybody who
-- was removed without one, or was never let in, becomes declined. What the audit log says about them stays as it was recorded.
-- Members no longer see people whose admission was taken back, and nobody outside the team is an admin; calls at the same moment
-- could leave such admins. Invitations are looked at once more before each mail; what plan_invitations said about accounts is gone.

alter table private.members drop constraint "Status must be waiting, active, suspended, removed or deleted";
alter table private.members add constraint "Status must be known"
  check (status in ('waiting', 'declined', 'active', 'suspended', 'removed', 'deleted'));

-- Nothing else follows from it, and nobody did it: no trigger runs.
alter table private.members disable trigger user;
update private.members m set status = 'declined'
where m.status = 'removed' and (m.admitted_at is null or m.status_reason = '')
  and not exists (select from archive.waiting_erasures w where w.member_id = m.id);
update private.members m set admitted_at = null where m.status in ('waiting', 'declined') and m.admitted_at is not null;
update private.members m set role = 'user' where m.role <> 'user' and m.status not in ('active', 'suspended');
alter table private.members enable trigger user;
alter table private.members add constraint "Admins are on the team"
  check (role = 'user' or status in ('active', 'suspended'));

create function private.lock_admins() returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('private.members: admins', 0)) $$;

create or replace function private.keep_an_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_admins();
  if exists (select from private.members where id <> old.id and is_active and role = 'admin') then
    return new;
  end if;
  -- The last of all may leave; the next to join is the first member again. Who waits or is suspended needs somebody who decides.
  if new.status <> 'active' and not exists (
    select from private.members where id <> old.id and status in ('active', 'waiting', 'suspended')
  ) then
    return new;
  end if;
  raise exception 'The last admin cannot be removed'
    using errcode = '42501', hint = 'Make another member an admin first.';
end
$$;

create or replace function private.first_member_is_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select s.registration = 'open' from public.team_settings s)
    and not exists (select from private.members where is_active)
  then
    perform private.lock_admins();
    if not exists (select from private.members where is_active) then
      new.role := 'admin';
    end if;
  end if;
  return new;
end
$$;

create or replace function private.update_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
  is_own constant boolean := old.id = (select auth.uid());
  own_part_changes constant boolean :=
    (
      new.first_name, new.last_name, new.push_token, new.hidden_chats, new.archived_chats,
      new.phone, new.phone_audience, new.email_audience, new.state, new.about
    ) is distinct from (
      old.first_name, old.last_name, old.push_token, old.hidden_chats, old.archived_chats,
      old.phone, old.phone_audience, old.email_audience, old.state, old.about
    );
  rights_change constant boolean :=
    (new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages)
    is distinct from (old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages);
  member private.members;
begin
  -- A device is registered for a session. Deleting an account locks it, its sessions and the member in this order.
  if new.push_token is distinct from old.push_token then
    perform from auth.users u where u.id = old.id for key share;
  end if;
  -- The caller's view may be older than what another call does to this member, or to the caller's own role, at this moment.
  select * into member from private.members m where m.id = old.id for no key update;
  if new.role is distinct from old.role then
    perform private.lock_admins();
  end if;
  if member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  if (new.id, new.email, new.created_at, new.is_active, new.status, new.sponsor_id, new.can_supervise)
    is distinct from (old.id, old.email, old.created_at, old.is_active, old.status, old.sponsor_id, old.can_supervise)
  then
    raise exception 'A profile''s id, email and dates follow the account' using errcode = '42501';
  end if;
  if not by_service and own_part_changes and not is_own then
    raise exception 'Members change only their own profile' using errcode = '42501';
  end if;
  if not by_service and rights_change and not private.is_admin() then
    raise exception 'Only an admin may change roles and permissions' using errcode = '42501';
  end if;
  if not by_service and not is_own and not private.is_admin() then
    raise exception 'Members change only their own profile' using errcode = '42501';
  end if;
  if rights_change and not member.is_active then
    raise exception 'A former member has no permissions' using errcode = '42501';
  end if;

  -- As they are stored, so that the caller gets back what there is.
  if new.phone is distinct from old.phone then
    new.phone := private.phone_from(new.phone);
  end if;
  if new.state is distinct from old.state then
    new.state := nullif(upper(private.trimmed(new.state)), '');
  end if;
  if new.about is distinct from old.about then
    new.about := private.one_line(new.about);
  end if;
  perform private.refuse_nulls(jsonb_build_object(
    'first_name', new.first_name, 'last_name', new.last_name, 'role', new.role, 'rally_enabled', new.rally_enabled,
    'can_create_chats', new.can_create_chats, 'can_send_messages', new.can_send_messages,
    -- Null in other people's rows, where they cannot be changed.
    'hidden_chats', case when is_own or by_service then to_jsonb(new.hidden_chats) else '[]' end,
    'archived_chats', case when is_own or by_service then to_jsonb(new.archived_chats) else '[]' end,
    'phone_audience', case when is_own or by_service then to_jsonb(new.phone_audience) else '""' end,
    'email_audience', case when is_own or by_service then to_jsonb(new.email_audience) else '""' end
  ));
  if new.first_name is distinct from old.first_name then
    new.first_name := private.one_line(new.first_name);
  end if;
  if new.last_name is distinct from old.last_name then
    new.last_name := private.one_line(new.last_name);
  end if;
  update private.members m set
    first_name = case when new.first_name is distinct from old.first_name then new.first_name else m.first_name end,
    last_name = case when new.last_name is distinct from old.last_name then new.last_name else m.last_name end,
    push_token = case when new.push_token is distinct from old.push_token then new.push_token else m.push_token end,
    hidden_chats = case when new.hidden_chats is distinct from old.hidden_chats then new.hidden_chats else m.hidden_chats end,
    archived_chats = case when new.archived_chats is distinct from old.archived_chats then new.archived_chats else m.archived_chats end,
    phone = case when new.phone is distinct from old.phone then new.phone else m.phone end,
    phone_audience = case when new.phone_audience is distinct from old.phone_audience then new.phone_audience else m.phone_audience end,
    email_audience = case when new.email_audience is distinct from old.email_audience then new.email_audience else m.email_audience end,
    state = case when new.state is distinct from old.state then new.state else m.state end,
    about = case when new.about is distinct from old.about then new.about else m.about end,
    role = case when new.role is distinct from old.role then new.role else m.role end,
    rally_enabled = case when new.rally_enabled is distinct from old.rally_enabled then new.rally_enabled else m.rally_enabled end,
    can_create_chats = case when new.can_create_chats is distinct from old.can_create_chats then new.can_create_chats else m.can_create_chats end,
    can_send_messages = case when new.can_send_messages is distinct from old.can_send_messages then new.can_send_messages else m.can_send_messages end
  where m.id = old.id;
  return new;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create or replace trigger forget_drafts after update of status on private.members
  for each row when (new.status in ('declined', 'removed', 'deleted')) execute function private.forget_drafts();

create or replace trigger forget_saved_messages after update of status on private.members
  for each row when (new.status in ('declined', 'removed', 'deleted')) execute function private.forget_saved_messages();

create or replace function private.refuse_session() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
begin
  select u.banned_until, u.deleted_at into account from auth.users u where u.id = new.user_id for no key update;
  if not found or account.banned_until > now() or account.deleted_at is not null then
    raise exception 'User is banned' using errcode = '42501';
  end if;
  return new;
end
$$;

create function private.forget_email_change(account_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users u set
    email_change = '', email_change_sent_at = null, email_change_confirm_status = 0,
    email_change_token_new = '', email_change_token_current = ''
  where u.id = account_id and u.email_change <> '';
  if not found then
    return false;
  end if;
  delete from auth.one_time_tokens t
  where t.user_id = account_id and t.token_type::text in ('email_change_token_new', 'email_change_token_current');
  return true;
end
$$;

create function private.forget_mailed_links(account_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.forget_email_change(account_id);
  update auth.users u set recovery_token = '', confirmation_token = '', reauthentication_token = ''
  where u.id = account_id and (u.recovery_token <> '' or u.confirmation_token <> '' or u.reauthentication_token <> '');
  delete from auth.one_time_tokens t where t.user_id = account_id;
end
$$;

create or replace function public.cancel_my_email_change() returns boolean
language sql security definer set search_path = ''
as $$ select private.forget_email_change((select auth.uid())) $$;

create or replace function private.note_decision() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.account_mails m where m.user_id = new.id and m.event in ('approved', 'declined');
  if old.status in ('waiting', 'declined') and new.status in ('active', 'declined')
    and (select auth.uid()) is distinct from new.id
  then
    perform private.note_account_mail(new.id, case new.status when 'active' then 'approved' else 'declined' end);
  end if;
  return null;
end
$$;

create or replace function private.can_be_undecided(member private.members) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return member.status = 'declined'
    or member.status = 'active' and member.role = 'user' and member.admitted_at > now() - interval '10 minutes'
      and (select t.registration = 'approval' from public.team_settings t)
      and not exists (select from public.invitations i where i.accepted_by = member.id);
end
$$;

create or replace function public.set_member_status(
  member_id uuid, status text, reason text default '', if_status text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
begin
  if not by_service and not private.is_admin() then
    raise exception 'Only an admin may suspend or remove members' using errcode = '42501';
  end if;
  if member_id = (select auth.uid()) then
    raise exception 'Ask another admin to do this' using errcode = '42501';
  end if;
  -- First the account, as in ensure_member: two that lock both in another order would wait for each other.
  perform from auth.users u where u.id = set_member_status.member_id for no key update;
  -- Not for update: that would wait for people who are joining by this admin's invitation, while they wait for the invitation.
  select * into member from private.members m where m.id = set_member_status.member_id for no key update;
  if member.role = 'admin' then
    perform private.lock_admins();
    if not by_service and not private.is_admin() then
      raise exception 'Only an admin may suspend or remove members' using errcode = '42501';
    end if;
  end if;
  if member.id is null or member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member.status = set_member_status.status then
    return;
  elsif member.status <> if_status then
    raise exception 'Another admin has decided meanwhile' using errcode = 'PT409';
  elsif set_member_status.status = 'waiting' and member.status = 'active' and not private.can_be_undecided(member) then
    raise exception 'Letting somebody in can be taken back for ten minutes' using errcode = '22023';
  elsif not coalesce(case set_member_status.status
    when 'active' then true
    when 'declined' then member.status = 'waiting'
    when 'waiting' then private.can_be_undecided(member)
    when 'suspended' then member.status = 'active'
    when 'removed' then member.status in ('active', 'suspended')
  end, false) then
    raise exception 'A member can be suspended, removed or readmitted' using errcode = '22023';
  elsif set_member_status.status in ('suspended', 'removed') and private.is_blank(reason) then
    raise exception 'Give a reason for suspending or removing a member' using errcode = '23514';
  end if;
  update private.members m set
    status = set_member_status.status, status_reason = private.trimmed(reason), status_changed_at = now(),
    admitted_at = case when set_member_status.status <> 'waiting' then m.admitted_at end,
    role = case when set_member_status.status = 'removed' then 'user' else m.role end,
    can_supervise = m.can_supervise and set_member_status.status in ('active', 'suspended')
  where m.id = set_member_status.member_id;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create or replace function private.follow_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status in ('suspended', 'removed', 'declined') then
    update auth.users set banned_until = '2999-12-31' where id = new.id;
    perform private.forget_mailed_links(new.id);
    update private.members set push_token = null where id = new.id and push_token is not null;
  elsif new.status in ('active', 'waiting') then
    update auth.users set banned_until = null where id = new.id and banned_until is not null;
  end if;
  -- Open devices still show a member's screens; after signing in again they show the waiting page.
  if old.status = 'active' and new.status = 'waiting' then
    delete from auth.sessions where user_id = new.id;
  end if;
  return null;
end
$$;

create or replace function public.set_supervisor(member_id uuid, can_supervise boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
begin
  if not private.is_admin() then
    raise exception 'Only an admin says who supervises' using errcode = '42501';
  end if;
  select * into member from private.members m where m.id = set_supervisor.member_id for no key update;
  perform private.lock_admins();
  if not private.is_admin() then
    raise exception 'Only an admin says who supervises' using errcode = '42501';
  end if;
  if member.id is null or member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member.can_supervise = set_supervisor.can_supervise then
    return;
  elsif set_supervisor.can_supervise and not member.is_active then
    raise exception 'Choose somebody who is on the team' using errcode = '22023';
  elsif set_supervisor.can_supervise and member.id = (select auth.uid()) and exists (
    select from private.members m where m.id <> member.id and m.status not in ('removed', 'deleted') and m.role = 'admin'
    -- Nor do they make themselves the only one for it.
    union all
    select from private.audit_log e
    where e.actor_id = member.id and e.before ->> 'role' = 'admin' and e.object_id <> member.id
      and e.recorded_at > now() - interval '30 days'
  ) then
    raise exception 'Ask another admin to do this' using errcode = '42501';
  end if;
  update private.members m set can_supervise = coalesce(set_supervisor.can_supervise, false) where m.id = member.id;
end
$$;

create or replace function private.member_matches(member private.members, filter text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case filter
    when 'admins' then member.is_active and member.role = 'admin'
    when 'never_opened' then member.is_active and private.last_active_at(member.id) is null
    when 'silent' then member.is_active and private.last_active_at(member.id) < now() - interval '14 days'
    when 'new' then member.is_active and member.admitted_at > now() - interval '7 days'
    when 'waiting' then member.status = 'waiting'
    when 'suspended' then member.status = 'suspended'
    when 'removed' then member.status = 'removed'
    when 'declined' then member.status = 'declined'
    when 'all' then true
    else member.is_active
  end
$$;

drop function public.count_members();
create function public.count_members()
returns table (
  active bigint, new bigint, stuck bigint, admins bigint, never_opened bigint, silent bigint, waiting bigint,
  suspended bigint, removed bigint, declined bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  with seen as materialized (
    select m.status, m.role, m.admitted_at, private.last_active_at(m.id) as at from private.members m where m.status <> 'deleted'
  )
  select
    count(*) filter (where s.status = 'active'),
    count(*) filter (where s.status = 'active' and s.admitted_at > now() - interval '7 days'),
    (select count(*) from private.stuck_members()),
    count(*) filter (where s.status = 'active' and s.role = 'admin'),
    count(*) filter (where s.status = 'active' and s.at is null),
    count(*) filter (where s.status = 'active' and s.at < now() - interval '14 days'),
    count(*) filter (where s.status = 'waiting'),
    count(*) filter (where s.status = 'suspended'),
    count(*) filter (where s.status = 'removed'),
    count(*) filter (where s.status = 'declined')
  from seen s;
end
$$;

drop function public.member_details(uuid);
create function public.member_details(member_id uuid)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, status_reason text,
  status_changed_at timestamptz, can_be_undecided boolean, joined_at timestamptz, last_active_at timestamptz,
  rally_enabled boolean, can_create_chats boolean, can_send_messages boolean, can_supervise boolean,
  is_vice_president boolean, has_second_factor boolean, sessions bigint, devices bigint, groups_led bigint, steps_done bigint, steps_total bigint,
  sponsor_id uuid, sponsor_name text, counts_for_name text, invited_by_name text, brought_in bigint, downline bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.status_reason, m.status_changed_at,
    private.can_be_undecided(m), m.created_at, private.last_active_at(m.id),
    m.rally_enabled, m.can_create_chats, m.can_send_messages, m.can_supervise,
    (select m.id = any (s.vice_presidents) from public.team_settings s),
    private.has_second_factor(m.id),
    (select count(*) from auth.sessions s where s.user_id = m.id),
    (select count(*) from public.push_devices d where d.user_id = m.id),
    (select count(*) from public.chats c where c.created_by = m.id and c.type = 'group' and c.is_active),
    (select count(*) from public.onboarding_progress p
     join public.newrepstart_content i on i.id = p.item_id and i.is_active where p.user_id = m.id),
    (select count(*) from public.newrepstart_content i where i.is_active),
    m.sponsor_id,
    (select private.display_name(s.first_name, s.last_name, s.email) from private.members s where s.id = m.sponsor_id),
    -- Where the sponsor is not on the team.
    (
      select private.display_name(s.first_name, s.last_name, s.email)
      from private.upline(m.id) above join private.members s on s.id = above.id
      where above.level = 1 and above.id <> m.sponsor_id
    ),
    (
      select private.display_name(s.first_name, s.last_name, s.email)
      from public.invitations i join private.members s on s.id = i.invited_by
      where i.accepted_by = m.id order by i.accepted_at desc limit 1
    ),
    (select count(*) from private.members r where r.sponsor_id = m.id and r.is_active),
    (select count(*) from private.downline(m.id))
  from private.members m
  where m.id = member_details.member_id and m.status <> 'deleted';
end
$$;

drop function private.invited_people(jsonb);
create function private.invited_people(people jsonb)
returns table (
  email text, first_name text, last_name text, account_id uuid, is_confirmed boolean
)
language sql stable security definer set search_path = ''
as $$
  select asked.email, asked.first_name, asked.last_name, account.id, coalesce(account.is_confirmed, false)
  from (
    select distinct on (coalesce(lower(p.email), '')) coalesce(lower(p.email), '') as email,
      left(private.one_line(coalesce(p.first_name, '')), 100) as first_name,
      left(private.one_line(coalesce(p.last_name, '')), 100) as last_name
    from jsonb_to_recordset(people) p (email text, first_name text, last_name text)
    order by coalesce(lower(p.email), '')
  ) asked
  left join lateral (
    select u.id, u.email_confirmed_at is not null as is_confirmed
    from auth.users u
    where u.email = asked.email and u.deleted_at is null
    order by u.email_confirmed_at nulls last
    limit 1
  ) account on true
$$;

drop function public.plan_invitations(jsonb,text);
create function public.plan_invitations(people jsonb, language text default 'en')
returns table (email text, state text, invitation_id uuid, invited_by_name text)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  most_at_once constant int := 100;
  most_an_hour constant int := 500;
  asked constant int := case jsonb_typeof(people) when 'array' then jsonb_array_length(people) end;
  me constant uuid := (select auth.uid());
  mails int := 0;
  known text[];
  due uuid[];
begin
  -- Serializes calls of one admin, so that two cannot both use what is left of the limit, and waits for somebody who is
  -- taking the caller's rights away at this moment.
  perform from private.members m where m.id = me for no key update;
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  if asked is null or asked not between 1 and most_at_once then
    raise exception 'Invite between 1 and % people at once', most_at_once using errcode = '22023';
  end if;
  delete from private.invitation_mails old where old.sent_at < now() - interval '1 hour';

  known := array(
    select p.email from private.invited_people(people) p join private.members m on m.id = p.account_id
    where m.status <> 'waiting'
  );
  with renewed as (
    insert into public.invitations as i (email, first_name, last_name, invited_by, locale, last_sent_at, times_sent)
    select p.email, p.first_name, p.last_name, me, case language when 'es' then 'es' else 'en' end, now(), 1
    from private.invited_people(people) p
    where p.email <> all (known)
    -- In one order, so that two admins who invite the same people wait for each other instead of deadlocking.
    order by p.email
    on conflict (email) where accepted_at is null and revoked_at is null do update set
      first_name = coalesce(nullif(excluded.first_name, ''), i.first_name),
      last_name = coalesce(nullif(excluded.last_name, ''), i.last_name),
      -- Who invited first has brought the person in, unless that invitation came to nothing.
      invited_by = case when i.expires_at > now() then i.invited_by else excluded.invited_by end,
      locale = excluded.locale, last_sent_at = now(), times_sent = i.times_sent + 1,
      expires_at = excluded.expires_at, bounced_at = null, bounce_reason = ''
    where i.bounced_at is not null or coalesce(i.last_sent_at < now() - interval '1 minute', true)
    returning i.id
  )
  select array_agg(renewed.id) into due from renewed;

  for email, state, invitation_id, invited_by_name in
    select p.email,
      case
        when p.email = any (known) then 'member'
        when i.id <> all (coalesce(due, '{}')) then 'sent'
        when i.accepted_at is not null then 'joined'
        when p.is_confirmed then 'member'
        else 'due'
      end,
      i.id, btrim(m.first_name || ' ' || m.last_name)
    from private.invited_people(people) p
    left join lateral (
      select i.* from public.invitations i
      where i.email = p.email and p.email <> all (known)
        and (i.id = any (due) or i.accepted_at is null and i.revoked_at is null)
    ) i on true
    left join private.members m on m.id = i.invited_by
    order by p.email
  loop
    mails := mails + (state = 'due')::int;
    return next;
  end loop;

  if mails + (select count(*) from private.invitation_mails sent where sent.invited_by = me) > most_an_hour then
    raise exception 'Too many invitations: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  insert into private.invitation_mails (invited_by) select me from generate_series(1, mails);
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create function public.prepare_invitation_mail(invitation_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  address constant text := (
    select i.email from public.invitations i
    where i.id = prepare_invitation_mail.invitation_id and i.accepted_at is null and i.revoked_at is null
  );
begin
  update auth.users u set
    -- A cheap hash, as nobody can guess the password.
    encrypted_password = extensions.crypt(gen_random_uuid()::text, extensions.gen_salt('bf', 4)),
    raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || jsonb_build_object(
      'first_name', i.first_name, 'last_name', i.last_name, 'locale', i.locale, 'needs_password', true,
      'invited_by', btrim(m.first_name || ' ' || m.last_name)
    )
  from public.invitations i join private.members m on m.id = i.invited_by
  where i.id = prepare_invitation_mail.invitation_id
    and u.email = address and u.email_confirmed_at is null and u.deleted_at is null;
  perform private.let_in(address);
  return (
    select case when i.accepted_at is not null then 'joined' when i.revoked_at is not null then 'taken_back' else 'due' end
    from public.invitations i where i.id = prepare_invitation_mail.invitation_id
  );
end
$$;

create or replace function public.list_invitations(
  filter text default 'pending', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, email text, first_name text, last_name text, state text, locale text,
  invited_by uuid, invited_by_first_name text, invited_by_last_name text, created_at timestamptz,
  last_sent_at timestamptz, times_sent integer, expires_at timestamptz, accepted_by uuid, accepted_first_name text,
  accepted_last_name text, accepted_at timestamptz, revoked_at timestamptz, bounced_at timestamptz, bounce_reason text
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select i.id, i.email, i.first_name, i.last_name, i.state, i.locale,
    i.invited_by, i.invited_by_first_name, i.invited_by_last_name, i.created_at,
    i.last_sent_at, i.times_sent, i.expires_at, i.accepted_by, joined.first_name, joined.last_name,
    i.accepted_at, i.revoked_at, i.bounced_at, i.bounce_reason
  from private.invitation_states i
  left join private.members joined on joined.id = i.accepted_by
  where (filter = 'all' or i.state = filter)
    and (
      i.searchable like all (private.member_patterns(query))
      or i.inviter_searchable like all (private.member_patterns(query))
    )
  order by i.created_at desc, i.id desc
  limit greatest(least(max_results, 200), 0) offset greatest(skip, 0);
end
$$;

create or replace function public.known_addresses(emails text[])
returns table (email text, state text, since timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  most constant int := 500;
begin
  perform private.assert_admin();
  if cardinality(emails) > most then
    raise exception 'Ask about at most % addresses at once', most using errcode = '22023';
  end if;
  return query
  select m.email, m.status, m.created_at
  from private.members m where m.email = any (emails) and m.status in ('active', 'suspended', 'removed', 'declined')
  union all
  select i.email, 'invited', i.last_sent_at
  from private.invitation_states i
  where i.email = any (emails) and i.state = 'pending';
end
$$;

drop function public.renew_invitation(uuid);
create function public.renew_invitation(invitation_id uuid)
returns table (email text, first_name text, last_name text, locale text, invited_by_name text)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  most_mails constant int := 20;
begin
  return query
  update public.invitations i set last_sent_at = now(), times_sent = i.times_sent + 1
  from private.invitation_states s
  where i.id = invitation_id and s.id = i.id and s.state = 'pending'
    and i.last_sent_at < now() - interval '1 minute' and i.times_sent < most_mails
  returning i.email, i.first_name, i.last_name, i.locale,
    btrim(s.invited_by_first_name || ' ' || s.invited_by_last_name);
end
$$;

create or replace function public.list_join_links(max_results integer default 20, skip integer default 0)
returns table (
  id uuid, token text, state text, created_by uuid, first_name text, last_name text,
  created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, joined bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select l.id, l.token, private.join_link_state(l), l.created_by, m.first_name, m.last_name,
    l.created_at, l.expires_at, l.revoked_at,
    (select count(*) from private.members j where j.join_link_id = l.id and j.admitted_at is not null)
  from public.join_links l
  join private.members m on m.id = l.created_by
  order by l.created_at desc, l.id
  limit greatest(least(max_results, 100), 0) offset greatest(skip, 0);
end
$$;

create or replace function public.claim_team(code text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 10;
  most_of_all_an_hour constant integer := 100;
  me constant uuid := (select auth.uid());
  is_waiting boolean;
  stored text;
begin
  select m.status = 'waiting' into is_waiting from private.members m where m.id = me for no key update;
  -- Of two people at once the second finds an admin.
  perform private.lock_admins();
  if private.has_admin() then
    raise exception 'This team already has an admin' using errcode = 'PT409';
  end if;
  if is_waiting is distinct from true then
    raise exception 'Only who waits to be let in can set up the team' using errcode = '42501';
  end if;
  delete from private.set_up_attempts old where old.since < now() - interval '1 hour';
  insert into private.set_up_attempts as known (user_id) values (me)
  on conflict (user_id) do update set attempts = known.attempts + 1;
  if (select t.attempts from private.set_up_attempts t where t.user_id = me) > most_an_hour
    or (select sum(t.attempts) from private.set_up_attempts t) > most_of_all_an_hour
  then
    raise exception 'Too many set-up codes: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  select s.code_hash into stored from private.set_up_code s;
  -- Hashed once more, so that how long the comparison takes says nothing about either.
  if extensions.digest(stored, 'sha256')
    is distinct from extensions.digest(extensions.crypt(private.plain_recovery_code(code), stored), 'sha256')
    or stored is null
  then
    return false;
  end if;
  update private.members m set status = 'active', status_changed_at = now(), role = 'admin' where m.id = me;
  delete from private.set_up_code;
  delete from private.set_up_attempts;
  return true;
end
$$;

create or replace function private.end_invitations_of_former_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  pending constant uuid[] := array(
    select i.id from public.invitations i
    where i.invited_by = new.id and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
  );
begin
  -- Invitations first: who is confirming an account at this moment holds it, and may be about to read a link.
  if pending <> '{}' then
    perform private.revoke_invitations(pending);
  end if;
  update public.join_links l set revoked_at = now()
  where l.created_by = new.id and l.revoked_at is null and (l.expires_at > now() or exists (
    select from private.link_uses u left join private.members m on m.id = u.account_id
    where u.link_id = l.id and coalesce(m.status, 'waiting') in ('waiting', 'declined')
  ));
  return null;
end
$$;

create function private.let_in(email text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
begin
  for account in
    select u.id, exists (select from private.members m where m.id = u.id) as is_known
    from auth.users u
    where u.email = let_in.email and u.email_confirmed_at is not null and u.deleted_at is null and not exists (
      select from private.members m where m.id = u.id and m.status <> 'waiting'
    )
    -- Without one that is being deleted at this moment.
    for no key update
  loop
    if (private.ensure_member(account.id, null, null)).status = 'active' and not account.is_known then
      perform private.note_account_mail(account.id, 'approved');
    end if;
  end loop;
end
$$;

create or replace function private.let_invited_in() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.let_in(new.email);
  return null;
end
$$;

create or replace function private.audit_vocabulary(entry private.audit_log) returns text
language sql immutable set search_path = ''
as $$
  with terms as (
    select entry.kind as term
    union all select entry.kind || '.' || entry.action
    union all select 'list:' || (entry.details ->> 'list')
    union all select 'notice.scheduled' where entry.kind = 'notice' and entry.after ->> 'scheduled_for' is not null
    union all select 'status:' || coalesce(entry.before ->> 'status', 'none') || '>' || (entry.after ->> 'status')
    union all select 'status:>' || (entry.after ->> 'status')
    union all (
      select unnest(array['.' || key, entry.kind || '.' || key])
      from jsonb_object_keys(entry.before || entry.after) key
    )
  )
  select string_agg(vocabulary.words, ' ')
  from (values
    ('member', 'member miembro'),
    ('member.joined', 'joined the team se unió al equipo'),
    ('member.erased', 'erased from the database borró de la base de datos'),
    ('member.second_factor_on', 'two-step verification was turned on se activó la verificación en dos pasos'),
    ('member.second_factor_off', 'two-step verification was turned off se desactivó la verificación en dos pasos'),
    ('member.second_factor_reset', 'reset two-step verification restableció la verificación en dos pasos'),
    ('member.recovery_code_used', 'logged in with a recovery code entró con un código de recuperación'),
    ('status:none>waiting', 'asked to join pidió unirse'),
    ('status:waiting>declined', 'declined rechazó'),
    ('status:declined>active', 'approved let join aprobó aceptó en el equipo'),
    ('status:declined>waiting', 'took back declining se retractó de rechazar'),
    -- Until a status of its own, declining was removing somebody who waited.
    ('status:removed>waiting', 'took back declining asked to join the team se retractó de rechazar pidió unirse al equipo'),
    ('status:active>waiting', 'took back letting join se retractó de aceptar'),
    ('status:waiting>active', 'approved let join joined the team aprobó aceptó en el equipo se unió'),
    ('status:waiting>removed', 'declined rechazó'),
    ('status:active>suspended', 'suspended suspendió'),
    ('status:suspended>active', 'readmitted readmitió'),
    ('status:removed>active', 'readmitted readmitió'),
    ('status:active>removed', 'removed from the team dio de baja'),
    ('status:suspended>removed', 'removed from the team dio de baja'),
    ('status:>deleted', 'deleted the account of their eliminó la su cuenta'),
    ('.role', 'role made became removed as an admin rol nombró pasó a ser quitó como administrador'),
    ('.rally_enabled', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_create_chats', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_send_messages', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_supervise', 'turned on off changed the permissions supervise activó desactivó para cambió los permisos supervisar'),
    ('.sponsor_id', 'made changed removed the sponsor puso cambió quitó como patrocinador'),
    ('setting', 'setting ajuste'),
    ('setting.changed', 'changed cambió'),
    ('.vice_presidents', 'made removed changed the order of vice presidents orden nombró quitó como vicepresidentes'),
    ('.time_zone', 'team time zone zona horaria del equipo'),
    ('.seen_by_enabled', 'show read receipts mostrar confirmaciones de lectura'),
    ('.admins_need_second_factor', 'admins need two-step verification los administradores necesitan la verificación en dos pasos'),
    ('.registration', 'who can join quién puede entrar'),
    ('.email_domains', 'email domains dominios de correo'),
    ('content', 'content contenido'),
    ('list:home', 'home screen pantalla de inicio'),
    ('list:training', 'training content contenido de capacitación'),
    ('list:newrepstart', 'new rep start'),
    ('list:licensing', 'licensing licencias'),
    ('list:schedule', 'schedule agenda'),
    ('content.created', 'added agregó'),
    ('content.deleted', 'erased from for good borró para siempre'),
    ('content.reordered', 'changed the order cambió el orden'),
    ('content.changed', 'changed cambió'),
    ('content.is_active', 'deleted from restored visible to members eliminó restauró visible para los miembros'),
    ('.title', 'title título'),
    ('.description', 'description descripción'),
    ('.url', 'link enlace'),
    ('.link', 'link enlace'),
    ('.image_url', 'image imagen'),
    ('.image_alt', 'image description descripción de la imagen'),
    ('.category', 'category categoría'),
    ('.sort_order', 'place in the list lugar en la lista'),
    ('.day_of_week', 'day día'),
    ('.start_time', 'start time hora de inicio'),
    ('.end_time', 'end time hora de fin'),
    ('.meeting_id', 'meeting id de la reunión'),
    ('.meeting_password', 'meeting password contraseña de la reunión'),
    ('chat', 'group grupo'),
    ('chat.created', 'created creó'),
    ('chat.deleted', 'erased borró'),
    ('chat.members_added', 'added agregó'),
    ('chat.members_removed', 'removed from quitó'),
    ('chat.name', 'renamed cambió el nombre'),
    ('chat.is_active', 'closed reopened cerró reabrió'),
    ('chat.created_by', 'made the manager puso a cargo'),
    ('notice', 'notice aviso'),
    ('notice.created', 'wrote escribió'),
    ('notice.scheduled', 'scheduled for programó para'),
    ('notice.changed', 'changed cambió'),
    ('notice.deleted', 'erased borró'),
    ('.cancelled_at', 'withdrew withdrawn retiró retirado'),
    ('.body', 'text texto'),
    ('.audience', 'recipients destinatarios'),
    ('.audience_role', 'recipients role destinatarios rol'),
    ('.audience_members', 'chosen members miembros elegidos'),
    ('.audience_chat_id', 'chosen group grupo elegido'),
    ('.is_urgent', 'urgent urgente'),
    ('.must_acknowledge', 'must be acknowledged hay que confirmarlo'),
    ('.scheduled_for', 'goes out se publica'),
    ('message', 'message mensaje'),
    ('message.removed', 'removed quitó'),
    ('message.restored', 'restored restauró'),
    ('message.erased', 'erased messages from the database borró mensajes de la base de datos'),
    ('invitation', 'invitation invitación'),
    ('invitation.link_created', 'made an invitation link creó un enlace'),
    ('invitation.link_taken_back', 'took back taken back an invitation link revocó revocado un enlace'),
    ('invitation.link_changed', 'changed an invitation link cambió un enlace'),
    ('invitation.link_deleted', 'erased an invitation link borró un enlace'),
    ('invitation.invited', 'invited invitó'),
    ('invitation.invited_again', 'invited again volvió a invitar'),
    ('invitation.invitation_taken_back', 'took back invitations revocó invitaciones hecha hechas por'),
    ('archive', 'records registros'),
    ('archive.hold_placed', 'placed a legal hold on a direct chat ordenó la retención legal de un chat directo'),
    ('archive.hold_lifted', 'lifted the legal hold on a direct chat levantó la retención legal de un chat directo'),
    ('archive.retention', 'changed how long records are kept cambió cuánto tiempo se conservan'),
    ('supervision', 'supervision supervisión'),
    ('supervision.looked', 'looked at the chat consultó el chat'),
    ('supervision.lexicon_added', 'added to the lexicon agregó al léxico'),
    ('supervision.lexicon_changed', 'changed in the lexicon cambió en el léxico'),
    ('supervision.lexicon_removed', 'erased from the lexicon borró del léxico'),
    ('supervision.is_active', 'paused turned back on pausó reactivó'),
    ('supervision.sampling', 'changed the random sample of the team line cambió la muestra al azar del equipo línea'),
    ('rules', 'house rules normas de convivencia'),
    ('rules.changed', 'changed asked everybody to accept them again cambió pidió a todos que acepten de nuevo las')
  ) vocabulary (term, words)
  where vocabulary.term in (select terms.term from terms)
$$;

create or replace function archive.postpone_erasure(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- First the account, as set_member_status does.
  perform from auth.users u where u.id = postpone_erasure.member_id for no key update;
  insert into archive.waiting_erasures (member_id) values (postpone_erasure.member_id) on conflict do nothing;
  update private.members m set
    status = 'removed', status_reason = 'Deleted their account. A legal hold keeps it until it is lifted.',
    status_changed_at = now(), role = 'user'
  where m.id = postpone_erasure.member_id;
end
$$;

comment on function public.known_addresses(pg_catalog.text[]) is 'For admins: which of these lower-case addresses are somebody''s whom the team knows (active, suspended, removed, declined) or invited already.';

comment on function public.list_members(pg_catalog.text,pg_catalog.text,integer,integer) is 'For admins: a page of members by first name. filter: active, new, stuck, admins, never_opened, silent, waiting (the longest first), suspended, removed, declined or all.';

comment on function public.my_membership() is 'The caller''s status: waiting, declined, active, suspended, removed or none, and then why: invitation_only or other_domain. has_admin: whether anybody can let them in.';

comment on function public.prepare_invitation_mail(pg_catalog.uuid) is 'For trusted servers: whether this invitation is still to be mailed: due, joined or taken_back; null if there is none any more.';

comment on function public.set_member_status(pg_catalog.uuid,pg_catalog.text,pg_catalog.text,pg_catalog.text) is 'For admins: suspends, removes or readmits a member (`active`), with a reason. The first two end every session at once. People who wait are let in (`active`) or declined; `waiting` takes back either. With `if_status` it is refused if the status is another one by now.';

comment on column private.members.admitted_at is 'When they first came onto the team; null: never, or it was taken back.';

comment on column private.members.status is 'waiting: until an admin lets them in. declined: an admin did not. suspended: until an admin lifts it. removed: no longer on the team. deleted: the account is gone, and the row carries no personal data.';

revoke execute on function private.forget_email_change(uuid) from public;

revoke execute on function private.forget_mailed_links(uuid) from public;

revoke execute on function private.invited_people(jsonb) from public;

revoke execute on function private.let_in(text) from public;

revoke execute on function private.lock_admins() from public;

revoke execute on function public.count_members() from anon;

revoke execute on function public.count_members() from public;

revoke execute on function public.count_members() from service_role;

revoke execute on function public.member_details(uuid) from anon;

revoke execute on function public.member_details(uuid) from public;

revoke execute on function public.member_details(uuid) from service_role;

revoke execute on function public.plan_invitations(jsonb,text) from anon;

revoke execute on function public.plan_invitations(jsonb,text) from public;

revoke execute on function public.plan_invitations(jsonb,text) from service_role;

revoke execute on function public.prepare_invitation_mail(uuid) from anon;

revoke execute on function public.prepare_invitation_mail(uuid) from authenticated;

revoke execute on function public.prepare_invitation_mail(uuid) from public;

revoke execute on function public.renew_invitation(uuid) from anon;

revoke execute on function public.renew_invitation(uuid) from authenticated;

revoke execute on function public.renew_invitation(uuid) from public;

comment on function public.count_members() is 'For admins: how many members each filter of list_members finds.';

comment on function public.member_details(pg_catalog.uuid) is 'For admins: one member, with what they use and lead.';

comment on function public.plan_invitations(pg_catalog.jsonb,pg_catalog.text) is 'For admins: records the invitations of these people (email, first_name, last_name) and says whom to mail. Counts mails against the hourly limit.';

comment on function public.renew_invitation(pg_catalog.uuid) is 'For trusted servers: whom to mail the link of this pending invitation again; no row if it is not pending or was mailed a moment ago.';
