import { useEffect, useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast-store.ts'

/** The service sends one mail a minute per address; an earlier request would be refused. */
const COOLDOWN_S = 60

type ResendButtonProps = {
  resend: () => Promise<{ error: unknown }>
  /** The first mail was sent a moment ago. */
  wasJustSent?: boolean
}

/** Sends a mail with a link again. */
export function ResendButton({ resend, wasJustSent = false }: ResendButtonProps) {
  const cooldown = useCooldown(COOLDOWN_S, wasJustSent)
  const [isSending, setIsSending] = useState(false)

  async function send() {
    setIsSending(true)
    const { error } = await resend()
    setIsSending(false)
    if (error) return showError(m.auth_resend_failed, error)
    showToast(m.auth_mail_sent_again())
    cooldown.start()
  }

  return (
    <Button
      variant="tint"
      size="lg"
      isWaiting={isSending || cooldown.left > 0}
      onClick={() => void send()}
    >
      {cooldown.left > 0
        ? m.auth_resend_email_in({ seconds: cooldown.left })
        : m.auth_resend_email()}
    </Button>
  )
}

/** Counts down to zero by the second; `start` restarts it. Uses the clock, because sleeping tabs skip ticks. */
function useCooldown(seconds: number, isRunning: boolean) {
  const [now, setNow] = useState(() => Date.now())
  const [until, setUntil] = useState(isRunning ? now + seconds * 1000 : now)
  const left = Math.max(0, Math.ceil((until - now) / 1000))

  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setNow(Date.now()), 1000)
    return () => clearTimeout(timer)
  }, [left, now])

  function start() {
    setNow(Date.now())
    setUntil(Date.now() + seconds * 1000)
  }
  return { left, start }
}
