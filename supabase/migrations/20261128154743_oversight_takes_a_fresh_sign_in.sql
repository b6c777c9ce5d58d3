-- So does what else outlasts a leader's stolen token: sponsors, who see contact details, the lexicon and the sample of the review, and the
-- house rules. No rows change.

create or replace function public.set_sponsor(member_id uuid, sponsor_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only an admin says who brought somebody in' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  -- Before the row's own lock, which another move would hold while it waits.
  perform pg_advisory_xact_lock(hashtextextended('private.members: sponsors', 0));
  if not exists (select from private.members m where m.id = set_sponsor.member_id and m.status <> 'deleted') then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  if set_sponsor.sponsor_id is not null and not exists (
    select from private.members m where m.id = set_sponsor.sponsor_id and m.is_active
  ) then
    raise exception 'Choose somebody who is on the team' using errcode = '22023';
  end if;
  update private.members m set sponsor_id = set_sponsor.sponsor_id
  where m.id = set_sponsor.member_id and m.sponsor_id is distinct from set_sponsor.sponsor_id;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create or replace function public.save_lexicon_entry(
  entry_id uuid, language text, category text, phrase text, near text default null, within integer default 5,
  exceptions text[] default '{}', is_active boolean default true
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  perform private.require_recent_proof();
  perform pg_advisory_xact_lock(hashtextextended('private.lexicon_entries', 0));
  if not exists (select from private.lexicon_entries e where e.id = entry_id)
    and (select count(*) from private.lexicon_entries) >= 1000
  then
    raise exception 'The lexicon has at most 1000 entries' using errcode = '23514';
  end if;
  insert into private.lexicon_entries as e (id, language, category, phrase, near, within, exceptions, is_active, updated_by)
  values (
    entry_id, save_lexicon_entry.language, save_lexicon_entry.category, btrim(save_lexicon_entry.phrase),
    nullif(private.trimmed(save_lexicon_entry.near), ''), save_lexicon_entry.within,
    array(select btrim(each) from unnest(save_lexicon_entry.exceptions) each where not private.is_blank(each)),
    save_lexicon_entry.is_active, (select auth.uid())
  )
  on conflict (id) do update set
    language = excluded.language, category = excluded.category, phrase = excluded.phrase, near = excluded.near,
    within = excluded.within, exceptions = excluded.exceptions, is_active = excluded.is_active, updated_at = now(),
    updated_by = excluded.updated_by;
exception
  -- The constraint is named by the sentence that the caller is to read.
  when check_violation or not_null_violation then
    raise exception using errcode = sqlstate, message = coalesce(substring(sqlerrm from 'check constraint "(.*)"'), sqlerrm);
end
$$;

create or replace function public.set_review_sampling(percent numeric, leader_id uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  perform private.require_recent_proof();
  if leader_id is null then
    update private.review_worker set percent = set_review_sampling.percent;
  elsif percent is null then
    delete from private.review_sampling s where s.leader_id = set_review_sampling.leader_id;
  else
    if not exists (select from private.members m where m.id = set_review_sampling.leader_id and m.is_active) then
      raise exception 'Choose somebody who is on the team' using errcode = '22023';
    end if;
    insert into private.review_sampling (leader_id, percent)
    values (set_review_sampling.leader_id, set_review_sampling.percent)
    on conflict on constraint review_sampling_pkey do update set percent = excluded.percent;
  end if;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;

create or replace function public.save_house_rules(body text, contact text, ask_again boolean default false) returns void
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
