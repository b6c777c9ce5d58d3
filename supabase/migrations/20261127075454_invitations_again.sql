-- An invitation that is sent again keeps its language, and hides the one of the same address that was taken back before. It is accepted once
-- its address is on the team, by whatever way; those of members are closed here. Addresses are stored without spaces around them, however
-- the call was made. The audit log calls letting in somebody who asked what its button says: approving.

drop function public.member_details(uuid);
create function public.member_details(member_id uuid)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, status_reason text,
  status_changed_at timestamptz, status_changed_by_name text, can_be_undecided boolean, joined_at timestamptz, last_active_at timestamptz,
  rally_enabled boolean, can_create_chats boolean, can_send_messages boolean, can_supervise boolean,
  is_vice_president boolean, has_second_factor boolean, sessions bigint, devices bigint, groups_led bigint, steps_done bigint, steps_total bigint,
  sponsor_id uuid, sponsor_name text, counts_for_name text, invited_by_name text, brought_in bigint, downline bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.status_reason, m.status_changed_at,
    (
      select private.display_name(actor.first_name, actor.last_name, actor.email)
      from private.audit_log e join private.members actor on actor.id = e.actor_id
      where e.people @> array[m.id] and e.kind = 'member' and e.object_id = m.id and e.after ? 'status'
        and e.actor_id <> m.id and e.recorded_at >= m.status_changed_at
      order by e.recorded_at desc, e.id desc limit 1
    ),
    private.can_be_undecided(m), m.created_at, private.last_active_at(m.id),
    m.rally_enabled, m.can_create_chats, m.can_send_messages, m.can_supervise,
    (select m.id = any (s.vice_presidents) from public.team_settings s),
    private.has_second_factor(m.id),
    (select count(*) from auth.sessions s where s.user_id = m.id),
    (select count(*) from public.push_devices d where d.user_id = m.id),
    (select count(*) from public.chats c where c.created_by = m.id and c.type = 'group' and c.is_active),
    (select count(*) from public.onboarding_progress p
     join public.newrepstart_content i on i.id = p.item_id and i.is_active where p.user_id = m.id),
    (select count(*) from public.newrepstart_content i where i.is_active),
    m.sponsor_id,
    (select private.display_name(s.first_name, s.last_name, s.email) from private.members s where s.id = m.sponsor_id),
    -- Where the sponsor is not on the team.
    (
      select private.display_name(s.first_name, s.last_name, s.email)
      from private.upline(m.id) above join private.members s on s.id = above.id
      where above.level = 1 and above.id <> m.sponsor_id
    ),
    (
      select private.display_name(s.first_name, s.last_name, s.email)
      from public.invitations i join private.members s on s.id = i.invited_by
      where i.accepted_by = m.id order by i.accepted_at desc limit 1
    ),
    (select count(*) from private.members r where r.sponsor_id = m.id and r.is_active),
    (select count(*) from private.downline(m.id))
  from private.members m
  where m.id = member_details.member_id and m.status <> 'deleted';
end
$$;

create index invitations_email on public.invitations (email, created_at);

create index invitations_bounced on public.invitations (bounced_at)
  where bounced_at is not null and accepted_at is null and revoked_at is null;

drop function private.invited_people(jsonb);
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

create or replace function public.plan_invitations(people jsonb, language text default 'en')
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
  update public.invitations i set accepted_by = m.id, accepted_at = now()
  from private.members m
  where m.email = i.email and m.is_active and i.id in (
    select o.id from public.invitations o
    where o.email in (select p.email from private.invited_people(people) p) and o.accepted_at is null and o.revoked_at is null
    for update skip locked
  );

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

create or replace view private.invitation_states as
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

drop function public.list_invitations(text,text,integer,integer);
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

create or replace function public.count_invitations()
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

drop function private.way_in(uuid,text,text);
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
  return member;
end
$$;

create function private.end_invitation_of_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  invitation_id uuid;
begin
  for invitation_id in
    select i.id from public.invitations i
    where i.email = lower(new.email) and i.accepted_at is null and i.revoked_at is null
    for update skip locked
  loop
    update public.invitations i set accepted_by = new.id, accepted_at = now() where i.id = invitation_id;
  end loop;
  return null;
