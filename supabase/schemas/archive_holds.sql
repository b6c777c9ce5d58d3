-- Legal holds. What concerns a member or a chat on hold is neither pruned nor deleted, and the accounts concerned are not
-- erased, for as long as the hold lasts. Admins place and lift holds; both are records of the archive.

create table archive.holds (
  id uuid primary key,
  member_id uuid,
  chat_id uuid,
  reason text not null,
  placed_at timestamptz not null default now(),
  placed_by uuid,
  lifted_at timestamptz,
  lifted_by uuid,
  constraint "A hold is on a member or a chat" check (num_nonnulls(member_id, chat_id) = 1),
  constraint "Give a reason for the hold" check (not private.is_blank(reason)),
  constraint "Reason is at most 500 characters" check (char_length(reason) <= 500)
);
comment on table archive.holds is 'Legal holds, lifted ones too.';
create index holds_by_member on archive.holds (member_id) where lifted_at is null and member_id is not null;
create index holds_by_chat on archive.holds (chat_id) where lifted_at is null and chat_id is not null;
alter table archive.holds enable row level security;

-- Members who deleted their account while a hold keeps it: the profile is gone and the account closed at once; it is erased
-- when the hold is lifted.
create table archive.waiting_erasures (
  member_id uuid primary key,
  asked_at timestamptz not null default now()
);
comment on table archive.waiting_erasures is 'Accounts to erase once no hold keeps them.';
alter table archive.waiting_erasures enable row level security;

-- A hold on a member covers every chat they were ever in, with what others said there, and all notices.
create function archive.is_held(chat_id uuid, member_id uuid, category text default '') returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from archive.holds where lifted_at is null) and exists (
    select from archive.holds h
    where h.lifted_at is null and (
      h.chat_id = is_held.chat_id or h.member_id = is_held.member_id
      or h.member_id is not null and (
        category = 'notice' or exists (
          select from archive.records r
          where r.chat_id = is_held.chat_id and r.member_id = h.member_id and r.kind = 'chat.joined'
        )
      )
    )
  )
$$;

-- A hold on a chat keeps the accounts of everybody who was ever in it.
create function archive.is_account_held(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from archive.holds h
    where h.lifted_at is null and (
      h.member_id = is_account_held.member_id or exists (
        select from archive.records r
        where r.chat_id = h.chat_id and r.member_id = is_account_held.member_id and r.kind = 'chat.joined'
      )
    )
  )
$$;

-- An account goes by delete_my_account() alone while a hold keeps it, not by the auth service or the SQL console.
create function archive.refuse_erasure() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if archive.is_account_held(old.id) then
    raise exception 'A legal hold keeps this account' using errcode = '42501';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger archive_keeps_account before delete on auth.users
  for each row execute function archive.refuse_erasure();
create trigger archive_keeps_deleted_account before update of deleted_at on auth.users
  for each row when (new.deleted_at is not null and old.deleted_at is null) execute function archive.refuse_erasure();

-- An account that is deleted just as its last hold is lifted is erased by one of the two.
create function archive.lock_holds() returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('archive.holds', 0)) $$;

