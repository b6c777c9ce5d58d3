-- What the audit log records. What members do for themselves is left out: messages, ticks, reading, leaving a chat, their
-- chats of two. An insert of a message has no trigger here.

-- The account that joins is its own actor: its row is made when the auth service confirms the address.
create function private.record_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  kept constant text[] := array[
    'role', 'status', 'rally_enabled', 'can_create_chats', 'can_send_messages', 'can_supervise', 'sponsor_id'
  ];
  one jsonb;
  other jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_object_agg(key, value) into other
    from jsonb_each(to_jsonb(new)) where key in ('role', 'status', 'sponsor_id') and value <> 'null';
    perform private.record_change(
      'member', 'joined', new.id, null, null, other, array[new.id, new.sponsor_id], '{}', coalesce(auth.uid(), new.id)
    );
    return null;
  elsif tg_op = 'DELETE' then
    perform private.record_change('member', 'erased', old.id, null, null, null, array[old.id]);
    return null;
  end if;
  -- A deleted account loses everything else with its status.
  select jsonb_object_agg(key, value) filter (where key = 'status' or new.status <> 'deleted') into one
  from jsonb_each(to_jsonb(old)) where key = any (kept);
  select jsonb_object_agg(key, value) filter (where key = 'status' or new.status <> 'deleted') into other
  from jsonb_each(to_jsonb(new)) where key = any (kept);
  perform private.record_change(
    'member', 'changed', new.id, null, private.changed_values(one, other), private.changed_values(other, one),
    array[new.id]
      || case when old.sponsor_id is distinct from new.sponsor_id then array[old.sponsor_id, new.sponsor_id] end,
    jsonb_build_object('reason', case when old.status <> new.status then nullif(new.status_reason, '') end)
  );
  return null;
end
$$;
create trigger record_new_member after insert or delete on private.members
  for each row execute function private.record_member();
create trigger record_changed_member after update on private.members
  for each row
  when (
    (
      old.role, old.status, old.rally_enabled, old.can_create_chats, old.can_send_messages, old.can_supervise, old.sponsor_id
    )
    is distinct from
    (
      new.role, new.status, new.rally_enabled, new.can_create_chats, new.can_send_messages, new.can_supervise, new.sponsor_id
    )
  )
  execute function private.record_member();

create function private.record_settings() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  one constant jsonb := to_jsonb(old);
  other constant jsonb := to_jsonb(new);
begin
  perform private.record_change(
    'setting', 'changed', null, null, private.changed_values(one, other), private.changed_values(other, one),
    -- Who became a vice president, or is none any more.
    array(
      (select unnest(old.vice_presidents) except select unnest(new.vice_presidents))
      union all (select unnest(new.vice_presidents) except select unnest(old.vice_presidents))
    )
  );
  return null;
end
$$;
create trigger record_settings after update on public.team_settings
  for each row execute function private.record_settings();

-- Moving one item in a list changes the place of many, which is one entry.
create function private.record_content() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  list constant jsonb := jsonb_build_object('list', replace(tg_table_name, '_content', ''));
  ignored constant text[] := array['id', 'version', 'updated_at', 'updated_by'];
  place constant text[] := array['sort_order'];
  item record;
  moved uuid[];
  places_before jsonb;
  places_after jsonb;
begin
  if tg_op = 'INSERT' then
    for item in select a.id, a.title, to_jsonb(a) - ignored as fields from after_rows a loop
      perform private.record_change(
        'content', 'created', item.id, item.title, null,
        private.changed_values(jsonb_strip_nulls(item.fields), '{}'), '{}', list
      );
    end loop;
    return null;
  elsif tg_op = 'DELETE' then
    for item in select b.id, b.title, to_jsonb(b) - ignored as fields from before_rows b loop
      perform private.record_change(
        'content', 'deleted', item.id, item.title,
        private.changed_values(jsonb_strip_nulls(item.fields), '{}'), null, '{}', list
      );
    end loop;
    return null;
  end if;

  select array_agg(a.id), jsonb_agg(left(b.title, 100) order by b.sort_order), jsonb_agg(left(a.title, 100) order by a.sort_order)
  into moved, places_before, places_after
  from before_rows b join after_rows a on a.id = b.id
  where a.sort_order <> b.sort_order
    and to_jsonb(a) - ignored - place = to_jsonb(b) - ignored - place;
  if cardinality(moved) > 1 then
    perform private.record_change(
      'content', 'reordered', null, null,
      jsonb_build_object('order', private.shortened(places_before, null)),
      jsonb_build_object('order', private.shortened(places_after, null)), '{}', list
    );
  else
    moved := '{}';
  end if;
  for item in
    select a.id, a.title, to_jsonb(b) - ignored as one, to_jsonb(a) - ignored as other
    from before_rows b join after_rows a on a.id = b.id
    where a.id <> all (moved)
  loop
    perform private.record_change(
      'content', 'changed', item.id, item.title,
      private.changed_values(item.one, item.other), private.changed_values(item.other, item.one), '{}', list
    );
  end loop;
  return null;
