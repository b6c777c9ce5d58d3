-- What a monitor watches of the database, in one row. Each count is bounded.

create function public.server_figures()
returns table (
  active_members bigint, push_waiting bigint, push_failed bigint, backed_up_at timestamptz, backup_problems integer
)
language sql stable security definer set search_path = ''
as $$
  select
    (select count(*) from private.members m where m.is_active),
    (select count(*) from (
      select from private.push_deliveries d where d.state = 'waiting' and d.due_at < now() limit 10000
    ) late),
    (select count(*) from (
      select from private.push_deliveries d
      where d.state in ('failed', 'uncertain') and d.finished_at > now() - interval '1 day' limit 10000
    ) failed),
    (select s.verified_at from private.backup_state() s),
    (private.system_part('backup')).problems
$$;
comment on function public.server_figures is
  'For the server: members, push that is due or failed within a day, and the latest good backup. Null where nobody makes backups.';

revoke execute on function public.server_figures() from public, anon, authenticated;
grant execute on function public.server_figures() to service_role;
