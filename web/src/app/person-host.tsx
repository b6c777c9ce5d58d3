import { useEffect } from 'react'
import { closePerson, useOpenPerson } from '#domain/open-person.ts'
import { loadedModal } from '#ui/loaded-modal.tsx'

// Opened once in a while.
const PersonSheet = loadedModal(async () => (await import('#domain/person-sheet.tsx')).PersonSheet)

/** The profile sheet of whoever was pressed, on any screen. */
export function PersonHost() {
  const person = useOpenPerson()
  // Nobody who signs in next sees who was open.
  useEffect(() => closePerson, [])
  if (!person) return null
  return <PersonSheet key={person.id} {...person} onClose={closePerson} />
}
