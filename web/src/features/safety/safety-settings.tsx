import { Ban, Flag, Scale } from 'lucide-react'
import { useNavigate } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { RowButton } from '#ui/row-button.tsx'

/** The ways from the profile to what the member reported and whom they blocked. */
export function SafetySettings() {
  const navigate = useNavigate()
  return (
    <>
      <RowButton
        icon={<Flag />}
        label={m.safety_your_reports()}
        onClick={() => void navigate('/profile/reports')}
      />
      <RowButton
        icon={<Ban />}
        label={m.safety_blocked_people()}
        onClick={() => void navigate('/profile/blocked')}
      />
      <RowButton
        icon={<Scale />}
        label={m.safety_rules_row()}
        onClick={() => void navigate('/house-rules')}
      />
    </>
  )
}
