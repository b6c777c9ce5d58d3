-- The demo team, loaded by `npm run demo` only: 25 people, their chats with a few weeks of history, and content for
-- every screen. All times are relative to now. Running it again changes nothing. Everybody's password: rally-demo

begin;

create function pg_temp.demo_id(what text) returns uuid language sql immutable
as $$ select extensions.uuid_generate_v5(extensions.uuid_ns_url(), 'https://demo.example/' || what) $$;

-- A time of day in the team's time zone, some days ago; day 0 counts minutes back from now instead.
create function pg_temp.ago(day int, at time, minutes int) returns timestamptz language sql stable
as $$
  select case when day = 0 then now() - make_interval(mins => minutes)
    else (((now() at time zone 'America/New_York')::date - day) + at) at time zone 'America/New_York' end
$$;

-- `active` is how long ago somebody last used the app. Two are silent; two, not active at all, never opened it.
create temporary table people (
  position int, first_name text, last_name text, days_on_team int, active interval
) on commit drop;
insert into people values
  (1, 'Dana', 'Reyes', 1460, '15 minutes'), (2, 'Theo', 'Brandt', 1388, '30 minutes'),
  (3, 'Marcus', 'Bell', 912, '5 hours'), (4, 'Elena', 'Petrova', 845, '1 hour'),
  (5, 'Grace', 'Whitfield', 790, '75 minutes'), (6, 'Priya', 'Shah', 655, '90 minutes'),
  (7, 'Jonah', 'Kim', 540, '105 minutes'), (8, 'Omar', 'Haddad', 512, '2 hours'),
  (9, 'Hannah', 'Lindqvist', 470, '3 hours'), (10, 'Luis', 'Herrera', 431, '3 days'),
  (11, 'Tyrell', 'Jackson', 388, '30 minutes'), (12, 'Mei', 'Tanaka', 352, '45 minutes'),
  (13, 'Rachel', 'Adler', 320, '1 hour'), (14, 'Kwame', 'Mensah', 298, '75 minutes'),
  (15, 'Isabel', 'Fuentes', 260, '2 days'), (16, 'Noah', 'Bergstrom', 231, '16 days'),
  (17, 'Fatima', 'Rahman', 204, '5 days'), (18, 'Diego', 'Salazar', 171, '2 days'),
  (19, 'Sofia', 'Nguyen', 140, '23 days'), (20, 'Andre', 'Washington', 118, '9 hours'),
  (21, 'Leila', 'Farouk', 96, '1 day'), (22, 'Ben', 'Castellano', 74, null), (23, 'Amara', 'Okafor', 52, '75 minutes'),
  (24, 'Chloe', 'Martin', 31, null), (25, 'Maya', 'Ortiz', 9, '5 minutes');
alter table people add email text generated always as (lower(first_name || '.' || last_name) || '@example.com') stored;

-- If the team already exists, nothing below inserts anything.
delete from people p where exists (select from auth.users u where u.email = p.email);

-- Whoever wants to try the app comes in.
update public.team_settings set registration = 'open' where not exists (select from private.members);

-- bcrypt: both hosted Supabase and the embedded backend verify it. Cost 6 is for a password that everybody knows.
insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, last_sign_in_at, created_at, updated_at,
  raw_app_meta_data, raw_user_meta_data,
  confirmation_token, recovery_token, email_change_token_new, email_change
)
select
  '00000000-0000-0000-0000-000000000000', pg_temp.demo_id(email), 'authenticated', 'authenticated', email,
  (select extensions.crypt('rally-demo', extensions.gen_salt('bf', 6))),
  pg_temp.ago(days_on_team, '10:00', 0), now() - active, pg_temp.ago(days_on_team, '09:50', 0), now(),
  '{"provider": "email", "providers": ["email"]}',
  jsonb_build_object('first_name', first_name, 'last_name', last_name),
  '', '', '', ''
from people order by position;

insert into auth.identities (id, provider_id, user_id, provider, identity_data, last_sign_in_at, created_at, updated_at)
select
  gen_random_uuid(), pg_temp.demo_id(email)::text, pg_temp.demo_id(email), 'email',
  jsonb_build_object('sub', pg_temp.demo_id(email), 'email', email, 'email_verified', true),
  now() - active, now(), now()
from people;

update private.members set admitted_at = created_at where id in (select pg_temp.demo_id(email) from people);
-- Numbers and states as some share them; 555-01xx is nobody's number.
update private.members m set phone = shared.phone, phone_audience = shared.audience, state = shared.state, about = shared.about
from (values
  ('Dana', '+13125550101', 'everyone', 'IL', 'Call me before you quit. Always.'),
  ('Theo', '+13125550102', 'everyone', 'IL', 'Field training, and the first licence.'),
  ('Marcus', '+17735550103', 'everyone', 'IL', 'Leads the South team'), ('Elena', '+12195550104', 'leaders', 'IN', ''),
  ('Grace', '+14145550105', 'everyone', 'WI', 'Ask me about exams'), ('Priya', '+16305550106', 'everyone', 'IL', ''),
  ('Jonah', '+13125550107', 'leaders', 'IL', ''), ('Omar', null, 'leaders', 'MI', ''), ('Hannah', '+12625550109', 'everyone', 'WI', ''),
  ('Luis', '+12195550110', 'everyone', 'IN', 'Español e inglés'), ('Mei', '+13125550112', 'leaders', 'IL', 'Lunch and phones on Thursdays'),
  ('Isabel', null, 'leaders', 'TX', 'Español e inglés'), ('Amara', '+13125550123', 'nobody', 'IL', ''), ('Maya', '+13125550125', 'leaders', 'IL', '')
) shared (first_name, phone, audience, state, about)
join people p using (first_name)
where m.id = pg_temp.demo_id(p.email);
update private.members set role = 'admin'
where email in ('dana.reyes@example.com', 'theo.brandt@example.com') and role <> 'admin'
  and id in (select pg_temp.demo_id(email) from people);
