-- People are mailed that an admin let them in or declined them: the mails about second factors become mails about accounts, and
-- what waits to be mailed stays. The audit log is searched for what its sentences say, and for who was invited: what existing
-- entries say stays, they are only found by more, and name the invited among the people concerned, as new ones do. A typed %
-- or _ is itself, wherever people are searched. Suspending an admin no longer waits for people who join by their invitation.

drop function public.claim_security_mails(integer);

alter table private.security_mails rename to account_mails;
alter sequence private.security_mails_id_seq rename to account_mails_id_seq;
alter index private.security_mails_pkey rename to account_mails_pkey;
alter index private.security_mails_user_id rename to account_mails_user_id;
alter index private.security_mails_happened_at rename to account_mails_happened_at;
alter table private.account_mails rename constraint security_mails_user_id_fkey to account_mails_user_id_fkey;
alter table private.account_mails drop constraint "Event must be on, off or reset";
update private.account_mails set event = 'second_factor_' || event;
alter table private.account_mails add constraint "Event must be known" check (
  event in ('approved', 'declined', 'second_factor_on', 'second_factor_off', 'second_factor_reset')
);

drop function private.plan_invitation(text,text,text,text);

drop function private.record_invitations(text,uuid[],uuid);

create or replace function private.member_patterns(query text) returns text[]
language sql immutable set search_path = ''
as $$
  select array(
    select '%' || regexp_replace(word, '([%_\\])', '\\\1', 'g') || '%'
    from regexp_split_to_table(lower(private.without_accents(left(query, 200))), '\s+') word
    where word <> ''
    order by length(word) desc, word
    limit 5
  )
$$;

