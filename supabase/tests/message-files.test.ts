import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF')
const ZIP = Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1')
const PROGRAM = Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1')
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
let team: Team
let ann: Person
let ben: Person
let otto: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
  ;[ann, ben, otto] = [await team.aMember(), await team.aMember(), await team.aMember()]
  chatId = await aGroup([ann, ben])
})
afterAll(() => team?.close())

async function aGroup(people: Person[]): Promise<string> {
  const [chat] = await team.sql<{ id: string }>(
    `insert into public.chats (name, type, created_by) values ('Squad', 'group', $1) returning id`,
    [people[0]?.id],
  )
  await team.sql(
    'insert into private.chat_participants (chat_id, user_id) select $1, unnest($2::uuid[])',
    [chat?.id, people.map(({ id }) => id)],
  )
  return chat?.id ?? ''
}

const bucketOf = ({ client }: Pick<Person, 'client'>) => client.storage.from('chat-images')

type Sent = { name?: string; type?: string; bytes?: Buffer; by?: Person; chat?: string }

/** Uploads a file and sends it. @returns the message's id, the object's path and what was refused */
async function send(sent: Sent & { attachment?: object; ending?: string } = {}) {
  const { name = 'plan.pdf', type = 'application/pdf', bytes = PDF, by = ann, chat = chatId } = sent
  const id = randomUUID()
  const path = `${chat}/${id}.${sent.ending ?? name.split('.').at(-1)}`
  const upload = await bucketOf(by).upload(path, bytes, { contentType: type })
  const attachment = { kind: 'file', path, name, size: 1, type: 'text/plain', ...sent.attachment }
  const row = { id, chat_id: chat, sender_id: by.id, message: '', attachment }
  const { error } = await by.client.from('chat_messages').insert(row)
  return { id, path, upload: upload.error?.message, refusal: error?.message }
}

async function attachmentOf(id: string) {
  const [row] = await team.sql<{ attachment: Record<string, unknown> }>(
    'select attachment from public.chat_messages where id = $1',
    [id],
  )
  return row?.attachment
}

