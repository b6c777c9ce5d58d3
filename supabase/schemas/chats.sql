-- Chats and their participants. A client creates a chat in three plain calls (the chat, its participants, the first
-- message), so the creator must see it before taking part in it; create_chat() does all three at once.

create table public.chats (
  id uuid primary key default gen_random_uuid(),
  name text,
  type text not null,
  created_by uuid references private.members (id),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  updated_by uuid,
  constraint "Chat type must be mandatory, individual or group"
    check (type in ('mandatory', 'individual', 'group')),
  constraint "Group name must have 1 to 50 characters"
    check (type = 'individual' or not private.is_blank(name) and char_length(name) <= 50),
  constraint "Chat name is at most 200 characters" check (char_length(name) <= 200),
  constraint "A chat has a creator" check (type = 'mandatory' or created_by is not null)
);
comment on table public.chats is 'Conversations: the one mandatory team chat, individual and group chats.';
comment on column public.chats.is_active is 'False once the creator closed the chat: still readable, but nobody can write.';
comment on column public.chats.updated_at is 'When its name, its creator or is_active last changed; null if they never did.';

create unique index "There is exactly one mandatory chat" on public.chats (type) where type = 'mandatory';
create index chats_created_by on public.chats (created_by);

-- The team chat. Every member joins it on joining the team.
insert into public.chats (name, type) values ('Rally Chat', 'mandatory');

-- Members read and write this table through the view public.chat_participants (participants.sql).
create table private.chat_participants (
  chat_id uuid not null references public.chats (id) on delete cascade,
  user_id uuid not null references private.members (id),
  is_active boolean not null default true,
  joined_at timestamptz not null default now(),
  last_read_at timestamptz,
  muted_until timestamptz,
  pinned_at timestamptz,
  is_marked_unread boolean not null default false,
  mentions_only boolean not null default false,
  mentioned_at timestamptz,
  left_at timestamptz,
  left_by uuid,
  left_name text,
  primary key (chat_id, user_id)
  -- last_read_at changes all the time; free space on each page keeps these updates out of the indexes.
) with (fillfactor = 80);
comment on table private.chat_participants is 'Who takes part in which chat; is_active is false after leaving.';
comment on column private.chat_participants.last_read_at is
  'At first the moment of joining a chat with a history. Null: never opened, so every message counts as unread.';
comment on column private.chat_participants.muted_until is 'No push until then; infinity mutes for good.';
comment on column private.chat_participants.pinned_at is 'Since when the chat is at the top of the participant''s list; null: it is not.';
comment on column private.chat_participants.is_marked_unread is
  'The participant marked the chat as unread and has not opened it since. last_read_at stays.';
comment on column private.chat_participants.mentions_only is
  'Only messages that mention the participant or reply to them are pushed and count; muted_until outweighs it.';
comment on column private.chat_participants.mentioned_at is
  'When the latest message was sent that mentions the participant or replies to them; maintained by triggers.';
comment on column private.chat_participants.left_by is 'Who ended it: the participant, or the one who removed them.';
comment on column private.chat_participants.left_name is 'The chat''s name at that moment: what it is called later is no business of theirs.';

create index chat_participants_by_member on private.chat_participants (user_id, is_active, chat_id);
create index chat_participants_active on private.chat_participants (chat_id, user_id) where is_active;

-- rally_enabled = false hides the mandatory chat here, and so in every policy that builds on this.
create function private.my_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select p.chat_id
  from private.chat_participants p
  where p.user_id = (select auth.uid()) and p.is_active and (select private.is_member())
    and p.chat_id is distinct from (
      select c.id from public.chats c
      where c.type = 'mandatory' and exists (
        select from private.members m where m.id = (select auth.uid()) and not m.rally_enabled
      )
    )
$$;

create function private.my_left_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$ select chat_id from private.chat_participants where user_id = (select auth.uid()) and not is_active $$;

-- Chats the caller created and has not left, including those whose participants are not stored yet.
create function private.my_created_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select c.id
  from public.chats c
  where c.created_by = (select auth.uid()) and (select private.is_member())
    and c.id not in (select private.my_left_chat_ids())
$$;

create function private.my_created_group_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select c.id from public.chats c
  where c.type = 'group' and c.is_active and c.id in (select private.my_created_chat_ids())
$$;

create function private.mandatory_chat_id() returns uuid
language sql stable security definer set search_path = ''
as $$ select id from public.chats where type = 'mandatory' $$;

