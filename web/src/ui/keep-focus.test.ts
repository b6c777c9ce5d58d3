import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFocus } from './keep-focus.ts'

let stop: () => void

beforeEach(() => {
  stop = keepFocus()
})
afterEach(() => {
  stop()
  // Other tests share the page.
  document.body.replaceChildren()
})

function draw(html: string) {
  document.body.innerHTML = `<main id="main">${html}</main>`
}
const byId = (id: string) => document.getElementById(id)!
const later = () => new Promise((resolve) => setTimeout(resolve, 60))
/** Also when it must not move: the element has it after a while. */
async function expectFocusOn(id: string) {
  await later()
  await vi.waitFor(() => expect(document.activeElement?.id).toBe(id))
}

const ROWS = ['a', 'b', 'c']
  .map(
    (id) => `<li id="${id}"><button id="edit-${id}"></button><button id="del-${id}"></button></li>`,
  )
  .join('')

test('when a row is removed, the same button in the next row gets focus', async () => {
  draw(`<ul>${ROWS}</ul>`)
  byId('del-b').focus()
  byId('b').remove()
  await expectFocusOn('del-c')
})

test("when the last row is removed, focus goes to the row before; without rows, to the list's container", async () => {
  draw(`<section id="items"><ul id="list">${ROWS}</ul></section>`)
  byId('edit-c').focus()
  byId('c').remove()
  await expectFocusOn('edit-b')
  byId('list').remove()
  await expectFocusOn('items')
})

test('a button replaced by text leaves focus with its group', async () => {
  draw('<ul><li id="notice"><button id="acknowledge"></button></li></ul>')
  byId('acknowledge').focus()
  byId('acknowledge').replaceWith(document.createElement('p'))
  await expectFocusOn('notice')
})

test('when a toast goes, focus moves to the screen and not to the skip link', async () => {
  document.body.innerHTML = `<div><a href="#main">Skip</a><main id="main"><button></button></main>
    <div role="status"><p id="toast"><button id="undo"></button></p></div></div>`
  byId('undo').focus()
  byId('toast').remove()
  await expectFocusOn('main')
})

test('a moved row keeps focus', async () => {
  draw(`<ul id="list">${ROWS}</ul>`)
  byId('edit-b').focus()
  byId('list').append(byId('b'))
  await expectFocusOn('edit-b')
})

test('a removal next to a text field does not focus it, which would open the keyboard', async () => {
  draw('<form id="form"><button id="undo"></button><input id="amount" /></form>')
  byId('undo').focus()
  byId('undo').remove()
  await expectFocusOn('form')
})

test('focus stays as it is after a press on the background, or when something else set it', async () => {
  draw(`<ul>${ROWS}</ul><h2 id="title" tabindex="-1"></h2>`)
  byId('edit-a').focus()
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  byId('edit-a').blur()
  byId('a').remove()
  await expectFocusOn('')
  byId('edit-b').focus()
  byId('b').remove()
  byId('title').focus()
  await expectFocusOn('title')
})

test('when the whole screen changes, its heading gets focus', async () => {
  draw('<div id="screen"><h1></h1><button id="open"></button></div><button id="other"></button>')
  byId('open').focus()
  byId('screen').remove()
  await expectFocusOn('')
})