end
$$;
do $$
declare
  content text;
begin
  foreach content in array array[
    'home_content', 'training_content', 'newrepstart_content', 'licensing_content', 'schedule_content'
  ] loop
    execute format($sql$
      create trigger record_new_content after insert on public.%1$I
        referencing new table as after_rows for each statement execute function private.record_content();
      create trigger record_changed_content after update on public.%1$I
        referencing old table as before_rows new table as after_rows
        for each statement execute function private.record_content();
      create trigger record_deleted_content after delete on public.%1$I
        referencing old table as before_rows for each statement execute function private.record_content();
    $sql$, content);
  end loop;
end
$$;

-- Groups and the team chat. Who opens a chat of two with whom is their own business.
create function private.record_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  kept constant text[] := array['name', 'created_by', 'is_active', 'type'];
  one jsonb := '{}';
  other jsonb := '{}';
begin
  if tg_op = 'DELETE' then
    perform private.record_change(
      'chat', 'deleted', old.id, old.name, jsonb_build_object('name', old.name), null, array[old.created_by]
    );
    return null;
  elsif tg_op = 'INSERT' then
    perform private.record_change(
      'chat', 'created', new.id, new.name, null, jsonb_build_object('name', new.name), array[new.created_by]
    );
    return null;
  end if;
  select jsonb_object_agg(key, value) into one from jsonb_each(to_jsonb(old)) where key = any (kept);
  select jsonb_object_agg(key, value) into other from jsonb_each(to_jsonb(new)) where key = any (kept);
  perform private.record_change(
    'chat', 'changed', new.id, new.name, private.changed_values(one, other), private.changed_values(other, one),
    case when old.created_by is distinct from new.created_by then array[old.created_by, new.created_by] else '{}' end
  );
  return null;
end
$$;
create trigger record_new_chat after insert on public.chats
  for each row when (new.type <> 'individual') execute function private.record_chat();
create trigger record_changed_chat after update on public.chats
  for each row when (old.type <> 'individual' or new.type <> 'individual') execute function private.record_chat();
create trigger record_deleted_chat after delete on public.chats
  for each row when (old.type <> 'individual') execute function private.record_chat();

