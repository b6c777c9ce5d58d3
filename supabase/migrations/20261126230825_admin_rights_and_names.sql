-- What an admin handed out ends with their rights, once and for all; a group that is handed on twice returns to who made it;
-- vice presidents are put in another order; names have no line breaks. Links and invitations of who is no admin today are
-- revoked, and stored names tidied.

drop trigger limit_open_links on public.join_links;

drop function private.can_still_invite(uuid);

drop function private.limit_open_links();

create or replace function private.trimmed(words text) returns text
language sql immutable parallel safe
return case when private.is_blank(words) then '' else btrim(
  words,
  E'\t\n\u000B\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF'
) end;

create or replace function private.one_line(words text) returns text
language sql immutable parallel safe
return private.trimmed(regexp_replace(
  regexp_replace(
    words,
    '[\u00AD\u034F\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]', '', 'g'
  ),
  '[\u0001-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'
));

create function private.name_given(data jsonb, part text) returns text
language sql immutable parallel safe
return case jsonb_typeof(data -> part) when 'string' then left(private.one_line(data ->> part), 100) else '' end;

create or replace function private.update_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
  is_own constant boolean := old.id = (select auth.uid());
  own_part_changes constant boolean :=
    (
      new.first_name, new.last_name, new.push_token, new.hidden_chats, new.archived_chats,
      new.phone, new.phone_audience, new.email_audience, new.state, new.about
    ) is distinct from (
      old.first_name, old.last_name, old.push_token, old.hidden_chats, old.archived_chats,
      old.phone, old.phone_audience, old.email_audience, old.state, old.about
    );
  rights_change constant boolean :=
    (new.role, new.rally_enabled, new.can_create_chats, new.can_send_messages)
    is distinct from (old.role, old.rally_enabled, old.can_create_chats, old.can_send_messages);
