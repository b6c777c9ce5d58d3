import { aChat, say } from './support/chats.ts'
import { freezeClock } from './support/fixed-clock.ts'
import { test } from './support/journey.ts'
import { lookOnAPhone } from './support/look-at.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test('names and words of any length fit', async ({ page }) => {
  await freezeClock(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const firstName = 'Maximiliana-Alexandrina'
  const lastName = 'Wolkenbruch-Featherstonehaugh'
  const long = await aMember({ firstName, lastName })
  const other = await aMember({ firstName: 'Wilhelmina-Theodora', lastName })
  const name = 'The Regional Vice Presidents’ Quarterly Planning C'
  const { id } = await aChat(long, [other, await aMember()], { name })
  await say(other, id, 'Donaudampfschifffahrt'.repeat(6))
  await aChat(long, [other])
  await signIn(page, long)
  await lookOnAPhone(page, 'long-home', '/home')
  await lookOnAPhone(page, 'long-chat', '/chat')
  await lookOnAPhone(page, 'long-thread', `/chat/${id}`)
  await lookOnAPhone(page, 'long-profile', '/profile')
})
