import { List, Pin as PinIcon } from 'lucide-react'
import { useState } from 'react'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { IconButton } from '#ui/icon-button.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { PinnedMessages } from './pinned-messages.tsx'
import { PinnedBy, PinnedText } from './pinned-text.tsx'
import { pinsOf } from './pins.ts'

type PinBarProps = { chat: Chat; onJump: (messageId: string) => void }

/** The pinned messages, one at a time: pressing it goes there, and then shows the one pinned before. */
export function PinBar({ chat, onJump }: PinBarProps) {
  const [passed, setPassed] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const pins = pinsOf(chat)
  const place = passed % Math.max(pins.length, 1)
  const pin = pins[place]

  function jump(messageId: string) {
    setPassed(passed + 1)
    onJump(messageId)
  }

  return (
    <>
      {pin && (
        <section
          aria-label={m.chat_pinned_messages()}
          className="flex flex-none items-center gap-1 border-b border-line bg-card px-3 py-1 lg:px-4"
        >
          <Pressable
            onClick={() => jump(pin.message_id)}
            className="flex min-h-target min-w-0 flex-1 items-center gap-3 rounded-field px-2 text-left hover:bg-tint"
          >
            <PinIcon aria-hidden="true" className="size-4.5 flex-none text-primary" />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-caption text-muted">
                {pins.length > 1 && (
                  <>
                    {m.chat_pinned_place({
                      place: formatCount(place + 1),
                      count: formatCount(pins.length),
                    })}
                    {' · '}
                  </>
                )}
                <PinnedBy pin={pin} />
              </span>
              <span className="block truncate text-small">
                <PinnedText pin={pin} />
              </span>
            </span>
          </Pressable>
          <IconButton
            label={m.chat_pinned_messages()}
            icon={<List />}
            variant="quiet"
            onClick={() => setIsOpen(true)}
          />
        </section>
      )}
      {isOpen && <PinnedMessages chat={chat} onJump={onJump} onClose={() => setIsOpen(false)} />}
    </>
  )
}
