-- What members report and what was decided, as records of the archive.

create function archive.record_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform archive.record(
      'report.made',
      json_strip_nulls(json_build_object(
        'message_id', new.message_id, 'reason', new.reason, 'note', nullif(new.note, ''),
        'member', archive.person(new.member_id)
      )),
      new.chat_id, new.id, new.member_id
    );
  else
    perform archive.record(
      'report.closed', json_build_object('outcome', new.outcome, 'member', archive.person(new.member_id)),
      new.chat_id, new.id, new.member_id
    );
  end if;
  return null;
end
$$;
create trigger archive_made after insert on private.reports
  for each row execute function archive.record_report();
create trigger archive_closed after update on private.reports
  for each row when ((new.outcome, new.closed_at) is distinct from (old.outcome, old.closed_at))
  execute function archive.record_report();

revoke execute on all functions in schema archive from public;
