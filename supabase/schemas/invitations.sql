-- Invitations by link: with an end date, handed out by an admin as text, mail or QR code. A link opens Create Account;
-- the account is confirmed by mail like every other.

create table public.join_links (
  id uuid primary key default gen_random_uuid(),
  token text not null unique default replace(gen_random_uuid()::text, '-', ''),
  created_by uuid not null default auth.uid() references private.members (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  constraint "An invitation lasts at most 90 days" check (expires_at <= created_at + interval '90 days')
);
comment on table public.join_links is 'Invitations that admins hand out; one is open until expires_at.';
create index join_links_created_by on public.join_links (created_by);

alter table public.join_links enable row level security;
revoke all on public.join_links from anon, authenticated, service_role;
grant select, delete, insert (expires_at) on public.join_links to authenticated;
grant select, delete on public.join_links to service_role;

create policy "admins read invitations" on public.join_links
  for select to authenticated using ((select private.is_admin()));
create policy "admins make invitations in their own name" on public.join_links
  for insert to authenticated
  with check ((select private.is_admin()) and created_by = (select auth.uid()));
create policy "admins take invitations back" on public.join_links
  for delete to authenticated using ((select private.is_admin()));

-- For someone who opens the link and has no account yet: one bit about one token that nobody can guess.
create function public.join_link_is_open(token text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.join_links l where l.token = join_link_is_open.token and l.expires_at > now()
  )
$$;
comment on function public.join_link_is_open is 'Whether this invitation can still be used.';
revoke execute on function public.join_link_is_open from public;
grant execute on function public.join_link_is_open to anon, authenticated, service_role;

-- Invitations by mail. The function `invite` has the auth service send them, with the secret key; it first asks here,
-- with the caller's own token, whether the caller may, how many more, and who is already on the team.

create table private.invitation_mails (
  id bigint generated always as identity primary key,
  invited_by uuid not null references private.members (id),
  sent_at timestamptz not null default now()
);
comment on table private.invitation_mails is 'Invitations mailed in the last hour, for rate limiting.';
create index invitation_mails_invited_by on private.invitation_mails (invited_by, sent_at);
alter table private.invitation_mails enable row level security;
revoke all on private.invitation_mails from anon, authenticated, service_role;

-- An address that was signed up and never confirmed is `pending`: its password may be a stranger's, so the
-- invitation must not confirm that account.
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
  -- Serializes calls of one admin, so that two cannot both use what is left of the limit.
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
