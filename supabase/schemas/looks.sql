-- How a supervisor reads a chat they are not in: never through a table, each time with a reason, recorded, for an hour. Opening
-- an item of the queue is a look too, at the message and what was said around it; the item is its reason.

create table private.looks (
  id uuid primary key,
  supervisor_id uuid not null references private.members (id),
  chat_id uuid not null,
  reason text not null,
  item_id uuid,
  -- The records it shows; a look around a message is narrower than the chat.
  from_seq bigint not null default 0,
  to_seq bigint not null default 9223372036854775807,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '60 minutes',
  constraint "Give a reason for the look" check (not private.is_blank(reason)),
  constraint "Reason is at most 500 characters" check (char_length(reason) <= 500)
);
comment on table private.looks is 'Who looked at which chat, why, and until when.';
create index looks_supervisor on private.looks (supervisor_id, chat_id, expires_at);
alter table private.looks enable row level security;
revoke all on private.looks from anon, authenticated, service_role;

create function private.keep_looks() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'A look stays recorded' using errcode = '42501';
end
$$;
create trigger keep_looks before update or delete or truncate on private.looks
  for each statement execute function private.keep_looks();

create function private.record_look() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  chat public.chats;
begin
  perform archive.record(
    'look.made', json_strip_nulls(json_build_object('reason', new.reason, 'item', new.item_id, 'until', archive.utc(new.expires_at))),
    new.chat_id, new.id, audience => 'nobody'
  );
  -- The queue has its own events; the audit log has the other looks.
  if new.item_id is null then
    select * into chat from public.chats c where c.id = new.chat_id;
    perform private.record_change(
      'supervision', 'looked', new.chat_id, case when chat.type <> 'individual' then chat.name end, null, null,
      case when chat.type = 'individual'
        then array(select p.user_id from private.chat_participants p where p.chat_id = chat.id) else '{}' end,
      jsonb_build_object('reason', new.reason)
    );
  end if;
  return null;
end
$$;
create trigger record_look after insert on private.looks
  for each row execute function private.record_look();

-- Twenty messages before and after one.
create function private.look_around(chat_id uuid, sent bigint, out from_seq bigint, out to_seq bigint)
language sql stable security definer set search_path = ''
as $$
  select
    coalesce((
      select min(b.seq) from (
        select r.seq from archive.records r
        where r.chat_id = look_around.chat_id and r.kind = 'message.sent' and r.seq < sent order by r.seq desc limit 20
      ) b
    ), sent),
    coalesce((
      select max(a.seq) from (
        select r.seq from archive.records r
        where r.chat_id = look_around.chat_id and r.kind = 'message.sent' and r.seq > sent order by r.seq limit 20
      ) a
    ), sent)
$$;