update public.team_settings
set time_zone = 'America/New_York', vice_presidents = array(
  select pg_temp.demo_id(email) from people where first_name in ('Dana', 'Theo') order by position
)
where exists (select from people where first_name = 'Dana');
-- Years into the team's life, nobody shows its set-up any more.
insert into private.setup_put_away (user_id)
select pg_temp.demo_id(email) from people where first_name in ('Dana', 'Theo');
update private.members set can_create_chats = false
where id in (select pg_temp.demo_id(email) from people where first_name in ('Chloe', 'Ben'));
update private.chat_participants p set joined_at = m.created_at
from private.members m
where m.id = p.user_id and m.id in (select pg_temp.demo_id(email) from people);

-- Chats: creator, date and participants.
create temporary table demo_chats (key text, name text, creator text, days_ago int, members text[]) on commit drop;
insert into demo_chats values
  ('north', 'Field Squad North', 'Priya', 40, array['Priya', 'Jonah', 'Maya', 'Grace', 'Omar', 'Isabel']),
  ('exam', 'Licensing Exam Prep', 'Elena', 60, array[
    'Elena', 'Amara', 'Maya', 'Chloe', 'Ben', 'Leila', 'Andre', 'Sofia', 'Diego', 'Fatima', 'Noah', 'Kwame',
    'Rachel', 'Theo']),
  ('leaders', 'Leaders'' Table', 'Dana', 90, array['Dana', 'Theo', 'Marcus', 'Elena', 'Grace', 'Priya']),
  ('south', 'Field Squad South', 'Marcus', 75, array['Marcus', 'Luis', 'Tyrell', 'Mei', 'Diego', 'Hannah', 'Kwame']),
  ('maya-theo', null, 'Theo', 9, array['Theo', 'Maya']),
  ('maya-jonah', null, 'Jonah', 7, array['Jonah', 'Maya']),
  ('maya-dana', null, 'Dana', 8, array['Dana', 'Maya']),
  ('maya-priya', null, 'Priya', 6, array['Priya', 'Maya']),
  ('maya-sofia', null, 'Maya', 5, array['Maya', 'Sofia']),
  ('dana-theo', null, 'Dana', 120, array['Dana', 'Theo']);
delete from demo_chats where not exists (select from people);

insert into public.chats (id, name, type, created_by, created_at)
select
  pg_temp.demo_id('chat/' || c.key), c.name, case when c.name is null then 'individual' else 'group' end,
  pg_temp.demo_id(p.email), pg_temp.ago(c.days_ago, '08:30', 0)
from demo_chats c join people p on p.first_name = c.creator;

insert into private.chat_participants (chat_id, user_id, joined_at)
select pg_temp.demo_id('chat/' || c.key), pg_temp.demo_id(p.email),
  greatest(pg_temp.ago(c.days_ago, '08:30', 0), pg_temp.ago(p.days_on_team, '10:00', 0))
from demo_chats c join people p on p.first_name = any (c.members);

-- Messages: chat, days ago, time of day (or minutes ago, for today), sender, text.
create temporary table lines (
  position int generated always as identity, chat text, day int, at time, minutes int, sender text, message text
) on commit drop;

