-- Chats and who takes part in them. A chat is made in three plain calls (the chat, its participants, the first
-- message), so its creator must see it before being in it; create_chat() does the same in one.

create table public.chats (
  id uuid primary key default gen_random_uuid(),
  name text,
  type text not null,
  created_by uuid references private.members (id),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint "Chat type must be mandatory, individual or group"
    check (type in ('mandatory', 'individual', 'group')),
  constraint "Group name must have 1 to 50 characters"
    check (type = 'individual' or char_length(btrim(coalesce(name, ''))) >= 1 and char_length(name) <= 50),
  constraint "Chat name is at most 200 characters" check (char_length(name) <= 200),
  constraint "A chat has a creator" check (type = 'mandatory' or created_by is not null)
);
comment on table public.chats is 'Conversations: the one mandatory team chat, individual and group chats.';
comment on column public.chats.is_active is 'False once the creator closed the chat: still readable, but nobody can write.';

create unique index "There is exactly one mandatory chat" on public.chats (type) where type = 'mandatory';
create index chats_created_by on public.chats (created_by);

create table public.chat_participants (
  chat_id uuid not null references public.chats (id) on delete cascade,
  user_id uuid not null references private.members (id),
  is_active boolean not null default true,
  joined_at timestamptz not null default now(),
  last_read_at timestamptz,
  muted_until timestamptz,
  primary key (chat_id, user_id)
) with (fillfactor = 80); -- last_read_at changes all the time; room on the page keeps that out of the indexes
comment on table public.chat_participants is 'Who takes part in which chat; is_active is false after leaving.';
comment on column public.chat_participants.last_read_at is 'Null: never opened, so every message counts as unread.';
comment on column public.chat_participants.muted_until is 'No push until then; infinity mutes for good.';

create index chat_participants_by_member on public.chat_participants (user_id, is_active, chat_id);
create index chat_participants_active on public.chat_participants (chat_id, user_id) where is_active;

alter table public.chats enable row level security;
alter table public.chat_participants enable row level security;

-- rally_enabled = false hides the mandatory chat here, and so from every policy that asks.
create function private.my_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select p.chat_id
  from public.chat_participants p
  where p.user_id = (select auth.uid()) and p.is_active
    and p.chat_id is distinct from (
      select c.id from public.chats c
      where c.type = 'mandatory' and exists (
        select from private.members m where m.id = (select auth.uid()) and not m.rally_enabled
      )
    )
$$;

create function private.my_left_chat_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$ select chat_id from public.chat_participants where user_id = (select auth.uid()) and not is_active $$;

-- Chats the caller made and has not left: also those whose participants are not stored yet.
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

revoke all on public.chats, public.chat_participants from anon, authenticated;
grant select on public.chats, public.chat_participants to authenticated;
grant insert (id, name, type, created_by, is_active), update (name, is_active) on public.chats to authenticated;
grant insert (chat_id, user_id, is_active), update (is_active, last_read_at, muted_until)
  on public.chat_participants to authenticated;

create policy "members see the chats they are in or just made" on public.chats
  for select to authenticated
  using (
    id in (select private.my_chat_ids())
    -- Not my_created_chat_ids(): a function does not see the row that the same statement inserts and returns.
    or created_by = (select auth.uid()) and id not in (select private.my_left_chat_ids())
      and (select private.is_member())
  );

create policy "members who may create chats create them as themselves" on public.chats
  for insert to authenticated
  with check (
    created_by = (select auth.uid()) and type in ('individual', 'group') and is_active
    and (select private.may_create_chats())
  );

create policy "creators rename and close their groups" on public.chats
  for update to authenticated
  using (id in (select private.my_created_group_ids()))
  with check (created_by = (select auth.uid()) and type = 'group');

create policy "members see who is in their chats" on public.chat_participants
  for select to authenticated
  using (
    user_id = (select auth.uid())
    or chat_id in (select private.my_chat_ids())
    or chat_id in (select private.my_created_chat_ids())
  );

create policy "creators add participants to their chats" on public.chat_participants
  for insert to authenticated
  with check (is_active and chat_id in (select private.my_created_chat_ids()));

-- Who left has no row to update any more, and so cannot come back by themselves.
create policy "members mark as read, mute and leave; creators add and remove" on public.chat_participants
  for update to authenticated
  using (
    user_id = (select auth.uid()) and chat_id in (select private.my_chat_ids())
    or chat_id in (select private.my_created_group_ids())
  )
  with check (is_active or chat_id is distinct from (select private.mandatory_chat_id()));

revoke execute on all functions in schema private from public;
grant execute on function
  private.my_chat_ids(), private.my_left_chat_ids(), private.my_created_chat_ids(),
  private.my_created_group_ids(), private.mandatory_chat_id()
to authenticated, service_role;
