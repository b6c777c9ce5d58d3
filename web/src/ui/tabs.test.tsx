import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Tabs } from './tabs.tsx'

const TABS = ['All', 'Individual', 'Groups'].map((label) => ({ value: label, label }))

function Example() {
  const [value, setValue] = useState('All')
  return <Tabs label="Chats" tabs={TABS} value={value} onChange={setValue} />
}

test('arrow keys move through the tabs and wrap around', () => {
  render(<Example />)
  const list = screen.getByRole('tablist', { name: 'Chats' })
  fireEvent.keyDown(list, { key: 'ArrowLeft' })
  const last = screen.getByRole('tab', { name: 'Groups', selected: true })
  expect(document.activeElement).toBe(last)
  fireEvent.keyDown(list, { key: 'ArrowRight' })
  expect(screen.getByRole('tab', { name: 'All', selected: true })).toBeTruthy()
})

test('only the selected tab is in the tab order', () => {
  render(<Example />)
  const order = screen.getAllByRole('tab').map((tab) => tab.tabIndex)
  expect(order).toEqual([0, -1, -1])
})

test('a tab whose second line is missing is named by its label alone and keeps the room of two lines', () => {
  const tabs = [
    { value: 'life', label: 'Life', detail: '3 items' },
    { value: 'securities', label: 'Securities', detail: null },
  ]
  render(<Tabs label="Licenses" tabs={tabs} value="life" onChange={() => {}} />)
  expect(screen.getByRole('tab', { name: /^Life.*3 items$/ })).toBeTruthy()
  const alone = screen.getByRole('tab', { name: 'Securities' })
  expect(alone.querySelector('[aria-hidden] .block')).toBeTruthy()
})