insert into lines (chat, day, at, minutes, sender, message) values
  ('rally', 24, '08:05', 0, 'Dana', 'Good morning, team! New month, clean board. What is the one number you are going after?'),
  ('rally', 24, '08:11', 0, 'Marcus', '12 field appointments. South is already on the phones.'),
  ('rally', 24, '08:13', 0, 'Priya', 'Three new reps through their first week.'),
  ('rally', 24, '08:20', 0, 'Tyrell', 'Five sales. Writing it down so you can all hold me to it.'),
  ('rally', 24, '08:44', 0, 'Theo', 'Love it. Numbers on the wall tonight, with names next to them.'),
  ('rally', 22, '19:02', 0, 'Theo', 'Training night is on. Topic: the first five minutes of the second appointment.'),
  ('rally', 22, '21:14', 0, 'Rachel', 'That role play with Grace was worth the whole drive. Thank you!'),
  ('rally', 22, '21:20', 0, 'Grace', 'You did the hard part. You stopped talking and let them answer.'),
  ('rally', 20, '12:31', 0, 'Luis', 'Delivered my first policy today. The family cried, I nearly did too.'),
  ('rally', 20, '12:33', 0, 'Dana', 'This is why we do it. Congratulations, Luis!'),
  ('rally', 20, '12:40', 0, 'Mei', 'So proud of you'),
  ('rally', 20, '12:52', 0, 'Omar', 'Way to go, Luis!'),
  ('rally', 17, '07:48', 0, 'Theo', 'Reminder: compliance refresh is due Friday. It takes fifteen minutes, please don''t leave it for Friday night.'),
  ('rally', 17, '08:30', 0, 'Hannah', 'Done. The quiz at the end is short.'),
  ('rally', 17, '09:10', 0, 'Noah', 'Does anyone have the budget worksheet in Spanish?'),
  ('rally', 17, '09:18', 0, 'Isabel', 'Yes! It is under Training, Preparing a plan.'),
  ('rally', 17, '09:19', 0, 'Noah', 'Found it, gracias'),
  ('rally', 15, '18:55', 0, 'Dana', 'Full room tonight: 31 people and 9 guests. Who brought the most?'),
  ('rally', 15, '19:01', 0, 'Kwame', 'Three for me'),
  ('rally', 15, '21:40', 0, 'Isabel', 'Two of my guests want a follow-up. Can somebody lend me an hour on Saturday?'),
  ('rally', 15, '21:46', 0, 'Jonah', 'I''m free until noon.'),
  ('rally', 9, '10:15', 0, 'Dana', 'Everyone please welcome Maya Ortiz, who joined us today. Say hello!'),
  ('rally', 9, '10:17', 0, 'Priya', 'Welcome Maya! You are riding with the north squad, best squad.'),
  ('rally', 9, '10:18', 0, 'Marcus', 'Second best. Welcome, Maya!'),
  ('rally', 9, '10:21', 0, 'Amara', 'Welcome! I was new seven weeks ago, ask me anything.'),
  ('rally', 9, '10:34', 0, 'Maya', 'Thank you all! Happy to be here. A little nervous, mostly excited.'),
  ('rally', 9, '10:36', 0, 'Theo', 'That is exactly the right mix.'),
  ('rally', 7, '19:00', 0, 'Theo', 'Starting now. Link is on the Schedule page if you are remote.'),
  ('rally', 7, '20:58', 0, 'Fatima', 'My notes from tonight: ask, pause, ask again. That is the whole evening.'),
  ('rally', 6, '13:22', 0, 'Andre', 'First three appointments booked for next week!'),
  ('rally', 6, '13:25', 0, 'Elena', 'Andre, that is how it starts. Call me the night before and we rehearse.'),
  ('rally', 5, '08:02', 0, 'Dana', 'Halftime: 61 appointments, 38 plans, 22 sales. North is ahead by two.'),
  ('rally', 5, '08:04', 0, 'Marcus', 'Enjoy it while it lasts.'),
  ('rally', 5, '08:05', 0, 'Priya', 'We will.'),
  ('rally', 4, '17:41', 0, 'Diego', 'Car trouble, running late for the 6:15. Can somebody in Riverside start without me?'),
  ('rally', 4, '17:44', 0, 'Luis', 'Ten minutes away. Send me the address.'),
  ('rally', 4, '19:30', 0, 'Diego', 'Luis saved the evening. They signed.'),
  ('rally', 3, '09:00', 0, 'Theo', 'Leadership breakfast on Saturday, 8:30, the diner on Fifth. Everyone is welcome, not only leaders.'),
  ('rally', 3, '09:12', 0, 'Maya', 'I''ll be there!'),
  ('rally', 2, '12:05', 0, 'Leila', 'Securities class starts in two weeks, there are four seats left.'),
  ('rally', 2, '12:30', 0, 'Andre', 'Took one, thanks for the heads-up.'),
  ('rally', 1, '10:50', 0, 'Theo', 'Saturday breakfast: 17 people, two birthdays and one very large plate of pancakes.'),
  ('rally', 1, '10:55', 0, 'Grace', 'Photos or it did not happen'),
  ('rally', 1, '18:20', 0, 'Amara', 'I passed my life exam today! 86!'),
  ('rally', 1, '18:21', 0, 'Elena', 'AMARA! I knew it.'),
  ('rally', 1, '18:24', 0, 'Dana', 'Huge! Come up front tomorrow night and tell everybody how you studied.'),
  ('rally', 1, '18:40', 0, 'Maya', 'Congratulations Amara!'),
  ('rally', 0, null, 190, 'Hannah', 'Is parking behind the office open again?'),
  ('rally', 0, null, 184, 'Omar', 'Yes, both levels.'),
  ('rally', 0, null, 150, 'Theo', 'Tonight''s topic is objections. Bring the one you hate most.'),
  ('rally', 0, null, 146, 'Tyrell', '"We need to think about it." Every time.'),
  ('rally', 0, null, 140, 'Mei', '"My cousin does that."'),
  ('rally', 0, null, 133, 'Grace', 'Good, those two are the whole evening.'),
  ('rally', 0, null, 95, 'Kwame', 'I''m bringing two guests, can we have extra chairs?'),
  ('rally', 0, null, 88, 'Rachel', 'Already set up.'),
  ('rally', 0, null, 26, 'Dana', 'Doors open at 6:30 tonight, bring a guest');

