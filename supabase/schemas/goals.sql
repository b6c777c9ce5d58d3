-- A member's calculator goal and what they did towards it. Both are private to the member: leaders see training
-- progress, never who is behind on sales. One goal is active at a time; earlier ones stay, because a member's own ratios
-- are measured from the activity logged against them.

create table public.goals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  position text not null constraint "Position must be one of the calculator's" check (
    position in (
      'representative',
      'district_leader',
      'division_leader',
      'regional_leader',
      'regional_vp'
    )
  ),
  metric text not null constraint "A goal is for one of the calculator's figures" check (
    metric in (
      'appointments',
      'premium',
      'cash',
      'warm',
      'cold',
      'warm_recruits',
      'cold_recruits',
      'warm_leaders',
      'cold_leaders'
    )
  ),
  -- The calculator's own bounds: no negatives, and above ten million a typo is likelier than a goal.
  value numeric(10, 2) not null
    constraint "A goal is above 0 and at most 10000000" check (value > 0 and value <= 10000000),
  period text not null constraint "A goal is for a month, a week or a day" check (period in ('month', 'week', 'day')),
  own_ratios jsonb not null default '{}' constraint "Own ratios are at most 1000 characters" check (
    jsonb_typeof(own_ratios) = 'object' and length(own_ratios::text) <= 1000
  ),
  created_at timestamptz not null default now(),
  ended_at timestamptz constraint "A goal ends after it began" check (ended_at >= created_at),
  constraint goals_id_and_member unique (id, user_id)
);
comment on table public.goals is 'A member''s saved calculator goals; the one without ended_at is current.';
comment on column public.goals.own_ratios is 'Ratios that replace the defaults, by name.';

-- Also serves the policies, which look goals up by member.
create index goals_by_member on public.goals (user_id, created_at desc);
create unique index one_active_goal_per_member on public.goals (user_id) where ended_at is null;

alter table public.goals enable row level security;
revoke all on public.goals from anon, authenticated;
grant select on public.goals to authenticated;
grant insert (id, user_id, position, metric, value, period, own_ratios) on public.goals to authenticated;
grant update (ended_at) on public.goals to authenticated;

create policy "members read their own goals" on public.goals
for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members save goals of their own" on public.goals
for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members end their own goals" on public.goals
for update to authenticated using (user_id = (select auth.uid()) and (select private.is_member()))
with check (user_id = (select auth.uid()) and (select private.is_member()));

create table public.goal_activity (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  goal_id uuid not null,
  stage text not null constraint "An activity is one of the calculator's stages" check (
    stage in ('appointments', 'plans', 'sales', 'interviews', 'shows', 'intros', 'recruits')
  ),
  quantity integer not null default 1 constraint "Quantity is 1 to 500" check (quantity between 1 and 500),
  premium numeric(10, 2) constraint "A premium is above 0 and belongs to sales" check (premium is null or premium > 0 and stage = 'sales'),
  -- The member's calendar day, not the server's: an evening appointment belongs to that day everywhere.
  happened_on date not null,
  created_at timestamptz not null default now(),
  -- Both columns, so that an entry cannot be filed under another member's goal.
  constraint goal_activity_goal foreign key (goal_id, user_id)
    references public.goals (id, user_id) on delete cascade
);
comment on table public.goal_activity is 'What a member did on a day towards a goal, one row per entry.';
comment on column public.goal_activity.premium is 'The total premium of these sales, if the member entered it.';

create index goal_activity_by_day on public.goal_activity (user_id, happened_on);
create index goal_activity_by_goal on public.goal_activity (goal_id, user_id);

alter table public.goal_activity enable row level security;
revoke all on public.goal_activity from anon, authenticated;
grant select, delete on public.goal_activity to authenticated;
grant insert (id, user_id, goal_id, stage, quantity, premium, happened_on)
on public.goal_activity to authenticated;
grant update (premium) on public.goal_activity to authenticated;

create policy "members read their own activity" on public.goal_activity
for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members log activity of their own" on public.goal_activity
for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members add the premium to their own sales" on public.goal_activity
for update to authenticated using (user_id = (select auth.uid()) and (select private.is_member()))
with check (user_id = (select auth.uid()) and (select private.is_member()));

create policy "members take back their own entries" on public.goal_activity
for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- Ends the old goal and saves the new one in one transaction, so that a member is never left with none.
create function public.save_goal(
  "position" text, metric text, value numeric, period text, own_ratios jsonb default '{}'
) returns uuid
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  new_id uuid;
begin
  -- Saved twice at once, one goal follows the other; the second may have begun before the first was there.
  perform pg_advisory_xact_lock(hashtextextended('public.goals: ' || (select auth.uid()), 0));
  update public.goals as goal set ended_at = greatest(now(), goal.created_at)
  where goal.user_id = (select auth.uid()) and goal.ended_at is null;
  insert into public.goals as goal (position, metric, value, period, own_ratios)
  values ($1, $2, $3, $4, $5)
  returning goal.id into new_id;
  return new_id;
end
$$;

comment on function public.save_goal is 'Makes this the member''s current goal and ends the previous one.';

-- Summed on the server: half a year of entries need not travel to a phone to become eight numbers.
create function public.activity_totals(since date)
returns table (stage text, market text, quantity bigint, premium numeric, with_premium bigint)
language sql stable security invoker set search_path = ''
as $$
  select
    activity.stage,
    case
      when goal.metric like 'warm%' then 'warm'
      when goal.metric like 'cold%' then 'cold'
    end,
    sum(activity.quantity),
    coalesce(sum(activity.premium), 0),
    coalesce(sum(activity.quantity) filter (where activity.premium is not null), 0)
  from public.goal_activity as activity
  join public.goals as goal on goal.id = activity.goal_id
  where activity.user_id = (select auth.uid()) and activity.happened_on >= since
  group by 1, 2
$$;

comment on function public.activity_totals is 'The member''s own activity since a day, by stage and market.';

revoke all on function public.save_goal, public.activity_totals from public, anon;
grant execute on function public.save_goal, public.activity_totals to authenticated;
