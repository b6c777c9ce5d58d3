-- Who blocked whom, as records of the archive: it explains who could not be reached. No member reads it.

create function archive.record_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  block constant private.blocks := case tg_op when 'DELETE' then old else new end;
begin
  perform archive.record(
    case tg_op when 'INSERT' then 'block.made' else 'block.lifted' end,
    json_strip_nulls(json_build_object('blocker_id', block.blocker_id, 'member', archive.person(block.blocked_id))),
    member_id => block.blocked_id, audience => 'nobody'
  );
  return null;
end
$$;
create trigger archive_block after insert or delete on private.blocks
  for each row execute function archive.record_block();

revoke execute on all functions in schema archive from public;
