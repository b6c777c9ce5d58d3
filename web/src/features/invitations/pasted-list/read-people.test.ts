// @vitest-environment node
import { expect, test } from 'vitest'
import { readPeople } from './read-people.ts'

/** Each person as `First|Last|address`, with further addresses behind it. */
function read(pasted: string): string[] {
  return readPeople(pasted).people.map(({ email, firstName, lastName, others }) =>
    [firstName, lastName, email, ...others].join('|'),
  )
}

const MAYA = 'Maya|Ortiz|maya@example.com'
const NOAH = 'Noah|Reed|noah@example.com'

test.each([
  ['maya@example.com', '||maya@example.com'],
  ['Maya Ortiz <Maya@Example.com>', MAYA],
  ['Ortiz, Maya <maya@example.com>', MAYA],
  ['"Ortiz, Maya" <maya@example.com>', MAYA],
  ["'Ortiz, Maya' <maya@example.com>", MAYA],
  ['St.John, J.R. <maya@example.com>', 'J.R.|St.John|maya@example.com'],
  ['“Maya Ortiz” <maya@example.com>', MAYA],
  ['Maya Ortiz maya@example.com', MAYA],
  ['maya@example.com Maya Ortiz', MAYA],
  ['Maya Ortiz (maya@example.com)', MAYA],
  ['Maya Ortiz [mailto:maya@example.com]', MAYA],
  ['Maya Ortiz <mailto:maya@example.com?subject=Rally>', MAYA],
  ['[Maya Ortiz](mailto:maya@example.com)', MAYA],
  ['maya@example.com <maya@example.com>', '||maya@example.com'],
  ['Maya Ortiz - maya@example.com', MAYA],
  ['1. Maya Ortiz: maya@example.com.', MAYA],
  ['• Maya Ortiz, maya@example.com;', MAYA],
  ['To: Maya Ortiz <maya@example.com>', MAYA],
  ['Name: Maya Ortiz Email: maya@example.com Phone: 214-555-0199', MAYA],
  ['Maya Ortiz (214) 555-0199 maya@example.com 11/22/2026 10:30 AM', MAYA],
  ['Maya Ortiz maya@example.com Nov 3, 2026', MAYA],
  ['Maya Ortiz 3 de noviembre de 2026 maya@example.com', MAYA],
  ['Mrs. Maya "May" Ortiz <maya@example.com>', MAYA],
  ['Maya Ortiz, CLU <maya@example.com>', MAYA],
  ['Maya Ortiz (new rep) <maya@example.com>', MAYA],
  ['MAYA ORTIZ <MAYA@EXAMPLE.COM>', MAYA],
  ['maya ortiz <maya@example.com>', MAYA],
  ['ORTIZ Maya <maya@example.com>', MAYA],
  ['\ufeffMaya\u00a0Ortiz\u200b <maya@\u200bexample.com>', MAYA],
  ['Maya Ortiz <maya@example.com> or <maya@home.example>', `${MAYA}|maya@home.example`],
  ['<b>Maya</b> Ortiz <maya@example.com><br/>', MAYA],
  ['Ortiz, Maya Jr. <maya@example.com>', 'Maya|Ortiz Jr.|maya@example.com'],
  ['Maya Ortiz, Jr. <maya@example.com>', 'Maya|Ortiz Jr.|maya@example.com'],
  ['Maya L. Ortiz <maya@example.com>', 'Maya L.|Ortiz|maya@example.com'],
  ['Maya de la Cruz <maya@example.com>', 'Maya|de la Cruz|maya@example.com'],
  ['MAYA DE LA CRUZ-O’BRIEN <maya@example.com>', 'Maya|de la Cruz-O’Brien|maya@example.com'],
  ['SEAN MCDONALD III <sean@example.com>', 'Sean|McDonald III|sean@example.com'],
  ["Sinéad O'Neil <o'neil@example.com>", "Sinéad|O'Neil|o'neil@example.com"],
  ['Maya Ortiz <maya@example>', 'Maya|Ortiz|maya@example'],
  ['Maya Ortiz', 'Maya|Ortiz|'],
])('one person in a line: %j', (line, person) => {
  expect(read(line)).toEqual([person])
})

test.each([
  'maya@example.com, noah@example.com',
  'maya@example.com; noah@example.com;',
  'maya@example.com noah@example.com',
  'maya@example.com\r\nnoah@example.com\r\n',
  'Email\nmaya@example.com\n\nnoah@example.com',
])('bare addresses: %j', (text) => {
  expect(read(text)).toEqual(['||maya@example.com', '||noah@example.com'])
})

