-- Finds what the audit log says about one account, so that deleting the account need not read the whole log.
set role supabase_auth_admin;

create index audit_log_entries_actor_idx on auth.audit_log_entries ((payload ->> 'actor_id'));
create index audit_log_entries_subject_idx on auth.audit_log_entries ((payload #>> '{traits,user_id}'))
  where payload #>> '{traits,user_id}' is not null;

reset role;
