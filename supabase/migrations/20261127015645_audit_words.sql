-- The audit log is searched for what its sentences say, and for who was invited. What existing entries say stays; they are only
-- found by more, and name the invited among the people concerned, as new ones do. A typed % or _ is itself, wherever people are searched.

drop function private.record_invitations(text,uuid[],uuid);

create function private.audit_vocabulary(entry private.audit_log) returns text
language sql immutable set search_path = ''
as $$
  with terms as (
    select entry.kind as term
    union all select entry.kind || '.' || entry.action
    union all select 'status:' || coalesce(entry.before ->> 'status', 'none') || '>' || (entry.after ->> 'status')
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
    ('status:waiting>active', 'approved let join joined the team aceptó en el equipo se unió'),
    ('status:waiting>removed', 'declined rechazó'),
    ('status:active>suspended', 'suspended suspendió'),
    ('status:suspended>active', 'readmitted readmitió'),
    ('status:removed>active', 'readmitted readmitió'),
    ('status:active>removed', 'removed from the team dio de baja'),
    ('status:suspended>removed', 'removed from the team dio de baja'),
    ('status:active>deleted', 'deleted the account of their eliminó la su cuenta'),
    ('status:suspended>deleted', 'deleted the account of their eliminó la su cuenta'),
    ('status:removed>deleted', 'deleted the account of their eliminó la su cuenta'),
    ('status:waiting>deleted', 'deleted the account of their eliminó la su cuenta'),
    ('.role', 'role made became removed as an admin rol nombró pasó a ser quitó como administrador'),
    ('.rally_enabled', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_create_chats', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_send_messages', 'turned on off changed the permissions activó desactivó para cambió los permisos'),
    ('.can_supervise', 'turned on off changed the permissions supervise activó desactivó para cambió los permisos supervisar'),
    ('.sponsor_id', 'made changed removed the sponsor puso cambió quitó como patrocinador'),
    ('setting', 'setting ajuste'),
    ('setting.changed', 'changed cambió'),
    ('.vice_presidents', 'made removed as vice presidents nombró quitó como vicepresidentes'),
    ('.time_zone', 'team time zone zona horaria del equipo'),
    ('.seen_by_enabled', 'show read receipts mostrar confirmaciones de lectura'),
    ('.admins_need_second_factor', 'admins need two-step verification los administradores necesitan la verificación en dos pasos'),
    ('.registration', 'who can join quién puede entrar'),
    ('.email_domains', 'email domains dominios de correo'),
    ('content', 'content contenido'),
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
    ('notice.created', 'wrote scheduled escribió programó para'),
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
    ('invitation.link_taken_back', 'took back an invitation link revocó un enlace'),
    ('invitation.link_changed', 'changed an invitation link cambió un enlace'),
    ('invitation.link_deleted', 'erased an invitation link borró un enlace'),
    ('invitation.invited', 'invited invitó'),
    ('invitation.invited_again', 'invited again volvió a invitar'),
    ('invitation.invitation_taken_back', 'took back revocó hecha por'),
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
    'invitation', action, ids[1], null, null, null, ids,
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
  people constant uuid[] := array(
    (select m.id from private.members m where m.is_active and m.searchable like pattern limit 1000)
    union all
    (select m.id from private.members m where not m.is_active and m.searchable like pattern limit 1000)
    union all
    (select i.id from public.invitations i where i.searchable like pattern limit 1000)
  );
begin
  return format('(e.searchable like %L', pattern)
    || case when people <> '{}'
      then format(' or e.actor_id = any (%1$L::uuid[]) or e.people && %1$L::uuid[]', people) else '' end
    || ')';
end
$$;

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

revoke execute on function private.audit_vocabulary(private.audit_log) from public;

revoke execute on function private.record_invitations(text,uuid[],uuid,uuid) from public;

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
