-- What the embedded accounts service keeps for itself and hosted Supabase does not have: mails on their way out, and
-- the counters of its rate limits. Both live in Postgres so that several processes agree and a crash loses no mail.

create schema auth_service authorization supabase_auth_admin;
set role supabase_auth_admin;

create table auth_service.mail_outbox (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  created_at timestamptz not null,
  attempts integer not null default 0,
  -- Also the lease of the process that is sending the mail: another takes over when it has passed.
  next_attempt_at timestamptz not null,
  last_error text,
  given_up_at timestamptz
);
comment on table auth_service.mail_outbox is 'Mails to send; a row goes away once the mail server has accepted the mail';
create index mail_outbox_next_attempt_at_idx on auth_service.mail_outbox (next_attempt_at)
  where given_up_at is null;

-- Unlogged: after a crash every counter starts afresh, which is cheaper than syncing each sign-in attempt to disk.
create unlogged table auth_service.rate_limits (
  key text primary key,
  -- When the caller will have "used up" all requests so far at the allowed pace (generic cell rate algorithm).
  busy_until timestamptz not null
);
create index rate_limits_busy_until_idx on auth_service.rate_limits (busy_until);

reset role;
