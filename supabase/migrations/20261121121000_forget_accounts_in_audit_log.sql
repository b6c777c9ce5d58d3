-- The audit log of the accounts service outlives the accounts it tells about, with their e-mail and network address in
-- it. Deleting an account takes both out: what was done and when stays, under an id that leads to nobody any more.

create function private.forget_in_audit_log(account_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.audit_log_entries
  set ip_address = '', payload = payload::jsonb || '{"actor_username": ""}' #- '{traits,user_email}'
  where payload ->> 'actor_id' = account_id::text;
  -- What admins did to the account.
  update auth.audit_log_entries
  set payload = payload::jsonb #- '{traits,user_email}'
  where payload #>> '{traits,user_id}' = account_id::text;
exception
  -- A hosted project's log is the service's; should it close it to the project, accounts can still be deleted.
  when insufficient_privilege then null;
end
$$;

-- As in 20261102091200_follow_auth_accounts.sql, with the log.
create or replace function private.forget_member(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.members set
    is_active = false, email = null, first_name = 'Former', last_name = 'member', role = 'user',
    push_token = null, hidden_chats = '{}', archived_chats = '{}',
    rally_enabled = false, can_create_chats = false, can_send_messages = false
  where id = member_id and is_active;
  update public.chat_participants set is_active = false, last_read_at = null, muted_until = null
  where user_id = member_id and is_active;
  perform private.forget_in_audit_log(member_id);
end
$$;

select private.forget_in_audit_log(id) from private.members where not is_active;

revoke execute on all functions in schema private from public;
