import { useState } from 'react'
import { chooseTheme, themeChoice, type ThemeChoice } from '#lib/theme.ts'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { Example } from './example.tsx'

const GROUNDS = {
  surface: 'bg-surface text-ink',
  card: 'bg-card text-ink',
  tint: 'bg-tint text-primary',
  chosen: 'bg-chosen text-ink',
  primary: 'bg-primary text-primary-ink',
  danger: 'bg-danger text-danger-ink',
  'danger-tint': 'bg-danger-tint text-danger-text',
  mine: 'bg-mine text-mine-ink',
  theirs: 'bg-theirs text-ink',
  banner: 'bg-linear-135 from-banner-from to-banner-to text-white',
  brand: 'bg-linear-135 from-brand-from to-brand-to text-brand-ink',
}

const INKS = {
  ink: 'text-ink',
  muted: 'text-muted',
  primary: 'text-primary',
  'danger-text': 'text-danger-text',
  success: 'text-success',
  warning: 'text-warning',
}

const SIZES = {
  display: 'text-display font-bold',
  title: 'text-title font-bold',
  figure: 'text-figure font-bold',
  heading: 'text-heading font-bold',
  lead: 'text-lead font-bold',
  body: 'text-body',
  small: 'text-small',
  note: 'text-note',
  caption: 'text-caption',
  tiny: 'text-tiny',
}

const RADII = {
  mark: 'rounded-mark',
  tight: 'rounded-tight',
  field: 'rounded-field',
  card: 'rounded-card',
  bubble: 'rounded-bubble',
  sheet: 'rounded-sheet',
}

export function Tokens() {
  return (
    <>
      <Example name="Grounds and their ink" inRow wide>
        {Object.entries(GROUNDS).map(([name, look]) => (
          <span key={name} className={`rounded-field border border-line px-4 py-3 ${look}`}>
            {name}
          </span>
        ))}
      </Example>
      <Example name="Inks" inRow>
        {Object.entries(INKS).map(([name, look]) => (
          <span key={name} className={`font-semibold ${look}`}>
            {name}
          </span>
        ))}
      </Example>
      <Example name="Radius and elevation" inRow>
        {Object.entries(RADII).map(([name, look]) => (
          <span key={name} className={`border border-line bg-card px-4 py-3 text-note ${look}`}>
            {name}
          </span>
        ))}
        <span className="rounded-card bg-card px-4 py-3 text-note shadow-card">shadow-card</span>
        <span className="rounded-card bg-card px-4 py-3 text-note shadow-float">shadow-float</span>
      </Example>
      <Example name="Type" wide>
        {Object.entries(SIZES).map(([name, look]) => (
          <p key={name} className={look}>
            {name} · 1,234.50
          </p>
        ))}
      </Example>
    </>
  )
}

const THEMES = (['system', 'light', 'dark'] as const).map((value) => ({ value, label: value }))

export function ThemeSwitch() {
  const [theme, setTheme] = useState<ThemeChoice>(themeChoice)
  function choose(choice: ThemeChoice) {
    chooseTheme(choice)
    setTheme(choice)
  }
  return <SegmentedControl label="Theme" options={THEMES} value={theme} onChange={choose} />
}
