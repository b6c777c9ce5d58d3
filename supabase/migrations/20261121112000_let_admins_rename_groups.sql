-- A group is renamed by its creator or by an admin who takes part in it. Only the creator closes it: what an admin
-- leaves behind is still active. announce_chat tells every participant, so the new name is on every open screen.

drop policy "creators rename and close their groups" on public.chats;

create policy "creators rename and close their groups, admins rename groups they are in" on public.chats
  for update to authenticated
  using (
    id in (select private.my_created_group_ids())
    or type = 'group' and is_active and (select private.is_admin()) and id in (select private.my_chat_ids())
  )
  with check (
    type = 'group' and (
      created_by = (select auth.uid())
      or is_active and (select private.is_admin()) and id in (select private.my_chat_ids())
    )
  );
