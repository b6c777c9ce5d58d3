import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { onOpenSearch } from './open-search.ts'

const load = () => import('#features/search/search-dialog.tsx')
type Dialog = Awaited<ReturnType<typeof load>>['SearchDialog']

/** Loads the search when it is opened. A dialog that is open already may hold a form, so it keeps the screen. */
export function SearchHost() {
  const navigate = useNavigate()
  const [Dialog, setDialog] = useState<Dialog>()
  const [target, setTarget] = useState<string>()

  useEffect(
    () =>
      onOpenSearch(() => {
        if (document.querySelector('[role=dialog], [role=alertdialog]')) return
        load().then(
          ({ SearchDialog }) => setDialog(() => SearchDialog),
          (error: unknown) => showError(m.search_failed(), error),
        )
      }),
    [],
  )
  useEffect(() => {
    if (!target) return
    // After the closed dialog returned focus to where it was, so that the new screen decides.
    const timer = setTimeout(() => {
      setTarget(undefined)
      void navigate(target)
    })
    return () => clearTimeout(timer)
  }, [target, navigate])

  if (!Dialog) return null
  return (
    <Dialog
      onClose={(path) => {
        setDialog(undefined)
        setTarget(path)
      }}
    />
  )
}
