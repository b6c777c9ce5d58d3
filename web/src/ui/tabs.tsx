import type { KeyboardEvent } from 'react'
import { classNames } from './class-names.ts'
import { CHOSEN_SEGMENT_LOOK, SEGMENT_LOOK, SEGMENTS_LOOK } from './segmented-control.tsx'

type TabsProps<Value extends string> = {
  /** What the tabs switch between, for screen readers. */
  label: string
  /** The detail is a second, smaller line, such as a count; null keeps its room while the label is centered alone. */
  tabs: { value: Value; label: string; detail?: string | null }[]
  value: Value
  onChange: (value: Value) => void
  /** Id of the element that shows the selected tab's content. */
  panelId?: string
}

/** Switches the content below. Arrow keys move between tabs. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  panelId,
}: TabsProps<Value>) {
  function moveWithArrows(event: KeyboardEvent<HTMLDivElement>) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const from = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(from + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.value)
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')
    buttons[tabs.indexOf(next)]?.focus()
  }

  return (
    <div role="tablist" aria-label={label} className={SEGMENTS_LOOK} onKeyDown={moveWithArrows}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          aria-controls={panelId}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
          className={classNames(SEGMENT_LOOK, tab.value === value && CHOSEN_SEGMENT_LOOK)}
        >
          {tab.detail === null ? (
            <span className="grid items-center">
              <span aria-hidden="true" className="invisible col-start-1 row-start-1">
                <Lines label={tab.label} detail={'\u00a0'} />
              </span>
              <span className="col-start-1 row-start-1">{tab.label}</span>
            </span>
          ) : (
            <Lines label={tab.label} detail={tab.detail} />
          )}
        </button>
      ))}
    </div>
  )
}

function Lines({ label, detail }: { label: string; detail: string | undefined }) {
  return (
    <span>
      {label}
      {detail && <span className="block text-caption font-medium"> {detail}</span>}
    </span>
  )
}
