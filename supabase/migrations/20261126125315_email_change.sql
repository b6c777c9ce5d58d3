-- Members can take back a change of address that is not confirmed yet; the auth service has no request for that. A changed
-- name is returned as it is stored. Existing rows stay as they are.

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
begin
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
  if rights_change and not old.is_active then
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
    new.first_name := private.name_from(new.first_name);
  end if;
  if new.last_name is distinct from old.last_name then
    new.last_name := private.name_from(new.last_name);
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

create function public.cancel_my_email_change() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  update auth.users u set
    email_change = '', email_change_sent_at = null, email_change_confirm_status = 0,
    email_change_token_new = '', email_change_token_current = ''
  where u.id = me and u.email_change <> '';
  if not found then
    return false;
  end if;
  delete from auth.one_time_tokens t
  where t.user_id = me and t.token_type::text in ('email_change_token_new', 'email_change_token_current');
  return true;
end
$$;

comment on function public.cancel_my_email_change() is 'Keeps the caller''s address: the change that waits to be confirmed is forgotten, and the links mailed for it no longer work. False if none waits any more.';

revoke execute on function public.cancel_my_email_change() from anon;

revoke execute on function public.cancel_my_email_change() from public;

revoke execute on function public.cancel_my_email_change() from service_role;
