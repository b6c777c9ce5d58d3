-- Links of a changed address may be out several at once, too: whoever has them mailed again, which anybody may, ends none of them.
set role supabase_auth_admin;

drop index auth.one_time_tokens_user_id_token_type_key;
create unique index one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type)
  where token_type = 'reauthentication_token';
drop index auth.one_time_tokens_latest_idx;
create index one_time_tokens_latest_idx on auth.one_time_tokens (user_id, token_type, created_at desc)
  where token_type <> 'reauthentication_token';

reset role;
