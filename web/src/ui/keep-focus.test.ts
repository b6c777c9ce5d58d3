import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepFocus } from './keep-focus.ts'

let stop: () => void

beforeEach(() => {
  stop = keepFocus()
})
afterEach(() => stop())

function draw(html: string) {
  document.body.innerHTML = `<main id="main">${html}</main>`
}
const byId = (id: string) => document.getElementById(id)!
const later = () => new Promise((resolve) => setTimeout(resolve, 60))
const focusedId = async () => {
  await later()
  return document.activeElement?.id
}

const ROWS = ['a', 'b', 'c']
  .map(
    (id) => `<li id="${id}"><button id="edit-${id}"></button><button id="del-${id}"></button></li>`,
  )
  .join('')

test('when a row goes, the same button of the next one has the focus', async () => {
  draw(`<ul>${ROWS}</ul>`)
  byId('del-b').focus()
  byId('b').remove()
  expect(await focusedId()).toBe('del-c')
})

test('when the last row goes, it is the one before; when all go, what the list stood in', async () => {
  draw(`<section id="items"><ul id="list">${ROWS}</ul></section>`)
  byId('edit-c').focus()
  byId('c').remove()
  expect(await focusedId()).toBe('edit-b')
  byId('list').remove()
  expect(await focusedId()).toBe('items')
})

test('a button that gives way to a text leaves the focus with what it belongs to', async () => {
  draw('<ul><li id="notice"><button id="acknowledge"></button></li></ul>')
  byId('acknowledge').focus()
  byId('acknowledge').replaceWith(document.createElement('p'))
  expect(await focusedId()).toBe('notice')
})

test('a row that moves keeps the focus', async () => {
  draw(`<ul id="list">${ROWS}</ul>`)
  byId('edit-b').focus()
  byId('list').append(byId('b'))
  expect(await focusedId()).toBe('edit-b')
})

test('a field is not opened for typing by what goes beside it', async () => {
  draw('<form id="form"><button id="undo"></button><input id="amount" /></form>')
  byId('undo').focus()
  byId('undo').remove()
  expect(await focusedId()).toBe('form')
})

test('who pressed beside everything, or whose focus another took care of, is left alone', async () => {
  draw(`<ul>${ROWS}</ul><h2 id="title" tabindex="-1"></h2>`)
  byId('edit-a').focus()
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  byId('edit-a').blur()
  byId('a').remove()
  expect(await focusedId()).toBe('')
  byId('edit-b').focus()
  byId('b').remove()
  byId('title').focus()
  expect(await focusedId()).toBe('title')
})

test('where the whole screen went, its heading is the one to have the focus', async () => {
  draw('<div id="screen"><h1></h1><button id="open"></button></div><button id="other"></button>')
  byId('open').focus()
  byId('screen').remove()
  expect(await focusedId()).toBe('')
})