describe('a file in a message', () => {
  test('has the size and the type that storage measured, whatever its sender says', async () => {
    const { id, path } = await send()
    expect(await attachmentOf(id)).toEqual({
      kind: 'file',
      path,
      name: 'plan.pdf',
      size: PDF.length,
      type: 'application/pdf',
    })
  })

  test('is one whose name cannot hide how it ends or where it is', async () => {
    const { id } = await send({ name: ' ../a\u202egpj.\u200b\u2066plan\n.pdf ', ending: 'pdf' })
    expect(await attachmentOf(id)).toMatchObject({ name: '.._agpj.plan.pdf' })
  })

  test.each([
    ['a program called a PDF', { bytes: PROGRAM }],
    ['a program called a document', { bytes: PROGRAM, name: 'plan.docx', type: WORD }],
    ['a page', { bytes: Buffer.from('<script>x</script>'), name: 'a.txt', type: 'text/plain' }],
    [
      'a drawing that runs scripts',
      { bytes: Buffer.from('<svg onload="x">'), name: 'a.txt', type: 'text/plain' },
    ],
    ['an archive', { bytes: ZIP, name: 'a.zip', type: 'application/zip' }],
  ])('is not %s: it is not even uploaded', async (_what, file) => {
    const { upload, refusal } = await send(file)
    expect(upload).toMatch(/mime type/)
    expect(refusal).toBe('The image of this message was not uploaded')
  })

  const words = { bytes: Buffer.from('start calc.exe'), type: 'text/plain' }
  test.each([
    ['a script', { ...words, name: 'run.bat' }],
    ['a document that is no archive', { bytes: PDF, name: 'plan.docx', type: WORD }],
    ['text called a PDF', { ...words, name: 'plan.pdf' }],
    ['called something else than its object', { name: 'plan.pdf', ending: 'bat' }],
    ['without an ending', { name: 'plan', ending: 'pdf' }],
  ])('is not sent when it is %s', async (_what, file) => {
    const { upload, refusal } = await send(file)
    expect([upload, refusal]).toEqual([undefined, 'Files of this type cannot be sent'])
  })

  test.each(['', '\u202e', `${'x'.repeat(200)}.pdf`])('has a name: not %j', async (name) => {
    const { refusal } = await send({ name, ending: 'pdf' })
    expect(refusal).toBe('A file needs a name of at most 200 characters')
  })

  test("is its sender's own upload for this message", async () => {
    const { path } = await send()
    const elsewhere = await aGroup([otto])
    for (const foreign of [
      path,
      `${elsewhere}/../${path}`,
      `${chatId}/../x.pdf`,
      'https://x/y.pdf',
    ])
      for (const by of [ben, ann]) {
        const { refusal } = await send({ by, attachment: { path: foreign } })
        expect(refusal).toBe('The image of this message was not uploaded')
      }
  })

  test('is not passed off as an image', async () => {
    const { refusal } = await send({ attachment: { kind: null, width: 1, height: 1 } })
    expect(refusal).toBe('The image of this message was not uploaded')
  })

  test('is read by participants alone, and by an address only as long as they are', async () => {
    const { path } = await send()
    const { data } = await bucketOf(ben).createSignedUrl(path, 600)
    expect((await fetch(data!.signedUrl)).status).toBe(200)
    expect((await bucketOf(otto).createSignedUrl(path, 600)).data).toBeNull()
    expect((await bucketOf(otto).download(path)).data).toBeNull()
    await team.sql(
      'update private.chat_participants set is_active = false where chat_id = $1 and user_id = $2',
      [chatId, ben.id],
    )
    expect((await fetch(data!.signedUrl)).ok).toBe(false)
    await team.sql(
      'update private.chat_participants set is_active = true where chat_id = $1 and user_id = $2',
      [chatId, ben.id],
    )
  })

  test('is out of sight once its message is deleted', async () => {
    const { id, path } = await send()
    const { data } = await bucketOf(ben).createSignedUrl(path, 600)
    await ann.client.from('chat_messages').update({ is_deleted: true }).eq('id', id)
    expect((await fetch(data!.signedUrl)).ok).toBe(false)
    expect((await bucketOf(ben).download(path)).data).toBeNull()
  })

  test('opens in the browser if it is a PDF; a document is saved, under its name', async () => {
    const word = await send({ name: 'plan.docx', type: WORD, bytes: ZIP })
    const disposition = async (path: string, download?: string) => {
      const { data } = await bucketOf(ben).createSignedUrl(path, 60, download ? { download } : {})
      const { headers } = await fetch(data!.signedUrl)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      return headers.get('content-disposition')
    }
    expect(await disposition((await send()).path)).toBe('inline')
    expect(await disposition(word.path, 'plan.docx')).toMatch(/^attachment; filename="plan.docx"/)
  })

  test('is forwarded under its own name, as a copy', async () => {
    const first = await send({ name: 'Prices.pdf' })
    const [other, id] = [await aGroup([ben, otto]), randomUUID()]
    const path = `${other}/${id}.pdf`
    expect((await bucketOf(ben).copy(first.path, path)).error).toBeNull()
    const { error } = await ben.client.from('chat_messages').insert({
      id,
      chat_id: other,
      sender_id: ben.id,
      message: '',
      forwarded_from: first.id,
      attachment: { kind: 'file', path, name: 'Other prices.pdf' },
    })
    expect(error).toBeNull()
    expect(await attachmentOf(id)).toMatchObject({ path, name: 'Prices.pdf', size: PDF.length })
  })

  test('has its name in the chat list and in a notification', async () => {
    await send({ name: 'Prices.pdf' })
    const { data } = await call<{ chat_id: string; last_message: string }[]>(ben, 'chat_list')
    const row = data?.find((chat) => chat.chat_id === chatId)
    expect(row?.last_message).toBe('Prices.pdf')
  })
})

describe('the room for photos and files', () => {
  const aPath = () => `${chatId}/${randomUUID()}.pdf`
  const upload = (by: Person, bytes = PDF, type = 'application/pdf') =>
    bucketOf(by).upload(aPath(), bytes, { contentType: type })

  test('of the team is not exceeded by two uploads at once', async () => {
    const [before] = await team.sql<{ bytes: string }>('select bytes from private.team_file_usage')
    await team.sql(
      'update private.team_file_usage set bytes = (select team_bytes from private.image_quota()) - $1',
      [PDF.length],
    )
    const results = await Promise.all([upload(ann), upload(ben), upload(ann), upload(ben)])
    const refusals = results.flatMap(({ error }) => error?.message ?? [])
    expect(refusals).toEqual(Array(3).fill('The team has no room left for photos and files'))
    await team.sql('update private.team_file_usage set bytes = $1', [before?.bytes])
  })

  test('grows when something is removed', async () => {
    const used = async () =>
      (await team.sql<{ bytes: string }>('select bytes from private.team_file_usage'))[0]?.bytes
    const [before, path] = [await used(), aPath()]
    await bucketOf(ann).upload(path, PDF, { contentType: 'application/pdf' })
    expect(Number(await used())).toBe(Number(before) + PDF.length)
    await bucketOf(ann).remove([path])
    expect(await used()).toBe(before)
  })

  test('takes files of 25 MiB and images of 10 MiB', async () => {
    const sized = (head: Buffer, bytes: number) => Buffer.concat([head, Buffer.alloc(bytes)])
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    const MIB = 1024 * 1024
    expect((await upload(ann, sized(PDF, 24 * MIB))).error).toBeNull()
    expect((await upload(ann, sized(PDF, 25 * MIB))).error).toMatchObject({ statusCode: '413' })
    expect((await upload(ann, sized(png, 10 * MIB), 'image/png')).error?.message).toBe(
      'Images are at most 10 MB',
    )
  })
})
