import { useEffect } from 'react'
import { answerProof, useIsAskedForProof } from '#data/session/proof.ts'
import { loadedModal } from '#ui/loaded-modal.tsx'

const ProofModal = loadedModal(
  async () => (await import('#features/profile/proof-modal.tsx')).ProofModal,
)

/** Asks the member to confirm that it is them, above whatever is open. */
export function ProofQuestion() {
  const isAsked = useIsAskedForProof()
  // Nobody is there to answer once the member has left.
  useEffect(() => () => answerProof(false), [])
  return isAsked && <ProofModal onClose={() => answerProof(false)} />
}
