import { Scale } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { TileLink } from '#ui/tile-link.tsx'

/** Links from the admin dashboard to the house rules. */
export function HouseRulesEntry() {
  return (
    <TileLink to="/house-rules" picture={Scale} detail={m.safety_rules_hint()}>
      {m.safety_rules_entry()}
    </TileLink>
  )
}
