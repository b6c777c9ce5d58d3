-- Several links to sign in or to choose a new password may be out at once, one per mail: whoever asks for one with
-- another person's address does not end the link that this person was sent.
set role supabase_auth_admin;

drop index auth.one_time_tokens_user_id_token_type_key;
create unique index one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type)
  where token_type not in ('confirmation_token', 'recovery_token');
drop index auth.one_time_tokens_confirmations_idx;
create index one_time_tokens_latest_idx on auth.one_time_tokens (user_id, token_type, created_at desc)
  where token_type in ('confirmation_token', 'recovery_token');

reset role;
