-- Mails about a member's two-step verification: turned on, turned off, or reset by an admin. The auth service of a hosted project
-- can mail the first two by itself and knows nothing of the third, so the database keeps what happened until a server mails it.

create table private.security_mails (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  event text not null,
  happened_at timestamptz not null default now(),
  constraint "Event must be on, off or reset" check (event in ('on', 'off', 'reset'))
);
comment on table private.security_mails is 'What members are to be mailed about their second factor. Gone once it is mailed, or after three days.';
create index security_mails_user_id on private.security_mails (user_id);
create index security_mails_happened_at on private.security_mails (happened_at);
alter table private.security_mails enable row level security;
revoke all on private.security_mails from anon, authenticated, service_role;

create function private.note_second_factor() returns trigger
language plpgsql security definer set search_path = ''
as $$
<<note_second_factor>>
declare
  factor constant auth.mfa_factors := coalesce(new, old);
  actor constant uuid := (select auth.uid());
  event constant text := case
    when tg_op <> 'DELETE' then 'on' when actor <> factor.user_id then 'reset' else 'off'
  end;
begin
  -- Only the first factor turns it on, only the last turns it off; with a deleted account goes everything.
  if exists (select from auth.mfa_factors f where f.user_id = factor.user_id and f.status = 'verified' and f.id <> factor.id)
    or not exists (select from auth.users u where u.id = factor.user_id)
  then
    return null;
  end if;
  delete from private.security_mails old_one where old_one.happened_at < now() - interval '3 days';
  insert into private.security_mails (user_id, event)
  select factor.user_id, note_second_factor.event
  where not exists (
    select from private.security_mails m
    where m.user_id = factor.user_id and m.event = note_second_factor.event and m.happened_at = now()
  );
  -- A reset has an entry of its own, with the reason.
  if found and event <> 'reset' then
    perform private.record_change(
      'member', 'second_factor_' || event, factor.user_id, null, null, null, array[factor.user_id]
    );
  end if;
  return null;
end
$$;
create trigger note_second_factor_on after update of status on auth.mfa_factors
  for each row when (new.status = 'verified' and old.status <> 'verified') execute function private.note_second_factor();
create trigger note_second_factor_off after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function private.note_second_factor();

-- Taken before they are mailed: a crash loses a mail rather than sending it twice.
create function public.claim_security_mails(max_results integer default 50)
returns table (email text, language text, event text, happened_at timestamptz)
language plpgsql security definer set search_path = ''
as $$
begin
  return query
  with due as (
    delete from private.security_mails gone
    where gone.id in (
      select m.id from private.security_mails m order by m.id limit least(max_results, 200) for update skip locked
    )
    returning gone.id, gone.user_id, gone.event, gone.happened_at
  )
  select u.email::text, coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language', 'en'), d.event, d.happened_at
  from due d join auth.users u on u.id = d.user_id
  where u.email is not null and d.happened_at > now() - interval '3 days'
  order by d.id;
end
$$;
comment on function public.claim_security_mails is
  'For the server: whom to mail that their two-step verification was turned on, off or reset by an admin, each returned once.';

revoke execute on function public.claim_security_mails(integer) from public, anon, authenticated;
grant execute on function public.claim_security_mails(integer) to service_role;
revoke execute on all functions in schema private from public;
