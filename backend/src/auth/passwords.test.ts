import bcrypt from 'bcrypt'
import { afterAll, expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords()
afterAll(() => passwords.close())

test('a password is hashed with argon2id and matches only itself', async () => {
  const hash = await passwords.hash('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify('correct horse', hash)).toEqual({ matches: true, outdated: false })
  expect(await passwords.verify('Correct horse', hash)).toEqual({ matches: false, outdated: false })
})

test('an imported bcrypt hash matches and asks to be replaced', async () => {
  const hash = await bcrypt.hash('correct horse', 4)
  const result = await passwords.verify('correct horse', hash)
  expect(result).toEqual({ matches: true, outdated: true })
})

test('a hash of a kind nobody knows matches nothing', async () => {
  for (const hash of ['plain', 'md5:abc', '$6$salt$hash', '$argon2id$damaged', '$2b$10$damaged']) {
    expect((await passwords.verify('plain', hash)).matches).toBe(false)
  }
})

test('only so many hashes are worked on at once, and who comes first is served first', async () => {
  const oneByOne = createPasswords(1)
  const finished: number[] = []
  await Promise.all(
    [0, 1, 2, 3, 4, 5].map((number) =>
      oneByOne.hash(`password ${number}`).then(() => finished.push(number)),
    ),
  )
  expect(finished).toEqual([0, 1, 2, 3, 4, 5])
  await oneByOne.close()
})
