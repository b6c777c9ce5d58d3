-- How members reach each other. Who sees a phone number and an e-mail address is the member's choice, decided here for every
-- way there is to read them: docs/decisions/022-contact-details.md

-- "Leaders" are admins, supervisors, and everybody above the member. Blocking somebody hides the number from them as well.
-- In PL/pgSQL, because blocks and sponsors come later in the order of these files.
create function private.sees_phone_of(member_id uuid, audience text, is_active boolean) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if member_id = me then
    return true;
  elsif not is_active or audience = 'nobody' or not private.is_member() or member_id = any (private.apart_from(me)) then
    return false;
  end if;
  return audience = 'everyone' or private.leads(member_id);
end
$$;

-- Admins always see the address: it names the account that they manage.
create function private.sees_email_of(member_id uuid, audience text, is_active boolean) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return member_id = (select auth.uid()) or private.is_admin()
    or is_active and (audience = 'everyone' or audience = 'leaders' and private.is_member() and private.leads(member_id));
end
$$;

create function private.leads(member_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_admin() or private.is_supervisor() or private.is_in_downline(member_id, (select auth.uid()));
end
$$;

-- Parsed on creation, so that Postgres can inline them: most rows are settled without a call.
create function private.shown_email(member_id uuid, email text, audience text, is_active boolean) returns text
language sql stable
return case when is_active and audience = 'everyone' then email
  when email is not null and private.sees_email_of(member_id, audience, is_active) then email end;
create function private.shown_phone(member_id uuid, phone text, audience text, is_active boolean) returns text
language sql stable
return case when phone is not null and private.sees_phone_of(member_id, audience, is_active) then phone end;

-- A number as people type or paste it becomes E.164; without a country it is one of the North American plan.
create function private.phone_from(typed text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  plain constant text := private.trimmed(private.without_invisible(left(typed, 100)));
  digits constant text := regexp_replace(plain, '[^0-9]', '', 'g');
  phone text;
begin
  if plain is null or plain = '' then
    return null;
  end if;
  -- Digits, and what people group them with.
  if plain ~ '^\+?[0-9 \u00A0\u2007\u202F()./\u2010-\u2015-]+$' then
    phone := case
      when plain like '+%' then '+' || digits
      when digits like '011%' then '+' || substr(digits, 4)
      when digits like '00%' then '+' || substr(digits, 3)
      when length(digits) = 11 and digits like '1%' then '+' || digits
      when length(digits) = 10 then '+1' || digits
    end;
  end if;
  if phone is null or phone !~ '^\+(1[2-9][0-9]{2}[2-9][0-9]{6}|[2-9][0-9]{6,14})$' then
    raise exception 'Enter a phone number with its area code, such as (312) 555-0142' using errcode = '22023';
  end if;
  return phone;
end
$$;

revoke execute on all functions in schema private from public;
-- A view's functions are called with the rights of its reader.
grant execute on function
  private.sees_phone_of(uuid, text, boolean), private.sees_email_of(uuid, text, boolean),
  private.shown_email(uuid, text, text, boolean), private.shown_phone(uuid, text, text, boolean)
to authenticated, service_role;
