-- The admins' view of invitations: by mail, to search, send again and take back; and by link, with who joined.

-- An invitation is pending as long as its link lets somebody in. One that was taken back is past once the address was invited again.
create view private.invitation_states as
select i.*, m.first_name as invited_by_first_name, m.last_name as invited_by_last_name, m.searchable as inviter_searchable,
  case
    when i.accepted_at is not null then 'accepted'
    when i.revoked_at is not null then 'revoked'
    when i.bounced_at is not null then 'bounced'
    when i.expires_at <= now() then 'expired'
    else 'pending'
  end as state,
  i.revoked_at is not null and exists (
    select from public.invitations later where later.email = i.email and later.created_at > i.created_at
  ) as is_past
from public.invitations i
join private.members m on m.id = i.invited_by;
revoke all on private.invitation_states from public, anon, authenticated, service_role;

create function public.list_invitations(
  filter text default 'pending', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, email text, first_name text, last_name text, state text, locale text,
  invited_by uuid, invited_by_first_name text, invited_by_last_name text, created_at timestamptz,
  last_sent_at timestamptz, times_sent integer, expires_at timestamptz, accepted_by uuid, accepted_first_name text,
  accepted_last_name text, accepted_at timestamptz, revoked_at timestamptz, bounced_at timestamptz, bounce_reason text,
  needs_password boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select i.id, i.email, i.first_name, i.last_name, i.state, i.locale,
    i.invited_by, i.invited_by_first_name, i.invited_by_last_name, i.created_at,
    i.last_sent_at, i.times_sent, i.expires_at, i.accepted_by, joined.first_name, joined.last_name,
    i.accepted_at, i.revoked_at, i.bounced_at, i.bounce_reason,
    -- The app asks for one while this is set.
    exists (
      select from auth.users u where u.id = i.accepted_by and u.raw_user_meta_data -> 'needs_password' = 'true'
    )
  from private.invitation_states i
  left join private.members joined on joined.id = i.accepted_by
  where (filter = 'all' or i.state = filter)
    and not i.is_past
    and (
      i.searchable like all (private.member_patterns(query))
      or i.inviter_searchable like all (private.member_patterns(query))
    )
  order by i.created_at desc, i.id desc
  limit greatest(least(max_results, 200), 0) offset greatest(skip, 0);
end
$$;
comment on function public.list_invitations is
  'For admins: a page of invitations by mail, the latest first; of an address that was invited again after a taken-back invitation, only the later one. filter: pending, accepted, bounced, expired, revoked or all. The query finds invited and inviting people.';

create function public.count_invitations()
returns table (pending bigint, accepted bigint, bounced bigint, expired bigint, revoked bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select
    count(*) filter (where s.state = 'pending'),
    count(*) filter (where s.state = 'accepted'),
    count(*) filter (where s.state = 'bounced'),
    count(*) filter (where s.state = 'expired'),
    count(*) filter (where s.state = 'revoked')
  from private.invitation_states s
  where not s.is_past;
end
$$;
comment on function public.count_invitations is 'For admins: how many invitations each filter of list_invitations finds.';

-- For the list that an admin is about to send.
create function public.known_addresses(emails text[])
returns table (email text, state text, since timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  most constant int := 500;
begin
  perform private.assert_admin();
  if cardinality(emails) > most then
    raise exception 'Ask about at most % addresses at once', most using errcode = '22023';
  end if;
  return query
  select m.email, m.status, m.created_at
  from private.members m where m.email = any (emails) and m.status in ('active', 'suspended', 'removed', 'declined')
  union all
  select i.email, 'invited', i.last_sent_at
  from private.invitation_states i
  where i.email = any (emails) and i.state = 'pending';
end
$$;
comment on function public.known_addresses is
  'For admins: which of these lower-case addresses are somebody''s whom the team knows (active, suspended, removed, declined) or invited already.';

-- Returns how many were open. Locks in the order of plan_invitations, so that an admin who invites the same people at this moment
-- waits instead of deadlocking. For the latest hundred, the account that only the mail has made is deleted, and its link with it;
-- more would take too long, and a revoked invitation lets nobody in anyway. An account whose link was opened stays.
create function private.revoke_invitations(ids uuid[]) returns integer
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

create function public.revoke_invitations(invitation_ids uuid[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  most constant int := 100;
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  if cardinality(invitation_ids) > most then
    raise exception 'Take back at most % invitations at once', most using errcode = '22023';
  end if;
  return private.revoke_invitations(invitation_ids);
end
$$;
comment on function public.revoke_invitations is
  'For admins: these invitations by mail let nobody in any more, and their links are dead. Returns how many were open.';

-- For the page that a mailed link opens, whose address has the invitation's id. Nobody can guess one.
create function public.invitation_state(invitation_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select i.state from private.invitation_states i where i.id = invitation_id), 'unknown'
  )
$$;
comment on function public.invitation_state is
  'What became of this invitation by mail: pending, accepted, revoked, bounced, expired or unknown.';

-- A mail server may refuse a mail after another was sent, or after the invitation was accepted.
create function public.note_bounce(address text, reason text, mailed_at timestamptz default now()) returns void
language sql security definer set search_path = ''
as $$
  update public.invitations i set bounced_at = now(), bounce_reason = left(coalesce(reason, ''), 500)
  where i.email = lower(address) and i.accepted_at is null and i.revoked_at is null
    and i.bounced_at is null and i.last_sent_at <= mailed_at
$$;
comment on function public.note_bounce is 'For trusted servers: the mail of the open invitation of this address was refused.';

-- A mailed link may end before the invitation does. Once a minute, and 20 mails in all: whoever asks has no account yet.
create function public.renew_invitation(invitation_id uuid)
returns table (email text, first_name text, last_name text, locale text, invited_by_name text)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  most_mails constant int := 20;
begin
  return query
  update public.invitations i set last_sent_at = now(), times_sent = i.times_sent + 1
  from private.invitation_states s
  where i.id = invitation_id and s.id = i.id and s.state = 'pending'
    and i.last_sent_at < now() - interval '1 minute' and i.times_sent < most_mails
  returning i.email, i.first_name, i.last_name, i.locale,
    btrim(s.invited_by_first_name || ' ' || s.invited_by_last_name);
end
$$;
comment on function public.renew_invitation is
  'For trusted servers: whom to mail the link of this pending invitation again; no row if it is not pending or was mailed a moment ago.';

create function public.list_join_links(max_results integer default 20, skip integer default 0)
returns table (
  id uuid, state text, created_by uuid, first_name text, last_name text,
  created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, joined bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select l.id, private.join_link_state(l), l.created_by, m.first_name, m.last_name,
    l.created_at, l.expires_at, l.revoked_at,
    (select count(*) from private.members j where j.join_link_id = l.id and j.admitted_at is not null)
  from public.join_links l
  join private.members m on m.id = l.created_by
  order by l.created_at desc, l.id
  limit greatest(least(max_results, 100), 0) offset greatest(skip, 0);
end
$$;
comment on function public.list_join_links is 'For admins: a page of invitation links, the latest first, with how many joined by each.';

create function private.publish_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{"table": "invitations"}'::jsonb, 'content_changed', 'admins', true);
  return null;
end
$$;
create trigger publish_invitations after insert or update or delete on public.invitations
  for each statement execute function private.publish_invitations();

revoke execute on function
  public.list_invitations(text, text, integer, integer), public.count_invitations(), public.known_addresses(text[]),
  public.revoke_invitations(uuid[]), public.list_join_links(integer, integer)
from public, anon, service_role;
grant execute on function
  public.list_invitations(text, text, integer, integer), public.count_invitations(), public.known_addresses(text[]),
  public.revoke_invitations(uuid[]), public.list_join_links(integer, integer)
to authenticated;
revoke execute on function public.invitation_state(uuid) from public;
grant execute on function public.invitation_state(uuid) to anon, authenticated, service_role;
revoke execute on function public.note_bounce(text, text, timestamptz), public.renew_invitation(uuid)
from public, anon, authenticated;
grant execute on function public.note_bounce(text, text, timestamptz), public.renew_invitation(uuid) to service_role;
revoke execute on all functions in schema private from public;
