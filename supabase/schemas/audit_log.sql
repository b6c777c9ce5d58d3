-- The audit log: what leaders changed, with before and after. Triggers write it in the transaction of the change
-- (audit_triggers.sql), so nothing that reaches the tables goes around it. Nobody changes or deletes an entry; those older
-- than private.audit_log_kept_for() are pruned. product.md P155 and docs/decisions/013-audit-log.md

create table private.audit_log (
  id bigint generated always as identity primary key,
  -- Not now(): the entries of one transaction keep their order.
  recorded_at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  kind text not null,
  action text not null,
  object_id uuid,
  object_name text,
  people uuid[] not null default '{}',
  before jsonb,
  after jsonb,
  details jsonb not null default '{}',
  searchable text not null default '',
  constraint "Kind must be known" check (
    kind in ('member', 'setting', 'content', 'chat', 'notice', 'message', 'invitation', 'supervision', 'archive', 'rules')
  )
);
-- No foreign keys: an entry outlives what it is about. Members are named when the log is read.
comment on table private.audit_log is 'Who changed which right, setting, content, chat, notice, invitation or rule. Append only.';
comment on column private.audit_log.actor_id is 'Null: nobody signed in, but a server with the secret key, or the SQL console.';
comment on column private.audit_log.people is 'The members concerned.';
comment on column private.audit_log.before is 'The columns that changed; long values are shortened, secrets hidden.';
comment on column private.audit_log.details is 'What is no column: the reason given, which list of content, how many.';

create index audit_log_by_time on private.audit_log (recorded_at desc, id desc);
create index audit_log_by_kind on private.audit_log (kind, recorded_at desc, id desc);
create index audit_log_by_actor on private.audit_log (actor_id, recorded_at desc, id desc);
create index audit_log_people on private.audit_log using gin (people) with (fastupdate = off);
create index audit_log_words on private.audit_log using gin (searchable extensions.gin_trgm_ops) with (fastupdate = off);

alter table private.audit_log enable row level security;
revoke all on private.audit_log from anon, authenticated, service_role;

create function private.audit_log_kept_for() returns interval
language sql immutable set search_path = ''
as $$ select interval '2 years' $$;

-- The owner of the tables and the SQL console too.
create function private.keep_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and old.recorded_at < now() - private.audit_log_kept_for() then
    return old;
  end if;
  raise exception 'The audit log is never changed' using errcode = '42501';
end
$$;
create trigger keep_audit_log before update or delete on private.audit_log
  for each row execute function private.keep_audit_log();

create function private.keep_all_of_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The audit log is never changed' using errcode = '42501';
end
$$;
create trigger keep_all_of_audit_log before truncate on private.audit_log
  for each statement execute function private.keep_all_of_audit_log();

-- The push worker calls this every few seconds; nearly always it finds nothing.
create function private.prune_audit_log() returns void
language sql security definer set search_path = ''
as $$
  delete from private.audit_log e where e.id in (
    select old.id from private.audit_log old
    where old.recorded_at < now() - private.audit_log_kept_for()
    order by old.recorded_at limit 100
  )
$$;

-- How many characters two texts have in common at their beginning.
create function private.common_start(one text, other text) returns integer
language plpgsql immutable set search_path = ''
as $$
declare
  low integer := 0;
  high integer := least(char_length(one), char_length(other));
  middle integer;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if left(one, middle) = left(other, middle) then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end
$$;

-- Of a long text the part around the first difference to `other`, of a long list its beginning; both with the whole length.
create function private.shortened(value jsonb, other jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  most_characters constant integer := 300;
  most_items constant integer := 20;
  words text;
  skipped integer := 0;
begin
  if jsonb_typeof(value) = 'array' and jsonb_array_length(value) > most_items then
    return jsonb_build_object(
      'items', jsonb_path_query_array(value, '$[0 to 19]'), 'length', jsonb_array_length(value)
    );
  end if;
  words := value #>> '{}';
  if words is null or char_length(words) <= most_characters or jsonb_typeof(value) = 'array' and char_length(words) <= 8000 then
    return value;
  end if;
  if jsonb_typeof(other) = 'string' then
    skipped := greatest(private.common_start(words, other #>> '{}') - 60, 0);
  end if;
  return jsonb_build_object(
    'text', substr(words, skipped + 1, most_characters), 'skipped', skipped, 'length', char_length(words)
  );
end
$$;

-- The values of one row that differ from the other's; null if none do.
create function private.changed_values(one jsonb, other jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(
    key,
    case when value <> 'null' and key ~ '(^|_)(password|token|secret|hash|key|auth)s?($|_)' then '{"hidden": true}'
      else private.shortened(value, other -> key) end
  )
  from jsonb_each(one)
  where value is distinct from other -> key
$$;

-- What the app's sentence about an entry says besides names and values, in its languages, because that is what people look for.
-- A term is a kind, an action of it, a column that changed, a change of status, or a list of content.
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

create function private.audit_words(entry private.audit_log) returns text
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

-- Nothing is recorded of a change that changed nothing.
create function private.record_change(
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

revoke execute on all functions in schema private from public;
