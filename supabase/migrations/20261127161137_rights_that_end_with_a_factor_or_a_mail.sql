-- Without a second factor where the team asks for one, admins and supervisors lose their live topics at once, also when they turn
-- it off themselves. An invitation that is taken back while its mail is under way leaves no link that works.

create or replace function private.recheck_admins() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(m.id) from private.members m where (m.role = 'admin' or m.can_supervise) and m.is_active;
  return null;
end
$$;

create function private.recheck_lowered() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_user(old.user_id);
  return null;
end
$$;

create trigger recheck_lowered after update of aal on auth.sessions
  for each row when (old.aal >= 'aal2' and new.aal is distinct from old.aal) execute function private.recheck_lowered();

create function private.delete_invited_accounts(emails text[]) returns void
language sql security definer set search_path = ''
as $$
  delete from auth.users u
  where u.email = any (emails) and u.invited_at is not null and u.email_confirmed_at is null and u.last_sign_in_at is null
$$;

create function public.settle_invitation_mail(invitation_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  mailed constant public.invitations := (select i from public.invitations i where i.id = settle_invitation_mail.invitation_id);
begin
  if mailed.id is not null and mailed.revoked_at is null then
    return 'invited';
  end if;
  -- The address may have been invited again.
  if not exists (
    select from public.invitations i where i.email = mailed.email and i.accepted_at is null and i.revoked_at is null
  ) then
    perform private.delete_invited_accounts(array[mailed.email]);
  end if;
  return 'taken_back';
end
$$;

create or replace function private.revoke_invitations(ids uuid[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  revoked text[];
begin
  perform from public.invitations i where i.id = any (ids) order by i.email for update;
  with changed as (
    update public.invitations i set revoked_at = now()
    where i.id = any (ids) and i.accepted_at is null and i.revoked_at is null
    returning i.email, i.last_sent_at
  )
  select coalesce(array_agg(changed.email order by changed.last_sent_at desc), '{}') into revoked from changed;
  perform private.delete_invited_accounts(revoked[1:100]);
  return cardinality(revoked);
end
$$;

comment on function public.settle_invitation_mail(pg_catalog.uuid) is 'For trusted servers: what became of this invitation while it was mailed: invited, or taken_back and its link dead.';

revoke execute on function private.delete_invited_accounts(text[]) from public;

revoke execute on function private.recheck_lowered() from public;

revoke execute on function public.settle_invitation_mail(uuid) from anon;

revoke execute on function public.settle_invitation_mail(uuid) from authenticated;

revoke execute on function public.settle_invitation_mail(uuid) from public;
