-- Who comes onto the team, and how. Anybody can make an account; what it takes to become a member is the team's choice
-- (team_settings.registration). An account that is not let in reads nothing.

-- Which link an account was made with while the link was open, because confirming the address may take longer than that.
create table private.link_uses (
  account_id uuid primary key references auth.users (id) on delete cascade,
  link_id uuid not null references public.join_links (id) on delete cascade
);
comment on table private.link_uses is 'Accounts that signed up with a link that was open at that moment.';
create index link_uses_link_id on private.link_uses (link_id);
alter table private.link_uses enable row level security;
revoke all on private.link_uses from anon, authenticated, service_role;

create function private.remember_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.link_uses (account_id, link_id)
  select new.id, l.id from public.join_links l
  where l.token = new.raw_user_meta_data ->> 'join_token' and private.join_link_state(l) = 'open'
  on conflict do nothing;
  return null;
end
$$;
create trigger remember_link after insert on auth.users
  for each row when (new.raw_user_meta_data ->> 'join_token' <> '') execute function private.remember_link();

-- A link that is taken back ends at once; one that expired still counts for who signed up before.
create function private.usable_link(account_id uuid, token text) returns public.join_links
language plpgsql security definer set search_path = ''
as $$
declare
  link public.join_links;
begin
  -- Waits for somebody who is taking the link back at this moment.
  select l.* into link from public.join_links l where l.token = usable_link.token for share;
  if private.join_link_state(link) = 'open' or private.join_link_state(link) = 'expired' and exists (
    select from private.link_uses u where u.account_id = usable_link.account_id and u.link_id = link.id
  ) then
    return link;
  end if;
  return null;
end
$$;

-- What an admin handed out ends with their rights, and stays ended when they get them back: it may have spread further than
-- they know. A link that has expired goes on for who signed up with it before, so it ends too, as long as there is anybody
-- who may come by it.
create function private.end_invitations_of_former_admin() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  pending constant uuid[] := array(
    select i.id from public.invitations i
    where i.invited_by = new.id and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
  );
begin
  -- Invitations first: who is confirming an account at this moment holds it, and may be about to read a link.
  if pending <> '{}' then
    perform private.revoke_invitations(pending);
  end if;
  update public.join_links l set revoked_at = now()
  where l.created_by = new.id and l.revoked_at is null and (l.expires_at > now() or exists (
    select from private.link_uses u left join private.members m on m.id = u.account_id
    where u.link_id = l.id and coalesce(m.status, 'waiting') in ('waiting', 'declined')
  ));
  return null;
end
$$;
create trigger end_invitations_of_former_admin after update of role, status on private.members
  for each row
  when (old.role = 'admin' and old.status = 'active' and (new.role <> 'admin' or new.status <> 'active'))
  execute function private.end_invitations_of_former_admin();

