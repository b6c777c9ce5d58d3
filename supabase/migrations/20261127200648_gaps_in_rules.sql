-- Nobody is added to a closed group, somebody who is removed just after leaving can no longer undo it, and members who may not
-- send messages show no presence, which could contain text. No row changes.

create or replace function private.insert_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role'
    and not (
      new.is_active and new.chat_id in (select private.my_created_chat_ids())
      and exists (select from public.chats c where c.id = new.chat_id and c.is_active)
    )
  then
    raise exception 'Only the creator adds participants to a chat' using errcode = '42501';
  end if;
  perform private.refuse_nulls(jsonb_build_object(
    'chat_id', new.chat_id, 'user_id', new.user_id, 'is_active', new.is_active, 'joined_at', new.joined_at
  ));
  insert into private.chat_participants (chat_id, user_id, is_active, joined_at, last_read_at, muted_until)
  values (new.chat_id, new.user_id, new.is_active, new.joined_at, new.last_read_at, new.muted_until);
  return new;
end
$$;

create or replace function private.update_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
  is_own constant boolean := old.user_id = (select auth.uid());
  own_part_changes constant boolean :=
    (new.last_read_at, new.muted_until, new.mentions_only)
      is distinct from (old.last_read_at, old.muted_until, old.mentions_only);
begin
  if not by_service then
    -- A participant who left has no row to update, and so cannot rejoin on their own.
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

  perform private.refuse_nulls(jsonb_build_object(
    'is_active', new.is_active,
    -- Null in the rows of others.
    'mentions_only', case when is_own or by_service then new.mentions_only else false end
  ));
  update private.chat_participants p set
    chat_id = new.chat_id, user_id = new.user_id,
    is_active = case when new.is_active is distinct from old.is_active then new.is_active else p.is_active end,
    -- Somebody who is removed just after leaving can no longer undo it.
    left_by = case when not by_service and not is_own and not new.is_active then (select auth.uid()) else p.left_by end,
    joined_at = case when new.joined_at is distinct from old.joined_at then new.joined_at else p.joined_at end,
    last_read_at = case when new.last_read_at is distinct from old.last_read_at then new.last_read_at else p.last_read_at end,
    muted_until = case when new.muted_until is distinct from old.muted_until then new.muted_until else p.muted_until end,
    mentions_only = case
      when new.mentions_only is distinct from old.mentions_only then new.mentions_only else p.mentions_only
    end
  where p.chat_id = old.chat_id and p.user_id = old.user_id
  returning
    p.is_active, p.joined_at, case when is_own or by_service then p.last_read_at end
  into new.is_active, new.joined_at, new.last_read_at;
  return new;
end
$$;

create or replace function private.can_send(topic text, extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select extension = 'presence' and private.can_receive(topic)
    and (topic like 'typing:%' or topic = 'online:' || (select auth.uid()))
    and private.may_send_messages()
$$;
