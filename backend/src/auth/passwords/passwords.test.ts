import bcrypt from 'bcrypt'
import { afterAll, expect, test } from 'vitest'
import { LIMITS } from '#auth/limits.ts'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords()
afterAll(() => passwords.close())

test('a password is hashed with argon2id and matches only itself', async () => {
  const hash = await passwords.hash('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify('correct horse', hash)).toEqual({ matches: true, outdated: false })
  expect(await passwords.verify('Correct horse', hash)).toEqual({ matches: false, outdated: false })
})

test('an imported bcrypt hash matches and is outdated', async () => {
  const hash = await bcrypt.hash('correct horse', 4)
  const result = await passwords.verify('correct horse', hash)
  expect(result).toEqual({ matches: true, outdated: true })
})

test('an unknown kind of hash matches nothing', async () => {
  for (const hash of ['plain', 'md5:abc', '$6$salt$hash', '$argon2id$damaged', '$2b$10$damaged']) {
    expect((await passwords.verify('plain', hash)).matches).toBe(false)
  }
})

test('concurrent hashes are limited, and served in order of arrival', async () => {
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

test('callers take turns: a flood from one delays another by a single hash', async () => {
  const oneByOne = createPasswords(1)
  const finished: string[] = []
  const hash = (who: string) => oneByOne.hash('password', who).then(() => finished.push(who))
  await Promise.all([...Array.from({ length: 6 }, () => hash('stranger')), hash('member')])
  expect(finished.indexOf('member')).toBeLessThanOrEqual(2)
  await oneByOne.close()
})

test('with a full queue, a network of which nobody waits takes a place of the one with most', async () => {
  const oneByOne = createPasswords(1)
  const check = (who: string) =>
    oneByOne.verify('password', 'a hash of an unknown kind', who).then(
      () => 'checked',
      () => 'refused',
    )
  // One of the first network is being checked, and does not wait.
  const networks = LIMITS.queuedHashes / LIMITS.queuedHashesPerNetwork
  const flood = Array.from({ length: networks }, (_, network) =>
    Array.from({ length: LIMITS.queuedHashesPerNetwork + (network === 0 ? 1 : 0) }, () =>
      check(`203.0.${network}.1`),
    ),
  )
  const [owner, another] = [check('198.51.100.7'), check('198.51.100.8')]
  expect(await Promise.all([owner, another])).toEqual(['checked', 'checked'])
  const outcomes = (await Promise.all(flood.flat())).filter((each) => each === 'refused')
  expect(outcomes).toHaveLength(2)
  await oneByOne.close()
})
