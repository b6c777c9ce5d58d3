-- What only a server knows, as it last reported it: whether mail is set up, whether links are checked, whether there are
-- backups. What nobody has reported for a while counts as unknown.

create table private.system_state (
  part text primary key,
  is_on boolean not null,
  problems integer not null default 0,
  reported_at timestamptz not null default now(),
  constraint "Part must be mail, links or backup" check (part in ('mail', 'links', 'backup')),
  constraint "Problems are counted from 0" check (problems >= 0)
);
comment on table private.system_state is 'The parts of the system that a server reports, each with its latest state.';
comment on column private.system_state.is_on is 'mail: there is a mail server. links: they are checked. backup: the latest succeeded.';
comment on column private.system_state.problems is 'mail: how many mails wait for more than ten minutes or were given up within a day. backup: 1 if the latest is missing or failed.';
alter table private.system_state enable row level security;
revoke all on private.system_state from anon, authenticated, service_role;

-- Null if no server has reported the part within two days.
create function private.system_part(part text) returns private.system_state
language sql stable security definer set search_path = ''
as $$
  select s from private.system_state s
  where s.part = system_part.part and s.reported_at > now() - interval '2 days'
$$;

create function public.report_system_state(parts jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.system_state as s (part, is_on, problems)
  select r.part, r.is_on, coalesce(r.problems, 0)
  from jsonb_to_recordset(parts) as r (part text, is_on boolean, problems integer)
  on conflict (part) do update set
    is_on = excluded.is_on, problems = excluded.problems, reported_at = now();
exception
  -- The same error without its detail, which is the row.
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.report_system_state is 'For the server: the state of mail, links and backup, as an array of { part, is_on, problems }.';

-- A notice to each admin in the language they chose.
create function private.notify_admins(english_title text, spanish_title text, english_body text, spanish_body text, link text) returns void
language sql security definer set search_path = ''
as $$
  insert into public.team_notices (title, body, link, audience, audience_members)
  select
    case when spoken.is_spanish then spanish_title else english_title end,
    case when spoken.is_spanish then spanish_body else english_body end,
    notify_admins.link, 'members', spoken.ids
  from (
    select private.reads_spanish(m.id) as is_spanish, (array_agg(m.id order by m.created_at))[1:2000] as ids
    from private.members m
    where m.role = 'admin' and m.is_active
    group by 1
  ) spoken
$$;

revoke execute on function public.report_system_state(jsonb) from public, anon, authenticated;
grant execute on function public.report_system_state(jsonb) to service_role;
revoke execute on all functions in schema private from public;