insert into lines (chat, day, at, minutes, sender, message) values
  ('north', 23, '07:40', 0, 'Priya', 'Morning north! Who is in the field today?'),
  ('north', 23, '07:44', 0, 'Grace', 'Two in Maplewood, 4 and 6.'),
  ('north', 23, '07:51', 0, 'Omar', 'Phones until noon, then the Okonkwo delivery.'),
  ('north', 23, '17:20', 0, 'Omar', 'Delivered. They gave me three names without my asking.'),
  ('north', 23, '17:22', 0, 'Priya', 'Because you took the time. Call them tomorrow, not next week.'),
  ('north', 19, '08:12', 0, 'Isabel', 'The Garcias moved to Wednesday, I have the Tuesday slot free if anyone wants a ride-along.'),
  ('north', 19, '08:30', 0, 'Jonah', 'I''ll take it. Meet at the bakery at 5?'),
  ('north', 19, '08:31', 0, 'Isabel', 'Perfect'),
  ('north', 16, '21:05', 0, 'Grace', 'Long one tonight, but they see the gap now. Second appointment on Monday.'),
  ('north', 16, '21:11', 0, 'Priya', 'Bring the income page first, the rest is detail.'),
  ('north', 13, '09:30', 0, 'Jonah', 'Does anybody have the short version of the budget sheet?'),
  ('north', 13, '09:42', 0, 'Omar', 'On my desk, take the top ten.'),
  ('north', 9, '11:02', 0, 'Priya', 'Maya''s with us as of today. Maya, this is where we sort out who''s riding with whom.'),
  ('north', 9, '11:05', 0, 'Grace', 'Hi Maya! Come with me on Thursday if you like, easy one.'),
  ('north', 9, '11:20', 0, 'Maya', 'I would love that, thank you Grace!'),
  ('north', 7, '20:40', 0, 'Grace', 'Maya asked the best question of the evening. Keep her.'),
  ('north', 7, '20:52', 0, 'Maya', 'I only asked what worries them most...'),
  ('north', 7, '20:53', 0, 'Grace', 'That''s the one.'),
  ('north', 6, '08:15', 0, 'Omar', 'Snow on Sunday. If you are in the hills, move it now.'),
  ('north', 6, '08:21', 0, 'Isabel', 'Moved mine to Zoom.'),
  ('north', 5, '12:10', 0, 'Jonah', 'Lunch at the library, anyone? I''m doing calls from there.'),
  ('north', 5, '12:14', 0, 'Maya', 'Ten minutes!'),
  ('north', 4, '18:45', 0, 'Priya', 'Squad count for the week: 14 appointments, 9 plans, 5 sales. Thank you all.'),
  ('north', 4, '18:47', 0, 'Omar', 'Coffee is on me on Friday then'),
  ('north', 3, '16:30', 0, 'Isabel', 'The Lindens want to bring their daughter along. Good sign?'),
  ('north', 3, '16:34', 0, 'Priya', 'The best sign.'),
  ('north', 2, '09:05', 0, 'Grace', 'Maya just booked her first appointment! All by herself!'),
  ('north', 2, '09:06', 0, 'Jonah', 'Let''s gooo'),
  ('north', 2, '09:10', 0, 'Maya', 'My hands were shaking, but they said yes.'),
  ('north', 1, '20:15', 0, 'Maya', 'Done! They want to see a plan next week.'),
  ('north', 1, '20:17', 0, 'Priya', 'So proud of you. Write down what worked while it is fresh.'),
  ('north', 1, '20:30', 0, 'Omar', 'Welcome to the club, Maya'),
  ('north', 0, null, 175, 'Priya', 'Who has the Hendersons on Thursday? They asked for an evening slot.'),
  ('north', 0, null, 168, 'Maya', 'Me, at 6:30. Could use a second pair of ears.'),
  ('north', 0, null, 161, 'Jonah', 'Take the second-appointment deck, page 4 is the one that lands.'),
  ('north', 0, null, 157, 'Priya', 'I can ride along on Thursday'),
  ('exam', 21, '19:30', 0, 'Elena', 'Study plan for this round: one chapter a day, fifty questions every second day. No heroics.'),
  ('exam', 21, '19:34', 0, 'Amara', 'In. I do mornings before work.'),
  ('exam', 21, '19:40', 0, 'Andre', 'Evenings for me. Anybody up for a quiz call on Wednesdays?'),
  ('exam', 21, '19:42', 0, 'Leila', 'Yes please'),
  ('exam', 18, '20:05', 0, 'Kwame', 'Can somebody explain the free-look period once more?'),
  ('exam', 18, '20:09', 0, 'Noah', 'That''s how long you have to return the policy for a full refund. In our state it starts at delivery, not at signing.'),
  ('exam', 18, '20:10', 0, 'Elena', 'Exactly. Delivery date. They love asking that.'),
  ('exam', 14, '20:30', 0, 'Fatima', '42 out of 50 on the practice test, up from 31.'),
  ('exam', 14, '20:33', 0, 'Theo', 'That is a pass. Keep the pace and book the date now, a date makes it real.'),
  ('exam', 11, '08:00', 0, 'Rachel', 'Flashcards for riders are in the app under Licensing.'),
  ('exam', 11, '08:14', 0, 'Leila', 'Those are so good, thank you Rachel'),
  ('exam', 8, '19:02', 0, 'Elena', 'Maya''s joining us this round. Maya, start with chapter 1 and don''t look at the page count.'),
  ('exam', 8, '19:10', 0, 'Maya', 'Too late, I looked. Starting tonight!'),
  ('exam', 6, '20:20', 0, 'Andre', 'Term or whole life for the question about conversion privileges?'),
  ('exam', 6, '20:24', 0, 'Diego', 'Term. You convert it into permanent without a new exam.'),
  ('exam', 4, '19:45', 0, 'Leila', 'Good luck tomorrow and the day after, Amara!'),
  ('exam', 4, '19:50', 0, 'Amara', 'I dream in annuities. I think that means I''m ready.'),
  ('exam', 3, '18:20', 0, 'Amara', 'Passed with 86, thank you all!'),
  ('leaders', 20, '07:30', 0, 'Dana', 'Agenda for Monday: guests, the fast start, two promotions.'),
  ('leaders', 20, '07:41', 0, 'Marcus', 'Adding: squads are getting large, time for a third one?'),
  ('leaders', 13, '07:35', 0, 'Grace', 'If Priya takes five people, I take the other five.'),
  ('leaders', 6, '21:15', 0, 'Theo', 'Maya is going to be good. She listens.'),
  ('leaders', 1, '22:00', 0, 'Elena', 'Amara, Fatima and Kwame are ready for appointments of their own.'),
  ('leaders', 0, null, 240, 'Dana', 'Great week, everyone. Theo and I will say so tonight as well.'),
  ('south', 18, '08:00', 0, 'Marcus', 'South, four in the field today. Text me after each one.'),
  ('south', 18, '18:10', 0, 'Tyrell', 'One sale, one plan, one flat tire.'),
  ('south', 10, '12:00', 0, 'Mei', 'Lunch and phones at my place on Thursday, I''m cooking.'),
  ('south', 10, '12:02', 0, 'Luis', 'Say no more'),
  ('south', 2, '08:10', 0, 'Hannah', 'Two behind North. Two!'),
  ('south', 2, '08:12', 0, 'Marcus', 'Then let us book three today.'),
  ('maya-theo', 9, '15:00', 0, 'Theo', 'Welcome aboard, Maya. If anything is unclear in your first week, ask me right here.'),
  ('maya-theo', 9, '15:12', 0, 'Maya', 'Thank you, Theo! I started on the red list.'),
  ('maya-theo', 4, '17:05', 0, 'Theo', 'How was the ride-along?'),
  ('maya-theo', 4, '17:30', 0, 'Maya', 'I learned more in one evening than from all the videos.'),
  ('maya-theo', 0, null, 64, 'Theo', 'I heard about last night from Priya.'),
  ('maya-theo', 0, null, 60, 'Theo', 'Great job on your first appointment!'),
  ('maya-dana', 8, '08:20', 0, 'Dana', 'Hi Maya, do you have a quiet half hour this week? I would like to hear why you joined.'),
  ('maya-dana', 8, '08:41', 0, 'Maya', 'Thursday after four works well!'),
  ('maya-dana', 8, '08:42', 0, 'Dana', 'Thursday it is. I''ll bring the coffee.'),
  ('maya-priya', 6, '18:00', 0, 'Priya', 'Your list of fifty names: how far are you?'),
  ('maya-priya', 6, '18:22', 0, 'Maya', '34. It gets slow after family and school.'),
  ('maya-priya', 6, '18:25', 0, 'Priya', 'Go through your phone from A to Z. That always gives another twenty.'),
  ('maya-priya', 2, '20:10', 0, 'Maya', '52!'),
  ('maya-priya', 2, '20:11', 0, 'Priya', 'Told you'),
  ('maya-jonah', 5, '18:30', 0, 'Jonah', 'Want to practice the phone script on Wednesday? It is much less scary with two.'),
  ('maya-jonah', 5, '18:36', 0, 'Maya', 'Yes please. Where?'),
  ('maya-jonah', 4, '09:15', 0, 'Jonah', 'Library, second floor, the room with the round table. I have it from ten.'),
  ('maya-jonah', 4, '09:20', 0, 'Maya', 'See you at the library at ten'),
  ('dana-theo', 5, '21:30', 0, 'Dana', 'Should we move the fast start to the first Monday?'),
  ('dana-theo', 5, '21:44', 0, 'Theo', 'Yes. Everybody''s fresh then.');

