-- A copied token from before a code stays worthless when two-step verification is turned off: the time of the code stays with the session. For
-- live topics and images, a token from before the set-up is good for a minute more. The search of the chat list says which member of
-- a group has the name. No rows change.

create or replace function private.session_is_live() returns boolean
language sql stable security definer set search_path = ''
as $$
  select (select auth.jwt()) ->> 'session_id' is null or exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and (
        private.knows_latest_proof() and (
          s.aal >= 'aal2' and coalesce((select auth.jwt()) ->> 'aal', '') >= 'aal2'
          or not private.has_second_factor(s.user_id)
        )
        or s.aal >= 'aal2' and exists (
          select from auth.mfa_amr_claims shown
          where shown.session_id = s.id and shown.authentication_method = 'totp' and shown.created_at > now() - interval '1 minute'
        ) and not exists (
          select from auth.mfa_factors f
          where f.user_id = s.user_id and f.status = 'verified'
            and f.created_at <= to_timestamp(coalesce((select auth.jwt()) ->> 'iat', 'infinity')::float)
        )
      )
  )
$$;

drop function public.chats_with_member(text);
create function public.chats_with_member(query text)
returns table (chat_id uuid, first_name text, last_name text, found integer)
language sql stable security definer set search_path = ''
as $$
  select
    p.chat_id,
    (array_agg(m.first_name order by m.first_name, m.last_name, m.id))[1],
    (array_agg(m.last_name order by m.first_name, m.last_name, m.id))[1],
    count(*)::integer
  from private.members m
  join private.chat_participants p on p.user_id = m.id and p.is_active
  where m.admitted_at is not null and private.member_patterns(query) <> '{}' and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
    and p.chat_id in (
      select c.id from public.chats c where c.id in (select private.my_chat_ids()) and c.type <> 'mandatory'
    )
  group by p.chat_id
  order by (select max(sent.sent_at) from public.chat_messages sent where sent.chat_id = p.chat_id) desc nulls last
$$;

create or replace function public.require_live_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  claims constant json := nullif(current_setting('request.jwt.claims', true), '');
  session_id constant text := claims ->> 'session_id';
  session record;
begin
  if session_id is null then
    return;
  end if;
  select s.user_id, s.aal into session from auth.sessions s where s.id = session_id::uuid;
  if not found then
    raise exception 'Your session has ended' using errcode = 'PT401';
  end if;
  -- Token and session: one that was stolen before a code was entered is worth nothing after it.
  if session.aal >= 'aal2' and claims ->> 'aal' >= 'aal2' and private.knows_latest_proof() then
    return;
  end if;
  if private.has_second_factor(session.user_id) then
    if current_setting('request.path', true) is distinct from '/rpc/use_recovery_code' then
      raise exception 'Enter your two-step code first' using errcode = 'PT403';
    end if;
  elsif not private.knows_latest_proof() then
    raise exception 'Your session has ended' using errcode = 'PT401';
  end if;
end
$$;

create function private.keep_time_of_proof() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.mfa_amr_claims kept set updated_at = shown.updated_at
  from auth.sessions s join auth.mfa_amr_claims shown on shown.session_id = s.id
  where s.user_id = old.user_id and s.factor_id = old.id and kept.session_id = s.id
    and shown.authentication_method = 'totp' and kept.authentication_method <> 'totp' and kept.updated_at < shown.updated_at;
  return null;
end
$$;

create trigger keep_time_of_proof after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function private.keep_time_of_proof();

revoke execute on function private.keep_time_of_proof() from public;

revoke execute on function public.chats_with_member(text) from anon;

revoke execute on function public.chats_with_member(text) from public;
