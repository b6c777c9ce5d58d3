import { m } from '#lib/messages/messages.js'
import { TextButton } from '#ui/text-button.tsx'

/** In place of what somebody wrote whom the member blocked. */
export function FoldedMessage({ onShow }: { onShow: () => void }) {
  return (
    <p className="italic">
      {m.safety_folded()} <TextButton onClick={onShow}>{m.safety_show()}</TextButton>
    </p>
  )
}
