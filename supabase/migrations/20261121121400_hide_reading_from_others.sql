-- When a participant last read a chat and whether they muted it is their own business: an admin can switch "Seen by"
-- off, and the Data API must not tell all the same. So chat_participants becomes a view, as users is one, and for the
-- same reasons (docs/decisions/003-users-is-a-view.md): `select *` works, with these two null in other people's rows.

alter table public.chat_participants set schema private;

-- Every function of ours works with its owner's rights and needs everybody's rows: message_seen_by, push, unread.
do $$
declare
  definition text;
begin
  for definition in
    select pg_get_functiondef(p.oid) from pg_catalog.pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and p.prosrc like '%public.chat\_participants%'
  loop
    execute replace(definition, 'public.chat_participants', 'private.chat_participants');
  end loop;
  -- The copy of a member's data goes through all tables that name an owner; from now on through views too.
  execute replace(
    pg_get_functiondef('public.export_my_data()'::regprocedure),
    'c.relkind in (''r'', ''p'')', 'c.relkind in (''r'', ''p'', ''v'')'
  );
end
$$;

-- With the caller's rights: the policy "members see who is in their chats" decides which rows there are.
create view public.chat_participants with (security_invoker) as
select
  chat_id, user_id, is_active, joined_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then last_read_at end as last_read_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then muted_until end as muted_until
from private.chat_participants;

comment on view public.chat_participants is
  'Who takes part in which chat. last_read_at and muted_until are null in every row but your own.';
comment on column public.chat_participants.last_read_at is 'Null: never opened, so every message counts as unread.';
comment on column public.chat_participants.muted_until is 'No push until then; infinity mutes for good.';
alter view public.chat_participants alter column is_active set default true;
alter view public.chat_participants alter column joined_at set default now();

create function private.insert_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role'
    and not (new.is_active and new.chat_id in (select private.my_created_chat_ids()))
  then
    raise exception 'Only the creator adds participants to a chat' using errcode = '42501';
  end if;
  insert into private.chat_participants (chat_id, user_id, is_active, joined_at, last_read_at, muted_until)
  values (new.chat_id, new.user_id, new.is_active, new.joined_at, new.last_read_at, new.muted_until);
  return new;
end
$$;

-- Members mark as read, mute and leave; creators add and remove. Writes only what changed: in other people's rows the
-- caller does not see everything.
create function private.update_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
  is_own constant boolean := old.user_id = (select auth.uid());
  own_part_changes constant boolean :=
    (new.last_read_at, new.muted_until) is distinct from (old.last_read_at, old.muted_until);
begin
  if not by_service then
    -- Who left has no place to change any more, and so cannot come back by themselves.
    if not (
      is_own and old.chat_id in (select private.my_chat_ids())
      or old.chat_id in (select private.my_created_group_ids())
    ) then
      return null;
    end if;
    if own_part_changes and not is_own then
      raise exception 'Only the participant may mark a chat as read or mute it' using errcode = '42501';
    end if;
    if not new.is_active and old.chat_id = (select private.mandatory_chat_id()) then
      raise exception 'Nobody leaves the mandatory chat' using errcode = '42501';
    end if;
  end if;

  update private.chat_participants p set
    chat_id = new.chat_id, user_id = new.user_id,
    is_active = case when new.is_active is distinct from old.is_active then new.is_active else p.is_active end,
    joined_at = case when new.joined_at is distinct from old.joined_at then new.joined_at else p.joined_at end,
    last_read_at = case when new.last_read_at is distinct from old.last_read_at then new.last_read_at else p.last_read_at end,
    muted_until = case when new.muted_until is distinct from old.muted_until then new.muted_until else p.muted_until end
  where p.chat_id = old.chat_id and p.user_id = old.user_id
  returning
    p.is_active, p.joined_at, case when is_own or by_service then p.last_read_at end
  into new.is_active, new.joined_at, new.last_read_at;
  return new;
end
$$;

create trigger insert_participant instead of insert on public.chat_participants
  for each row execute function private.insert_participant();
create trigger update_participant instead of update on public.chat_participants
  for each row execute function private.update_participant();

-- The triggers above decide, with their owner's rights.
drop policy "creators add participants to their chats" on private.chat_participants;
drop policy "members mark as read, mute and leave; creators add and remove" on private.chat_participants;
revoke insert, update on private.chat_participants from authenticated;

revoke all on public.chat_participants from anon, authenticated, service_role;
grant select, insert, update, delete on public.chat_participants to service_role;
grant select on public.chat_participants to authenticated;
grant insert (chat_id, user_id, is_active), update (is_active, last_read_at, muted_until)
  on public.chat_participants to authenticated;
revoke execute on all functions in schema private from public;
