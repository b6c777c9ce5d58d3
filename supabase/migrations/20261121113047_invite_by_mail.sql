-- Invitations by mail. The auth service sends them, asked by the function `invite` with the secret key; whether the caller
-- may, how often, and who is on the team already is answered here, to the caller's own token.

create table private.invitation_mails (
  id bigint generated always as identity primary key,
  invited_by uuid not null references private.members (id),
  sent_at timestamptz not null default now()
);
comment on table private.invitation_mails is 'The invitations of the last hour, to limit them.';
create index invitation_mails_invited_by on private.invitation_mails (invited_by, sent_at);
alter table private.invitation_mails enable row level security;
revoke all on private.invitation_mails from anon, authenticated, service_role;

-- An address somebody signed up with and never confirmed is told apart: its password is nobody's proof, so the
-- invitation must not confirm it.
create function public.plan_invitations(emails text[])
returns table (email text, state text, account_id uuid)
language plpgsql security definer set search_path = ''
as $$
declare
  most_at_once constant int := 100;
  most_an_hour constant int := 200;
  asked constant int := cardinality(emails);
  me constant uuid := (select auth.uid());
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  if asked is null or asked not between 1 and most_at_once then
    raise exception 'Invite between 1 and % people at once', most_at_once using errcode = '22023';
  end if;
  -- One at a time for each admin, so that two calls cannot share what is left of the limit.
  perform from private.members m where m.id = me for update;
  delete from private.invitation_mails old where old.sent_at < now() - interval '1 hour';
  if asked + (select count(*) from private.invitation_mails sent where sent.invited_by = me) > most_an_hour then
    raise exception 'Too many invitations: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;

  return query
    select wanted.email,
      case when known.id is null then 'new' when known.is_confirmed then 'member' else 'pending' end,
      case when not known.is_confirmed then known.id end
    from unnest(emails) wanted (email)
    left join lateral (
      select u.id, u.email_confirmed_at is not null as is_confirmed
      from auth.users u
      where u.email = lower(wanted.email) and u.deleted_at is null
      order by u.email_confirmed_at nulls last
      limit 1
    ) known on true;
  insert into private.invitation_mails (invited_by) select me from unnest(emails);
end
$$;
comment on function public.plan_invitations is
  'For admins: which of these addresses are new, were signed up but never confirmed, or belong to a member. Counts them against the hourly limit.';
revoke execute on function public.plan_invitations(text[]) from public, anon, service_role;
grant execute on function public.plan_invitations(text[]) to authenticated;