-- Old messages are not published, and do not take a chat out of anybody's archive. The record of what was written has them all.
alter table public.chat_messages disable trigger user;
alter table public.chat_messages enable trigger archive_sent;
insert into public.chat_messages (id, chat_id, sender_id, message, sent_at)
select
  pg_temp.demo_id('message/' || l.position),
  case when l.chat = 'rally' then (select id from public.chats where type = 'mandatory')
    else pg_temp.demo_id('chat/' || l.chat) end,
  pg_temp.demo_id(p.email), l.message, pg_temp.ago(l.day, l.at, l.minutes)
from lines l join people p on p.first_name = l.sender;
alter table public.chat_messages enable trigger user;

-- Everybody has read what was there when they were last active. Maya has 9 new messages in the team chat, 2 from Theo and 2 in her squad.
update private.chat_participants c set last_read_at = case
  when p.first_name <> 'Maya' then coalesce(now() - p.active, c.joined_at)
  when c.chat_id = pg_temp.demo_id('chat/maya-theo') then now() - interval '2 hours'
  when c.chat_id = pg_temp.demo_id('chat/north') then now() - interval '165 minutes'
  when c.chat_id in (select id from public.chats where type = 'mandatory') then now() - interval '195 minutes'
  else now() - interval '5 minutes'
end
from people p
where c.user_id = pg_temp.demo_id(p.email);