begin
  if (new.id, new.email, new.created_at, new.is_active, new.status, new.sponsor_id, new.can_supervise)
    is distinct from (old.id, old.email, old.created_at, old.is_active, old.status, old.sponsor_id, old.can_supervise)
  then
    raise exception 'A profile''s id, email and dates follow the account' using errcode = '42501';
  end if;
  if not by_service and own_part_changes and not is_own then
    raise exception 'Members change only their own profile' using errcode = '42501';
  end if;
  if not by_service and rights_change and not private.is_admin() then
    raise exception 'Only an admin may change roles and permissions' using errcode = '42501';
  end if;
  if not by_service and not is_own and not private.is_admin() then
    raise exception 'Members change only their own profile' using errcode = '42501';
  end if;
  if rights_change and not old.is_active then
    raise exception 'A former member has no permissions' using errcode = '42501';
  end if;

  -- As they are stored, so that the caller gets back what there is.
  if new.phone is distinct from old.phone then
    new.phone := private.phone_from(new.phone);
  end if;
  if new.state is distinct from old.state then
    new.state := nullif(upper(private.trimmed(new.state)), '');
  end if;
  if new.about is distinct from old.about then
    new.about := private.one_line(new.about);
  end if;
  perform private.refuse_nulls(jsonb_build_object(
    'first_name', new.first_name, 'last_name', new.last_name, 'role', new.role, 'rally_enabled', new.rally_enabled,
    'can_create_chats', new.can_create_chats, 'can_send_messages', new.can_send_messages,
    -- Null in other people's rows, where they cannot be changed.
    'hidden_chats', case when is_own or by_service then to_jsonb(new.hidden_chats) else '[]' end,
    'archived_chats', case when is_own or by_service then to_jsonb(new.archived_chats) else '[]' end,
    'phone_audience', case when is_own or by_service then to_jsonb(new.phone_audience) else '""' end,
    'email_audience', case when is_own or by_service then to_jsonb(new.email_audience) else '""' end
  ));
  if new.first_name is distinct from old.first_name then
    new.first_name := private.one_line(new.first_name);
  end if;
  if new.last_name is distinct from old.last_name then
    new.last_name := private.one_line(new.last_name);
  end if;
  update private.members m set
    first_name = case when new.first_name is distinct from old.first_name then new.first_name else m.first_name end,
    last_name = case when new.last_name is distinct from old.last_name then new.last_name else m.last_name end,
    push_token = case when new.push_token is distinct from old.push_token then new.push_token else m.push_token end,
    hidden_chats = case when new.hidden_chats is distinct from old.hidden_chats then new.hidden_chats else m.hidden_chats end,
    archived_chats = case when new.archived_chats is distinct from old.archived_chats then new.archived_chats else m.archived_chats end,
    phone = case when new.phone is distinct from old.phone then new.phone else m.phone end,
    phone_audience = case when new.phone_audience is distinct from old.phone_audience then new.phone_audience else m.phone_audience end,
    email_audience = case when new.email_audience is distinct from old.email_audience then new.email_audience else m.email_audience end,
    state = case when new.state is distinct from old.state then new.state else m.state end,
    about = case when new.about is distinct from old.about then new.about else m.about end,
    role = case when new.role is distinct from old.role then new.role else m.role end,
    rally_enabled = case when new.rally_enabled is distinct from old.rally_enabled then new.rally_enabled else m.rally_enabled end,
    can_create_chats = case when new.can_create_chats is distinct from old.can_create_chats then new.can_create_chats else m.can_create_chats end,
    can_send_messages = case when new.can_send_messages is distinct from old.can_send_messages then new.can_send_messages else m.can_send_messages end
  where m.id = old.id;
  return new;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create function public.order_vice_presidents(member_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  chosen uuid[];
  ordered uuid[];
begin
  perform private.assert_admin();
  if cardinality(member_ids) > 10 then
    raise exception 'At most 10 vice presidents' using errcode = '22023';
  end if;
  select s.vice_presidents into chosen from public.team_settings s for update;
  with places as (
    select place, member_id, row_number() over (partition by member_id = any (member_ids) order by place) as nth,
      member_id = any (member_ids) as moves
    from unnest(chosen) with ordinality as c (member_id, place)
  ), moving as (
    select c.member_id, row_number() over (order by array_position(member_ids, c.member_id)) as nth
    from unnest(chosen) as c (member_id) where c.member_id = any (member_ids)
  )
  select array_agg(coalesce(moving.member_id, places.member_id) order by places.place) into ordered
  from places left join moving on places.moves and moving.nth = places.nth;
  update public.team_settings s set vice_presidents = ordered where ordered <> s.vice_presidents;
end
$$;

create or replace function private.drop_recovery_codes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.has_second_factor(old.user_id) then
    delete from private.recovery_codes r where r.user_id = old.user_id;
    delete from private.recovery_attempts a where a.user_id = old.user_id;
  end if;
  return null;
end
$$;

create or replace function private.hand_over() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with heirs as (
    select c.id, (
      select p.user_id
      from private.chat_participants p
      join private.members m on m.id = p.user_id and m.is_active
      where p.chat_id = c.id and p.is_active
      order by m.role = 'admin' desc, p.joined_at, p.user_id
      limit 1
    ) as heir
    from public.chats c
    where c.created_by = new.id and c.type = 'group'
  ), given as (
    update public.chats c set created_by = heirs.heir from heirs where c.id = heirs.id and heirs.heir is not null
    returning c.id
  )
  insert into private.handed_over_groups as handed_over (chat_id, member_id) select given.id, new.id from given
  on conflict (chat_id) do update set member_id = excluded.member_id
  -- Unless who made it comes back to it.
  where not exists (
    select from private.chat_participants p join private.members m on m.id = p.user_id and m.status <> 'deleted'
    where p.chat_id = handed_over.chat_id and p.user_id = handed_over.member_id and p.is_active
  );

  update public.team_notices n set created_by = (select auth.uid())
  where n.created_by = new.id and n.published_at is null and n.cancelled_at is null
    and (select auth.uid()) is not null and (select auth.uid()) <> new.id;
  return null;
end
$$;

create or replace function private.take_back_groups() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.chats c set created_by = new.id
  from private.handed_over_groups h
  where h.member_id = new.id and c.id = h.chat_id and exists (
    select from private.chat_participants p where p.chat_id = c.id and p.user_id = new.id and p.is_active
  );
  delete from private.handed_over_groups where member_id = new.id;
  -- Groups that nobody was left to manage.
  with adopted as (
    update public.chats c set created_by = new.id
    from private.chat_participants p, private.members former
    where p.user_id = new.id and p.is_active and c.id = p.chat_id and c.type = 'group'
      and former.id = c.created_by and not former.is_active
    returning c.id, former.id as former_id
  )
  insert into private.handed_over_groups (chat_id, member_id) select a.id, a.former_id from adopted a
  on conflict (chat_id) do nothing;
  return null;
end
$$;

create function private.check_join_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Waits for somebody who is taking the creator's rights away at this moment.
  perform from private.members m where m.id = new.created_by and m.is_active and m.role = 'admin' for share;
  if not found then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  if (select count(*) from public.join_links l where l.revoked_at is null and l.expires_at > now()) >= 200 then
    raise exception 'At most 200 invitation links are open at once' using errcode = 'PT429';
  end if;
  return new;
end
$$;

create trigger check_join_link before insert on public.join_links
  for each row execute function private.check_join_link();

create or replace function private.join_link_state(link public.join_links) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when link.revoked_at is not null then 'taken_back'
    when link.expires_at <= now() then 'expired'
    else 'open'
  end
$$;

create or replace function public.plan_invitations(people jsonb, language text default 'en')
returns table (
  email text, state text, account_id uuid, was_invited boolean, invitation_id uuid, invited_by_name text
)
language plpgsql security definer set search_path = ''
as $$
declare
  most_at_once constant int := 100;
  most_an_hour constant int := 500;
  asked constant int := case jsonb_typeof(people) when 'array' then jsonb_array_length(people) end;
  me constant uuid := (select auth.uid());
  mails int := 0;
  person record;
begin
  -- Serializes calls of one admin, so that two cannot both use what is left of the limit, and waits for somebody who is
  -- taking the caller's rights away at this moment.
  perform from private.members m where m.id = me for no key update;
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  if asked is null or asked not between 1 and most_at_once then
    raise exception 'Invite between 1 and % people at once', most_at_once using errcode = '22023';
  end if;
  delete from private.invitation_mails old where old.sent_at < now() - interval '1 hour';

  -- In one order, so that two admins who invite the same people wait for each other instead of deadlocking.
  for person in
    select distinct on (lower(p.email)) lower(p.email) as email, p.first_name, p.last_name
    from jsonb_to_recordset(people) p (email text, first_name text, last_name text)
    order by lower(p.email)
  loop
    select planned.* into state, account_id, was_invited, invitation_id
    from private.plan_invitation(person.email, person.first_name, person.last_name, language) planned;
    email := person.email;
    select btrim(m.first_name || ' ' || m.last_name) into invited_by_name
    from public.invitations i join private.members m on m.id = i.invited_by where i.id = invitation_id;
    mails := mails + (state in ('new', 'pending'))::int;
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

create or replace function private.plan_invitation(
  address text, first_name text, last_name text, language text,
  out state text, out account_id uuid, out was_invited boolean, out invitation_id uuid
)
language plpgsql security definer set search_path = ''
as $$
declare
  account record;
  known public.invitations;
begin
  select u.id, u.email_confirmed_at is not null as is_confirmed, u.invited_at is not null as was_invited into account
  from auth.users u
  where u.email = address and u.deleted_at is null
  order by u.email_confirmed_at nulls last
  limit 1;
  if exists (select from private.members m where m.id = account.id and m.status <> 'waiting') then
    state := 'member';
    return;
  end if;

  select * into known from public.invitations i
  where i.email = address and i.accepted_at is null and i.revoked_at is null
  for update;
  if known.last_sent_at > now() - interval '1 minute' and known.bounced_at is null then
    state := 'sent';
    invitation_id := known.id;
    return;
  end if;

  insert into public.invitations as i (email, first_name, last_name, invited_by, locale, last_sent_at, times_sent)
  values (
    address, left(private.one_line(first_name), 100), left(private.one_line(last_name), 100), (select auth.uid()),
    case language when 'es' then 'es' else 'en' end, now(), 1
  )
  on conflict (email) where accepted_at is null and revoked_at is null do update set
    first_name = coalesce(nullif(excluded.first_name, ''), i.first_name),
    last_name = coalesce(nullif(excluded.last_name, ''), i.last_name),
    -- Who invited first has brought the person in, unless that invitation came to nothing.
    invited_by = case when i.expires_at > now() then i.invited_by else excluded.invited_by end,
    locale = excluded.locale, last_sent_at = now(), times_sent = i.times_sent + 1,
    expires_at = excluded.expires_at, bounced_at = null, bounce_reason = ''
  returning i.id into invitation_id;

  if account.is_confirmed then
    state := case
      when exists (select from public.invitations i where i.id = invitation_id and i.accepted_at is not null) then 'joined'
      else 'member'
    end;
  else
    state := case when account.id is null then 'new' else 'pending' end;
    account_id := account.id;
    was_invited := account.was_invited;
  end if;
end
$$;

create or replace view private.invitation_states as
select i.*, m.first_name as invited_by_first_name, m.last_name as invited_by_last_name, m.searchable as inviter_searchable,
  case
    when i.accepted_at is not null then 'accepted'
    when i.revoked_at is not null then 'revoked'
    when i.bounced_at is not null then 'bounced'
    when i.expires_at <= now() then 'expired'
    else 'pending'
  end as state
from public.invitations i
join private.members m on m.id = i.invited_by;

create function private.revoke_invitations(ids uuid[]) returns text[]
language plpgsql security definer set search_path = ''
as $$
declare
  revoked text[];
begin
  perform from public.invitations i where i.id = any (ids) order by i.email for update;
  with changed as (
    update public.invitations i set revoked_at = now()
    where i.id = any (ids) and i.accepted_at is null and i.revoked_at is null
    returning i.email
  )
  select coalesce(array_agg(changed.email), '{}') into revoked from changed;
  return revoked;
end
$$;

create or replace function public.revoke_invitations(invitation_ids uuid[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  most constant int := 100;
  revoked text[];
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  if cardinality(invitation_ids) > most then
    raise exception 'Take back at most % invitations at once', most using errcode = '22023';
  end if;
  revoked := private.revoke_invitations(invitation_ids);
  delete from auth.users u
  where u.email = any (revoked) and u.invited_at is not null and u.email_confirmed_at is null and u.last_sign_in_at is null;
  return cardinality(revoked);
end
$$;

create or replace function private.appoint_admin(email text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  account record;
begin
  select u.id, u.email_confirmed_at, u.raw_user_meta_data as data into account
  from auth.users u where u.email = lower(btrim(appoint_admin.email)) and u.deleted_at is null
  order by u.email_confirmed_at nulls last limit 1 for no key update;
  if account.id is null or account.email_confirmed_at is null then
    raise exception 'Nobody has created and confirmed an account with this address yet' using errcode = 'PT404';
  end if;
  insert into private.members as known (id, email, first_name, last_name, role, status_changed_at)
  values (
    account.id, lower(btrim(appoint_admin.email)), private.name_given(account.data, 'first_name'),
    private.name_given(account.data, 'last_name'), 'admin', now()
  )
  on conflict (id) do update set
    role = 'admin', status = 'active',
    status_changed_at = case when known.status = 'active' then known.status_changed_at else now() end;
  delete from private.set_up_code;
  return 'appointed';
end
$$;

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
    where u.link_id = l.id and coalesce(m.status, 'waiting') in ('waiting', 'removed')
  ));
  return null;
end
$$;

create trigger end_invitations_of_former_admin after update of role, status on private.members
  for each row
  when (old.role = 'admin' and old.status = 'active' and (new.role <> 'admin' or new.status <> 'active'))
  execute function private.end_invitations_of_former_admin();

create or replace function private.way_in(
  account_id uuid, email text, join_token text,
  out status text, out sponsor_id uuid, out invitation_id uuid, out join_link_id uuid
)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  registration constant text := (select s.registration from public.team_settings s);
  link public.join_links;
begin
  -- One that is being renewed or revoked at this moment is skipped; renewing it lets the account in (invitations).
  select i.id, i.invited_by into invitation_id, sponsor_id
  from public.invitations i
  where i.email = lower(way_in.email) and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
  for update of i skip locked;
  if invitation_id is not null then
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

create or replace function private.ensure_member(
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
  select * into member from private.members m where m.id = account.id for update;
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
  if way.invitation_id is not null then
    update public.invitations i set accepted_by = member.id, accepted_at = now() where i.id = way.invitation_id;
  end if;
  return member;
end
$$;

comment on function public.order_vice_presidents(pg_catalog.uuid[]) is 'For admins: Home names these vice presidents in this order.';

revoke execute on function private.check_join_link() from public;

revoke execute on function private.end_invitations_of_former_admin() from public;

revoke execute on function private.name_given(jsonb,text) from public;

revoke execute on function private.revoke_invitations(uuid[]) from public;

revoke execute on function public.order_vice_presidents(uuid[]) from anon;

revoke execute on function public.order_vice_presidents(uuid[]) from public;

revoke execute on function public.order_vice_presidents(uuid[]) from service_role;

drop function private.name_from(text);

update public.join_links l set revoked_at = now()
from private.members m
where m.id = l.created_by and (m.role <> 'admin' or not m.is_active) and l.revoked_at is null;

select private.revoke_invitations(array(
  select i.id from public.invitations i join private.members m on m.id = i.invited_by
  where (m.role <> 'admin' or not m.is_active) and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
));

update private.members m set first_name = private.one_line(m.first_name), last_name = private.one_line(m.last_name)
where (m.first_name, m.last_name) is distinct from (private.one_line(m.first_name), private.one_line(m.last_name));
