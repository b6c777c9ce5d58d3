-- Sealing: a worker hashes what was recorded since its last run and chains the hashes, so that altering, removing or
-- inserting a record shows. Inserts never wait for it, and it never holds a record that may still be rolled back.
-- Byte for byte: docs/archive.md

create table archive.seals (
  number bigint primary key,
  sealed_at timestamptz not null default clock_timestamp(),
  from_seq bigint not null,
  to_seq bigint not null,
  count integer not null,
  absent int8multirange not null,
  open int8multirange not null,
  late bigint[] not null,
  closed int8multirange not null,
  records_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null unique,
  leaves bytea
);
comment on table archive.seals is 'Append only: a chain of hashes over the records. Each begins after the one before it.';
comment on column archive.seals.count is 'Records under this seal: in the order of seq, the late ones first.';
comment on column archive.seals.absent is 'Numbers of records that were rolled back; none will ever have them.';
comment on column archive.seals.open is 'Numbers whose transactions had not ended after five minutes; a later seal has them as late or closed.';
comment on column archive.seals.late is 'Records with numbers that earlier seals left open.';
comment on column archive.seals.closed is 'Numbers that earlier seals left open, and that were rolled back.';
comment on column archive.seals.leaves is 'The hashes of the records, one after the other; null once all of them are pruned.';
-- Hashes do not compress.
alter table archive.seals alter column leaves set storage external;
alter table archive.seals enable row level security;

-- Where the worker stands: nothing to be proved, so it may change.
create table archive.sealer (
  is_only_row boolean primary key default true check (is_only_row),
  mark_seq bigint,
  mark_xid xid8,
  marked_at timestamptz,
  open int8multirange not null default '{}',
  open_xid xid8,
  open_since timestamptz
);
comment on table archive.sealer is 'The numbers given so far, and a transaction id after all that may have taken one of them.';
insert into archive.sealer default values;
alter table archive.sealer enable row level security;

create function archive.guard_seal() returns trigger
language plpgsql set search_path = ''
as $$
begin
  -- Pruning takes the hashes of single records away with the last of them.
  if tg_op = 'UPDATE' and new.leaves is null
    and to_jsonb(new) - 'leaves' = to_jsonb(old) - 'leaves'
    and not exists (
      select from archive.records r where r.seq between old.from_seq and old.to_seq or r.seq = any (old.late)
    )
  then
    return new;
  end if;
  raise exception 'The archive can only be added to' using errcode = '42501';
end
$$;
create trigger guard_seal before update or delete on archive.seals
  for each row execute function archive.guard_seal();
create trigger refuse_truncate before truncate on archive.seals
  for each statement execute function archive.refuse_change();

-- The canonical form of a record: one line of JSON without its line end.
create function archive.line(r archive.records) returns text
language sql stable
as $$
  select concat(
    '{"seq":', (r).seq, ',"recorded_at":"', archive.utc((r).recorded_at), '","kind":', to_json((r).kind),
    ',"actor_id":', coalesce(to_json((r).actor_id)::text, 'null'),
    ',"actor_name":', coalesce(to_json((r).actor_name)::text, 'null'),
    ',"actor_email":', coalesce(to_json((r).actor_email)::text, 'null'),
    ',"actor_role":', to_json((r).actor_role),
    ',"chat_id":', coalesce(to_json((r).chat_id)::text, 'null'),
    ',"subject_id":', coalesce(to_json((r).subject_id)::text, 'null'),
    ',"member_id":', coalesce(to_json((r).member_id)::text, 'null'),
    ',"audience":', to_json((r).audience), ',"content":', (r).content, '}'
  )
$$;

create function archive.seal_line(s archive.seals) returns text
language sql stable
as $$
  select concat(
    '{"seal":', (s).number, ',"sealed_at":"', archive.utc((s).sealed_at), '","from_seq":', (s).from_seq,
    ',"to_seq":', (s).to_seq, ',"count":', (s).count, ',"absent":"', (s).absent, '","open":"', (s).open,
    '","late":', to_json((s).late), ',"closed":"', (s).closed, '","records":"', encode((s).records_hash, 'hex'),
    '","previous":"', encode((s).previous_hash, 'hex'), '"}'
  )
$$;

create function archive.sha256_of(line text) returns bytea
language sql immutable
return sha256(convert_to(line, 'UTF8'));

create function archive.last_seal() returns archive.seals
language sql stable set search_path = ''
as $$ select s from archive.seals s order by s.number desc limit 1 $$;

-- Makes one seal of at most a thousand records (and as many late ones) up to `mark`; null if there is nothing to seal.
create function archive.add_seal(mark bigint, is_settled boolean, open_before int8multirange, is_open_settled boolean)
returns archive.seals
language plpgsql set search_path = ''
as $$
declare
  most constant integer := 1000;
  previous constant archive.seals := archive.last_seal();
  seal archive.seals;
  found_count integer;
  present int8multirange;
  missing int8multirange;
begin
  seal.number := coalesce(previous.number, 0) + 1;
  seal.from_seq := coalesce(previous.to_seq, 0) + 1;
  seal.previous_hash := coalesce(previous.hash, decode(repeat('00', 32), 'hex'));
  seal.late := array(
    select r.seq from unnest(open_before) gap
    join archive.records r on r.seq >= lower(gap) and r.seq < upper(gap)
    order by r.seq limit most
  );
  with found as (
    (select r as record from archive.records r where r.seq = any (seal.late))
    union all
    (select r from archive.records r where r.seq >= seal.from_seq and r.seq <= mark order by r.seq limit most)
  ), hashed as (
    select (f.record).seq, archive.sha256_of(archive.line(f.record)) as leaf from found f
  )
  select count(*), count(*) filter (where seq >= seal.from_seq), max(seq),
    coalesce(string_agg(leaf, '' order by seq), ''),
    coalesce(range_agg(int8range(seq, seq + 1)) filter (where seq >= seal.from_seq), '{}')
  into seal.count, found_count, seal.to_seq, seal.leaves, present
  from hashed;

  seal.closed := case
    when is_open_settled and cardinality(seal.late) < most then open_before - coalesce(
      (select range_agg(int8range(each, each + 1)) from unnest(seal.late) each), '{}'
    ) else '{}'
  end;
  if seal.count = 0 and isempty(seal.closed) then
    return null;
  end if;
  if found_count < most then
    -- Numbers rolled back after the last record wait for the next one.
    seal.to_seq := case when found_count = 0 then seal.from_seq - 1 else mark end;
  end if;
  missing := int8multirange(int8range(seal.from_seq, seal.to_seq + 1)) - present;
  seal.absent := case when is_settled then missing else '{}' end;
  seal.open := case when is_settled then '{}' else missing end;
  seal.records_hash := sha256(seal.leaves);
  seal.sealed_at := clock_timestamp();
  seal.hash := archive.sha256_of(archive.seal_line(seal));
  insert into archive.seals select seal.*;
  return seal;
end
$$;

revoke execute on all functions in schema archive from public;
