import type { ReactNode } from 'react'

const TONES = { waiting: 'bg-tint text-primary', done: 'bg-success/12 text-success' }

/** The image of a pending or finished step. */
export function StatePicture({ icon, tone }: { icon: ReactNode; tone: keyof typeof TONES }) {
  return (
    <div
      aria-hidden="true"
      className={`grid size-16 place-items-center rounded-card [&_svg]:size-8 ${TONES[tone]}`}
    >
      {icon}
    </div>
  )
}
