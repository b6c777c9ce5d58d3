/** Tabs and the segmented control are two things to a screen reader and one to the eye. */
export const SEGMENTS_LOOK =
  'grid auto-cols-fr grid-flow-col rounded-field bg-tint p-1 text-small font-semibold text-muted'

export const SEGMENT_LOOK =
  'grid min-h-target cursor-pointer place-items-center rounded-tight px-2 text-center transition'

export const CHOSEN_SEGMENT_LOOK = 'bg-chosen text-ink shadow-card'
