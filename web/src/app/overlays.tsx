import { SearchHost } from '#app/search/search-host.tsx'
import { ProofQuestion } from '#app/session/proof-question.tsx'

/** What opens above any screen, and need not be there with the first. */
export function Overlays() {
  return (
    <>
      <SearchHost />
      <ProofQuestion />
    </>
  )
}