alter table public.chats enable row level security;
revoke all on public.chats from anon, authenticated;
grant select on public.chats to authenticated;
grant insert (id, name, type, created_by, is_active), update (name, is_active) on public.chats to authenticated;

create policy "members see the chats they are in or just made" on public.chats
  for select to authenticated
  using (
    id in (select private.my_chat_ids())
    -- Not my_created_chat_ids(): a function does not see the row that the same statement inserts and returns.
    or created_by = (select auth.uid()) and id not in (select private.my_left_chat_ids())
      and (select private.is_member())
  );

-- A name is something said: who may not send messages makes no chat either.
create policy "members who may create chats create them as themselves" on public.chats
  for insert to authenticated
  with check (
    created_by = (select auth.uid()) and type in ('individual', 'group') and is_active
    and (select private.may_create_chats()) and (select private.may_send_messages())
  );

-- Groups are renamed by their creator or by an admin who takes part. Only the creator closes them: what an admin updates
-- must still be active.
create policy "creators rename and close their groups, admins rename groups they are in" on public.chats
  for update to authenticated
  using (
    id in (select private.my_created_group_ids())
    or type = 'group' and is_active and (select private.is_admin()) and id in (select private.my_chat_ids())
  )
  with check (
    type = 'group' and (
      created_by = (select auth.uid())
      or is_active and (select private.is_admin()) and id in (select private.my_chat_ids())
    )
  );

alter table private.chat_participants enable row level security;
revoke all on private.chat_participants from anon, authenticated;
grant select on private.chat_participants to authenticated;
grant all on private.chat_participants to service_role;

create policy "members see who is in their chats" on private.chat_participants
  for select to authenticated
  using (
    user_id = (select auth.uid()) and (select private.is_member())
    or chat_id in (select private.my_chat_ids())
    or chat_id in (select private.my_created_chat_ids())
  );

create function private.join_mandatory_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.chat_participants (chat_id, user_id, last_read_at)
  select id, new.id, now() from public.chats where type = 'mandatory'
  on conflict do nothing;
  return null;
end
$$;

create trigger join_mandatory_chat after insert or update of status on private.members
  for each row when (new.status = 'active') execute function private.join_mandatory_chat();

create function private.keep_mandatory_chat() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The mandatory chat cannot be changed or deleted' using errcode = '42501';
end
$$;

-- It may be muted, but stays in everybody's list.
create function private.keep_mandatory_chat_listed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.mandatory_chat_id() = any (new.hidden_chats || new.archived_chats) then
    raise exception 'The mandatory chat cannot be hidden or archived' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger keep_mandatory_chat_listed before update of hidden_chats, archived_chats on private.members
  for each row when (new.hidden_chats || new.archived_chats <> '{}')
  execute function private.keep_mandatory_chat_listed();

create function private.note_chat_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  new.updated_by := (select auth.uid());
  return new;
end
$$;

-- A group's name is something said to everybody in it.
create function private.check_renamed_chat() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null and not private.may_send_messages() then
    raise exception 'Who may not send messages may not rename a group' using errcode = '42501';
  end if;
  return new;
end
$$;

create trigger check_renamed_chat before update of name on public.chats
  for each row when (old.name is distinct from new.name) execute function private.check_renamed_chat();

create trigger note_chat_change before update on public.chats
  for each row
  when ((old.name, old.created_by, old.is_active) is distinct from (new.name, new.created_by, new.is_active))
  execute function private.note_chat_change();

create trigger keep_mandatory_chat before update of name, type, is_active or delete on public.chats
  for each row when (old.type = 'mandatory') execute function private.keep_mandatory_chat();

-- Chats of two are called as the other.
create function private.title_for_me(chat_id uuid) returns text
language sql stable set search_path = ''
as $$
  select case when c.type <> 'individual' then c.name else coalesce((
    select private.name_for_members(o)
    from private.chat_participants p join private.members o on o.id = p.user_id
    where p.chat_id = c.id and p.user_id <> (select auth.uid()) limit 1
  ), c.name, '') end
  from public.chats c where c.id = title_for_me.chat_id
$$;

revoke execute on all functions in schema private from public;
grant execute on function
  private.my_chat_ids(), private.my_left_chat_ids(), private.my_created_chat_ids(),
  private.my_created_group_ids(), private.mandatory_chat_id()
to authenticated, service_role;
