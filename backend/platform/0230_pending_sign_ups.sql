-- What each sign-up chose, kept apart from the account until its own link is opened: a sign-up with somebody
-- else's address chooses nothing for the owner. Differs from hosted Supabase, which keeps one confirmation per account.
set role supabase_auth_admin;

create table auth_service.pending_sign_ups (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  encrypted_password text not null,
  user_metadata jsonb not null,
  -- The network the sign-up came from: a resend prefers the sign-up of its own device.
  address_group text not null,
  created_at timestamptz not null
);
comment on table auth_service.pending_sign_ups is 'Passwords and metadata of sign-ups whose address is not confirmed yet';
create index pending_sign_ups_user_id_idx on auth_service.pending_sign_ups (user_id, created_at desc);
create index pending_sign_ups_created_at_idx on auth_service.pending_sign_ups (created_at);

alter table auth.one_time_tokens
  add column pending_sign_up uuid references auth_service.pending_sign_ups (id) on delete cascade,
  add column code_guesses integer not null default 0,
  drop constraint one_time_tokens_user_id_token_type_key;
comment on column auth.one_time_tokens.pending_sign_up is 'The sign-up that this confirmation activates';
comment on column auth.one_time_tokens.code_guesses is 'How often a code was tried; too many make it worthless';
create index one_time_tokens_pending_sign_up_idx on auth.one_time_tokens (pending_sign_up);
-- Several confirmations may be out at once, one per mail; of every other kind the latest counts.
create unique index one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type)
  where token_type <> 'confirmation_token';
create index one_time_tokens_confirmations_idx on auth.one_time_tokens (user_id, created_at desc)
  where token_type = 'confirmation_token';

-- Codes of six digits that no mail showed.
update auth.one_time_tokens set code_hash = null where token_type <> 'reauthentication_token';

-- An invited account has no password yet; one that is there was chosen by a sign-up that took the invitation over.
update auth.users set encrypted_password = '' where email_confirmed_at is null and invited_at is not null;

-- Sign-ups that are waiting already.
insert into auth_service.pending_sign_ups (user_id, encrypted_password, user_metadata, address_group, created_at)
select u.id, u.encrypted_password,
  coalesce(u.raw_user_meta_data, '{}') - array['sub', 'email', 'email_verified', 'phone_verified'], '',
  coalesce(u.created_at, now())
from auth.users u
where u.email_confirmed_at is null and u.invited_at is null and u.encrypted_password <> '';
update auth.one_time_tokens t set pending_sign_up = p.id
from auth_service.pending_sign_ups p
where p.user_id = t.user_id and t.token_type = 'confirmation_token';

reset role;
