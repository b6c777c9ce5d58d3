-- Invitations: a link with an end date that an admin hands out, as text, mail or QR code. It opens Create Account; the
-- account itself is confirmed by mail like every other.

create table public.join_links (
  id uuid primary key default gen_random_uuid(),
  token text not null unique default replace(gen_random_uuid()::text, '-', ''),
  created_by uuid not null default auth.uid() references private.members (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  constraint "An invitation lasts at most 90 days" check (expires_at <= created_at + interval '90 days')
);
comment on table public.join_links is 'Invitations that admins hand out; one is open until expires_at.';
create index join_links_created_by on public.join_links (created_by);

alter table public.join_links enable row level security;
revoke all on public.join_links from anon, authenticated, service_role;
grant select, delete, insert (expires_at) on public.join_links to authenticated;
grant select, delete on public.join_links to service_role;

create policy "admins read invitations" on public.join_links
  for select to authenticated using ((select private.is_admin()));
create policy "admins make invitations in their own name" on public.join_links
  for insert to authenticated
  with check ((select private.is_admin()) and created_by = (select auth.uid()));
create policy "admins take invitations back" on public.join_links
  for delete to authenticated using ((select private.is_admin()));

-- For whoever opens the link, without an account yet: one bit about one token that nobody can guess.
create function public.join_link_is_open(token text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.join_links l where l.token = join_link_is_open.token and l.expires_at > now()
  )
$$;
comment on function public.join_link_is_open is 'Whether this invitation can still be used.';
revoke execute on function public.join_link_is_open from public;
grant execute on function public.join_link_is_open to anon, authenticated, service_role;
