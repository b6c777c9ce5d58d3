import { ChevronsDown } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { IconButton } from '#ui/icon-button.tsx'

export function ToLatestButton({ onClick }: { onClick: () => void }) {
  return (
    <IconButton
      label={m.chat_to_latest()}
      icon={<ChevronsDown />}
      onClick={onClick}
      className="absolute right-4 bottom-4 animate-appear rounded-full! shadow-float"
    />
  )
}
