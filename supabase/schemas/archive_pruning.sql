-- How long records are kept, and their end. Whoever deletes a record, the trigger decides whether it may go, and notes in
-- the archive which ones went. The hash of a pruned record stays in its seal, so the chain holds.

-- Three years is what SEC Rule 17a-4(b)(4) asks for at least.
create table archive.retention (
  category text primary key,
  years integer not null default 6,
  constraint "Records are kept for 3 to 100 years" check (years between 3 and 100),
  constraint "What proves the archive is kept for good" check (category not in ('archive', 'hold'))
);
comment on table archive.retention is 'How long records are kept: by the word before the dot of their kind. Others are kept for good.';
insert into archive.retention (category)
values ('message'), ('reaction'), ('notice'), ('chat'), ('member'), ('audit'), ('report'), ('block'), ('rules'), ('look'), ('review');
alter table archive.retention enable row level security;

create function archive.guard_retention() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.years <> old.years then
    perform archive.record(
      'archive.retention', json_build_object('category', new.category, 'before', old.years, 'years', new.years)
    );
    perform private.record_change(
      'archive', 'retention', null, null, jsonb_build_object('years', old.years), jsonb_build_object('years', new.years),
      details => jsonb_build_object('category', new.category)
    );
  end if;
  return new;
end
$$;
create trigger guard_retention after update on archive.retention
  for each row execute function archive.guard_retention();

create function archive.is_expired(kind text, recorded_at timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from archive.retention k
    where k.category = split_part(kind, '.', 1) and recorded_at < now() - make_interval(years => k.years)
  )
$$;

-- A state is kept for as long as it lasts, and its end for as long as its beginning is there: who was in a chat at a record
-- that is kept must follow from the records that are kept.
create function archive.is_over(r archive.records) returns boolean
language sql stable set search_path = ''
as $$
  select case
    when (r).kind = 'chat.joined' then exists (
      select from archive.records e
      where e.chat_id = (r).chat_id and e.member_id = (r).member_id and e.seq > (r).seq and e.kind = 'chat.left'
        and archive.is_expired(e.kind, e.recorded_at)
    )
    when (r).kind = 'chat.left' then not exists (
      select from archive.records b
      where b.chat_id = (r).chat_id and b.member_id = (r).member_id and b.seq < (r).seq and b.kind = 'chat.joined'
    )
    when (r).kind = 'chat.erased' then not exists (
      select from archive.records b where b.chat_id = (r).chat_id and b.seq < (r).seq
    )
    when (r).kind like 'chat.%' then exists (
      select from archive.records e
      where e.chat_id = (r).chat_id and e.seq > (r).seq and e.kind = 'chat.erased'
        and archive.is_expired(e.kind, e.recorded_at)
    )
    when (r).kind = 'member.left' then not exists (
      select from archive.records b
      where b.chat_id is null and b.member_id = (r).member_id and b.seq < (r).seq
        and b.kind in ('member.joined', 'member.changed')
    )
    when (r).kind like 'member.%' then exists (
      select from archive.records e
      where e.chat_id is null and e.member_id = (r).member_id and e.seq > (r).seq and e.kind = 'member.left'
        and archive.is_expired(e.kind, e.recorded_at)
    )
    else true
  end
$$;

create function archive.may_prune(r archive.records) returns boolean
language sql stable set search_path = ''
as $$
  select archive.is_expired((r).kind, (r).recorded_at)
    and not archive.is_held((r).chat_id, (r).member_id, split_part((r).kind, '.', 1))
    and not archive.is_held(null, (r).actor_id)
    and archive.is_over(r)
$$;

-- The one way out of the archive. Also for its owner, who has to disable this trigger to go around it.
create function archive.prune_rightly() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from gone g
    where not archive.may_prune(g)
      or not exists (
        select from archive.seals s
        where archive.is_expired(g.kind, s.sealed_at) and s.to_seq >= g.seq
          and (s.from_seq <= g.seq and not s.open @> g.seq or g.seq = any (s.late))
      )
  ) then
    raise exception 'The archive can only be added to' using errcode = '42501';
  end if;
  if not exists (select from gone) then
    return null;
  end if;
  perform archive.record(
    'archive.pruned',
    json_build_object('count', count(*), 'records', range_agg(int8range(g.seq, g.seq + 1))::text),
    audience => 'nobody'
  )
  from gone g;
  update archive.seals s set leaves = null
  where s.leaves is not null
    and s.to_seq >= (select min(seq) from gone) and s.from_seq <= (select max(seq) from gone)
    and not exists (select from archive.records r where r.seq between s.from_seq and s.to_seq or r.seq = any (s.late));
  delete from archive.search_entries e using gone g where e.seq = g.seq;
  perform archive.release_files(array(select g.subject_id from gone g where g.kind = 'message.file'));
  return null;
end
$$;
create trigger prune_rightly after delete on archive.records
  referencing old table as gone for each statement execute function archive.prune_rightly();

-- For servers, once a day and until it returns 0. How long a record is kept counts from its seal: once the record is gone, the
-- seal's time is all that is left to check whether it was pruned too early.
create function public.prune_archive(max_records int default 5000) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  pruned integer;
begin
  -- One at a time: two would wait for each other's rows.
  if not pg_try_advisory_xact_lock(hashtextextended('archive: pruning', 0)) then
    return 0;
  end if;
  delete from archive.records d
  where d.seq in (
    select r.seq
    from archive.seals s
    join archive.records r on r.seq between s.from_seq and s.to_seq and not s.open @> r.seq or r.seq = any (s.late)
    where s.leaves is not null and s.sealed_at < now() - interval '3 years'
      and archive.is_expired(r.kind, s.sealed_at) and archive.may_prune(r)
    order by s.number limit least(max_records, 20000)
  );
  get diagnostics pruned = row_count;
  return pruned;
end
$$;
comment on function public.prune_archive is 'For servers, once a day and until it returns 0: removes expired records.';

create function public.archive_retention() returns table (category text, years integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query select k.category, k.years from archive.retention k order by k.category;
end
$$;
comment on function public.archive_retention is 'For admins: how many years each kind of record is kept.';

create function public.set_archive_retention(category text, years integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  perform private.require_recent_proof();
  update archive.retention k set years = set_archive_retention.years where k.category = set_archive_retention.category;
  if not found then
    raise exception 'There is no such kind of record' using errcode = '22023';
  end if;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_archive_retention is 'For admins: sets how many years a kind of record is kept, at least three.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.prune_archive, public.archive_retention, public.set_archive_retention
from public, anon, authenticated, service_role;
grant execute on function public.prune_archive to service_role;
grant execute on function public.archive_retention, public.set_archive_retention to authenticated;