end
$$;

create trigger end_invitation_of_member after insert or update of status, email on private.members
  for each row when (new.status = 'active') execute function private.end_invitation_of_member();

drop function public.admin_dashboard();
create function public.admin_dashboard()
returns table (
  waiting bigint, new_this_week bigint, stuck bigint, unacknowledged_notices bigint,
  next_meeting_title text, next_meeting_at timestamptz, broken_links bigint,
  system_problems bigint, system_wrong text[], undelivered_invitations bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select
    (select count(*) from private.members m where m.status = 'waiting'),
    (select count(*) from private.members m where m.is_active and m.admitted_at > now() - interval '7 days'),
    (select count(*) from private.stuck_members()),
    (select count(*) from private.unacknowledged_notices()),
    meeting.title, meeting.starts_at,
    case when (private.system_part('links')).is_on then (
      select count(*) from private.link_checks c
      join private.content_links l on private.link_id(l.url) = c.link
      where c.state = 'broken'
    ) end,
    system.problems, system.wrong,
    (
      select count(*) from public.invitations i
      where i.bounced_at is not null and i.accepted_at is null and i.revoked_at is null
    )
  from private.next_meeting(now()) meeting
  cross join (
    select count(*) filter (where f.state in ('wrong', 'attention')) as problems,
      coalesce(array_agg(distinct f.part) filter (where f.state = 'wrong'), '{}') as wrong
    from private.system_findings() f
  ) system;
end
$$;

create or replace function private.audit_vocabulary(entry private.audit_log) returns text
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
    ('status:waiting>declined', 'declined rechazó'),
    ('status:declined>active', 'approved aprobó'),
    ('status:declined>waiting', 'took back declining se retractó de rechazar'),
    -- Until a status of its own, declining was removing somebody who waited.
    ('status:removed>waiting', 'took back declining asked to join the team se retractó de rechazar pidió unirse al equipo'),
    ('status:active>waiting', 'took back approving se retractó de aprobar'),
    ('status:waiting>active', 'approved joined the team aprobó se unió al equipo'),
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
    ('invitation.invitation_taken_back', 'took back invitations revocó invitaciones hecha hechas por'),
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

comment on function public.list_invitations(pg_catalog.text,pg_catalog.text,integer,integer) is 'For admins: a page of invitations by mail, the latest first; of an address that was invited again after a taken-back invitation, only the later one. filter: pending, accepted, bounced, expired, revoked or all. The query finds invited and inviting people.';

comment on function public.plan_invitations(pg_catalog.jsonb,pg_catalog.text) is 'For admins: records the invitations of these people (email, first_name, last_name, and language, unless it is that of all) and says whom to mail. Counts mails against the hourly limit.';

revoke execute on function private.end_invitation_of_member() from public;

revoke execute on function private.invited_people(jsonb) from public;

revoke execute on function private.way_in(uuid,text,text) from public;

revoke execute on function public.admin_dashboard() from anon;

revoke execute on function public.admin_dashboard() from public;

revoke execute on function public.admin_dashboard() from service_role;

revoke execute on function public.list_invitations(text,text,integer,integer) from anon;

revoke execute on function public.list_invitations(text,text,integer,integer) from public;

revoke execute on function public.list_invitations(text,text,integer,integer) from service_role;

revoke execute on function public.member_details(uuid) from anon;

revoke execute on function public.member_details(uuid) from public;

revoke execute on function public.member_details(uuid) from service_role;

comment on function public.admin_dashboard() is 'For admins: what needs attention. Null where nobody knows: no meeting, links not checked.';

comment on function public.member_details(pg_catalog.uuid) is 'For admins: one member, with what they use and lead.';

-- No trigger: who is on the team did not just come by them.
alter table public.invitations disable trigger user;
update public.invitations i set accepted_by = m.id, accepted_at = now()
from private.members m
where i.accepted_at is null and i.revoked_at is null and m.email = i.email and m.is_active;
alter table public.invitations enable trigger user;