-- The pictures are static files of the web app (web/public/demo), not uploads, so they show on any host and the seed stays a
-- single script. The app caches one for offline use when it is first shown.
create temporary table items (
  content text, category text, sort_order int, title text, description text, url text, picture text, image_alt text
) on commit drop;
insert into items values
  ('home', 'General', 1, 'Welcome to the team', 'Everything you need for your first thirty days is in here, and so are we. Start with the red card above, say hello in Rally Chat, and join us on Monday night.',
    null, 'team', 'Five people of the team'),
  ('home', 'General', 2, 'Fast start', 'Ten appointments in the first ten days of the month. Put your number on the board at training night.', null, null, null),
  ('newrepstart', 'General', 1, 'Introduce yourself in Rally Chat', 'Three lines are plenty: where you are from, what you did before, and what you want out of this.', null, null, null),
  ('newrepstart', 'General', 2, 'Meet your field trainer', 'Agree on two evenings a week for ride-alongs. Put them in your calendar now.', null, 'meeting', 'Two people talking at a table'),
  ('newrepstart', 'General', 3, 'Write your list of 50 names', 'Friends, family, school, work: don''t judge, just write. Your trainer will go through it with you.', null, null, null),
  ('newrepstart', 'General', 4, 'Book your licensing class', 'Life first. Pick a date within three weeks and tell your trainer.', null, 'calendar', 'A calendar with one day marked'),
  ('newrepstart', 'General', 5, 'Set your first goal', 'Open Calculator in this app, enter what you want to earn, and see how many appointments that takes.', null, 'target', 'An arrow in the middle of a target'),
  ('newrepstart', 'General', 6, 'Set up your business email and voicemail', 'Your greeting, in fifteen seconds: "You have reached" and your full name. "I am with a family right now and will call you back today."',
    null, 'voicemail', 'A microphone'),
  ('training', 'Setting appointments', 1, 'The two-minute phone script', e'Who you are, who gave you the name, and two times to choose from. Then stop talking.\n\n• "Send me something": I will, and I would rather show you. Tuesday or Thursday?\n• "I have insurance": Good. Then you will know in half an hour whether it still fits.\n• "What does it cost?": Meeting me, nothing.\n\nCheck the number against the Do Not Call list first.',
    'https://www.donotcall.gov', 'phone-call', 'A phone that rings'),
  ('training', 'Setting appointments', 2, 'Text messages that get an answer', 'One question per text, their name in it, and a time to say yes to. No answer after two? Pick up the phone.', null, null, null),
  ('training', 'First appointment', 1, 'Open with their story', 'How did you two meet? What do you want for the children that you did not have? Who would pay the house? Ask, pause, ask again.',
    null, 'family', 'A family in front of their house'),
  ('training', 'First appointment', 2, 'Collecting the numbers', 'Income, spending, debt, savings: the worksheets in this toolkit, line by line. Say why you ask, and nobody minds.',
    'https://www.consumerfinance.gov/practitioner-resources/your-money-your-goals/toolkit/', null, null),
  ('training', 'Preparing a plan', 1, 'From worksheet to plan in 40 minutes', 'Income protection, debt, college, retirement: in that order.', null, null, null),
  ('training', 'Preparing a plan', 2, 'Hoja de presupuesto (budget worksheet in Spanish)', 'For families who would rather talk about money in Spanish.', 'https://www.consumerfinance.gov/es/', null, null),
  ('training', 'Second appointment', 1, 'Presenting the plan', 'One page at a time. Page 4 is the one that lands: their own numbers. Let them read it, and wait.', null, null, null),
  ('training', 'Second appointment', 2, '"We need to think about it"', e'Four honest answers to the most common objection:\n\n• Of course. What will you be thinking about?\n• Is it the plan, the price, or me?\n• What would have to be different?\n• Then let us set a date now, so that it is not forgotten.', null, null, null),
  ('training', 'Investments', 1, 'Rule of 72', 'Explain compound growth with a napkin and a pen.', 'https://en.wikipedia.org/wiki/Rule_of_72', 'growth', 'A chart that grows'),
  ('training', 'Investments', 2, 'Who may talk about what', 'Before your securities license you name the topic and bring your trainer. What each license allows is on FINRA''s pages.',
    'https://www.finra.org/registration-exams-ce', null, null),
  ('training', 'Deliver Policy', 1, 'A delivery they remember', 'Read the first page together, explain the free look, hand over your number, and write the thank-you note the same evening. Then ask for names.',
    null, 'checklist', 'A checklist and a pencil'),
  ('training', 'Leadership training', 1, 'Running a ride-along', 'Before: agree who says what. During: keep quiet unless they look at you. After: one thing that worked, one to try tomorrow.',
    null, 'road', 'Two people in a car on a country road'),
  ('training', 'Leadership training', 2, 'Your first team meeting', 'Twenty minutes: one win, one skill, one number for the week. Start on time and end early.', null, null, null),
  ('training', 'Additional content', 1, 'Five books that shaped this team', e'Dana''s shelf:\n\n• How to Win Friends and Influence People: still the best on listening\n• The Richest Man in Babylon: give it to clients\n• Atomic Habits: for the first ninety days\n• Never Split the Difference: the power of "no"\n• The Go-Giver: an evening''s read, and the reason we meet on Mondays',
    null, 'books', 'Books on a shelf'),
  ('licensing', 'Life insurance license', 1, 'Study guide: life insurance', 'Begin with the kinds of life insurance, then riders, then the rules of your state. One chapter a day.',
    'https://www.iii.org/article/what-are-principal-types-life-insurance', null, null),
  ('licensing', 'Life insurance license', 2, '200 practice questions', 'Fifty on every Wednesday call, with explanations. Aim for 80% twice in a row before you book.', null, 'exam', 'An answer sheet with a seal'),
  ('licensing', 'Life insurance license', 3, 'Booking the exam', 'Bring two forms of signed ID. Once you have passed, apply for the license at NIPR.', 'https://nipr.com', null, null),
  ('licensing', 'Securities license', 1, 'Study guide: SIE and Series 6', 'Eight weeks next to a full-time job: the SIE in the first five, Series 6 in the rest. FINRA''s outline says what they ask.',
    'https://www.finra.org/registration-exams-ce/qualification-exams/securities-industry-essentials-exam', null, null),
  ('licensing', 'Securities license', 2, 'Flashcards: products and risk', 'Fifteen cards a day from the SEC''s glossary: the word in front, your own explanation on the back.',
    'https://www.investor.gov/introduction-investing/investing-basics/glossary', 'flashcards', 'A stack of flashcards');

do $$
declare
  content text;
begin
  foreach content in array array['home', 'newrepstart', 'training', 'licensing'] loop
    execute format(
      'insert into public.%I (id, title, description, url, image_url, image_alt, category, sort_order)
       select pg_temp.demo_id(content || ''/'' || title), title, description, url, ''/demo/'' || picture || ''.webp'', image_alt,
         category, sort_order
       from items where content = %L on conflict (id) do nothing',
      content || '_content', content
    );
  end loop;
end
$$;

-- Who has been here for long has done every step. Maya goes on; Amara stopped, and two never began.
insert into public.onboarding_progress (user_id, item_id, done_at)
select pg_temp.demo_id(p.email), i.id, pg_temp.ago(p.days_on_team - 2 * i.sort_order, '18:00', 0)
from people p
join items step on step.content = 'newrepstart'
join public.newrepstart_content i on i.id = pg_temp.demo_id('newrepstart/' || step.title)
where i.sort_order <= case p.first_name when 'Ben' then 0 when 'Chloe' then 0 when 'Maya' then 2 when 'Amara' then 4 else 6 end
on conflict do nothing;

insert into public.schedule_content (
  id, title, description, url, image_url, image_alt, day_of_week, start_time, end_time, meeting_id, meeting_password, sort_order
)
select pg_temp.demo_id('schedule/' || day || title), title, description, 'https://zoom.us/j/' || replace(meeting, ' ', ''),
  '/demo/' || picture || '.webp', image_alt, day, starts, ends, meeting, code, position
