-- Devices report uncaught errors of the app, without their texts. On for teams that exist; admins turn it off under System.

alter table public.team_settings add column app_errors_enabled boolean default true not null;

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

create table private.app_errors (
  kind text not null,
  places text[] not null,
  screen text not null,
  browser text not null,
  reports integer not null default 1,
  began_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  logged_at timestamptz,
  primary key (kind, places, screen, browser)
);

create table private.app_error_reports (
  user_id uuid primary key references auth.users (id) on delete cascade,
  reports integer not null default 1,
  since timestamptz not null default now()
);

create function private.is_app_error(kind text, places text[], screen text, browser text) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(
    kind ~ '^([A-Z][A-Za-z]{0,30})?(Error|Exception)$'
    and cardinality(places) between 1 and 5
    and (select bool_and(coalesce(place ~ '^[A-Za-z0-9_.-]{1,80}:[0-9]{1,7}:[0-9]{1,7}$', false)) from unnest(places) place)
    and screen ~ '^(/|(/[a-z0-9:-]{1,40}){1,6})$'
    and browser ~ '^(Chrome|Edge|Firefox|Safari|Samsung Internet|Other)( [0-9]{1,4})?( on (Android|iOS|Windows|macOS|Linux|ChromeOS))?$',
    false
  )
$$;

create function public.report_app_error(kind text, places text[], screen text, browser text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 20;
  reported integer;
begin
  if not private.is_member() or not (select s.app_errors_enabled from public.team_settings s)
    or not private.is_app_error(kind, places, screen, browser)
  then
    return;
  end if;
  insert into private.app_error_reports as known (user_id) values ((select auth.uid()))
  on conflict (user_id) do update set
    reports = case when known.since < now() - interval '1 hour' then 1 else least(known.reports + 1, most_an_hour + 1) end,
    since = case when known.since < now() - interval '1 hour' then now() else known.since end
  returning reports into reported;
  if reported > most_an_hour then
    return;
  end if;
  insert into private.app_errors as known (kind, places, screen, browser)
  values (report_app_error.kind, report_app_error.places, report_app_error.screen, report_app_error.browser)
  on conflict on constraint app_errors_pkey do update set reports = least(known.reports + 1, 1000000), last_at = now();
  delete from private.app_errors e where (e.kind, e.places, e.screen, e.browser) in (
    select old.kind, old.places, old.screen, old.browser from private.app_errors old order by old.last_at desc, old.began_at offset 100
  );
end
$$;

create function public.app_error_list() returns table (
  kind text, places text[], screen text, browser text, reports integer, began_at timestamptz, last_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select e.kind, e.places, e.screen, e.browser, e.reports, e.began_at, e.last_at
  from private.app_errors e order by e.last_at desc;
end
$$;

create function public.take_app_errors() returns table (
  kind text, places text[], screen text, browser text, reports integer
)
language sql volatile security definer set search_path = ''
as $$
  update private.app_errors e set logged_at = now()
  where e.logged_at is null or e.logged_at < least(e.last_at, now() - interval '1 hour')
  returning e.kind, e.places, e.screen, e.browser, e.reports
$$;

create function private.app_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'app', null, judged[1], judged[2], jsonb_build_object('count', e.count, 'at', e.at)
  from (select nullif(count(*)::int, 0) as count, max(a.last_at) as at from private.app_errors a where a.last_at > now() - interval '1 day') e
  cross join lateral (
    select case
      when not (select s.app_errors_enabled from public.team_settings s) then array['unwatched', 'off']
      when e.count > 0 then array['attention', 'errors']
      else array['fine', 'quiet']
    end as judged
  ) j
$$;

create or replace function private.system_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 16
as $$
  select * from private.mail_finding()
  union all select * from private.push_findings()
  union all select * from private.disk_findings()
  union all select * from private.backup_finding()
  union all select * from private.archive_finding()
  union all select * from private.certificate_finding()
  union all select * from private.process_findings()
  union all select * from private.restarts_finding()
  union all select * from private.links_finding()
  union all select * from private.app_finding()
$$;

create or replace function public.system_status()
returns table (part text, scope text, state text, code text, detail jsonb)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select f.part, f.scope, f.state, f.code, jsonb_strip_nulls(
    case when f.part = 'database' then f.detail || jsonb_build_object('bytes', pg_database_size(current_database())) else f.detail end
  )
  from private.system_findings() f
  order by array_position(array['wrong', 'attention', 'fine', 'unwatched'], f.state), array_position(array[
    'backup', 'disk_data', 'database', 'archive', 'restarts', 'process', 'mail', 'push_queue', 'push_web', 'push_apns', 'push_fcm', 'certificate',
    'disk_backup', 'clock', 'versions', 'app', 'links'
  ], f.part), f.scope, (f.detail ->> 'number')::int;
end
$$;

comment on function public.app_error_list() is 'For admins: the latest hundred uncaught errors of the app, the latest first.';

comment on function public.report_app_error(pg_catalog.text,pg_catalog.text[],pg_catalog.text,pg_catalog.text) is 'Reports an uncaught error of the app, without its text. Does nothing when it is not one, when the team has turned it off, and after 20 an hour.';

comment on function public.take_app_errors() is 'For servers: the errors of the app that are to be written to the log now.';

comment on column public.team_settings.app_errors_enabled is 'Whether devices report uncaught errors of the app.';

comment on table private.app_error_reports is 'How many errors a member''s devices reported lately, for rate limiting.';

comment on table private.app_errors is 'Uncaught errors of the app, the latest hundred. Without their texts and without their members.';

grant update (app_errors_enabled) on table public.team_settings to authenticated;

revoke execute on function private.app_finding() from public;

revoke execute on function private.is_app_error(text,text[],text,text) from public;

revoke execute on function public.app_error_list() from anon;

revoke execute on function public.app_error_list() from public;

revoke execute on function public.app_error_list() from service_role;

revoke execute on function public.report_app_error(text,text[],text,text) from anon;

revoke execute on function public.report_app_error(text,text[],text,text) from public;

revoke execute on function public.report_app_error(text,text[],text,text) from service_role;

revoke execute on function public.take_app_errors() from anon;

revoke execute on function public.take_app_errors() from authenticated;

revoke execute on function public.take_app_errors() from public;

alter table private.app_error_reports enable row level security;

alter table private.app_errors enable row level security;
