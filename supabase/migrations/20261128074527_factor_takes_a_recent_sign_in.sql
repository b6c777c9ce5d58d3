-- A stolen access token set up an authenticator app of its own and so locked the account's owner out. Factors that are on stay on.

create function private.require_recent_sign_in() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select from auth.sessions s join auth.mfa_amr_claims proof on proof.session_id = s.id
    where s.factor_id = new.id and s.user_id = new.user_id
      and proof.authentication_method in ('password', 'otp', 'magiclink', 'recovery', 'invite', 'email/signup')
      and proof.created_at > now() - interval '15 minutes'
  ) then
    raise exception 'Sign in again with your password to turn on two-step verification' using errcode = '42501';
  end if;
  return null;
end
$$;

CREATE CONSTRAINT TRIGGER require_recent_sign_in AFTER UPDATE OF status ON auth.mfa_factors DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.status = 'verified'::auth.factor_status) AND (old.status <> 'verified'::auth.factor_status))) EXECUTE FUNCTION private.require_recent_sign_in();

revoke execute on function private.require_recent_sign_in() from public;