from (values
  (1, 'Monday', 'Team Training Night', 'The whole team, guests welcome. Doors open at 6:30.', time '19:00', time '20:30', '845 2210 7788', 'rally', null, null),
  (1, 'Tuesday', 'New Rep Orientation', 'For everyone in their first thirty days.', time '18:30', time '19:30', '845 2210 7789', 'start', null, null),
  (1, 'Wednesday', 'Licensing Quiz Call', 'Fifty questions together. Cameras optional.', time '20:00', time '21:00', '845 2210 7790', 'exam', 'exam', 'An answer sheet with a seal'),
  (1, 'Thursday', 'Phone Hour', 'Everybody calls, and nobody calls alone.', time '12:00', time '13:00', '845 2210 7791', 'phones', 'phone-call', 'A phone that rings'),
  (2, 'Thursday', 'Field Trainer Huddle', 'For trainers and anyone who wants to become one.', time '20:30', time '21:00', '845 2210 7792', 'field', null, null),
  (1, 'Friday', 'Numbers and Names', 'Fifteen minutes on how the week went.', time '08:15', time '08:30', '845 2210 7793', 'numbers', null, null),
  (1, 'Saturday', 'Leadership Breakfast', 'At the diner on Fifth; the link is for those on the road.', time '08:30', time '10:00', '845 2210 7794', 'pancakes', 'breakfast', 'Pancakes and coffee')
) events (position, day, title, description, starts, ends, meeting, code, picture, image_alt)
on conflict (id) do nothing;

-- Two members with a goal: the newest one and their leader.
insert into public.goals (id, user_id, position, metric, value, period, created_at)
select pg_temp.demo_id('goal/' || email), pg_temp.demo_id(email), position, metric, value, 'month', pg_temp.ago(8, '09:00', 0)
from (values
  ('maya.ortiz@example.com', 'representative', 'cash', 3000),
  ('dana.reyes@example.com', 'regional_vp', 'cash', 12000)
) goals (email, position, metric, value)
-- A goal saved since is kept.
on conflict do nothing;

-- Starts on Monday, so that the week on Home looks the same on every day.
insert into public.goal_activity (id, user_id, goal_id, stage, quantity, premium, happened_on)
select
  pg_temp.demo_id('activity/' || email || stage), pg_temp.demo_id(email), pg_temp.demo_id('goal/' || email),
  stage, quantity, premium, date_trunc('week', now() at time zone 'America/New_York')::date
from (values
  ('maya.ortiz@example.com', 'appointments', 2, null::numeric),
  ('maya.ortiz@example.com', 'plans', 1, null),
  ('dana.reyes@example.com', 'appointments', 3, null),
  ('dana.reyes@example.com', 'plans', 2, null),
  ('dana.reyes@example.com', 'sales', 1, 850)
) activity (email, stage, quantity, premium)
where exists (select from public.goals where id = pg_temp.demo_id('goal/' || email))
on conflict (id) do nothing;

-- Who brought in whom.
update private.members m set sponsor_id = pg_temp.demo_id(above.email)
from people p, people above, (values
  ('Theo', 'Dana'), ('Marcus', 'Dana'), ('Elena', 'Theo'), ('Grace', 'Marcus'), ('Priya', 'Grace'), ('Jonah', 'Priya'),
  ('Omar', 'Priya'), ('Hannah', 'Marcus'), ('Luis', 'Hannah'), ('Tyrell', 'Hannah'), ('Mei', 'Elena'), ('Rachel', 'Elena'),
  ('Kwame', 'Luis'), ('Isabel', 'Priya'), ('Noah', 'Omar'), ('Fatima', 'Elena'), ('Diego', 'Luis'), ('Sofia', 'Jonah'),
  ('Andre', 'Tyrell'), ('Leila', 'Mei'), ('Ben', 'Rachel'), ('Amara', 'Elena'), ('Chloe', 'Grace'), ('Maya', 'Priya')
) brought_in (member, sponsor)
where p.first_name = brought_in.member and above.first_name = brought_in.sponsor and m.id = pg_temp.demo_id(p.email);

-- Notices of the past weeks. The one to be acknowledged is for a chat, so that it does not greet everybody who signs up.
create temporary table notices (
  key text, day int, at time, author text, title text, body text, link text, chat text, must_acknowledge boolean
) on commit drop;
insert into notices values
  ('training-night', 14, '12:10', 'Dana', 'Training night starts at 7:00', 'From this week on we start at 7:00 PM. Doors still open at 6:30, and guests are welcome.', '/schedule', null, false),
  ('exam-day', 11, '08:30', 'Theo', 'What to bring to the exam', 'Two forms of ID, both signed, one of them with your photo. Without them the test center sends you home, and the fee is gone.',
    null, 'exam', true),
  ('goal', 8, '12:15', 'Dana', 'What is your number?', 'It takes two minutes: enter what you want to earn, and see how many appointments that takes. Bring it on Monday.', '/calculator', null, false),
  ('parking', 4, '16:44', 'Theo', 'Parking on Saturday', 'The lot behind the office is closed for paving until Sunday night. Park on Fifth, next to the diner.', null, null, false);
delete from notices where not exists (select from people);

-- Published here and not by the trigger, which would send pushes.
alter table public.team_notices disable trigger publish_notice;
insert into public.team_notices (id, title, body, link, audience, audience_chat_id, must_acknowledge, created_by, created_at)
select
  pg_temp.demo_id('notice/' || n.key), n.title, n.body, n.link, case when n.chat is null then 'all' else 'chat' end,
  case when n.chat is not null then pg_temp.demo_id('chat/' || n.chat) end, n.must_acknowledge, pg_temp.demo_id(author.email),
  pg_temp.ago(n.day, n.at, 0)
from notices n join people author on author.first_name = n.author order by n.day desc
on conflict (id) do nothing;
alter table public.team_notices enable trigger publish_notice;
update public.team_notices set published_at = created_at
where published_at is null and id in (select pg_temp.demo_id('notice/' || key) from notices);

-- Those who joined later get only what has to be acknowledged.
insert into public.notice_receipts (notice_id, user_id, received_at)
select pg_temp.demo_id('notice/' || n.key), pg_temp.demo_id(p.email), greatest(pg_temp.ago(n.day, n.at, 0), c.joined_at)
from notices n
join private.chat_participants c on c.chat_id = case
  when n.chat is null then (select id from public.chats where type = 'mandatory') else pg_temp.demo_id('chat/' || n.chat) end
