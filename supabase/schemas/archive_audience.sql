-- Who could read a record, derived from the records of joining and leaving before it. One query reads the latest of everybody:
-- asked for one member at a time, Postgres may scan all records since.

create function archive.participants_at(chat_id uuid, until_seq bigint) returns setof uuid
language sql stable set search_path = ''
as $$
  select j.member_id
  from (
    select distinct on (r.member_id) r.member_id, r.kind from archive.records r
    where r.chat_id = participants_at.chat_id and r.seq <= until_seq and r.kind in ('chat.joined', 'chat.left')
    order by r.member_id, r.seq desc
  ) j
  where j.kind = 'chat.joined'
$$;

-- The active team as of a record: the latest state of everybody who was ever on it.
create function archive.team_at(until_seq bigint)
returns table (id uuid, name text, email text, role text, rally_enabled boolean)
language sql stable set search_path = ''
as $$
  select j.member_id, j.content ->> 'name', j.content ->> 'email', j.content ->> 'role',
    (j.content ->> 'rally_enabled')::boolean
  from (
    select distinct on (r.member_id) r.member_id, r.kind, r.content from archive.records r
    where r.chat_id is null and r.seq <= until_seq and r.kind in ('member.joined', 'member.changed', 'member.left')
    order by r.member_id, r.seq desc
  ) j
  where j.kind <> 'member.left' and j.content ->> 'status' = 'active'
$$;

create function archive.audience_of(record_seq bigint) returns table (member_id uuid, name text, email text)
language sql stable security definer set search_path = ''
as $$
  with r as (
    select r.chat_id, r.content,
      case r.audience when 'notice' then coalesce(r.content ->> 'audience', 'nobody') else r.audience end as audience
    from archive.records r where r.seq = record_seq
  )
  select t.id, t.name, t.email
  from r cross join archive.team_at(record_seq) t
  where case r.audience
    when 'admins' then t.role = 'admin'
    when 'team' then true
    when 'all' then true
    when 'role' then t.role = r.content ->> 'audience_role'
    when 'members' then t.id::text in (select json_array_elements_text(r.content -> 'audience_members'))
    when 'chat' then t.id in (select archive.participants_at((select r.chat_id from r), record_seq))
      and (t.rally_enabled or r.chat_id <> private.mandatory_chat_id())
    else false
  end
$$;
comment on function archive.audience_of is 'Who could read a record when it was written, by their names of the time.';

revoke execute on all functions in schema archive from public;
