-- A link of the PKCE flow knows the flow that it was requested with, so that a later request for the same address does not
-- replace the code challenge of an earlier link.
set role supabase_auth_admin;

alter table auth.one_time_tokens
  add column flow_state uuid references auth.flow_state (id) on delete set null;
comment on column auth.one_time_tokens.flow_state is 'The PKCE flow that this link goes on with';
create index one_time_tokens_flow_state_idx on auth.one_time_tokens (flow_state) where flow_state is not null;

reset role;
