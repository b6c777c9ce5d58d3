import { useEffect } from 'react'
import { useUserId } from '#lib/session.ts'
import { keepOfflineCopy } from '#lib/offline-copy.ts'
import { threadCopy } from './message-queries.ts'
import { newestPart, type MessageWindow } from './message-window.ts'

const KEEP_AFTER_MS = 1_000

/** Keeps the newest messages of the open thread on the device, for reading them without a connection. */
export function useThreadCopy(chatId: string, window: MessageWindow | undefined): void {
  const name = threadCopy(chatId, useUserId())
  useEffect(() => {
    // A copy of the copy would look newer than it is; a stretch of the past is not where reading goes on.
    if (!window || window.copiedAt || window.hasNewer) return
    const timer = setTimeout(() => void keepOfflineCopy(name, newestPart(window)), KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [name, window])
}
