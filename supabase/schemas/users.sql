-- public.users: the members as the product's clients see them. `select *` works on every row; the three columns that
-- are private to a member are null in other people's rows. Writes go through the triggers below, which alone decide what
-- a member may change. Why a view: docs/decisions/003-users-is-a-view.md

create view public.users with (security_barrier) as
select
  id,
  case when (select private.is_trusted_role()) then email else private.shown_email(id, email, email_audience, is_active) end as email,
  first_name, last_name, role, created_at,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then push_token end as push_token,
  rally_enabled, can_create_chats, can_send_messages,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then hidden_chats end as hidden_chats,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then archived_chats end as archived_chats,
  is_active, status, sponsor_id, can_supervise,
  case when (select private.is_trusted_role()) then phone
    else private.shown_phone(id, phone, phone_audience, is_active) end as phone,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then phone_audience end as phone_audience,
  case when id = (select auth.uid()) or (select private.is_trusted_role()) then email_audience end as email_audience,
  state, about
from private.members
where (select private.is_member()) and admitted_at is not null or (select private.is_trusted_role());

comment on view public.users is
  'Who is or was on the team, not who waits to be let in. push_token, hidden_chats, archived_chats and who sees phone and e-mail are null in every row but your own.';
comment on column public.users.email is 'Null where the member does not show it to the caller. Once they are suspended or left, only admins see it.';
comment on column public.users.phone is 'Null where the member does not show it to the caller.';
comment on column public.users.sponsor_id is 'Who brought them in.';
comment on column public.users.can_supervise is 'Reviews what the team writes; changed by set_supervisor.';
comment on column public.users.is_active is 'False for who is suspended or left, and is left out of pickers and counts.';

revoke all on public.users from anon, authenticated, service_role;
grant select on public.users to authenticated, service_role;
grant insert (id, email, first_name, last_name, role) on public.users to authenticated, service_role;
grant update (
  first_name, last_name, push_token, hidden_chats, archived_chats, phone, phone_audience, email_audience, state, about,
  role, rally_enabled, can_create_chats, can_send_messages
) on public.users to authenticated, service_role;

-- Creates or finds the caller's own profile: always with the caller's id and confirmed e-mail, always with the role user.
-- Whoever waits to be let in is stored and reads nothing back.
create function private.insert_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
begin
  member := private.ensure_member(
    case when by_service then new.id else (select auth.uid()) end, new.first_name, new.last_name
  );
  if member.id is null then
    raise exception 'You need an invitation to join this team' using errcode = '42501';
  elsif not member.is_active and not by_service then
    return null;
  end if;
  select member.id, member.email, member.first_name, member.last_name, member.role, member.created_at,
    member.push_token, member.rally_enabled, member.can_create_chats, member.can_send_messages,
    member.hidden_chats, member.archived_chats, member.is_active, member.status, member.sponsor_id,
    member.can_supervise, member.phone, member.phone_audience, member.email_audience, member.state, member.about into new;
  return new;
end
$$;

create trigger insert_user instead of insert on public.users
  for each row execute function private.insert_user();

-- When a trigger that runs with its owner's rights violates a constraint, Postgres adds the whole row to the error as its
-- detail, hidden columns included, and logs it. So such triggers check for nulls first, and re-raise without the detail.
create function private.refuse_nulls(changed jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  missing text;
begin
  select key into missing from jsonb_each(changed) where value = 'null' order by key limit 1;
  if found then
    raise not_null_violation using message = format('null value in column "%s" violates not-null constraint', missing);
  end if;
end
$$;

-- Writes only the columns that changed: the row the caller saw may be older than an admin's change to it.
create function private.update_user() returns trigger
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

create trigger update_user instead of update on public.users
  for each row execute function private.update_user();

revoke execute on all functions in schema private from public;
