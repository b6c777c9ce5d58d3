-- Invitations by link: with an end date, handed out by an admin as text, mail or QR code. A link opens Create Account;
-- the account is confirmed by mail like every other.

create table public.join_links (
  id uuid primary key default gen_random_uuid(),
  token text not null unique default replace(gen_random_uuid()::text, '-', ''),
  created_by uuid not null default auth.uid() references private.members (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  revoked_at timestamptz,
  constraint "An invitation lasts at most 90 days" check (expires_at <= created_at + interval '90 days')
);
comment on table public.join_links is 'Invitations that admins hand out; one is open until expires_at, unless it is taken back before.';
create index join_links_created_by on public.join_links (created_by);

alter table private.members add column join_link_id uuid references public.join_links (id) on delete set null;
create index members_join_link_id on private.members (join_link_id);
comment on column private.members.join_link_id is 'The link they came by.';

alter table public.join_links enable row level security;
revoke all on public.join_links from anon, authenticated, service_role;
-- Not the token, with which anybody joins: show_join_link.
grant select (id, created_by, created_at, expires_at, revoked_at), insert (expires_at) on public.join_links to authenticated;
grant select, delete on public.join_links to service_role;

create policy "admins read invitations" on public.join_links
  for select to authenticated using ((select private.is_admin()));
create policy "admins make invitations in their own name" on public.join_links
  for insert to authenticated
  with check ((select private.is_admin()) and created_by = (select auth.uid()));

create function private.check_join_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Waits for somebody who is taking the creator's rights away at this moment.
  perform from private.members m where m.id = new.created_by and m.is_active and m.role = 'admin' for share;
  if not found then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  if (select count(*) from public.join_links l where l.revoked_at is null and l.expires_at > now()) >= 200 then
    raise exception 'At most 200 invitation links are open at once' using errcode = 'PT429';
  end if;
  return new;
end
$$;
create trigger check_join_link before insert on public.join_links
  for each row execute function private.check_join_link();

create function public.take_back_join_link(link_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  update public.join_links l set revoked_at = now() where l.id = link_id and l.revoked_at is null;
end
$$;
comment on function public.take_back_join_link is 'For admins: from now on nobody joins with this link.';
revoke execute on function public.take_back_join_link(uuid) from public, anon, service_role;
grant execute on function public.take_back_join_link(uuid) to authenticated;

create function public.show_join_link(link_id uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  shown text;
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  select l.token into shown from public.join_links l
  where l.id = show_join_link.link_id and private.join_link_state(l) = 'open';
  if not found then
    raise exception 'This link is no longer open' using errcode = 'PT404';
  end if;
  return shown;
end
$$;
comment on function public.show_join_link is 'For admins who have just shown who they are: the token of this open link.';
revoke execute on function public.show_join_link(uuid) from public, anon, service_role;
grant execute on function public.show_join_link(uuid) to authenticated;

-- What became of one link that nobody can guess.
create function private.join_link_state(link public.join_links) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when link.revoked_at is not null then 'taken_back'
    when link.expires_at <= now() then 'expired'
    else 'open'
  end
$$;

-- For someone who opens the link and has no account yet.
create function public.join_link_state(token text) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select private.join_link_state(l) from public.join_links l where l.token = join_link_state.token), 'unknown'
  )
$$;
comment on function public.join_link_state is 'Whether this link is open, taken_back, expired or unknown.';
revoke execute on function public.join_link_state(text) from public;
grant execute on function public.join_link_state(text) to anon, authenticated, service_role;

-- Invitations by mail. The function `invite` has the auth service send them, with the secret key; it first asks here,
-- with the caller's own token, whether the caller may, how many more, and who is already on the team.

-- One row per invited address, renewed by each mail. Its state follows from the dates: accepted, revoked, bounced,
-- expired, else pending.
create table public.invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  invited_by uuid not null references private.members (id),
  locale text not null default 'en',
  created_at timestamptz not null default now(),
  last_sent_at timestamptz,
  times_sent integer not null default 0,
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_by uuid references private.members (id),
  accepted_at timestamptz,
  revoked_at timestamptz,
  bounced_at timestamptz,
  bounce_reason text not null default '',
  searchable text generated always as (private.member_words(first_name, last_name, email)) stored,
  constraint "An invitation has a lower-case e-mail address" check (email = lower(email) and email like '_%@_%'),
  constraint "E-mail is at most 254 characters" check (char_length(email) <= 254),
  constraint "First name is at most 100 characters" check (char_length(first_name) <= 100),
  constraint "Last name is at most 100 characters" check (char_length(last_name) <= 100),
  constraint "Bounce reason is at most 500 characters" check (char_length(bounce_reason) <= 500),
  constraint "An invitation is in English or Spanish" check (locale in ('en', 'es'))
);
comment on table public.invitations is 'Invitations by mail; at most one of an address is neither accepted nor revoked.';
comment on column public.invitations.searchable is 'Name and e-mail in lower case without accents, for searching.';
create unique index invitations_one_open on public.invitations (email) where accepted_at is null and revoked_at is null;
create index invitations_invited_by on public.invitations (invited_by, created_at);
create index invitations_accepted_by on public.invitations (accepted_by);
create index invitations_email on public.invitations (email, created_at);
create index invitations_bounced on public.invitations (bounced_at)
  where bounced_at is not null and accepted_at is null and revoked_at is null;
