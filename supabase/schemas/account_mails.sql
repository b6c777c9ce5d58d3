-- Emails about an account, for a server to send: an admin let its owner in or declined them, or their two-step verification
-- was turned on, turned off or reset, an authenticator app came or went besides, or recovery codes were used or replaced. The auth
-- service of a hosted project mails only that a factor was added or removed.

create table private.account_mails (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  event text not null,
  happened_at timestamptz not null default now(),
  constraint "Event must be known" check (
    event in (
      'approved', 'declined', 'second_factor_on', 'second_factor_off', 'second_factor_added', 'second_factor_removed', 'second_factor_reset',
      'recovery_code_used', 'recovery_codes_replaced'
    )
  )
);
comment on table private.account_mails is 'What people are to be mailed about their account. Gone once it is mailed, or after three days.';
create index account_mails_user_id on private.account_mails (user_id);
create index account_mails_happened_at on private.account_mails (happened_at);
alter table private.account_mails enable row level security;
revoke all on private.account_mails from anon, authenticated, service_role;

create function private.note_account_mail(user_id uuid, event text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.account_mails old_one where old_one.happened_at < now() - interval '3 days';
  insert into private.account_mails (user_id, event)
  select u.id, note_account_mail.event from auth.users u where u.id = note_account_mail.user_id;
end
$$;

-- A decision that no longer holds is not mailed. Nor is what people did themselves, as with the set-up code.
create function private.note_decision() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.account_mails m where m.user_id = new.id and m.event in ('approved', 'declined');
  if old.status in ('waiting', 'declined') and new.status in ('active', 'declined')
    and (select auth.uid()) is distinct from new.id
  then
    perform private.note_account_mail(new.id, case new.status when 'active' then 'approved' else 'declined' end);
  end if;
  return null;
end
$$;
create trigger note_decision after update of status on private.members
  for each row when (old.status <> new.status) execute function private.note_decision();

create function private.note_second_factor() returns trigger
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
create trigger note_second_factor_on after update of status on auth.mfa_factors
  for each row when (new.status = 'verified' and old.status <> 'verified') execute function private.note_second_factor();
create trigger note_second_factor_off after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function private.note_second_factor();

-- Taken before they are mailed: a crash loses a mail rather than sending it twice.
create function public.claim_account_mails(max_results integer default 50)
returns table (email text, language text, event text, happened_at timestamptz)
language plpgsql security definer set search_path = ''
as $$
begin
  return query
  with due as (
    delete from private.account_mails gone
    where gone.id in (
      select m.id from private.account_mails m
      -- As long as "Undo" is offered, and a little longer.
      where m.event not in ('approved', 'declined') or m.happened_at < now() - interval '1 minute'
      order by m.id limit least(max_results, 200) for update skip locked
    )
    returning gone.id, gone.user_id, gone.event, gone.happened_at
  )
  select u.email::text, coalesce(u.raw_user_meta_data ->> 'locale', u.raw_user_meta_data ->> 'language', 'en'), d.event, d.happened_at
  from due d join auth.users u on u.id = d.user_id
  where u.email is not null and d.happened_at > now() - interval '3 days'
  order by d.id;
end
$$;
comment on function public.claim_account_mails is
  'For the server: whom to mail what happened to their account, each returned once, a decision after a minute.';

revoke execute on function public.claim_account_mails(integer) from public, anon, authenticated;
grant execute on function public.claim_account_mails(integer) to service_role;
revoke execute on all functions in schema private from public;
