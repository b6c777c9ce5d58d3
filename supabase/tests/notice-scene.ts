import { afterAll, beforeAll, beforeEach } from 'vitest'
import { publishNotice } from './publish-notice.ts'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, type Person, type Team } from './team.ts'

export type NoticeScene = {
  team: Team
  push: PushScene
  /** The admin who writes the notices. */
  dana: Person
  maya: Person
  theo: Person
  /** Publishes a notice by Dana to everyone, or as `more` says; returns its id. */
  publish(more?: Record<string, unknown>): Promise<string>
  /** The notices that somebody can read. */
  readBy(person: Person): Promise<string[]>
}

/** For the tests of a file: an admin, two members and no notice yet. Its parts are there once a test runs. */
export function noticeScene(): NoticeScene {
  const scene = {
    publish: (more = {}) => publishNotice(scene.dana, more),
    readBy: async (person) => {
      const { data } = await person.client.from('team_notices').select('id')
      return (data as { id: string }[]).map(({ id }) => id)
    },
  } as NoticeScene

  beforeAll(async () => {
    scene.team = await aTeam()
    scene.push = pushScene(scene.team)
    scene.dana = await scene.team.aMember({ isAdmin: true })
    scene.maya = await scene.team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
    scene.theo = await scene.team.aMember()
  })
  afterAll(() => scene.team.close())
  beforeEach(async () => {
    await scene.push.clear()
    await scene.team.sql('delete from public.team_notices')
  })
  return scene
}