create function private.is_allowed_domain(domain text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select s.email_domains = '{}' or lower(domain) = any (s.email_domains) from public.team_settings s
$$;

-- What an account with this confirmed address becomes: active, waiting, or null for nothing.
create function private.way_in(
  account_id uuid, email text, join_token text,
  out status text, out sponsor_id uuid, out join_link_id uuid
)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  registration constant text := (select s.registration from public.team_settings s);
  link public.join_links;
begin
  -- One that is being renewed or revoked at this moment is skipped; renewing it lets the account in (invitations).
  select i.invited_by into sponsor_id
  from public.invitations i
  where i.email = lower(way_in.email) and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
  for update of i skip locked;
  if found then
    status := 'active';
    return;
  end if;
  if not private.is_allowed_domain(coalesce(regexp_replace(way_in.email, '^.*@', ''), '')) then
    return;
  end if;
  link := private.usable_link(way_in.account_id, way_in.join_token);
  sponsor_id := link.created_by;
  join_link_id := link.id;
  status := case
    when registration = 'open' then 'active'
    when registration = 'invitation' and link.id is not null then 'active'
    -- Without an admin there is nobody to invite, and the first one is among those who wait.
    when registration = 'approval' or not private.has_admin() then 'waiting'
  end;
end
$$;

-- The member of a confirmed account, created if the team lets the account in; null if not. Whoever waits is looked at again.
create function private.ensure_member(
  member_id uuid, first_name text, last_name text, join_token text default null
)
returns private.members
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
  member private.members;
  way record;
begin
  select u.id, u.email::text as email, u.email_confirmed_at, u.created_at, u.raw_user_meta_data as data
  into account from auth.users u where u.id = member_id for no key update;
  if account.id is null then
    raise exception 'There is no account for this profile' using errcode = '42501';
  elsif account.email_confirmed_at is null then
    raise exception 'Confirm your email address first' using errcode = '42501';
  end if;
  select * into member from private.members m where m.id = account.id for no key update;
  if member.id is not null and member.status <> 'waiting' then
    return member;
  end if;

  select * into way
  from private.way_in(account.id, account.email, coalesce(join_token, account.data ->> 'join_token'));
  if member.id is null and way.status is null then
    return null;
  end if;
  insert into private.members as known (
    id, email, first_name, last_name, created_at, status, status_changed_at, sponsor_id, join_link_id
  )
  values (
    account.id, account.email,
    coalesce(nullif(left(private.one_line(ensure_member.first_name), 100), ''), private.name_given(account.data, 'first_name')),
    coalesce(nullif(left(private.one_line(ensure_member.last_name), 100), ''), private.name_given(account.data, 'last_name')),
    coalesce(account.created_at, now()), coalesce(way.status, 'waiting'), now(), way.sponsor_id, way.join_link_id
  )
  on conflict (id) do update set
    first_name = excluded.first_name, last_name = excluded.last_name,
    status = excluded.status, role = excluded.role, sponsor_id = coalesce(known.sponsor_id, excluded.sponsor_id),
    join_link_id = coalesce(known.join_link_id, excluded.join_link_id),
    status_changed_at = case when excluded.status = 'waiting' then known.status_changed_at else now() end
  -- Asking again without news changes nothing.
  where (known.first_name, known.last_name, known.status, coalesce(known.sponsor_id, excluded.sponsor_id))
    is distinct from (excluded.first_name, excluded.last_name, excluded.status, known.sponsor_id);
  select * into member from private.members m where m.id = account.id;
  return member;
end
$$;

create function private.end_invitation_of_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_invitations_of_members(array[lower(new.email)]);
  return null;
end
$$;
create trigger end_invitation_of_member after insert or update of status, email on private.members
  for each row when (new.status = 'active') execute function private.end_invitation_of_member();

-- Lets in the invited account with this address, if it is confirmed. Its owner is mailed about it, whether they were waiting
-- (account_mails.sql) or not.
create function private.let_in(email text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
begin
  for account in
    select u.id, exists (select from private.members m where m.id = u.id) as is_known
    from auth.users u
    where u.email = let_in.email and u.email_confirmed_at is not null and u.deleted_at is null and not exists (
      select from private.members m where m.id = u.id and m.status <> 'waiting'
    )
    -- Without one that is being deleted at this moment.
    for no key update
  loop
    if (private.ensure_member(account.id, null, null)).status = 'active' and not account.is_known then
      perform private.note_account_mail(account.id, 'approved');
    end if;
  end loop;
end
$$;

-- Inviting somebody who already has an account lets them in at once.
create function private.let_invited_in() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.let_in(new.email);
  return null;
end
$$;
create trigger let_invited_in after insert or update of expires_at, revoked_at on public.invitations
  for each row when (new.accepted_at is null and new.revoked_at is null and new.expires_at > now())
  execute function private.let_invited_in();

create function public.my_membership()
returns table (status text, refusal text, has_admin boolean, takes_set_up_code boolean)
language sql stable security definer set search_path = ''
as $$
  select coalesce(me.status, 'none'),
    case when me.id is null then
      case when private.is_allowed_domain(coalesce(regexp_replace(caller.email, '^.*@', ''), ''))
        then 'invitation_only' else 'other_domain' end
    end,
    private.has_admin(), coalesce(me.status, '') = 'waiting' and private.takes_set_up_code()
  from auth.users caller left join private.members me on me.id = caller.id
  where caller.id = (select auth.uid())
$$;
comment on function public.my_membership is
  'The caller''s status: waiting, declined, active, suspended, removed or none, and then why: invitation_only or other_domain. has_admin: whether anybody can let them in.';

create function public.join_team(join_token text default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
begin
  member := private.ensure_member((select auth.uid()), null, null, join_token);
  return coalesce(member.status, 'none');
end
$$;
comment on function public.join_team is
  'Asks once more to be let in, with a link or because something changed. Returns the caller''s status.';

-- For Create Account, so that nobody fills it in for nothing. It knows no invitations by mail: those are nobody else's.
create function public.sign_up_outcome(domain text default null, join_token text default null) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when domain is not null and not private.is_allowed_domain(domain) then 'other_domain'
    when s.registration = 'open' then 'member'
    when s.registration = 'approval' or not private.has_admin() then 'waiting'
    when public.join_link_state(join_token) = 'open' then 'member'
    else 'invitation_only'
  end
  from public.team_settings s
$$;
comment on function public.sign_up_outcome is
  'What a new account with an address of this domain, or of any, becomes: member or waiting; or why nothing: other_domain or invitation_only.';

revoke execute on function public.my_membership(), public.join_team(text), public.sign_up_outcome(text, text)
from public, anon, service_role;
grant execute on function public.my_membership(), public.join_team(text) to authenticated;
grant execute on function public.sign_up_outcome(text, text) to anon, authenticated;
revoke execute on all functions in schema private from public;

-- Accounts of a project that is older than the product, the oldest first: they wait for an admin.
do $$
declare
  account record;
begin
  for account in
    select id from auth.users
    where email_confirmed_at is not null and deleted_at is null
    order by email_confirmed_at, created_at
  loop
    perform private.ensure_member(account.id, null, null);
  end loop;
end
$$;
