import { Copy, Download, ImagePlus, Mail, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ChosenMembers } from '#domain/chosen-members.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { ChipButton } from '#ui/chip-button.tsx'
import { FilePicker } from '#ui/file-picker.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Menu } from '#ui/menu.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { RowList } from '#ui/row-list.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { Example } from './example.tsx'

const VARIANTS = ['primary', 'tint', 'ghost', 'danger', 'danger-ghost', 'plain'] as const
const nothing = () => undefined

export function Buttons() {
  return (
    <>
      <Example name="button" wide>
        {VARIANTS.map((variant) => (
          <div key={variant} className="flex flex-wrap gap-3">
            <Button variant={variant}>{variant}</Button>
            <Button variant={variant} disabled>
              disabled
            </Button>
            <Button variant={variant} busyText="busy">
              {variant}
            </Button>
            <Button variant={variant} size="sm">
              small
            </Button>
          </div>
        ))}
        <Button size="lg">large</Button>
      </Example>
      <SmallButtons />
      <RowButtons />
      <Example name="navigation-button" inRow>
        <NavigationButton to="/_ui">leads on</NavigationButton>
      </Example>
    </>
  )
}

const CHOSEN = [
  { id: 'maya', first_name: 'Maya', last_name: 'Ortiz', email: null },
  { id: 'theo', first_name: 'Theo', last_name: 'Grant', email: null },
]

function SmallButtons() {
  const [isIn, setIsIn] = useState(true)
  const [chosen, setChosen] = useState(CHOSEN)
  return (
    <>
      <Example name="icon-button" inRow>
        {(['card', 'primary', 'plain', 'quiet', 'danger'] as const).map((variant) => (
          <IconButton key={variant} label={variant} icon={<Plus />} variant={variant} />
        ))}
        <IconButton label="Round" icon={<Plus />} variant="primary" shape="round" />
        <IconButton label="Small" icon={<Plus />} shape="small" />
        <IconButton label="Disabled" icon={<Plus />} disabled />
      </Example>
      <Example name="text-link" inRow>
        <p className="text-small text-muted">
          Times are in your team's time zone. <TextLink to="/_ui">Team settings</TextLink>
        </p>
      </Example>
      <Example name="text-button" inRow>
        <p className="text-note text-muted">
          2 hidden chats · <TextButton>Unhide all</TextButton>
          <TextButton tone="muted">Seen by 4</TextButton>
          <TextButton tone="danger">Try again</TextButton>
          <TextButton disabled>Disabled</TextButton>
        </p>
      </Example>
      <Example name="chip-button" inRow>
        <ChipButton variant="toggle" aria-pressed={isIn} onClick={() => setIsIn(!isIn)}>
          👍 {isIn ? 3 : 2}
        </ChipButton>
        <ChipButton variant="toggle" aria-pressed={!isIn} onClick={() => setIsIn(!isIn)}>
          🎉 {isIn ? 4 : 5}
        </ChipButton>
        <ChipButton variant="filter" aria-pressed={isIn} onClick={() => setIsIn(!isIn)}>
          Unread
        </ChipButton>
        <ChipButton variant="remove" aria-label="Remove Maya Ortiz">
          Maya
        </ChipButton>
      </Example>
      <Example name="chosen-members">
        <ChosenMembers
          members={chosen}
          onRemove={(gone) => setChosen(chosen.filter((each) => each !== gone))}
        />
      </Example>
      <Example name="file-picker" inRow>
        <FilePicker
          label="Choose a picture"
          icon={<ImagePlus />}
          accept="image/*"
          onPick={nothing}
        />
      </Example>
      <Example name="menu" inRow>
        <Menu
          trigger={<IconButton label="Menu" icon={<Plus />} />}
          align="start"
          signs={['👍', '🎉', '❤️'].map((sign) => ({
            sign,
            label: `React ${sign}`,
            onSelect: nothing,
          }))}
          items={[
            { label: 'An action', icon: <Copy />, onSelect: nothing },
            { label: 'Not now', onSelect: nothing, disabled: true },
            { label: 'Delete', icon: <Trash2 />, onSelect: nothing, isDestructive: true },
          ]}
        />
      </Example>
    </>
  )
}

function RowButtons() {
  return (
    <>
      <Example name="row-button">
        <Card className="overflow-hidden p-0!">
          <RowButton icon={<Mail />} label="Change e-mail" />
          <RowButton icon={<Mail />} label="Disabled" disabled />
          <RowButton icon={<Download />} label="Download my data" busyText="Downloading…" />
          <RowButton icon={<Trash2 />} label="Delete my account" isDestructive />
        </Card>
        <RowButton variant="alone" icon={<Plus />} label="Appointments" detail="3 this week" />
      </Example>
      <Example name="row-list">
        <RowList>
          <li>
            <Pressable className="min-h-13 w-full px-4 text-left hover:bg-tint">
              Maya Ortiz
            </Pressable>
          </li>
          <li>
            <Pressable className="min-h-13 w-full px-4 text-left hover:bg-tint">
              Theo Grant
            </Pressable>
          </li>
        </RowList>
      </Example>
      <Example name="pressable">
        <Pressable className="flex min-h-target items-center gap-3 rounded-field px-2 text-left hover:bg-tint">
          <Avatar name="Field Squad" size="sm" />
          <span className="font-semibold">Field Squad North</span>
        </Pressable>
        <Pressable
          disabled
          className="rounded-tight border-l-3 border-current/50 bg-current/8 px-2.5 py-1 text-left text-note"
        >
          A quote of what is gone
        </Pressable>
      </Example>
    </>
  )
}
