-- Chats, and who took part in them when, as records of the archive. A message does not list its readers: joining and
-- leaving are records themselves, and archive.audience_of() derives the readers of any record from them.

create function archive.record_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  chat constant public.chats := case tg_op when 'DELETE' then old else new end;
  is_new constant boolean := tg_op = 'INSERT';
begin
  if tg_op <> 'UPDATE' then
    if not is_new and archive.is_held(chat.id, null) then
      raise exception 'A legal hold keeps this' using errcode = '42501';
    end if;
    perform archive.record(
      case when is_new then 'chat.created' else 'chat.erased' end,
      json_build_object('type', chat.type, 'name', chat.name, 'created_by', chat.created_by), chat.id, audience => 'chat'
    );
    return null;
  end if;
  if new.name is distinct from old.name then
    perform archive.record(
      'chat.renamed', json_build_object('before', old.name, 'name', new.name), new.id, audience => 'chat'
    );
  end if;
  if new.is_active <> old.is_active then
    perform archive.record(
      case when new.is_active then 'chat.reopened' else 'chat.closed' end, json_build_object('name', new.name), new.id,
      audience => 'chat'
    );
  end if;
  if new.created_by is distinct from old.created_by then
    perform archive.record(
      'chat.handed_over', json_build_object('before', old.created_by, 'created_by', new.created_by), new.id,
      member_id => new.created_by, audience => 'chat'
    );
  end if;
  if (new.id, new.type, new.created_at) is distinct from (old.id, old.type, old.created_at) then
    perform archive.record(
      'chat.changed', archive.difference(to_jsonb(old), to_jsonb(new)), old.id, audience => 'chat'
    );
  end if;
  return null;
end
$$;
create trigger archive_chat after insert or update or delete on public.chats
  for each row execute function archive.record_chat();
create trigger archive_truncated before truncate on public.chats
  for each statement execute function archive.record_truncate();

create function archive.record_membership(kind text, chat_id uuid, member_id uuid) returns void
language sql security definer set search_path = ''
as $$
  select archive.record(
    kind, json_strip_nulls(json_build_object('member', archive.person(member_id))), chat_id,
    member_id => record_membership.member_id, audience => 'chat'
  )
$$;

create function archive.record_joined() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into archive.records (
    kind, actor_id, actor_name, actor_email, actor_role, chat_id, member_id, audience, content
  )
  select 'chat.joined', a.id, a.name, a.email, a.role, p.chat_id, p.user_id, 'chat',
    json_strip_nulls(json_build_object('member', archive.person(p.user_id)))
  from joined p cross join archive.actor() a
  where p.is_active;
  return null;
end
$$;
create trigger archive_joined after insert on private.chat_participants
  referencing new table as joined for each statement execute function archive.record_joined();

create function archive.record_changed_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.is_active then
    perform archive.record_membership('chat.left', old.chat_id, old.user_id);
  end if;
  if new.is_active then
    perform archive.record_membership('chat.joined', new.chat_id, new.user_id);
  end if;
  return null;
end
$$;
-- Not for marking a chat as read, which happens all the time.
create trigger archive_changed after update on private.chat_participants
  for each row
  when ((old.is_active, old.chat_id, old.user_id) is distinct from (new.is_active, new.chat_id, new.user_id))
  execute function archive.record_changed_participant();

create function archive.record_erased_participants() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record_membership('chat.left', p.chat_id, p.user_id) from erased p where p.is_active;
  return null;
end
$$;
create trigger archive_erased after delete on private.chat_participants
  referencing old table as erased for each statement execute function archive.record_erased_participants();
create trigger archive_truncated before truncate on private.chat_participants
  for each statement execute function archive.record_truncate();

revoke execute on all functions in schema archive from public;
