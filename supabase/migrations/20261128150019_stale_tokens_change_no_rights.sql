-- An admin's token that was stolen made admins, suspended others, invited accomplices and lifted holds. What outlasts the token takes one
-- whose holder has just signed in or shown a code. No rows change.

create function private.has_proved_recently() returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from jsonb_array_elements(coalesce((select auth.jwt()) -> 'amr', '[]')) proof
    where to_timestamp((proof ->> 'timestamp')::bigint) > now() - interval '15 minutes'
  )
$$;

create function private.require_recent_proof() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role' and not private.has_proved_recently() then
    raise exception 'Confirm that it is you first' using errcode = 'PT428';
  end if;
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
  if new.role is distinct from old.role then
    perform private.require_recent_proof();
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

create function private.require_proof_for_admission() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_recent_proof();
  return new;
end
$$;

create trigger require_recent_proof before update of registration, email_domains, admins_need_second_factor on public.team_settings
  for each row execute function private.require_proof_for_admission();

create or replace function public.create_recovery_codes() returns text[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  salt constant text := extensions.gen_salt('bf', 8);
  codes constant text[] := array(select private.new_recovery_code() from generate_series(1, 10));
begin
  if not private.has_second_factor(me) or not private.has_shown_second_factor() then
    raise exception 'Turn on two-step verification first' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  -- Serializes two calls, of which the later one's codes count.
  perform from auth.users u where u.id = me for update;
  delete from private.recovery_codes r where r.user_id = me;
  if found then
    perform private.note_account_mail(me, 'recovery_codes_replaced');
  end if;
  insert into private.recovery_codes (user_id, code_hash)
  select me, extensions.crypt(private.plain_recovery_code(code), salt) from unnest(codes) code;
  return codes;
end
$$;

create or replace function public.reset_second_factor(member_id uuid, reason text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  why constant text := private.trimmed(reason);
begin
  if not private.is_admin() then
    raise exception 'Only an admin resets two-step verification' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  if member_id = (select auth.uid()) then
    raise exception 'Turn off your own two-step verification in your profile' using errcode = '42501';
  end if;
  if exists (select from private.members m where m.id = reset_second_factor.member_id and m.status = 'deleted') then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  if why = '' then
    raise exception 'Give a reason' using errcode = '22023';
  end if;
  if char_length(why) > 200 then
    raise exception 'Reason is at most 200 characters' using errcode = '22023';
  end if;
  delete from auth.mfa_factors f where f.user_id = member_id;
  if not found then
    return false;
  end if;
  -- The lost phone is signed out too.
  delete from auth.sessions s where s.user_id = member_id;
  perform private.record_change(
    'member', 'second_factor_reset', member_id, null, null, null, array[member_id], jsonb_build_object('reason', why)
  );
  return true;
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
  perform private.require_recent_proof();
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

create or replace function public.set_supervisor(member_id uuid, can_supervise boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
begin
  if not private.is_admin() then
    raise exception 'Only an admin says who supervises' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
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

create or replace function private.check_join_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Waits for somebody who is taking the creator's rights away at this moment.
  perform from private.members m where m.id = new.created_by and m.is_active and m.role = 'admin' for share;
  if not found then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  if (select count(*) from public.join_links l where l.revoked_at is null and l.expires_at > now()) >= 200 then
    raise exception 'At most 200 invitation links are open at once' using errcode = 'PT429';
  end if;
  return new;
end
$$;

create or replace function public.plan_invitations(people jsonb, language text default 'en')
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
  perform private.require_recent_proof();
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
    select p.email, p.first_name, p.last_name, me,
      case coalesce(p.language, plan_invitations.language) when 'es' then 'es' else 'en' end, now(), 1
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
  -- Somebody came onto the team at this moment, or by another way while an invitation was renewed.
  perform private.end_invitations_of_members(array(select p.email from private.invited_people(people) p));

  for email, state, invitation_id, invited_by_name in
    select p.email,
      case
        when p.email = any (known) then 'member'
        when i.id <> all (coalesce(due, '{}')) then 'sent'
        when i.accepted_at is not null then 'joined'
        -- Also of an account that is being confirmed at this moment: prepare_invitation_mail lets it in.
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

create or replace function public.lift_legal_hold(hold_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  hold archive.holds;
begin
  perform private.assert_admin();
  perform private.require_recent_proof();
  if private.is_blank(reason) then
    raise exception 'Give a reason for lifting the hold' using errcode = '23514';
  elsif char_length(reason) > 500 then
    raise exception 'Reason is at most 500 characters' using errcode = '23514';
  end if;
  perform archive.lock_holds();
  update archive.holds h set lifted_at = now(), lifted_by = (select auth.uid())
  where h.id = hold_id and h.lifted_at is null
  returning * into hold;
  if hold.id is null then
    return;
  end if;
  perform archive.record(
    'hold.lifted', json_build_object('reason', btrim(lift_legal_hold.reason)), hold.chat_id, hold.id, hold.member_id
  );
  perform archive.record_hold_change('hold_lifted', hold.id, btrim(lift_legal_hold.reason));
  perform archive.erase_waiting_accounts();
end
$$;

create or replace function public.set_archive_retention(category text, years integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  perform private.require_recent_proof();
  update archive.retention k set years = set_archive_retention.years where k.category = set_archive_retention.category;
  if not found then
    raise exception 'There is no such kind of record' using errcode = '22023';
  end if;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

revoke execute on function private.has_proved_recently() from public;

revoke execute on function private.require_proof_for_admission() from public;

revoke execute on function private.require_recent_proof() from public;
