// @vitest-environment node
import { expect, test } from 'vitest'
import { readAllPages } from './read-all-pages.ts'

const HOSTED_MAX_ROWS = 1_000

test.each([0, 1, 499, 500, 501, 1_000, 2_345])(
  'a list of %i rows comes whole from a server that gives a thousand at once',
  async (length) => {
    const all = Array.from({ length }, (_, id) => ({ id }))
    const rows = await readAllPages((first, last) =>
      Promise.resolve({ data: all.slice(first, last + 1).slice(0, HOSTED_MAX_ROWS) }),
    )
    expect(rows).toEqual(all)
  },
)
