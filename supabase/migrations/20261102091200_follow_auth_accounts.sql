-- A member's life follows the account: a confirmed e-mail makes the profile, a changed one changes it, and a
-- deleted account takes every personal detail with it while the messages stay readable.

create function private.follow_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.deleted_at is not null then
    perform private.forget_member(new.id);
    return null;
  end if;
  update private.members m set email = new.email where m.id = new.id and m.is_active;
  if not found then
    perform private.ensure_member(new.id, null, null);
  end if;
  return null;
end
$$;

create function private.forget_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.forget_member(old.id);
  return null;
end
$$;

create function private.forget_member(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.members set
    is_active = false, email = null, first_name = 'Former', last_name = 'member', role = 'user',
    push_token = null, hidden_chats = '{}', archived_chats = '{}',
    rally_enabled = false, can_create_chats = false, can_send_messages = false
  where id = member_id and is_active;
  update public.chat_participants set is_active = false, last_read_at = null, muted_until = null
  where user_id = member_id and is_active;
end
$$;

create trigger follow_new_account after insert on auth.users
  for each row when (new.email_confirmed_at is not null) execute function private.follow_account();
-- Not at every sign-in, which touches the row as well.
create trigger follow_changed_account after update on auth.users
  for each row
  when (
    new.email_confirmed_at is not null
    and (old.email, old.email_confirmed_at, old.deleted_at)
      is distinct from (new.email, new.email_confirmed_at, new.deleted_at)
  )
  execute function private.follow_account();
create trigger forget_account after delete on auth.users
  for each row execute function private.forget_account();

-- Accounts that are older than this migration, the oldest first: the first of them is the admin.
do $$
declare
  account record;
begin
  for account in
    select id from auth.users
    where email_confirmed_at is not null and deleted_at is null
    order by email_confirmed_at, created_at
  loop
    perform private.ensure_member(account.id, null, null);
  end loop;
end
$$;

-- For the screen that waits for the link in the mail, possibly opened on another device: one bit about one id that
-- nobody can guess.
create function public.email_confirmed(user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from auth.users u where u.id = email_confirmed.user_id and u.email_confirmed_at is not null)
$$;
comment on function public.email_confirmed is 'Whether this account has confirmed its e-mail address.';
revoke execute on function public.email_confirmed from public;
grant execute on function public.email_confirmed to anon, authenticated, service_role;

create function public.get_user_count() returns bigint
language sql stable security definer set search_path = ''
as $$
  select case when (select private.is_member()) or auth.role() = 'service_role'
    then (select count(*) from private.members where is_active) else 0 end
$$;
comment on function public.get_user_count is 'How many people are on the team.';
revoke execute on function public.get_user_count from public, anon;
grant execute on function public.get_user_count to authenticated, service_role;

revoke execute on all functions in schema private from public;
