import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'

async function isStored({ scene }: Occasion, text: string): Promise<boolean> {
  return (await scene.team.sql(text)).length > 0
}

export const leadingAttempts: Attempts = {
  'see what is set up with setup_checklist': ({ me }) =>
    bringsRows(me.client.rpc('setup_checklist')),
  'say that a part is done elsewhere with confirm_setup_item': async (occasion) => {
    await occasion.scene.team.sql('delete from private.setup_confirmations')
    await occasion.me.client.rpc('confirm_setup_item', { item: 'backup', is_done: true })
    return isStored(occasion, "select from private.setup_confirmations where item = 'backup'")
  },
  'put their list away with put_setup_away': async (occasion) => {
    await occasion.scene.team.sql('delete from private.setup_put_away')
    await occasion.me.client.rpc('put_setup_away', { is_away: true })
    return isStored(occasion, 'select from private.setup_put_away')
  },
  'read the figures of admin_dashboard': ({ me }) => bringsRows(me.client.rpc('admin_dashboard')),
  'list what waits for acknowledgments with unacknowledged_notices': async ({ me, scene }) => {
    await scene.team.sql(
      `with written as (
         insert into public.team_notices (title, must_acknowledge, published_at) values ('Read me', true, now())
         returning id
       )
       insert into public.notice_receipts (notice_id, user_id) select id, $1 from written`,
      [scene.cast.member.id],
    )
    return bringsRows(me.client.rpc('unacknowledged_notices'))
  },
  'list broken links with broken_links': async ({ me, scene }) => {
    const url = 'https://gone.example/'
    await scene.team.sql('delete from public.home_content where url = $1', [url])
    await scene.team.sql("insert into public.home_content (title, url) values ('Gone', $1)", [url])
    await scene.team.sql(
      `insert into private.link_checks (url, state) values ($1, 'broken') on conflict (link) do update set state = 'broken'`,
      [url],
    )
    return bringsRows(me.client.rpc('broken_links'))
  },
  'have links fetched again with check_links_again': ({ me }) =>
    succeeds(me.client.rpc('check_links_again')),
  'say what is set up with report_system_state': ({ me }) =>
    succeeds(
      me.client.rpc('report_system_state', { parts: [{ part: 'mail', is_on: true, problems: 0 }] }),
    ),
  'take the links to check with claim_links': async ({ me, scene }) => {
    const url = 'https://new.example/'
    await scene.team.sql('delete from private.link_checks')
    await scene.team.sql("insert into public.home_content (title, url) values ('New', $1)", [url])
    return bringsRows(me.client.rpc('claim_links'))
  },
  'say what became of links with report_links': ({ me }) =>
    succeeds(me.client.rpc('report_links', { results: [] })),
}
