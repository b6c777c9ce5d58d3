import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { serviceClient } from './members.ts'

/** A title unique to this test: all tests share one team's content. */
export function aTitle(what: string): string {
  return `${what} ${randomUUID().slice(0, 6)}`
}

type Row = Record<string, unknown>

/** Inserts an item without a browser. */
export async function anItem(type: string, row: Row): Promise<string> {
  const client = await serviceClient()
  const times =
    type === 'schedule' ? { day_of_week: 'Monday', start_time: '19:00', end_time: '20:30' } : {}
  const response = await client
    .from(`${type}_content`)
    .insert({ ...times, ...row })
    .select('id')
    .single<{ id: string }>()
  if (response.error) throw new Error(response.error.message)
  return response.data.id
}

/** A red rectangle of 2400 × 1200, drawn by the browser. */
export async function aPicture(page: Page): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 2400, height: 1200 })
    const pen = canvas.getContext('2d')!
    pen.fillStyle = '#d62839'
    pen.fillRect(0, 0, 2400, 1200)
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}

/** Opens the modal for a new item of a type. */
export async function openNewItem(page: Page, type: string) {
  await page.goto(`/admin-manage?type=${type}`)
  await page.getByRole('button', { name: 'Add item' }).first().click()
}

export async function save(page: Page) {
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
}
