-- Rules on a member's row that hold whoever writes it: there is always an admin, and nobody is half deleted.

-- Two admins who demote each other at the same moment both wait here, so the second one sees the first.
create function private.keep_an_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
  if exists (select from private.members where id <> old.id and is_active and role = 'admin') then
    return new;
  end if;
  -- The last person of all may go; whoever joins next is the first member again.
  if not new.is_active and not exists (select from private.members where id <> old.id and is_active) then
    return new;
  end if;
  raise exception 'The last admin cannot be removed'
    using errcode = '42501', hint = 'Make another member an admin first.';
end
$$;

create trigger keep_an_admin before update of role, is_active on private.members
  for each row
  when (old.role = 'admin' and old.is_active and (new.role <> 'admin' or not new.is_active))
  execute function private.keep_an_admin();

-- The first member of a team is its admin. Only while there is nobody does anybody wait for the lock; whoever got it
-- second finds the first one's row.
create function private.first_member_is_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from private.members where is_active) then
    perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
    if not exists (select from private.members where is_active) then
      new.role := 'admin';
    end if;
  end if;
  return new;
end
$$;

create trigger first_member_is_admin before insert on private.members
  for each row execute function private.first_member_is_admin();

revoke execute on all functions in schema private from public;
