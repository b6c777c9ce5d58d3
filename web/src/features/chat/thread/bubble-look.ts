import { classNames } from '#ui/class-names.ts'
import { LONG_PRESSABLE } from '#ui/use-menu-gestures.ts'

type BubbleShape = { isOwn: boolean; isLastOfRun: boolean; isHighlighted?: boolean }

/** The shape of a message; the last one of a run points to its sender. */
export function bubbleLook({ isOwn, isLastOfRun, isHighlighted }: BubbleShape): string {
  return classNames(
    'relative w-fit max-w-[78%] rounded-bubble px-3.5 pt-2 pb-1.5 text-left wrap-anywhere lg:max-w-[60%]',
    LONG_PRESSABLE,
    // Links keep the browser's own behavior.
    '[&_a]:[-webkit-touch-callout:default]',
    isOwn ? 'bg-mine text-mine-ink' : 'border border-line bg-theirs text-ink',
    isLastOfRun && (isOwn ? 'rounded-br-mark' : 'rounded-bl-mark'),
    isHighlighted && 'ring-3 ring-warning transition',
  )
}
