-- The worker's calls: seal what is new, about once a minute, and say where the chain ends.

-- Numbers are given before transactions end, and in another order. So a run notes the last number given (the mark) and a
-- transaction id that is higher than those of all transactions that took a number up to it, since each gets its id before
-- the number. Once none of these runs any more, all numbers up to the mark are there or rolled back for good. That is
-- usually the case at once; else a later call goes on. A transaction of five minutes is not waited for: its numbers stay open.
create function archive.mark_end() returns archive.sealer
language plpgsql set search_path = ''
as $$
declare
  given bigint;
  state archive.sealer;
begin
  -- First the number, then the id.
  select last_value into given from archive.records_seq_seq;
  update archive.sealer set mark_seq = given, mark_xid = pg_current_xact_id(), marked_at = clock_timestamp()
  returning * into state;
  return state;
end
$$;

-- A database restored into another cluster brings ids that this one has not reached; their transactions are history.
create function archive.has_ended(xid xid8) returns boolean
language sql volatile set search_path = ''
as $$
  select pg_snapshot_xmin(pg_current_snapshot()) >= xid
    or pg_snapshot_xmax(pg_current_snapshot()) <= xid and xid is distinct from pg_current_xact_id_if_assigned()
$$;

create function public.seal_archive(max_seals int default 20) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  state archive.sealer;
  seal archive.seals;
  is_settled boolean;
  is_open_settled boolean;
  seals integer := 0;
  records bigint := 0;
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise active_sql_transaction using message = 'sealing needs a transaction of its own';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('archive: sealing', 0)) then
    return jsonb_build_object('seals', 0, 'records', 0, 'is_done', true);
  end if;
  select * into state from archive.sealer;
  if state.mark_seq is null and (isempty(state.open) is false or exists (
    select from archive.records r where r.seq > coalesce((archive.last_seal()).to_seq, 0)
  )) then
    state := archive.mark_end();
  end if;
  is_settled := state.mark_seq is not null and archive.has_ended(state.mark_xid);
  if state.mark_seq is null or not is_settled and state.marked_at > clock_timestamp() - interval '5 minutes' then
    return jsonb_build_object('seals', 0, 'records', 0, 'is_done', state.mark_seq is null);
  end if;

  loop
    is_open_settled := not isempty(state.open)
      and (archive.has_ended(state.open_xid) or state.open_since < clock_timestamp() - interval '1 day');
    seal := archive.add_seal(state.mark_seq, is_settled, state.open, is_open_settled);
    exit when seal.number is null;
    seals := seals + 1;
    records := records + seal.count;
    state.open := state.open - coalesce(
      (select range_agg(int8range(each, each + 1)) from unnest(seal.late) each), '{}'
    ) - seal.closed;
    if not isempty(seal.open) then
      state.open := state.open + seal.open;
      state.open_xid := greatest(state.open_xid, state.mark_xid);
      state.open_since := clock_timestamp();
    end if;
    exit when seals >= max_seals;
  end loop;

  update archive.sealer set
    open = state.open, open_xid = state.open_xid, open_since = state.open_since,
    mark_seq = case when seal.number is not null then mark_seq end
  returning * into state;
  return jsonb_build_object('seals', seals, 'records', records, 'is_done', state.mark_seq is null);
end
$$;
comment on function public.seal_archive is
  'For servers, about once a minute: seals what is new. Call it again soon while it is not done.';

create function public.archive_head() returns table (seal bigint, hash text, sealed_at timestamptz, last_record bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role' then
    perform private.assert_admin();
  end if;
  return query
  select s.number, encode(s.hash, 'hex'), s.sealed_at, s.to_seq from archive.last_seal() s where s.number is not null;
end
$$;
comment on function public.archive_head is
  'For admins and servers: the last seal. Whoever notes its hash elsewhere can show later that nothing before it changed.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.seal_archive, public.archive_head from public, anon, authenticated;
grant execute on function public.seal_archive, public.archive_head to service_role;
grant execute on function public.archive_head to authenticated;