join people p on pg_temp.demo_id(p.email) = c.user_id
where n.must_acknowledge or c.joined_at < pg_temp.ago(n.day, n.at, 0)
on conflict do nothing;
-- Members who have used the app since have read them. Ben and Chloe never opened it; Noah and Sofia have not opened it since
-- the exam notice.
update public.notice_receipts r set
  shown_at = seen.at, opened_at = seen.at, acknowledged_at = case when seen.must_acknowledge then seen.at end
from (
  select got.notice_id, got.user_id, n.must_acknowledge, least(
    got.received_at + make_interval(mins => case when p.first_name = n.author then 0 else 25 * p.position end), now() - p.active
  ) as at
  from notices n
  join public.notice_receipts got on got.notice_id = pg_temp.demo_id('notice/' || n.key)
  join people p on pg_temp.demo_id(p.email) = got.user_id
  where now() - p.active >= got.received_at
) seen
where r.notice_id = seen.notice_id and r.user_id = seen.user_id;

-- The audit log tells what the leaders did in the past weeks, not how this file made the team a moment ago.
alter table private.audit_log disable trigger user;
delete from private.audit_log where recorded_at >= now() and exists (select from people);
alter table private.audit_log enable trigger user;

create temporary table changes (
  day int, at time, actor text, kind text, action text, object text, name text, concerned text[], before jsonb, after jsonb,
  details jsonb
) on commit drop;
insert into changes values
  (40, '08:30', 'Priya', 'chat', 'created', 'chat/north', 'Field Squad North', '{}', null, '{"name": "Field Squad North"}', '{}'),
  (40, '08:30', 'Priya', 'chat', 'members_added', 'chat/north', 'Field Squad North',
    '{Jonah,Grace,Omar,Isabel}', null, null, '{"count": 4}'),
  (38, '11:12', 'Dana', 'member', 'changed', 'theo.brandt@example.com', null, '{Theo}',
    '{"role": "user"}', '{"role": "admin"}', '{}'),
  (38, '11:15', null, 'setting', 'changed', null, null, '{}',
    '{"time_zone": "America/Chicago"}', '{"time_zone": "America/New_York"}', '{}'),
  (21, '17:02', 'Theo', 'content', 'created', 'training/Rule of 72', 'Rule of 72', '{}', null,
    '{"title": "Rule of 72", "category": "Investments", "url": "https://en.wikipedia.org/wiki/Rule_of_72"}', '{"list": "training"}'),
  (16, '09:40', 'Dana', 'content', 'changed', 'schedule/MondayTeam Training Night', 'Team Training Night', '{}',
    '{"start_time": "18:30:00"}', '{"start_time": "19:00:00"}', '{"list": "schedule"}'),
  (9, '10:20', 'Priya', 'chat', 'members_added', 'chat/north', 'Field Squad North', '{Maya}', null, null, '{"count": 1}'),
  (8, '20:31', 'Theo', 'member', 'changed', 'ben.castellano@example.com', null, '{Ben}',
    '{"can_create_chats": true}', '{"can_create_chats": false}', '{}'),
  (6, '12:05', 'Dana', 'message', 'removed', 'message/none', 'Rally Chat', '{Diego}', null, null,
    '{"reason": "A client''s address"}'),
  (3, '08:10', 'Dana', 'content', 'changed', 'home/Fast start', 'Fast start', '{}',
    '{"description": "Ten appointments in the first ten days of the month."}',
    '{"description": "Ten appointments in the first ten days of the month. Put your number on the board at training night."}',
    '{"list": "home"}'),
  (1, '19:05', 'Dana', 'member', 'changed', 'amara.okafor@example.com', null, '{Amara,Theo,Elena}',
    jsonb_build_object('sponsor_id', pg_temp.demo_id('theo.brandt@example.com')),
    jsonb_build_object('sponsor_id', pg_temp.demo_id('elena.petrova@example.com')), '{}');
insert into changes
select
  day, at, author, 'notice', 'created', 'notice/' || key, title, '{}', null, jsonb_strip_nulls(jsonb_build_object(
    'title', title, 'body', body, 'link', link, 'audience', case when chat is null then 'all' else 'chat' end,
    'audience_chat_id', case when chat is not null then pg_temp.demo_id('chat/' || chat) end, 'must_acknowledge', must_acknowledge
  )), '{}'
from notices;
insert into private.audit_log (
  recorded_at, actor_id, kind, action, object_id, object_name, people, before, after, details, searchable
)
select
  pg_temp.ago(c.day, c.at, 0), pg_temp.demo_id(actor.email), c.kind, c.action, pg_temp.demo_id(c.object), c.name,
  array(select pg_temp.demo_id(p.email) from people p where p.first_name = any (c.concerned)),
  c.before, c.after, c.details, private.audit_words(
    jsonb_populate_record(null::private.audit_log, jsonb_build_object(
      'kind', c.kind, 'action', c.action, 'object_name', c.name, 'before', c.before, 'after', c.after, 'details', c.details
    ))
  )
from changes c left join people actor on actor.first_name = c.actor
where exists (select from people)
order by c.day desc, c.at;

-- Backdates the content as well; its trigger would set updated_at to now.
do $$
declare
  content text;
begin
  if not exists (select from people) then return; end if;
  foreach content in array array['home', 'newrepstart', 'training', 'licensing', 'schedule'] loop
    execute format($sql$
      alter table public.%1$I disable trigger user;
      update public.%1$I item set
        updated_at = coalesce(
          (select pg_temp.ago(c.day, c.at, 0) from changes c where pg_temp.demo_id(c.object) = item.id),
          pg_temp.ago(20 + item.sort_order, '17:02', 0)
        ),
        updated_by = (
          select pg_temp.demo_id(p.email) from people p where p.first_name = coalesce(
            (select c.actor from changes c where pg_temp.demo_id(c.object) = item.id), 'Theo'
          )
        );
      alter table public.%1$I enable trigger user;
    $sql$, content || '_content');
  end loop;
end
$$;

commit;
