-- 500 members, 50 group chats, as many messages as `bench.messages` says. Twenty members are in every chat, the others in one each.
set session_replication_role = replica;

insert into private.members (id, email, first_name, last_name)
select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@example.com', 'Member', n::text
from generate_series(1, 500) n;

-- Every request checks its session.
insert into auth.users (id, email) select id, email from private.members;
insert into auth.sessions (id, user_id, created_at) select id, id, now() from private.members;

insert into public.chats (id, name, type, created_by)
select ('11111111-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Chat ' || n, 'group',
  '00000000-0000-4000-8000-000000000001'
from generate_series(1, 50) n;

insert into private.chat_participants (chat_id, user_id)
select c.id, m.id
from public.chats c
join private.members m on m.last_name::int <= 20 or m.last_name::int % 50 = substr(c.name, 6)::int - 1
where c.type = 'group';

insert into public.chat_messages (chat_id, sender_id, message, sent_at)
select
  ('11111111-0000-4000-8000-' || lpad((1 + n % 50)::text, 12, '0'))::uuid,
  ('00000000-0000-4000-8000-' || lpad((1 + n % 20)::text, 12, '0'))::uuid,
  'Message number ' || n || ' about the calls of the day and who takes the next one.',
  now() - make_interval(secs => current_setting('bench.messages')::int - n)
from generate_series(1, current_setting('bench.messages')::int) n;

-- No trigger ran for these messages.
select private.find_far_back(array(select id from public.chats));
