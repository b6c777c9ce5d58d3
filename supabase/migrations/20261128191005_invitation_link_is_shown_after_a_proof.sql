-- An admin's stolen token reads the code of no open link any more: it is shown after a recent sign-in or code. No rows change; links that
-- are open stay open.

revoke select on table public.join_links from authenticated;

create function public.show_join_link(link_id uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  shown text;
begin
  if not private.is_admin() then
    raise exception 'Only an admin may invite people' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  select l.token into shown from public.join_links l
  where l.id = show_join_link.link_id and private.join_link_state(l) = 'open';
  if not found then
    raise exception 'This link is no longer open' using errcode = 'PT404';
  end if;
  return shown;
end
$$;

drop function public.list_join_links(integer,integer);
create function public.list_join_links(max_results integer default 20, skip integer default 0)
returns table (
  id uuid, state text, created_by uuid, first_name text, last_name text,
  created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, joined bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select l.id, private.join_link_state(l), l.created_by, m.first_name, m.last_name,
    l.created_at, l.expires_at, l.revoked_at,
    (select count(*) from private.members j where j.join_link_id = l.id and j.admitted_at is not null)
  from public.join_links l
  join private.members m on m.id = l.created_by
  order by l.created_at desc, l.id
  limit greatest(least(max_results, 100), 0) offset greatest(skip, 0);
end
$$;

comment on function public.show_join_link(pg_catalog.uuid) is 'For admins who have just shown who they are: the token of this open link.';

grant select (created_at) on table public.join_links to authenticated;

grant select (created_by) on table public.join_links to authenticated;

grant select (expires_at) on table public.join_links to authenticated;

grant select (id) on table public.join_links to authenticated;

grant select (revoked_at) on table public.join_links to authenticated;

revoke execute on function public.list_join_links(integer,integer) from anon;

revoke execute on function public.list_join_links(integer,integer) from public;

revoke execute on function public.list_join_links(integer,integer) from service_role;

revoke execute on function public.show_join_link(uuid) from anon;

revoke execute on function public.show_join_link(uuid) from public;

revoke execute on function public.show_join_link(uuid) from service_role;

comment on function public.list_join_links(integer,integer) is 'For admins: a page of invitation links, the latest first, with how many joined by each.';
