// @vitest-environment node
import { expect, test } from 'vitest'
import { readPushMessage } from './show-notification.ts'

test("an unreadable push is shown under the app's name", () => {
  for (const text of [undefined, '', 'plain words', 'null']) {
    expect(readPushMessage(text, 'Team')).toMatchObject({ title: 'Team', body: '', data: {} })
  }
})