-- To the team they are a former member at once; the archive alone still has their name.
create function archive.postpone_erasure(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- First the account, as set_member_status does.
  perform from auth.users u where u.id = postpone_erasure.member_id for no key update;
  insert into archive.waiting_erasures (member_id) values (postpone_erasure.member_id) on conflict do nothing;
  perform private.forget_member(postpone_erasure.member_id);
  perform private.close_account(postpone_erasure.member_id);
end
$$;

create function archive.erase_waiting_accounts() returns void
language sql security definer set search_path = ''
as $$
  with freed as (
    delete from archive.waiting_erasures w where not archive.is_account_held(w.member_id) returning w.member_id
  )
  delete from auth.users u using freed where u.id = freed.member_id
$$;

-- In the audit log, next to what else admins did.
create function archive.record_hold_change(action text, hold_id uuid, reason text) returns void
language sql security definer set search_path = ''
as $$
  select private.record_change(
    'archive', action, coalesce(h.chat_id, h.member_id), c.name, null, null, array[h.member_id],
    jsonb_build_object('reason', left(record_hold_change.reason, 500), 'on', case when h.chat_id is null then 'member' else 'chat' end)
  )
  from archive.holds h left join public.chats c on c.id = h.chat_id
  where h.id = hold_id
$$;

-- The id comes from the caller, so that asking twice places one hold.
create function public.place_legal_hold(
  reason text, member_id uuid default null, chat_id uuid default null, hold_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  perform private.require_recent_proof();
  if member_id is not null and not exists (select from private.members m where m.id = place_legal_hold.member_id) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  if chat_id is not null then
    -- One that is being deleted is gone before it is held.
    perform from public.chats c where c.id = place_legal_hold.chat_id for key share;
    if not found then
      raise exception 'This chat no longer exists' using errcode = 'PT404';
    end if;
  end if;
  insert into archive.holds (id, member_id, chat_id, reason, placed_by)
  values (hold_id, place_legal_hold.member_id, place_legal_hold.chat_id, btrim(place_legal_hold.reason), (select auth.uid()))
  on conflict do nothing;
  if found then
    perform archive.record(
      'hold.placed', json_build_object('reason', btrim(place_legal_hold.reason)), place_legal_hold.chat_id, hold_id,
      place_legal_hold.member_id
    );
    perform archive.record_hold_change('hold_placed', hold_id, btrim(place_legal_hold.reason));
  elsif not exists (
    select from archive.holds h
    where h.id = hold_id and h.lifted_at is null
      and (h.member_id, h.chat_id) is not distinct from (place_legal_hold.member_id, place_legal_hold.chat_id)
  ) then
    raise exception 'This was sent before, for something else' using errcode = 'PT409';
  end if;
  return hold_id;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.place_legal_hold is
  'For admins: keeps everything that concerns a member or a chat, whatever its age, until the hold is lifted.';

create function public.lift_legal_hold(hold_id uuid, reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  hold archive.holds;
begin
  perform private.assert_admin();
  perform private.require_recent_proof();
  if private.is_blank(reason) then
    raise exception 'Give a reason for lifting the hold' using errcode = '23514';
  elsif char_length(reason) > 500 then
    raise exception 'Reason is at most 500 characters' using errcode = '23514';
  end if;
  perform archive.lock_holds();
  update archive.holds h set lifted_at = now(), lifted_by = (select auth.uid())
  where h.id = hold_id and h.lifted_at is null
  returning * into hold;
  if hold.id is null then
    return;
  end if;
  perform archive.record(
    'hold.lifted', json_build_object('reason', btrim(lift_legal_hold.reason)), hold.chat_id, hold.id, hold.member_id
  );
  perform archive.record_hold_change('hold_lifted', hold.id, btrim(lift_legal_hold.reason));
  perform archive.erase_waiting_accounts();
end
$$;
comment on function public.lift_legal_hold is 'For admins: ends a hold, with a reason. Accounts that waited for it are erased.';

create function public.legal_holds()
returns table (
  id uuid, member_id uuid, chat_id uuid, name text, reason text, placed_at timestamptz, placed_by uuid, placed_by_name text,
  lifted_at timestamptz, lifted_by_name text, lift_reason text
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select h.id, h.member_id, h.chat_id, coalesce(held.name, archive.name_of(m.first_name, m.last_name), c.name), h.reason, h.placed_at,
    h.placed_by, archive.name_of(p.first_name, p.last_name), h.lifted_at, archive.name_of(l.first_name, l.last_name),
    -- As the archive has it, for as long as it keeps such records.
    (
      select r.content ->> 'reason' from archive.records r where r.subject_id = h.id and r.kind = 'hold.lifted' limit 1
    )
  from archive.holds h
  left join private.members m on m.id = h.member_id
  -- By the name of the time, as long as the hold keeps the account.
  left join archive.waiting_erasures w on w.member_id = h.member_id and h.lifted_at is null
  left join lateral archive.named(w.member_id) held on true
  left join public.chats c on c.id = h.chat_id
  left join private.members p on p.id = h.placed_by
  left join private.members l on l.id = h.lifted_by
  order by h.lifted_at is not null, h.placed_at desc, h.id
  limit 500;
end
$$;
comment on function public.legal_holds is 'For admins: the legal holds, those that last first.';

create function public.find_groups(query text default '', max_results integer default 50)
returns table (id uuid, title text, members bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select c.id, private.chat_title(c.id),
    (select count(*) from private.chat_participants p where p.chat_id = c.id and p.is_active)
  from public.chats c
  where c.type <> 'individual'
    and lower(private.without_accents(coalesce(c.name, ''))) like all (private.member_patterns(query))
  order by c.type = 'mandatory' desc, lower(c.name), c.id
  limit least(greatest(coalesce(max_results, 50), 1), 100);
end
$$;
comment on function public.find_groups is
  'For admins: groups by their name, also those the caller is not in, to place a hold on. Not who is in them.';

revoke execute on all functions in schema archive from public;
revoke execute on function public.place_legal_hold, public.lift_legal_hold, public.legal_holds, public.find_groups
from public, anon, service_role;
grant execute on function public.place_legal_hold, public.lift_legal_hold, public.legal_holds, public.find_groups to authenticated;
