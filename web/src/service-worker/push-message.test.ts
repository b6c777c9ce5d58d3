import { expect, test } from 'vitest'
import { readPushMessage } from './push-message.ts'

test('a push that cannot be read is shown under the name of the app', () => {
  for (const text of [undefined, '', 'plain words', 'null']) {
    expect(readPushMessage(text, 'Team')).toMatchObject({ title: 'Team', body: '', data: {} })
  }
})
