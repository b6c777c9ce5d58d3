-- Admins put the vice presidents in another order. Existing rows stay as they are.

create function public.order_vice_presidents(member_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  chosen uuid[];
  ordered uuid[];
begin
  perform private.assert_admin();
  if cardinality(member_ids) > 10 then
    raise exception 'At most 10 vice presidents' using errcode = '22023';
  end if;
  select s.vice_presidents into chosen from public.team_settings s for update;
  with places as (
    select place, member_id, row_number() over (partition by member_id = any (member_ids) order by place) as nth,
      member_id = any (member_ids) as moves
    from unnest(chosen) with ordinality as c (member_id, place)
  ), moving as (
    select c.member_id, row_number() over (order by array_position(member_ids, c.member_id)) as nth
    from unnest(chosen) as c (member_id) where c.member_id = any (member_ids)
  )
  select array_agg(coalesce(moving.member_id, places.member_id) order by places.place) into ordered
  from places left join moving on places.moves and moving.nth = places.nth;
  update public.team_settings s set vice_presidents = ordered where ordered <> s.vice_presidents;
end
$$;

comment on function public.order_vice_presidents(pg_catalog.uuid[]) is 'For admins: Home names these vice presidents in this order.';

revoke execute on function public.order_vice_presidents(uuid[]) from anon;

revoke execute on function public.order_vice_presidents(uuid[]) from public;

revoke execute on function public.order_vice_presidents(uuid[]) from service_role;