create or replace function public.set_vice_president(member_id uuid, is_vice_president boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  if is_vice_president and not exists (select from private.members m where m.id = member_id and m.is_active) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  update public.team_settings s
  set vice_presidents = case
    when not is_vice_president then array_remove(s.vice_presidents, member_id)
    -- Who is suspended keeps their place as long as nobody else needs it.
    when cardinality(s.vice_presidents) >= 10 then array(
      select m.id from unnest(s.vice_presidents) with ordinality as chosen (member_id, place)
      join private.members m on m.id = chosen.member_id and m.is_active order by chosen.place
    ) || member_id
    else s.vice_presidents || member_id
  end
  where is_vice_president <> (member_id = any (s.vice_presidents));
exception
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create or replace function private.forget_member(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  address constant text := (select lower(m.email) from private.members m where m.id = member_id);
begin
  update private.members set
    status = 'deleted', status_reason = '', email = null, first_name = 'Former', last_name = 'member', role = 'user',
    push_token = null, hidden_chats = '{}', archived_chats = '{}',
    phone = null, phone_audience = 'leaders', email_audience = 'everyone', state = null, about = '',
    rally_enabled = false, can_create_chats = false, can_send_messages = false, can_supervise = false
  where id = member_id and status <> 'deleted';
  update private.chat_participants set is_active = false, last_read_at = null, muted_until = null,
    mentions_only = false, mentioned_at = null
  where user_id = member_id and is_active;
  delete from public.invitations i where i.accepted_by = member_id;
  -- Not one that an admin is renewing at this moment.
  delete from public.invitations i
  where i.id in (select known.id from public.invitations known where known.email = address for update skip locked);
  perform private.forget_in_audit_log(member_id);
end
$$;

create function private.note_account_mail(user_id uuid, event text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.account_mails old_one where old_one.happened_at < now() - interval '3 days';
  insert into private.account_mails (user_id, event)
  select u.id, note_account_mail.event from auth.users u where u.id = note_account_mail.user_id;
end
$$;

create function private.note_decision() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.account_mails m where m.user_id = new.id and m.event in ('approved', 'declined');
  -- Only removing a member takes a reason.
  if (old.status = 'waiting' or old.status = 'removed' and old.status_reason = '') and new.status in ('active', 'removed')
    and (select auth.uid()) is distinct from new.id
  then
    perform private.note_account_mail(new.id, case new.status when 'active' then 'approved' else 'declined' end);
  end if;
  return null;
end
$$;

create trigger note_decision after update of status on private.members
  for each row when (old.status <> new.status) execute function private.note_decision();

create or replace function private.note_second_factor() returns trigger
language plpgsql security definer set search_path = ''
as $$
<<note_second_factor>>
declare
  factor constant auth.mfa_factors := coalesce(new, old);
  actor constant uuid := (select auth.uid());
  event constant text := case
    when tg_op <> 'DELETE' then 'second_factor_on'
    when actor <> factor.user_id then 'second_factor_reset'
    else 'second_factor_off'
  end;
begin
  -- Only the first factor turns it on, only the last turns it off; with a deleted account goes everything.
  if exists (select from auth.mfa_factors f where f.user_id = factor.user_id and f.status = 'verified' and f.id <> factor.id)
    or not exists (select from auth.users u where u.id = factor.user_id)
  then
    return null;
  end if;
  -- All factors are removed in one statement.
  if exists (
    select from private.account_mails m
    where m.user_id = factor.user_id and m.event = note_second_factor.event and m.happened_at = now()
  ) then
    return null;
  end if;
  perform private.note_account_mail(factor.user_id, event);
  -- A reset has an entry of its own, with the reason.
  if event <> 'second_factor_reset' then
    perform private.record_change(
      'member', event, factor.user_id, null, null, null, array[factor.user_id],
      -- The auth service names nobody; only its owner turns a factor on.
      actor_id => coalesce(actor, case event when 'second_factor_on' then factor.user_id end)
    );
  end if;
  return null;
end
$$;

create function public.claim_account_mails(max_results integer default 50)
returns table (email text, language text, event text, happened_at timestamptz)
language plpgsql security definer set search_path = ''
as $$
begin
  return query
  with due as (
    delete from private.account_mails gone
    where gone.id in (
      select m.id from private.account_mails m
      -- As long as "Undo" is offered, and a little longer.
      where m.event not in ('approved', 'declined') or m.happened_at < now() - interval '1 minute'
      order by m.id limit least(max_results, 200) for update skip locked
    )
    returning gone.id, gone.user_id, gone.event, gone.happened_at
  )
  select u.email::text, coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language', 'en'), d.event, d.happened_at
  from due d join auth.users u on u.id = d.user_id
  where u.email is not null and d.happened_at > now() - interval '3 days'
  order by d.id;
end
$$;

create or replace function public.set_member_status(
  member_id uuid, status text, reason text default '', if_status text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
begin
  if not by_service and not private.is_admin() then
    raise exception 'Only an admin may suspend or remove members' using errcode = '42501';
  end if;
  if member_id = (select auth.uid()) then
    raise exception 'Ask another admin to do this' using errcode = '42501';
  end if;
  -- First the account, as in ensure_member: two that lock both in another order would wait for each other.
  perform from auth.users u where u.id = set_member_status.member_id for no key update;
  -- Not for update: that would wait for people who are joining by this admin's invitation, while they wait for the invitation.
  select * into member from private.members m where m.id = set_member_status.member_id for no key update;
  if member.id is null or member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member.status = set_member_status.status then
    return;
  elsif member.status <> if_status then
    raise exception 'Another admin has decided meanwhile' using errcode = 'PT409';
  elsif set_member_status.status is null or set_member_status.status not in ('active', 'waiting', 'suspended', 'removed')
    or set_member_status.status = 'suspended' and member.status in ('removed', 'waiting')
    or set_member_status.status = 'waiting' and not private.can_be_undecided(member)
  then
    raise exception 'A member can be suspended, removed or readmitted' using errcode = '22023';
  elsif set_member_status.status in ('suspended', 'removed') and member.status <> 'waiting' and private.is_blank(reason) then
    raise exception 'Give a reason for suspending or removing a member' using errcode = '23514';
  end if;
  update private.members m set
    status = set_member_status.status, status_reason = private.trimmed(reason), status_changed_at = now(),
    role = case when set_member_status.status = 'removed' then 'user' else m.role end,
    can_supervise = m.can_supervise and set_member_status.status <> 'removed'
  where m.id = set_member_status.member_id;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create or replace function public.set_supervisor(member_id uuid, can_supervise boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
begin
  if not private.is_admin() then
    raise exception 'Only an admin says who supervises' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
  select * into member from private.members m where m.id = set_supervisor.member_id for no key update;
  if member.id is null or member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member.can_supervise = set_supervisor.can_supervise then
    return;
  elsif set_supervisor.can_supervise and not member.is_active then
    raise exception 'Choose somebody who is on the team' using errcode = '22023';
  elsif set_supervisor.can_supervise and member.id = (select auth.uid()) and exists (
    select from private.members m where m.id <> member.id and m.status not in ('removed', 'deleted') and m.role = 'admin'
    -- Nor do they make themselves the only one for it.
    union all
    select from private.audit_log e
    where e.actor_id = member.id and e.before ->> 'role' = 'admin' and e.object_id <> member.id
      and e.recorded_at > now() - interval '30 days'
  ) then
    raise exception 'Ask another admin to do this' using errcode = '42501';
  end if;
  update private.members m set can_supervise = coalesce(set_supervisor.can_supervise, false) where m.id = member.id;
end
$$;

create function private.invited_people(people jsonb)
returns table (
  email text, first_name text, last_name text, account_id uuid, is_confirmed boolean, was_invited boolean
)
language sql stable security definer set search_path = ''
as $$
  select asked.email, asked.first_name, asked.last_name, account.id, coalesce(account.is_confirmed, false), account.was_invited
  from (
    select distinct on (coalesce(lower(p.email), '')) coalesce(lower(p.email), '') as email,
      left(private.one_line(coalesce(p.first_name, '')), 100) as first_name,
      left(private.one_line(coalesce(p.last_name, '')), 100) as last_name
    from jsonb_to_recordset(people) p (email text, first_name text, last_name text)
    order by coalesce(lower(p.email), '')
  ) asked
  left join lateral (
    select u.id, u.email_confirmed_at is not null as is_confirmed, u.invited_at is not null as was_invited
    from auth.users u
    where u.email = asked.email and u.deleted_at is null
    order by u.email_confirmed_at nulls last
    limit 1
  ) account on true
$$;

create or replace function public.plan_invitations(people jsonb, language text default 'en')
returns table (
  email text, state text, account_id uuid, was_invited boolean, invitation_id uuid, invited_by_name text
)
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
    select p.email, p.first_name, p.last_name, me, case language when 'es' then 'es' else 'en' end, now(), 1
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

  for email, state, account_id, was_invited, invitation_id, invited_by_name in
    select p.email,
      case
        when p.email = any (known) then 'member'
        when i.id <> all (coalesce(due, '{}')) then 'sent'
        when i.accepted_at is not null then 'joined'
        when p.is_confirmed then 'member'
        when p.account_id is null then 'new'
        else 'pending'
      end,
      case when not p.is_confirmed then p.account_id end, case when not p.is_confirmed then p.was_invited end,
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

drop function private.revoke_invitations(uuid[]);
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
  delete from auth.users u
  where u.email = any (revoked[1:100]) and u.invited_at is not null and u.email_confirmed_at is null
    and u.last_sign_in_at is null;
  return cardinality(revoked);
end
$$;

create or replace function public.revoke_invitations(invitation_ids uuid[]) returns integer
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

create or replace function public.claim_team(code text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 10;
  most_of_all_an_hour constant integer := 100;
  me constant uuid := (select auth.uid());
  stored text;
begin
  -- Of two people at once the second finds an admin.
  perform pg_advisory_xact_lock(hashtextextended('private.members: admins', 0));
  if private.has_admin() then
    raise exception 'This team already has an admin' using errcode = 'PT409';
  end if;
  perform from private.members m where m.id = me and m.status = 'waiting' for no key update;
  if not found then
    raise exception 'Only who waits to be let in can set up the team' using errcode = '42501';
  end if;
  delete from private.set_up_attempts old where old.since < now() - interval '1 hour';
  insert into private.set_up_attempts as known (user_id) values (me)
  on conflict (user_id) do update set attempts = known.attempts + 1;
  if (select t.attempts from private.set_up_attempts t where t.user_id = me) > most_an_hour
    or (select sum(t.attempts) from private.set_up_attempts t) > most_of_all_an_hour
  then
    raise exception 'Too many set-up codes: at most % an hour', most_an_hour using errcode = 'PT429';
  end if;
  select s.code_hash into stored from private.set_up_code s;
  -- Hashed once more, so that how long the comparison takes says nothing about either.
  if extensions.digest(stored, 'sha256')
    is distinct from extensions.digest(extensions.crypt(private.plain_recovery_code(code), stored), 'sha256')
    or stored is null
  then
    return false;
  end if;
  update private.members m set status = 'active', status_changed_at = now(), role = 'admin' where m.id = me;
  delete from private.set_up_code;
  delete from private.set_up_attempts;
  return true;
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
  if way.invitation_id is not null then
    update public.invitations i set accepted_by = member.id, accepted_at = now() where i.id = way.invitation_id;
  end if;
  return member;
end
$$;

create or replace function private.let_invited_in() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.ensure_member(account.id, null, null)
  from (
    select u.id from auth.users u
    where u.email = new.email and u.email_confirmed_at is not null and u.deleted_at is null and not exists (
      select from private.members m where m.id = u.id and m.status <> 'waiting'
    )
    -- Without one that is being deleted at this moment.
    for no key update
  ) account;
  return null;
end
$$;

create function private.audit_vocabulary(entry private.audit_log) returns text
language sql immutable set search_path = ''
as $$
  with terms as (
    select entry.kind as term
    union all select entry.kind || '.' || entry.action
    union all select 'list:' || (entry.details ->> 'list')
    union all select 'notice.scheduled' where entry.kind = 'notice' and entry.after ->> 'scheduled_for' is not null
    union all select 'status:' || coalesce(entry.before ->> 'status', 'none') || '>' || (entry.after ->> 'status')
    union all select 'status:>' || (entry.after ->> 'status')
    union all (
      select unnest(array['.' || key, entry.kind || '.' || key])
      from jsonb_object_keys(entry.before || entry.after) key
    )
  )
  select string_agg(vocabulary.words, ' ')
  from (values
    ('member', 'member miembro'),
    ('member.joined', 'joined the team se unió al equipo'),
    ('member.erased', 'erased from the database borró de la base de datos'),
    ('member.second_factor_on', 'two-step verification was turned on se activó la verificación en dos pasos'),
    ('member.second_factor_off', 'two-step verification was turned off se desactivó la verificación en dos pasos'),
    ('member.second_factor_reset', 'reset two-step verification restableció la verificación en dos pasos'),
    ('member.recovery_code_used', 'logged in with a recovery code entró con un código de recuperación'),
    ('status:none>waiting', 'asked to join pidió unirse'),
    ('status:removed>waiting', 'took back declining asked to join the team se retractó de rechazar pidió unirse al equipo'),
    ('status:active>waiting', 'took back letting join se retractó de aceptar'),
    ('status:waiting>active', 'approved let join joined the team aprobó aceptó en el equipo se unió'),
    ('status:waiting>removed', 'declined rechazó'),
    ('status:active>suspended', 'suspended suspendió'),
    ('status:suspended>active', 'readmitted readmitió'),
    ('status:removed>active', 'readmitted readmitió'),
    ('status:active>removed', 'removed from the team dio de baja'),
    ('status:suspended>removed', 'removed from the team dio de baja'),
    ('status:>deleted', 'deleted the account of their eliminó la su cuenta'),
    ('.role', 'role made became removed as an admin rol nombró pasó a ser quitó como administrador'),
    ('.rally_enabled', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_create_chats', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_send_messages', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_supervise', 'turned on off changed the permissions supervise activó desactivó para cambió los permisos supervisar'),
    ('.sponsor_id', 'made changed removed the sponsor puso cambió quitó como patrocinador'),
    ('setting', 'setting ajuste'),
    ('setting.changed', 'changed cambió'),
    ('.vice_presidents', 'made removed changed the order of vice presidents orden nombró quitó como vicepresidentes'),
    ('.time_zone', 'team time zone zona horaria del equipo'),
    ('.seen_by_enabled', 'show read receipts mostrar confirmaciones de lectura'),
    ('.admins_need_second_factor', 'admins need two-step verification los administradores necesitan la verificación en dos pasos'),
    ('.registration', 'who can join quién puede entrar'),
    ('.email_domains', 'email domains dominios de correo'),
    ('content', 'content contenido'),
    ('list:home', 'home screen pantalla de inicio'),
    ('list:training', 'training content contenido de capacitación'),
    ('list:newrepstart', 'new rep start'),
    ('list:licensing', 'licensing licencias'),
    ('list:schedule', 'schedule agenda'),
    ('content.created', 'added agregó'),
    ('content.deleted', 'erased from for good borró para siempre'),
    ('content.reordered', 'changed the order cambió el orden'),
    ('content.changed', 'changed cambió'),
    ('content.is_active', 'deleted from restored visible to members eliminó restauró visible para los miembros'),
    ('.title', 'title título'),
    ('.description', 'description descripción'),
    ('.url', 'link enlace'),
    ('.link', 'link enlace'),
    ('.image_url', 'image imagen'),
    ('.image_alt', 'image description descripción de la imagen'),
    ('.category', 'category categoría'),
    ('.sort_order', 'place in the list lugar en la lista'),
    ('.day_of_week', 'day día'),
    ('.start_time', 'start time hora de inicio'),
    ('.end_time', 'end time hora de fin'),
    ('.meeting_id', 'meeting id de la reunión'),
    ('.meeting_password', 'meeting password contraseña de la reunión'),
    ('chat', 'group grupo'),
    ('chat.created', 'created creó'),
    ('chat.deleted', 'erased borró'),
    ('chat.members_added', 'added agregó'),
    ('chat.members_removed', 'removed from quitó'),
    ('chat.name', 'renamed cambió el nombre'),
    ('chat.is_active', 'closed reopened cerró reabrió'),
    ('chat.created_by', 'made the manager puso a cargo'),
    ('notice', 'notice aviso'),
    ('notice.created', 'wrote escribió'),
    ('notice.scheduled', 'scheduled for programó para'),
    ('notice.changed', 'changed cambió'),
    ('notice.deleted', 'erased borró'),
    ('.cancelled_at', 'withdrew withdrawn retiró retirado'),
    ('.body', 'text texto'),
    ('.audience', 'recipients destinatarios'),
    ('.audience_role', 'recipients role destinatarios rol'),
    ('.audience_members', 'chosen members miembros elegidos'),
    ('.audience_chat_id', 'chosen group grupo elegido'),
    ('.is_urgent', 'urgent urgente'),
    ('.must_acknowledge', 'must be acknowledged hay que confirmarlo'),
    ('.scheduled_for', 'goes out se publica'),
    ('message', 'message mensaje'),
    ('message.removed', 'removed quitó'),
    ('message.restored', 'restored restauró'),
    ('message.erased', 'erased messages from the database borró mensajes de la base de datos'),
    ('invitation', 'invitation invitación'),
    ('invitation.link_created', 'made an invitation link creó un enlace'),
    ('invitation.link_taken_back', 'took back taken back an invitation link revocó revocado un enlace'),
    ('invitation.link_changed', 'changed an invitation link cambió un enlace'),
    ('invitation.link_deleted', 'erased an invitation link borró un enlace'),
    ('invitation.invited', 'invited invitó'),
    ('invitation.invited_again', 'invited again volvió a invitar'),
    ('invitation.invitation_taken_back', 'took back taken back revocó revocada hecha por'),
    ('archive', 'records registros'),
    ('archive.hold_placed', 'placed a legal hold on a direct chat ordenó la retención legal de un chat directo'),
    ('archive.hold_lifted', 'lifted the legal hold on a direct chat levantó la retención legal de un chat directo'),
    ('archive.retention', 'changed how long records are kept cambió cuánto tiempo se conservan'),
    ('supervision', 'supervision supervisión'),
    ('supervision.looked', 'looked at the chat consultó el chat'),
    ('supervision.lexicon_added', 'added to the lexicon agregó al léxico'),
    ('supervision.lexicon_changed', 'changed in the lexicon cambió en el léxico'),
    ('supervision.lexicon_removed', 'erased from the lexicon borró del léxico'),
    ('supervision.is_active', 'paused turned back on pausó reactivó'),
    ('supervision.sampling', 'changed the random sample of the team line cambió la muestra al azar del equipo línea'),
    ('rules', 'house rules normas de convivencia'),
    ('rules.changed', 'changed asked everybody to accept them again cambió pidió a todos que acepten de nuevo las')
  ) vocabulary (term, words)
  where vocabulary.term in (select terms.term from terms)
$$;

create or replace function private.audit_words(entry private.audit_log) returns text
language sql immutable set search_path = ''
as $$
  select left(lower(private.without_accents(concat_ws(
    ' ', entry.object_name, entry.details ->> 'reason', private.audit_vocabulary(entry),
    (
      select string_agg(each #>> '{}', ' ')
      from jsonb_path_query(jsonb_build_array(entry.before, entry.after), '$.** ? (@.type() == "string")') each
      where each #>> '{}' !~ '^[0-9a-f]{8}-[0-9a-f-]{27}$'
    )
  ))), 4000)
$$;

create or replace function private.record_change(
  kind text, action text, object_id uuid, object_name text, before jsonb, after jsonb,
  people uuid[] default '{}', details jsonb default '{}', actor_id uuid default auth.uid()
) returns void
language plpgsql set search_path = ''
as $$
declare
  entry private.audit_log;
begin
  if action = 'changed' and before is null and after is null then
    return;
  end if;
  entry.kind := kind;
  entry.action := action;
  entry.object_name := left(object_name, 200);
  entry.before := before;
  entry.after := after;
  entry.details := jsonb_strip_nulls(details);
  insert into private.audit_log (actor_id, kind, action, object_id, object_name, people, before, after, details, searchable)
  values (
    actor_id, kind, action, object_id, entry.object_name,
    array(select distinct each from unnest(people) each where each is not null limit 5000),
    before, after, entry.details, private.audit_words(entry)
  );
end
$$;

create function private.record_invitations(action text, ids uuid[], invited_by uuid, actor_id uuid) returns void
language sql security definer set search_path = ''
as $$
  select private.record_change(
    'invitation', action, ids[1], null, null, null, ids || nullif(invited_by, actor_id),
    jsonb_build_object('count', cardinality(ids), 'invited_by', nullif(invited_by, actor_id)), actor_id
  )
$$;

create or replace function private.record_new_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_invitations('invited', array_agg(a.id), a.invited_by, coalesce(auth.uid(), a.invited_by))
  from after_rows a group by a.invited_by;
  return null;
end
$$;

create or replace function private.record_changed_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_invitations('invitation_taken_back', array_agg(a.id), a.invited_by, auth.uid())
  from after_rows a join before_rows b on b.id = a.id
  where b.revoked_at is null and a.revoked_at is not null
  group by a.invited_by;
  perform private.record_invitations('invited_again', array_agg(a.id), a.invited_by, coalesce(auth.uid(), a.invited_by))
  from after_rows a join before_rows b on b.id = a.id
  where a.expires_at > b.expires_at and a.revoked_at is null
  group by a.invited_by;
  return null;
end
$$;

create or replace function private.audit_word(pattern text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  most_people constant integer := 1000;
  people constant uuid[] := array(
    (select m.id from private.members m where m.is_active and m.searchable like pattern limit most_people + 1)
    union all
    (select m.id from private.members m where not m.is_active and m.searchable like pattern limit most_people + 1)
    union all
    -- A hidden address is not in there, and an admin searches by it all the same.
    (
      select m.id from private.members m
      where m.email_audience <> 'everyone' and m.searchable not like pattern and lower(m.email) like pattern
      limit most_people + 1
    )
    union all
    (select i.id from public.invitations i where i.searchable like pattern limit most_people + 1)
  );
begin
  return format('(e.searchable like %L', pattern) || case
    when people = '{}' then ''
    when cardinality(people) <= most_people
      then format(' or e.actor_id = any (%1$L::uuid[]) or e.people && %1$L::uuid[]', people)
    else format(
      ' or exists (
        select from private.members m
        where m.id = any (e.people || e.actor_id) and (m.searchable like %1$L or lower(m.email) like %1$L)
      ) or e.kind = ''invitation'' and exists (
        select from public.invitations i where i.id = any (e.people) and i.searchable like %1$L
      )', pattern
    )
  end || ')';
end
$$;

create or replace function public.audit_entries(
  of_kind text default null, actor uuid default null, by_server boolean default false, member uuid default null,
  since timestamptz default null, until timestamptz default null, query text default '',
  before_time timestamptz default null, before_id bigint default null, max_results integer default 50
)
returns table (
  id bigint, recorded_at timestamptz, actor_id uuid, kind text, action text, object_id uuid, object_name text,
  people uuid[], people_count integer, before jsonb, after jsonb, details jsonb, names jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- The small words of the app's sentences, which the entries do not have.
  said_anywhere constant text[] := array[
    '%a%', '%an%', '%and%', '%as%', '%by%', '%for%', '%from%', '%in%', '%of%', '%on%', '%the%', '%to%', '%with%',
    '%al%', '%como%', '%con%', '%de%', '%del%', '%el%', '%en%', '%la%', '%las%', '%los%', '%para%', '%por%', '%se%', '%un%', '%y%'
  ];
  conditions text;
begin
  perform private.assert_admin();
  conditions := concat_ws(
    ' and ', 'true',
    case when of_kind is not null then 'e.kind = $1' end,
    case when by_server then 'e.actor_id is null' when actor is not null then 'e.actor_id = $2' end,
    case when member is not null then 'e.people @> array[$3]' end,
    case when since is not null then 'e.recorded_at >= $4' end,
    case when until is not null then 'e.recorded_at < $5' end,
    case when before_time is not null then '(e.recorded_at, e.id) < ($6, $7)' end,
    (
      select string_agg(private.audit_word(pattern), ' and ')
      from unnest(private.member_patterns(query)) pattern where pattern <> all (said_anywhere)
    )
  );
  return query execute format($search$
    select e.id, e.recorded_at, e.actor_id, e.kind, e.action, e.object_id, e.object_name,
      e.people[1:20], cardinality(e.people), e.before, e.after, e.details, private.names_of(private.named_in(e))
    from private.audit_log e
    where %s
    order by e.recorded_at desc, e.id desc
    limit $8
  $search$, conditions)
  using of_kind, actor, member, since, until, before_time, coalesce(before_id, 0),
    least(greatest(coalesce(max_results, 50), 1), 200);
end
$$;

comment on function public.claim_account_mails(integer) is 'For the server: whom to mail what happened to their account, each returned once, a decision after a minute.';

comment on table private.account_mails is 'What people are to be mailed about their account. Gone once it is mailed, or after three days.';

revoke execute on function private.audit_vocabulary(private.audit_log) from public;

revoke execute on function private.invited_people(jsonb) from public;

revoke execute on function private.note_account_mail(uuid,text) from public;

revoke execute on function private.note_decision() from public;

revoke execute on function private.record_invitations(text,uuid[],uuid,uuid) from public;

revoke execute on function private.revoke_invitations(uuid[]) from public;

revoke execute on function public.claim_account_mails(integer) from anon;

revoke execute on function public.claim_account_mails(integer) from authenticated;

revoke execute on function public.claim_account_mails(integer) from public;

alter table private.audit_log disable trigger keep_audit_log;

update private.audit_log e set
  people = array(
    select invited.id::uuid from jsonb_array_elements_text(
      case jsonb_typeof(e.details -> 'invitations')
        when 'array' then e.details -> 'invitations' else e.details -> 'invitations' -> 'items'
      end
    ) invited (id)
  ),
  details = e.details - 'invitations'
where e.kind = 'invitation' and e.details ? 'invitations';

update private.audit_log e set searchable = private.audit_words(e);

alter table private.audit_log enable trigger keep_audit_log;