test.each([
  ['recipients of a mail', 'Maya Ortiz <maya@example.com>, Noah Reed <noah@example.com>'],
  ['of Outlook', 'Ortiz, Maya <maya@example.com>; Reed, Noah <noah@example.com>'],
  ['last name first, with commas', 'Ortiz, Maya <maya@example.com>, Reed, Noah <noah@example.com>'],
  ['in quotes', '"Ortiz, Maya" <maya@example.com>, "Reed, Noah" <noah@example.com>'],
  ['in quotes, a line each', '"Ortiz, Maya" <maya@example.com>\n"Reed, Noah" <noah@example.com>'],
  ['pairs in one line', 'Maya Ortiz, maya@example.com, Noah Reed, noah@example.com'],
  ['pairs with semicolons', 'Maya Ortiz, maya@example.com; Noah Reed, noah@example.com'],
  ['address first', 'maya@example.com Maya Ortiz; noah@example.com Noah Reed'],
  [
    'name above the address',
    'Maya Ortiz\n214-555-0199\nmaya@example.com\n\nNoah Reed\nnoah@example.com',
  ],
  ['two columns', 'Maya Ortiz\tmaya@example.com\nNoah Reed\tnoah@example.com'],
  ['three columns', 'Maya\tOrtiz\tmaya@example.com\nNoah\tReed\tnoah@example.com'],
  ['commas', 'Maya,Ortiz,maya@example.com\nNoah,Reed,noah@example.com'],
  ['commas and spaces', 'Maya, Ortiz, maya@example.com\nNoah, Reed, noah@example.com'],
  ['semicolons', 'Maya;Ortiz;maya@example.com\nNoah;Reed;noah@example.com'],
  ['semicolons, last name first', 'Ortiz, Maya;maya@example.com\nReed, Noah;noah@example.com'],
  ['everything quoted', '"Maya","Ortiz","maya@example.com"\n"Noah","Reed","noah@example.com"'],
  ['address in the first column', 'maya@example.com,Maya,Ortiz\nnoah@example.com,Noah,Reed'],
  ['address in the middle', 'Maya\tmaya@example.com\tOrtiz\nNoah\tnoah@example.com\tReed'],
  [
    'phone, date and number columns',
    '1\tMaya\tOrtiz\t(214) 555-0199\tmaya@example.com\t11/22/2026\t$1,200\n2\tNoah\tReed\t214.555.0177\tnoah@example.com\t2026-11-23\t$900',
  ],
  [
    'a city behind a whole name',
    'Maya Ortiz\tDallas\tmaya@example.com\nNoah Reed\tEl Paso\tnoah@example.com',
  ],
  [
    'titles in English',
    'Email Address,Phone,Last Name,First Name\nmaya@example.com,214,Ortiz,Maya\nnoah@example.com,214,Reed,Noah',
  ],
  [
    'titles in Spanish',
    'Nombre\tApellidos\tTeléfono\tCorreo electrónico\nMaya\tOrtiz\t214\tmaya@example.com\nNoah\tReed\t214\tnoah@example.com',
  ],
  [
    'one title for the whole name',
    'Nombre;Ciudad;Correo\nMaya Ortiz;Austin;maya@example.com\nReed, Noah;Reno;noah@example.com',
  ],
  [
    'a heading above the titles',
    'New reps in November\t\t\nName\tCompany\tE-mail\nMaya Ortiz\tAcme\tmaya@example.com\nNoah Reed\tAcme\tnoah@example.com',
  ],
  [
    'titles of the address only',
    'Recruit?\tCompany\tE-mail\nMaya Ortiz\tAcme Inc\tmaya@example.com\nNoah Reed\tBolt Inc\tnoah@example.com',
  ],
  [
    'the upline’s columns',
    'Upline,Upline email,Name,Email\nDana Fox,dana@example.com,Maya Ortiz,maya@example.com\nDana Fox,dana@example.com,Noah Reed,noah@example.com',
  ],
  [
    'cells with separators, quotes and line breaks',
    'Name\tNotes\tEmail\n"Ortiz, Maya"\t"Said ""yes"",\nwants to start"\tmaya@example.com\nNoah Reed\t"a\tb"\tnoah@example.com',
  ],
  [
    'Google Contacts',
    'First Name,Middle Name,Last Name,Phonetic First Name,Nickname,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Value\nMaya,,Ortiz,,May,* Work,maya@example.com,214\nNoah,,Reed,,,* Other,noah@example.com,214',
  ],
  [
    'last names first, as the addresses tell',
    'Ortiz\tMaya\tmaya.ortiz@example.com\nReed\tNoah\tnreed@example.com',
    ['Maya|Ortiz|maya.ortiz@example.com', 'Noah|Reed|nreed@example.com'],
  ],
  [
    'a company between, as the addresses tell',
    'Acme\tMaya\tOrtiz\tmaya.ortiz@example.com\nBolt\tNoah\tReed\tnoah.reed@example.com',
    ['Maya|Ortiz|maya.ortiz@example.com', 'Noah|Reed|noah.reed@example.com'],
  ],
  [
    'two addresses in a row',
    'Name,Email,Email 2\nMaya Ortiz,maya@example.com,maya@home.example\nNoah Reed,,noah@example.com',
    [`${MAYA}|maya@home.example`, NOAH],
  ],
  [
    'two addresses in a cell',
    'Maya Ortiz\tmaya@example.com; maya@home.example\nNoah Reed\tnoah@example.com',
    [`${MAYA}|maya@home.example`, NOAH],
  ],
  [
    'whole names with commas, without quotes',
    'Name,Email\nOrtiz, Maya,maya@example.com\nReed, Noah, Jr.,noah@example.com',
    [MAYA, 'Noah|Reed Jr.|noah@example.com'],
  ],
  [
    'whole names with commas behind the address',
    'Email,Name\nmaya@example.com,Ortiz, Maya',
    [MAYA],
  ],
  ['a comma in a city', 'Name,City,Email\nMaya Ortiz,Austin, TX,maya@example.com', [MAYA]],
  ['a comma in a company', 'Company,Name,Email\nAcme, Inc.,Maya Ortiz,maya@example.com', [MAYA]],
  ['a comma in notes', 'Email,Name,Notes\nmaya@example.com,Maya Ortiz,new, call', [MAYA]],
  ['a cell without a title', 'Email,Name\nmaya@example.com,Maya Ortiz,Austin', [MAYA]],
  [
    'an empty cell behind the upline’s address',
    'Name,Email,Upline email\nMaya Ortiz,maya@example.com,dana@example.com,',
    [MAYA],
  ],
  ...[',', ';'].map((separator): [string, string, string[]] => [
    `a second address without a title, behind ${separator}`,
    ['Name,Email', 'Maya Ortiz,maya@example.com,maya@home.example']
      .join('\n')
      .replaceAll(',', separator),
    [MAYA],
  ]),
  [
    'a page’s source',
    '<p>Maya <b>Ortiz</b> maya@example.com</p><p>Noah Reed noah@example.com<br></p>',
  ],
  [
    'the source of a table',
    '<tr><td>Maya</td><td>Ortiz</td><td>maya@example.com</td></tr><tr><td class="x">Noah</td><td>Reed</td><td>noah@example.com</td></tr>',
  ],
  [
    'mailboxes next to other columns',
    'Dallas\tMaya Ortiz <maya@example.com>\nReno\tNoah Reed <noah@example.com>',
  ],
  [
    'lines of several kinds',
    'Maya,Ortiz,maya@example.com\nReed, Noah <noah@example.com>\nlee@example.com\nzoe@example.com, Zoe Hall',
    [MAYA, NOAH, '||lee@example.com', 'Zoe|Hall|zoe@example.com'],
  ],
  [
    'missing and wrong addresses',
    'Name,Email\nMaya Ortiz,maya@example\nNoah Reed,\nLee Hall,n/a\nZoe Fox,zoe.example.com',
    ['Maya|Ortiz|maya@example', 'Noah|Reed|', 'Lee|Hall|', 'Zoe|Fox|zoe.example.com'],
  ],
  ['addresses without their @', 'Maya Ortiz, maya.example.com', ['Maya|Ortiz|maya.example.com']],
  [
    'addresses without their @, in a list of bare ones',
    'lee@example.com, zoe.fox.example.com\nzoefoxmail.com',
    ['||lee@example.com', '||zoe.fox.example.com', '||zoefoxmail.com'],
  ],
  [
    'addresses without their @, behind a mailbox',
    'Maya Ortiz <maya@example.com>, lee.example.com; noah.example.com, Noah Reed',
    [MAYA, '||lee.example.com', 'Noah|Reed|noah.example.com'],
  ],
  ['the site of a company in a line', 'Maya Ortiz acme.com maya@example.com', [MAYA]],
  [
    'the site of a company in a table',
    'Maya Ortiz,acme.com,maya@example.com\nNoah Reed,bolt.com,noah@example.com',
  ],
  [
    'somebody without an address between mailboxes',
    'Maya Ortiz <maya@example.com>; Lee Hall; Noah Reed <noah@example.com>',
    [MAYA, 'Lee|Hall|', NOAH],
  ],
  [
    'somebody listed twice',
    'Maya Ortiz\tmaya@example.com\nMaya O.\tMAYA@example.com',
    [MAYA, 'Maya|O.|maya@example.com'],
  ],
  [
    'two last names',
    'Nombre\tPrimer apellido\tSegundo apellido\tCorreo\nMaría José\tOrtiz\tPeña\tmj@example.com',
    ['María José|Ortiz Peña|mj@example.com'],
  ],
] as [string, string, string[]?][])('people in a list: %s', (_, text, people = [MAYA, NOAH]) => {
  expect(read(text)).toEqual(people)
})

test('what is neither a name nor an address is left out, and named', () => {
  const { people, leftOut } = readPeople(
    'Hello Dana, these are the new reps of this week:\nMaya Ortiz <maya@example.com>\n------\nTotal: 1',
  )
  expect(people).toHaveLength(1)
  expect(leftOut).toEqual([
    'Hello Dana, these are the new reps of this week:',
    '------',
    'Total: 1',
  ])
})

test('a long text without a break is read in an instant', () => {
  const started = performance.now()
  readPeople('a'.repeat(300_000))
  readPeople('1 '.repeat(150_000))
  readPeople('a@'.repeat(150_000))
  readPeople('"'.repeat(100_000))
  readPeople(`${'x,'.repeat(100_000)}@`)
  expect(performance.now() - started).toBeLessThan(3_000)
})
