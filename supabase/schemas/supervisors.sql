-- Who supervises: an admin gives the permission to read and review what the team writes, and everybody sees who has it.

-- Nobody gives it to themselves, unless there is nobody else who could: a leader who is the only admin. The audit log and
-- the archive say so. Two admins, of whom one makes the other a member meanwhile, take turns.
create function public.set_supervisor(member_id uuid, can_supervise boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
begin
  if not private.is_admin() then
    raise exception 'Only an admin says who supervises' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  select * into member from private.members m where m.id = set_supervisor.member_id for no key update;
  perform private.lock_admins();
  if not private.is_admin() then
    raise exception 'Only an admin says who supervises' using errcode = '42501';
  end if;
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
comment on function public.set_supervisor is
  'For admins: who reviews what the team writes. Nobody gives it to themselves while there is another admin.';

create function public.supervisors() returns table (id uuid, first_name text, last_name text, email text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience, true)
  from private.members m
  where (select private.is_member()) and m.can_supervise and m.is_active
  order by m.sort_name, m.id
  limit 50
$$;
comment on function public.supervisors is 'Who supervises the team.';

create function public.acts_as_supervisor() returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_supervisor() $$;
comment on function public.acts_as_supervisor is 'Whether the caller has a supervisor''s rights in this session.';

revoke execute on function public.set_supervisor(uuid, boolean), public.supervisors(), public.acts_as_supervisor()
from public, anon, service_role;
grant execute on function public.set_supervisor(uuid, boolean), public.supervisors(), public.acts_as_supervisor()
to authenticated;
