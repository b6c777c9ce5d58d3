-- Whoever reads a notice does not read to whom else it went.

revoke select on table public.team_notices from authenticated;
grant select (
  id, title, body, link, audience, is_urgent, must_acknowledge, scheduled_for, published_at, cancelled_at, created_by,
  created_at, updated_at, updated_by
) on table public.team_notices to authenticated;
