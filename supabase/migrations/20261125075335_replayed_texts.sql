-- Texts that were edited, deleted or erased are taken out of what is kept for replay; what was published before goes within three days.

create function private.forget_published(chat_ids uuid[], message_ids uuid[], since timestamptz) returns void
language sql security definer set search_path = ''
as $$
  update realtime.messages m set payload = m.payload || '{"message": "", "attachment": null}'
  where m.topic in (select 'chat:' || id from unnest(chat_ids) id) and m.extension = 'broadcast' and m.private
    and m.inserted_at >= (since - interval '5 minutes') at time zone 'utc'
    and m.payload ->> 'id' in (select id::text from unnest(message_ids) id)
$$;

create function private.forget_erased() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.forget_published(array_agg(distinct e.chat_id), array_agg(e.id), min(e.sent_at)) from erased e;
  return null;
end
$$;

create trigger forget_erased after delete on public.chat_messages
  referencing old table as erased for each statement execute function private.forget_erased();

create or replace function private.publish_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipients uuid[];
begin
  if tg_op = 'UPDATE' and (new.message, new.attachment, new.is_deleted)
    is distinct from (old.message, old.attachment, old.is_deleted)
  then
    perform private.forget_published(array[old.chat_id], array[old.id], coalesce(old.edited_at, old.sent_at));
  end if;
  perform realtime.send(
    jsonb_build_object(
      'id', new.id, 'chat_id', new.chat_id, 'sender_id', new.sender_id,
      'message', case when new.is_deleted then '' else new.message end,
      'sent_at', new.sent_at, 'is_deleted', new.is_deleted, 'is_removed', new.is_removed,
      'edited_at', new.edited_at, 'changed_at', new.changed_at, 'reply_to', new.reply_to, 'mentions', new.mentions,
      'forwarded_from', new.forwarded_from,
      'reaction_counts', new.reaction_counts,
      'attachment', case when new.is_deleted then null else new.attachment end
    ),
    case tg_op when 'INSERT' then 'message_inserted' else 'message_updated' end,
    'chat:' || new.chat_id,
    true
  );
  if tg_op = 'UPDATE' and (new.message, new.is_deleted) is not distinct from (old.message, old.is_deleted) then
    return null;
  end if;

  recipients := array(
    select p.user_id from private.chat_participants p
    where p.chat_id = new.chat_id and p.is_active
    limit private.most_notified_participants() + 1
  );
  if cardinality(recipients) <= private.most_notified_participants() then
    perform private.publish_to_members(recipients, 'chat_changed', jsonb_build_object('chat_id', new.chat_id));
  end if;
  return null;
end
$$;

revoke execute on function private.forget_erased() from public;

revoke execute on function private.forget_published(uuid[], uuid[], timestamptz) from public;