create index invitations_created_at on public.invitations (created_at, id);

alter table public.invitations enable row level security;
revoke all on public.invitations from anon, authenticated, service_role;
grant select on public.invitations to authenticated, service_role;

create policy "admins read invitations by mail" on public.invitations
  for select to authenticated using ((select private.is_admin()));

create table private.invitation_mails (
  id bigint generated always as identity primary key,
  invited_by uuid not null references private.members (id),
  sent_at timestamptz not null default now()
);
comment on table private.invitation_mails is 'Invitations mailed in the last hour, for rate limiting.';
create index invitation_mails_invited_by on private.invitation_mails (invited_by, sent_at);
alter table private.invitation_mails enable row level security;
revoke all on private.invitation_mails from anon, authenticated, service_role;

-- Each address once, with the account that it has.
create function private.invited_people(people jsonb)
returns table (
  email text, first_name text, last_name text, language text, account_id uuid
)
language sql stable security definer set search_path = ''
as $$
  select asked.email, asked.first_name, asked.last_name, asked.language, account.id
  from (
    select distinct on (address.email) address.email,
      left(private.one_line(coalesce(p.first_name, '')), 100) as first_name,
      left(private.one_line(coalesce(p.last_name, '')), 100) as last_name,
      p.language
    from jsonb_to_recordset(people) p (email text, first_name text, last_name text, language text),
      lateral (select lower(private.one_line(coalesce(p.email, ''))) as email) address
    order by address.email
  ) asked
  left join lateral (
    select u.id from auth.users u
    where u.email = asked.email and u.deleted_at is null
    order by u.email_confirmed_at nulls last
    limit 1
  ) account on true
$$;