-- The id comes from the caller, so that asking twice is one look.
create function public.look_at_chat(
  chat_id uuid, reason text, look_id uuid default gen_random_uuid(), message_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  sent bigint;
begin
  perform private.assert_supervisor();
  sent := private.sent_seq(look_at_chat.chat_id, message_id);
  if not exists (select from public.chats c where c.id = look_at_chat.chat_id) then
    raise exception 'This chat no longer exists' using errcode = 'PT404';
  end if;
  insert into private.looks (id, supervisor_id, chat_id, reason, from_seq, to_seq)
  select look_id, (select auth.uid()), look_at_chat.chat_id, private.trimmed(look_at_chat.reason),
    coalesce(around.from_seq, 0), coalesce(around.to_seq, 9223372036854775807)
  from private.look_around(look_at_chat.chat_id, sent) around
  on conflict (id) do nothing;
  if not found and not exists (
    select from private.looks l
    where l.id = look_id and l.supervisor_id = (select auth.uid()) and l.chat_id = look_at_chat.chat_id
  ) then
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  end if;
  return look_id;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.look_at_chat is
  'For supervisors: begins a look of an hour at any chat, or at a message of it and what was said around it, with its reason. It is recorded.';

-- Null for a report about a person, which has no conversation.
create function public.open_review_item(item_id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
  me constant uuid := (select auth.uid());
  look uuid;
  sent bigint;
begin
  item := private.item_to_review(item_id, null);
  sent := private.sent_seq(item.chat_id, item.message_id, item.record_seq);
  if sent is null then
    return null;
  end if;
  select l.id into look from private.looks l
  where l.supervisor_id = me and l.chat_id = item.chat_id and l.item_id = item.id and l.expires_at > now() limit 1;
  if look is null then
    insert into private.looks (id, supervisor_id, chat_id, reason, item_id, from_seq, to_seq)
    select gen_random_uuid(), me, item.chat_id, 'Review: ' || item.source, item.id, around.from_seq, around.to_seq
    from private.look_around(item.chat_id, sent) around
    returning id into look;
  end if;
  return look;
end
$$;
comment on function public.open_review_item is 'For supervisors: begins the look at an item''s message and what was said around it; it is recorded.';

-- Messages the latest first, with every version; also deleted and erased ones. The next page ends before the lowest seq.
create function public.look_messages(look_id uuid, before_seq bigint default null, max_results integer default 50)
returns table (
  seq bigint, message_id uuid, member_id uuid, member_name text, sent_at timestamptz, words text, has_image boolean, image jsonb,
  reply_to uuid, changes jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  look private.looks;
begin
  perform private.assert_supervisor();
  select * into look from private.looks l where l.id = look_id and l.supervisor_id = (select auth.uid());
  if look.id is null then
    raise exception 'There is no such look' using errcode = 'PT404';
  elsif look.expires_at < now() then
    raise exception 'The hour is over; give a reason again' using errcode = 'PT410';
  end if;
  return query
  select r.seq, r.subject_id, r.member_id,
    coalesce(r.content -> 'member' ->> 'name', r.actor_name, private.member_name(r.member_id)),
    coalesce((r.content ->> 'sent_at')::timestamptz, r.recorded_at), r.content ->> 'text', r.content -> 'attachment' is not null,
    (select (r.content -> 'attachment')::jsonb from archive.files f where f.path = r.content -> 'attachment' ->> 'path'),
    (r.content ->> 'reply_to')::uuid,
    coalesce((
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'kind', v.kind, 'at', v.recorded_at, 'by', v.actor_name, 'text', v.content ->> 'text', 'reason', v.content ->> 'reason'
      )) order by v.seq)
      from (
        select * from archive.records c
        where c.subject_id = r.subject_id and c.kind like 'message.%' and c.kind not in ('message.sent', 'message.file')
        order by c.seq limit 100
      ) v
    ), '[]')
  from archive.records r
  where r.chat_id = look.chat_id and r.kind = 'message.sent' and r.seq between look.from_seq and look.to_seq
    and (before_seq is null or r.seq < before_seq)
  order by r.seq desc
  limit least(greatest(coalesce(max_results, 50), 1), 200);
end
$$;
comment on function public.look_messages is
  'For supervisors: a page of what a look shows, the latest first, with all versions; image is null if the archive does not keep it.';

-- The image of a message that a look of the caller shows, also of a deleted one, as long as the archive keeps it.
create function private.look_shows_image(object_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_supervisor() and exists (
    select from archive.files f
    join private.looks l on l.chat_id = private.chat_of_image(f.path)
    where f.path = object_name and l.supervisor_id = (select auth.uid()) and l.expires_at > now()
      and (l.to_seq = 9223372036854775807 or exists (
        select from archive.records r
        where r.chat_id = l.chat_id and r.seq between l.from_seq and l.to_seq and r.kind = 'message.sent' and r.subject_id = f.message_id
      ))
  )
$$;

-- Chats by their name or by who is in them, without what was said.
create function public.find_chats(query text default '', max_results integer default 50)
returns table (id uuid, type text, title text, members bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
begin
  perform private.assert_supervisor();
  return query
  select c.id, c.type, private.chat_title(c.id),
    (select count(*) from private.chat_participants p where p.chat_id = c.id and p.is_active)
  from public.chats c
  where patterns = '{}' and c.type <> 'individual'
    or patterns <> '{}' and lower(private.without_accents(coalesce(c.name, ''))) like all (patterns)
    or patterns <> '{}' and c.type <> 'mandatory' and c.id in (
      select p.chat_id from private.chat_participants p
      where p.user_id in (
        select m.id from private.members m
        where private.member_words(m.first_name, m.last_name, '') like all (patterns) order by m.sort_name, m.id limit 20
      )
    )
  order by lower(private.without_accents(coalesce(c.name, ''))) like all (patterns) desc, c.type = 'mandatory' desc,
    c.type = 'group' desc, c.created_at desc, c.id
  limit least(greatest(coalesce(max_results, 50), 1), 100);
end
$$;
comment on function public.find_chats is 'For supervisors: all groups, or chats by their name or by the name of who is in them.';

revoke execute on function public.look_at_chat, public.open_review_item, public.look_messages, public.find_chats
from public, anon, service_role;
grant execute on function public.look_at_chat, public.open_review_item, public.look_messages, public.find_chats
to authenticated;
revoke execute on all functions in schema private from public;
grant execute on function private.look_shows_image(text) to authenticated;

-- Skipped where there is no file storage. Each download asks anew; no address is signed, because one would outlast the look.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  create policy "supervisors see the images of what they look at" on storage.objects
    for select to authenticated
    using (
      bucket_id = 'chat-images' and current_setting('storage.operation', true) = 'storage.object.get_authenticated'
      and (select private.session_is_live()) and private.look_shows_image(name)
    );
end
$$;
