-- Signed addresses act with the signer's rights at the moment of use, and an address for an upload is used once.
-- Not part of the hosted schema, where a signature outlives the rights of the member who made it.

create table storage.used_signatures (
  id uuid not null primary key,
  expires_at timestamptz not null
);
comment on table storage.used_signatures is 'Signed uploads that were begun, kept until their addresses expire.';
alter table storage.used_signatures owner to supabase_storage_admin;
alter table storage.used_signatures enable row level security;
create index used_signatures_expires_at on storage.used_signatures (expires_at);

-- Owned by the auth service: storage itself may not read accounts.
create function storage.signer_claims(user_id uuid, session uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'sub', u.id, 'role', coalesce(nullif(u.role, ''), 'authenticated'), 'aud', u.aud, 'email', coalesce(u.email, ''),
    'phone', coalesce(u.phone, ''), 'app_metadata', coalesce(u.raw_app_meta_data, '{}'),
    'user_metadata', coalesce(u.raw_user_meta_data, '{}'), 'aal', 'aal1', 'session_id', session,
    'is_anonymous', u.is_anonymous
  )
  from auth.users u
  where u.id = signer_claims.user_id and u.deleted_at is null and coalesce(u.banned_until <= now(), true)
    and (session is null or exists (
      select from auth.sessions s
      where s.id = session and s.user_id = u.id and coalesce(s.not_after > now(), true)
    ))
$$;
comment on function storage.signer_claims is
  'The claims of an account as they are now; null when it was deleted or banned or the session has ended.';
alter function storage.signer_claims owner to supabase_auth_admin;
revoke execute on function storage.signer_claims from public;
grant execute on function storage.signer_claims to supabase_storage_admin;
