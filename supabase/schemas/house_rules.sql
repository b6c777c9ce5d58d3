-- The team's house rules, a contact for abuse, and who accepted which version when.

create table private.house_rules (
  id boolean primary key default true,
  -- Empty: the app's default rules, in the reader's language.
  body text not null default '',
  contact text not null default '',
  version int not null default 1,
  -- Everybody has to have accepted this version or a later one; 0: new accounts alone accept.
  asked_version int not null default 0,
  changed_at timestamptz,
  changed_by uuid references private.members (id),
  constraint "There is one row of house rules" check (id),
  constraint "House rules are at most 10000 characters" check (char_length(body) <= 10000),
  constraint "Contact must be an e-mail address" check (contact = '' or contact ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  constraint "Contact is at most 254 characters" check (char_length(contact) <= 254)
);
comment on table private.house_rules is 'One row: the rules, the address for abuse, and the version that everybody must have accepted.';
create index house_rules_changed_by on private.house_rules (changed_by);
insert into private.house_rules default values;

create table private.rule_acceptances (
  member_id uuid not null references private.members (id),
  version int not null,
  accepted_at timestamptz not null default now(),
  primary key (member_id, version)
);
comment on table private.rule_acceptances is 'Which version of the house rules a member accepted, and when.';

alter table private.house_rules enable row level security;
alter table private.rule_acceptances enable row level security;
revoke all on private.house_rules, private.rule_acceptances from anon, authenticated, service_role;

-- Also for visitors, who accept them as they sign up.
create function public.house_rules()
returns table (body text, contact text, version int, must_accept boolean, may_edit boolean)
language sql stable security definer set search_path = ''
as $$
  select r.body, r.contact, r.version,
    private.is_member() and r.asked_version > coalesce(
      (select max(a.version) from private.rule_acceptances a where a.member_id = (select auth.uid())), 0
    ),
    private.is_admin()
  from private.house_rules r
$$;
comment on function public.house_rules is
  'The house rules, the address for abuse, and whether the caller has to accept them. An empty text: the app''s default.';

create function private.accept_rules(member_id uuid, version int) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.rule_acceptances (member_id, version)
  select accept_rules.member_id, least(accept_rules.version, r.version) from private.house_rules r
  where accept_rules.version > 0
    and exists (select from private.members m where m.id = accept_rules.member_id and m.status in ('waiting', 'active'))
  on conflict do nothing;
end
$$;

create function public.accept_house_rules(version int) returns void
language sql security definer set search_path = ''
as $$ select private.accept_rules((select auth.uid()), accept_house_rules.version) $$;
comment on function public.accept_house_rules is 'The caller accepts the house rules of this version.';

-- Whoever changes a word changes the version; the caller says whether everybody accepts it again.
create function public.save_house_rules(body text, contact text, ask_again boolean default false) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  new_body constant text := private.trimmed(save_house_rules.body);
  new_contact constant text := private.trimmed(save_house_rules.contact);
begin
  perform private.assert_admin();
  perform private.require_recent_proof();
  update private.house_rules r set
    body = new_body, contact = new_contact,
    version = r.version + case when r.body <> new_body or ask_again then 1 else 0 end,
    asked_version = case when ask_again then r.version + 1 else r.asked_version end,
    changed_at = now(), changed_by = (select auth.uid())
  where (r.body, r.contact) is distinct from (new_body, new_contact) or ask_again;
  -- Whoever wrote them has read them.
  if ask_again then
    perform private.accept_rules((select auth.uid()), (select r.version from private.house_rules r));
  end if;
exception
  -- The constraint is named by the sentence that the caller is to read.
  when check_violation or not_null_violation then
    raise exception using errcode = sqlstate, message = coalesce(substring(sqlerrm from 'check constraint "(.*)"'), sqlerrm);
end
$$;
comment on function public.save_house_rules is
  'For admins: the house rules and the address for abuse. ask_again: everybody accepts them at the next open.';

-- Signing up in the app says which version was shown; accounts that an admin or a server makes say nothing.
create function private.version_at_sign_up(data jsonb) returns int
language sql immutable set search_path = ''
as $$
  select case when data ->> 'house_rules' ~ '^[1-9]\d{0,5}$' then (data ->> 'house_rules')::int else 0 end
$$;

create function private.accept_rules_at_sign_up() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.accept_rules(u.id, private.version_at_sign_up(u.raw_user_meta_data)) from auth.users u where u.id = new.id;
  return null;
end
$$;
create trigger accept_rules_at_sign_up after insert on private.members
  for each row execute function private.accept_rules_at_sign_up();
-- Somebody invited is a member before they choose a password and accept.
create trigger accept_rules_later after update of raw_user_meta_data on auth.users
  for each row
  when (new.raw_user_meta_data ->> 'house_rules' is distinct from old.raw_user_meta_data ->> 'house_rules')
  execute function private.accept_rules_at_sign_up();

create function archive.record_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'rules.changed',
    json_build_object('body', new.body, 'contact', new.contact, 'version', new.version, 'asked_version', new.asked_version),
    audience => 'team'
  );
  return null;
end
$$;
create trigger archive_rules after update on private.house_rules
  for each row
  when ((old.body, old.contact, old.version, old.asked_version) is distinct from (new.body, new.contact, new.version, new.asked_version))
  execute function archive.record_rules();

-- In the audit log too, also what an operator changes in the SQL console.
create function private.record_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  kept constant text[] := '{body,contact,version}';
  one jsonb;
  other jsonb;
begin
  select jsonb_object_agg(key, value) into one from jsonb_each(to_jsonb(old)) where key = any (kept);
  select jsonb_object_agg(key, value) into other from jsonb_each(to_jsonb(new)) where key = any (kept);
  perform private.record_change(
    'rules', 'changed', null, null, private.changed_values(one, other), private.changed_values(other, one),
    details => jsonb_build_object('asked_again', nullif(new.asked_version > old.asked_version, false))
  );
  return null;
end
$$;
create trigger record_rules after update on private.house_rules
  for each row execute function private.record_rules();

create function archive.record_acceptance() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform archive.record(
    'rules.accepted',
    json_strip_nulls(json_build_object('version', new.version, 'member', archive.person(new.member_id))),
    member_id => new.member_id
  );
  return null;
end
$$;
create trigger archive_acceptance after insert on private.rule_acceptances
  for each row execute function archive.record_acceptance();

revoke execute on function public.house_rules, public.accept_house_rules, public.save_house_rules from public, anon, service_role;
grant execute on function public.house_rules to anon, authenticated;
grant execute on function public.accept_house_rules, public.save_house_rules to authenticated;
revoke execute on all functions in schema private from public;
revoke execute on all functions in schema archive from public;
