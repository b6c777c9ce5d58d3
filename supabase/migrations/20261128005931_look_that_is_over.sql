-- A look whose hour is over is refused as gone: PT403 is a session that has yet to show its second factor.

create or replace function public.look_messages(look_id uuid, before_seq bigint default null, max_results integer default 50)
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