-- Whom somebody else added to a group or took out of it.
create function private.record_participants(action text, chat_id uuid, members uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  chat public.chats;
  others constant uuid[] := array_remove(members, auth.uid());
begin
  select * into chat from public.chats c where c.id = record_participants.chat_id;
  -- A chat that is deleted takes its participants along, and everybody joins the team chat by themselves.
  if chat.id is null or chat.type = 'individual' or others = '{}'
    or chat.type = 'mandatory' and action = 'members_added'
  then
    return;
  end if;
  perform private.record_change(
    'chat', action, chat.id, chat.name, null, null, others, jsonb_build_object('count', cardinality(others))
  );
end
$$;

create function private.record_new_participants() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_participants('members_added', a.chat_id, array_agg(a.user_id))
  from added a where a.is_active group by a.chat_id;
  return null;
end
$$;
create trigger record_new_participants after insert on private.chat_participants
  referencing new table as added for each statement execute function private.record_new_participants();

create function private.record_deleted_participants() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_participants('members_removed', r.chat_id, array_agg(r.user_id))
  from removed r where r.is_active group by r.chat_id;
  return null;
end
$$;
create trigger record_deleted_participants after delete on private.chat_participants
  referencing old table as removed for each statement execute function private.record_deleted_participants();

-- For each row, because marking a chat as read is an update too, which must cost nothing more.
create function private.record_changed_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.is_active and not exists (select from private.members m where m.id = old.user_id and m.status = 'deleted') then
    perform private.record_participants('members_removed', old.chat_id, array[old.user_id]);
  end if;
  if new.is_active then
    perform private.record_participants('members_added', new.chat_id, array[new.user_id]);
  end if;
  return null;
end
$$;
create trigger record_changed_participant after update on private.chat_participants
  for each row
  when (old.is_active <> new.is_active or old.chat_id <> new.chat_id or old.user_id <> new.user_id)
  execute function private.record_changed_participant();

-- A planned notice that goes out is no change of a leader's.
create function private.record_notice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  ignored constant text[] := array['id', 'created_at', 'published_at', 'updated_at', 'updated_by'];
  one jsonb;
  other jsonb;
begin
  if tg_op <> 'INSERT' then
    one := to_jsonb(old) - ignored;
  end if;
  if tg_op <> 'DELETE' then
    other := to_jsonb(new) - ignored;
  end if;
  if tg_op = 'INSERT' then
    perform private.record_change(
      'notice', 'created', new.id, new.title, null,
      private.changed_values(jsonb_strip_nulls(other) - 'created_by', '{"audience_members": []}')
    );
  elsif tg_op = 'DELETE' then
    perform private.record_change(
      'notice', 'deleted', old.id, old.title,
      private.changed_values(jsonb_strip_nulls(one), '{"audience_members": []}'), null
    );
  else
    perform private.record_change(
      'notice', 'changed', new.id, new.title, private.changed_values(one, other), private.changed_values(other, one)
    );
  end if;
  return null;
end
$$;
create trigger record_notice after insert or update or delete on public.team_notices
  for each row execute function private.record_notice();

-- A message that somebody else removed, without its text and the reason: the log is for all admins, the chat may not be,
-- and the reason is for the sender. The archive has both.
create function private.record_removed_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_change(
    'message', case when new.is_deleted then 'removed' else 'restored' end, new.id,
    (select c.name from public.chats c where c.id = new.chat_id and c.type <> 'individual'), null, null,
    array[new.sender_id],
    jsonb_build_object('sent_at', new.sent_at)
  );
  return null;
end
$$;
create trigger record_removed_message after update of is_deleted on public.chat_messages
  for each row
  when (
    old.is_deleted <> new.is_deleted
    and (case when new.is_deleted then new.deleted_by else old.deleted_by end) is distinct from new.sender_id
  )
  execute function private.record_removed_message();

-- By the secret key or the SQL console alone. A chat that is deleted takes its messages along.
create function private.record_erased_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_change(
    'message', 'erased', null, case when c.type <> 'individual' then c.name end, null, null,
    array_agg(distinct e.sender_id), jsonb_build_object('count', count(*))
  )
  from erased e join public.chats c on c.id = e.chat_id group by c.id;
  return null;
end
$$;
create trigger record_erased_messages after delete on public.chat_messages
  referencing old table as erased for each statement execute function private.record_erased_messages();

-- Links without their token, which is a secret.
create function private.record_join_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  ignored constant text[] := array['id', 'token', 'created_at'];
  one jsonb;
  other jsonb;
begin
  if tg_op = 'INSERT' then
    perform private.record_change(
      'invitation', 'link_created', new.id, null, null, jsonb_build_object('expires_at', new.expires_at)
    );
    return null;
  elsif tg_op = 'DELETE' then
    perform private.record_change(
      'invitation', 'link_deleted', old.id, null, jsonb_build_object('expires_at', old.expires_at), null,
      array[old.created_by]
    );
    return null;
  end if;
  one := to_jsonb(old) - ignored;
  other := to_jsonb(new) - ignored;
  if one <> other then
    perform private.record_change(
      'invitation', case when old.revoked_at is null and new.revoked_at is not null then 'link_taken_back' else 'link_changed' end,
      new.id, null, private.changed_values(one, other), private.changed_values(other, one), array[new.created_by]
    );
  end if;
  return null;
end
$$;
create trigger record_join_link after insert or update or delete on public.join_links
  for each row execute function private.record_join_link();

-- One entry for all addresses of a call. An address is read from its invitation, while there is one.
create function private.record_invitations(action text, ids uuid[], invited_by uuid, actor_id uuid) returns void
language sql security definer set search_path = ''
as $$
  select private.record_change(
    'invitation', action, ids[1], null, null, null, ids || nullif(invited_by, actor_id),
    jsonb_build_object('count', cardinality(ids), 'invited_by', nullif(invited_by, actor_id)), actor_id
  )
$$;

create function private.record_new_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_invitations('invited', array_agg(a.id), a.invited_by, coalesce(auth.uid(), a.invited_by))
  from after_rows a group by a.invited_by;
  return null;
end
$$;
create trigger record_new_invitations after insert on public.invitations
  referencing new table as after_rows for each statement execute function private.record_new_invitations();

-- An admin who takes the inviter's rights takes the invitations back, too.
create function private.record_changed_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_invitations('invitation_taken_back', array_agg(a.id), a.invited_by, auth.uid())
  from after_rows a join before_rows b on b.id = a.id
  where b.revoked_at is null and a.revoked_at is not null
  group by a.invited_by;
  perform private.record_invitations('invited_again', array_agg(a.id), a.invited_by, coalesce(auth.uid(), a.invited_by))
  from after_rows a join before_rows b on b.id = a.id
  where a.expires_at > b.expires_at and a.revoked_at is null
  group by a.invited_by;
  return null;
end
$$;
create trigger record_changed_invitations after update on public.invitations
  referencing old table as before_rows new table as after_rows
  for each statement execute function private.record_changed_invitations();

revoke execute on all functions in schema private from public;
