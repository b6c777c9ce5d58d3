-- Several links that confirm a new address are valid at once, too: anybody may have them mailed again, and the earlier ones stay valid.
set role supabase_auth_admin;

drop index auth.one_time_tokens_user_id_token_type_key;
create unique index one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type)
  where token_type = 'reauthentication_token';
drop index auth.one_time_tokens_latest_idx;
create index one_time_tokens_latest_idx on auth.one_time_tokens (user_id, token_type, created_at desc)
  where token_type <> 'reauthentication_token';

reset role;
