-- A stolen token registered ten devices and pushed its owner's out, and another authenticator app came without a word. Existing rows stay; a
-- session that has several devices keeps the next one alone.

create or replace function private.add_device(
  owner_id uuid, token text, platform text, channel text, p256dh text, auth text, label text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  device_id uuid;
  this_session constant uuid := case when owner_id = (select auth.uid()) then ((select auth.jwt()) ->> 'session_id')::uuid end;
begin
  -- Locked, so that a session that ends meanwhile takes the device with it.
  perform from auth.sessions s where s.id = this_session for key share;
  if this_session is not null and not found then
    raise exception 'Your session has ended' using errcode = 'PT401';
  end if;
  insert into public.push_devices as d (user_id, token, platform, channel, p256dh, auth, label, session_id)
  values (owner_id, add_device.token, add_device.platform, add_device.channel, add_device.p256dh,
    add_device.auth, left(add_device.label, 100), this_session)
  on conflict (token) do update set
    user_id = excluded.user_id, platform = excluded.platform, channel = excluded.channel,
    p256dh = excluded.p256dh, auth = excluded.auth, label = coalesce(excluded.label, d.label),
    session_id = excluded.session_id, last_seen_at = now()
  returning d.id into device_id;

  -- A session is one device. Otherwise a stolen token's would stay beside its owner's, and ten of them push that out.
  with gone as (
    delete from public.push_devices d
    where d.user_id = owner_id and d.session_id = this_session and d.id <> device_id
    returning d.token
  )
  update private.members m set push_token = null from gone g where m.id = owner_id and m.push_token = g.token;
  delete from public.push_devices d where d.id in (
    select old.id from public.push_devices old where old.user_id = owner_id
    order by old.last_seen_at desc, old.id = device_id desc offset private.most_devices()
  );
  return device_id;
end
$$;

create or replace function private.note_second_factor() returns trigger
language plpgsql security definer set search_path = ''
as $$
<<note_second_factor>>
declare
  factor constant auth.mfa_factors := coalesce(new, old);
  actor constant uuid := (select auth.uid());
  -- Only the first factor turns it on, only the last turns it off.
  has_others constant boolean := exists (
    select from auth.mfa_factors f where f.user_id = factor.user_id and f.status = 'verified' and f.id <> factor.id
  );
  event constant text := case
    when tg_op <> 'DELETE' then case when has_others then 'second_factor_added' else 'second_factor_on' end
    when actor <> factor.user_id then 'second_factor_reset'
    when has_others then 'second_factor_removed'
    else 'second_factor_off'
  end;
begin
  -- With a deleted account goes everything.
  if not exists (select from auth.users u where u.id = factor.user_id) then
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
      actor_id => coalesce(actor, case when tg_op <> 'DELETE' then factor.user_id end)
    );
  end if;
  return null;
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
    ('member.second_factor_added', 'an authenticator app was added to two-step verification se agregó una app de autenticación a la verificación en dos pasos'),
    ('member.second_factor_removed', 'an authenticator app was removed from two-step verification se quitó una app de autenticación de la verificación en dos pasos'),
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
    ('.app_errors_enabled', 'collect errors of the app reunir errores de la aplicación'),
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

alter table private.account_mails drop constraint "Event must be known";
alter table private.account_mails add constraint "Event must be known" CHECK ((event = ANY (ARRAY['approved'::text, 'declined'::text, 'second_factor_on'::text, 'second_factor_off'::text, 'second_factor_added'::text, 'second_factor_removed'::text, 'second_factor_reset'::text, 'recovery_code_used'::text, 'recovery_codes_replaced'::text])));
