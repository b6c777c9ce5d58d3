import { randomUUID } from 'node:crypto'
import { succeeds, type Attempts, type Occasion } from './rights-cases.ts'

/** The smallest PNG there is. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const asPng = { contentType: 'image/png' }

async function anImage({ scene }: Occasion): Promise<string> {
  const name = `${randomUUID()}.png`
  const { error } = await scene.cast.service.client.storage.from('images').upload(name, PNG, asPng)
  if (error) throw error
  return name
}

export const imageAttempts: Attempts = {
  'see an image by address': async (occasion) => {
    const name = await anImage(occasion)
    const { data } = occasion.me.client.storage.from('images').getPublicUrl(name)
    return (await fetch(data.publicUrl)).ok
  },
  'list images': async (occasion) => {
    await anImage(occasion)
    const { data } = await occasion.me.client.storage.from('images').list()
    return (data ?? []).length > 0
  },
  'upload an image': ({ me }) =>
    succeeds(me.client.storage.from('images').upload(`${randomUUID()}.png`, PNG, asPng)),
  'upload something else': async ({ me }) => {
    const images = me.client.storage.from('images')
    const page = await images.upload(`${randomUUID()}.html`, '<script>alert(1)</script>', {
      contentType: 'text/html',
    })
    const svg = await images.upload(`${randomUUID()}.svg`, '<svg/>', {
      contentType: 'image/svg+xml',
    })
    return !page.error || !svg.error
  },
  'replace an image': async (occasion) => {
    const name = await anImage(occasion)
    const { error } = await occasion.me.client.storage.from('images').update(name, PNG, asPng)
    return !error
  },
  'delete an image': async (occasion) => {
    const name = await anImage(occasion)
    const { data } = await occasion.me.client.storage.from('images').remove([name])
    return (data ?? []).length === 1
  },
}