-- An invitation is over once its address is on the team, by whatever way, and even if it had expired. One that is being renewed or
-- revoked at this moment is skipped, so that nobody waits for the other.
create function private.end_invitations_of_members(emails text[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  ended record;
begin
  -- An update of no rows would be published, too.
  for ended in
    select i.id, m.id as member_id
    from public.invitations i join private.members m on m.email = i.email and m.is_active
    where i.email = any (emails) and i.accepted_at is null and i.revoked_at is null
    for update of i skip locked
  loop
    update public.invitations i set accepted_by = ended.member_id, accepted_at = now() where i.id = ended.id;
  end loop;
end
$$;

-- Records each invitation before its mail, and says what to do with each address:
--   due     invite, after prepare_invitation_mail
--   sent    nothing: the mail went out a moment ago
--   joined  nothing: the account was there already, and the invitation has let it in
--   member  nothing: is or was on the team
create function public.plan_invitations(people jsonb, language text default 'en')
returns table (email text, state text, invitation_id uuid, invited_by_name text)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  most_at_once constant int := 100;
  most_an_hour constant int := 500;
  asked constant int := case jsonb_typeof(people) when 'array' then jsonb_array_length(people) end;
  me constant uuid := (select auth.uid());
  mails int := 0;
  known text[];
  due uuid[];
begin
  -- Serializes calls of one admin, so that two cannot both use what is left of the limit, and waits for somebody who is
  -- taking the caller's rights away at this moment.
  perform from private.members m where m.id = me for no key update;
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  if asked is null or asked not between 1 and most_at_once then
    raise exception 'Invite between 1 and % people at once', most_at_once using errcode = '22023';
  end if;
  delete from private.invitation_mails old where old.sent_at < now() - interval '1 hour';

  known := array(
    select p.email from private.invited_people(people) p join private.members m on m.id = p.account_id
    where m.status <> 'waiting'
  );
  with renewed as (
    insert into public.invitations as i (email, first_name, last_name, invited_by, locale, last_sent_at, times_sent)
    select p.email, p.first_name, p.last_name, me,
      case coalesce(p.language, plan_invitations.language) when 'es' then 'es' else 'en' end, now(), 1
    from private.invited_people(people) p
    where p.email <> all (known)
    -- In one order, so that two admins who invite the same people wait for each other instead of deadlocking.
    order by p.email
    on conflict (email) where accepted_at is null and revoked_at is null do update set
      first_name = coalesce(nullif(excluded.first_name, ''), i.first_name),
      last_name = coalesce(nullif(excluded.last_name, ''), i.last_name),
      -- Who invited first has brought the person in, unless that invitation came to nothing.
      invited_by = case when i.expires_at > now() then i.invited_by else excluded.invited_by end,
      locale = excluded.locale, last_sent_at = now(), times_sent = i.times_sent + 1,
      expires_at = excluded.expires_at, bounced_at = null, bounce_reason = ''
    where i.bounced_at is not null or coalesce(i.last_sent_at < now() - interval '1 minute', true)
    returning i.id
  )
  select array_agg(renewed.id) into due from renewed;
  -- Somebody came onto the team at this moment, or by another way while an invitation was renewed.
  perform private.end_invitations_of_members(array(select p.email from private.invited_people(people) p));

  for email, state, invitation_id, invited_by_name in
    select p.email,
      case
        when p.email = any (known) then 'member'
        when i.id <> all (coalesce(due, '{}')) then 'sent'
        when i.accepted_at is not null then 'joined'
        -- Also of an account that is being confirmed at this moment: prepare_invitation_mail lets it in.
        else 'due'
      end,
      i.id, btrim(m.first_name || ' ' || m.last_name)
    from private.invited_people(people) p
    left join lateral (
      select i.* from public.invitations i
      where i.email = p.email and p.email <> all (known)
        and (i.id = any (due) or i.accepted_at is null and i.revoked_at is null)
    ) i on true
    left join private.members m on m.id = i.invited_by
    order by p.email
  loop
    mails := mails + (state = 'due')::int;
    return next;
  end loop;

  if mails + (select count(*) from private.invitation_mails sent where sent.invited_by = me) > most_an_hour then
    raise exception 'Too many invitations: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  insert into private.invitation_mails (invited_by) select me from generate_series(1, mails);
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.plan_invitations is
  'For admins: records the invitations of these people (email, first_name, last_name, and language, unless it is that of all) and says whom to mail. Counts mails against the hourly limit.';

-- Asked right before each mail: of a hundred the last goes out long after the plan. An earlier account that was never confirmed may
-- be a stranger's: its password is removed, so that the invitation does not confirm it. An account confirmed since then is let in.
create function public.prepare_invitation_mail(invitation_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  address constant text := (
    select i.email from public.invitations i
    where i.id = prepare_invitation_mail.invitation_id and i.accepted_at is null and i.revoked_at is null
  );
begin
  update auth.users u set
    encrypted_password = '',
    raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || jsonb_build_object(
      'first_name', i.first_name, 'last_name', i.last_name, 'locale', i.locale, 'needs_password', true,
      'invited_by', btrim(m.first_name || ' ' || m.last_name)
    )
  from public.invitations i join private.members m on m.id = i.invited_by
  where i.id = prepare_invitation_mail.invitation_id
    and u.email = address and u.email_confirmed_at is null and u.deleted_at is null;
  perform private.let_in(address);
  return (
    select case when i.accepted_at is not null then 'joined' when i.revoked_at is not null then 'taken_back' else 'due' end
    from public.invitations i where i.id = prepare_invitation_mail.invitation_id
  );
end
$$;
comment on function public.prepare_invitation_mail is
  'For trusted servers: whether this invitation is still to be mailed: due, joined or taken_back; null if there is none any more.';

-- The accounts that only an invitation's mail has made, and with them its links. One whose link was opened stays.
create function private.delete_invited_accounts(emails text[]) returns void
language sql security definer set search_path = ''
as $$
  delete from auth.users u
  where u.email = any (emails) and u.invited_at is not null and u.email_confirmed_at is null and u.last_sign_in_at is null
$$;

-- Asked right after each mail. If the invitation was revoked while it was being sent, its account was made after all.
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
comment on function public.settle_invitation_mail is
  'For trusted servers: what became of this invitation while it was mailed: invited, or taken_back and its link dead.';

revoke execute on function public.plan_invitations(jsonb, text) from public, anon, service_role;
grant execute on function public.plan_invitations(jsonb, text) to authenticated;
revoke execute on function public.prepare_invitation_mail(uuid), public.settle_invitation_mail(uuid) from public, anon, authenticated;
grant execute on function public.prepare_invitation_mail(uuid), public.settle_invitation_mail(uuid) to service_role;
revoke execute on all functions in schema private from public;
