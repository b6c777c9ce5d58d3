import { useEffect, useEffectEvent, useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import type { Attached } from './attached.ts'

const MOST_AT_ONCE = 20

type Attaching = {
  isPossible: boolean
  attached: readonly Attached[]
  onAttach: (attached: Attached[]) => void
}

/** Takes images and files that are chosen, pasted, or dropped anywhere in the window. */
export function useAttaching({ isPossible, attached, onAttach }: Attaching) {
  const [preparing, setPreparing] = useState(0)
  const [refusal, setRefusal] = useState<string>()

  async function pick(files: readonly File[]) {
    setRefusal(undefined)
    if (files.length === 0) return
    if (attached.length + files.length > MOST_AT_ONCE) {
      return setRefusal(m.chat_attach_most({ count: MOST_AT_ONCE }))
    }
    setPreparing((count) => count + 1)
    try {
      // Loaded with the first one.
      const { prepareAttached } = await import('./prepare-attached.ts')
      const prepared = await prepareAttached(files)
      onAttach(prepared.attached)
      if (prepared.refusals.length > 0) setRefusal(prepared.refusals.join(' '))
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setPreparing((count) => count - 1)
    }
  }

  const onDragged = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    // Otherwise the browser leaves the app to show the file.
    event.preventDefault()
    if (event.type === 'drop' && isPossible) void pick([...event.dataTransfer.files])
  })
  useEffect(() => {
    const listen = (event: DragEvent) => onDragged(event)
    window.addEventListener('dragover', listen)
    window.addEventListener('drop', listen)
    return () => {
      window.removeEventListener('dragover', listen)
      window.removeEventListener('drop', listen)
    }
  }, [])

  /** A picture of the text comes along with what is copied from Word or Excel: then the text is meant. */
  function onPaste(event: React.ClipboardEvent) {
    const { files, types } = event.clipboardData
    if (!isPossible || files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    void pick([...files])
  }

  return {
    pick,
    onPaste,
    refusal,
    clearRefusal: () => setRefusal(undefined),
    isPreparing: preparing > 0,
  }
}
