import { Bell, Flag, Plus } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { Badge } from '#ui/badge.tsx'
import { BrandScene } from '#ui/brand-scene.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CardGrid } from '#ui/card-grid.tsx'
import { Chip } from '#ui/chip.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { FigureLink } from '#ui/figure-tile.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { FallbackImage } from '#ui/fallback-image.tsx'
import { FileImage } from '#ui/file-image.tsx'
import { HighlightedText } from '#ui/highlighted-text.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { Logo } from '#ui/logo.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { OpeningImage } from '#ui/opening-image.tsx'
import { Option, OptionGroup, OptionList } from '#ui/option-list.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { QrPicture } from '#ui/qr-picture.tsx'
import { ShowMore } from '#ui/show-more.tsx'
import { Section } from '#ui/section.tsx'
import { SkeletonCards, SkeletonRows } from '#ui/skeleton.tsx'
import { SortableList } from '#ui/sortable-list.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { TileButton, TileLink } from '#ui/tile-link.tsx'
import { Example } from './example.tsx'

const NAMES = ['Maya Ortiz', 'Theo Brandt', 'Priya Shah', 'Jonah Kim', 'Sofia Nguyen', 'Cher']
const DRAWN = new Blob(
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><path fill="teal" d="M0 0h16v9H0z"/></svg>',
  ],
  { type: 'image/svg+xml' },
)
const THREE_HOURS_AGO = Date.now() - 3 * 60 * 60 * 1000

export function Pictures() {
  return (
    <>
      <Example name="avatar" inRow>
        {NAMES.map((name) => (
          <Avatar key={name} name={name} />
        ))}
        <Avatar name="Maya Ortiz" size="sm" />
        <Avatar name="Maya Ortiz" size="lg" />
      </Example>
      <Example name="badge, chip, logo, spinner" inRow>
        {[1, 12, 99, 100].map((count) => (
          <Badge key={count} count={count} />
        ))}
        <Chip>Category</Chip>
        <Chip tone="danger">Off</Chip>
        <Chip tone="quiet">Expired</Chip>
        <Logo />
        <Spinner />
      </Example>
      <Example name="progress-bar">
        {[0, 2, 5].map((done) => (
          <ProgressBar key={done} label={`${done} of 5`} value={done} max={5} />
        ))}
      </Example>
      <Example name="file-image, fallback-image (failed)" inRow>
        <FileImage
          file={DRAWN}
          alt="A teal field"
          className="aspect-video h-24 rounded-card object-cover"
        />
        <FallbackImage src="/no-such-picture.png" alt="Fails" className="h-24 w-40 rounded-card" />
      </Example>
      <Example name="qr-picture" inRow>
        <QrPicture src="/icons/icon-512.png" label="A picture in place of a code" />
      </Example>
      <Example name="opening-image">
        <OpeningImage
          src="/icons/icon-512.png"
          alt="The logo"
          title="Logo"
          className="aspect-video w-full rounded-card"
        />
      </Example>
      <Example name="brand-scene">
        <BrandScene className="h-56 w-full rounded-card bg-brand-from" />
      </Example>
    </>
  )
}

export function Surfaces() {
  return (
    <>
      <Example name="linked-text, show-more">
        <p>
          <LinkedText text="See www.example.com, or call (555) 010-2030." />
        </p>
        <ShowMore hasMore shown={50} total={130} onMore={() => {}} />
      </Example>
      <Example name="option-list, highlighted-text">
        <OptionList id="options" label="What was found">
          <OptionGroup title="Messages">
            {['first', 'second'].map((each, index) => (
              <Option
                key={each}
                id={each}
                isActive={index === 0}
                onSelect={() => {}}
                onPoint={() => {}}
                picture={<Bell />}
              >
                <HighlightedText text={`The ${each} appointment`} words={['appointment']} />
              </Option>
            ))}
          </OptionGroup>
        </OptionList>
      </Example>
      <Example name="sortable-list">
        <SortedNames />
      </Example>
      <Example name="tile-link">
        <TileLink to="/_ui" picture={Bell} detail="Two items" news="1 new">
          A tile with details
        </TileLink>
        <TileLink to="/_ui" picture={Bell}>
          A tile
        </TileLink>
        <TileLink to="/_ui" picture={Flag} isPrimary>
          The tile that matters most
        </TileLink>
        <TileButton picture={Bell} isBusy onClick={() => undefined}>
          A tile on its way
        </TileButton>
      </Example>
      <Example name="card, card-grid" wide>
        <CardGrid>
          {['A card', 'A second', 'And a third'].map((text) => (
            <Card key={text}>{text}</Card>
          ))}
        </CardGrid>
      </Example>
      <Example name="page-header">
        <PageHeader
          title="Title"
          subtitle="And a subtitle"
          back={() => undefined}
          actions={<IconButton label="Add" icon={<Plus />} variant="primary" />}
        />
      </Example>
    </>
  )
}

function SortedNames() {
  const [names, setNames] = useState(NAMES.slice(0, 3).map((name) => ({ id: name, title: name })))
  return (
    <SortableList
      items={names}
      canSort
      onReorder={setNames}
      row={({ title }, handle) => (
        <Card className="flex items-center gap-2">
          {handle}
          {title}
        </Card>
      )}
    />
  )
}

export function States() {
  return (
    <>
      <Example name="empty-state">
        <Card>
          <EmptyState
            picture={<Bell />}
            title="Nothing here"
            text="And why"
            action={<Button>The next step</Button>}
          />
        </Card>
      </Example>
      <Example name="error-state">
        <Card>
          <ErrorState text="Error loading chats: no connection" onRetry={() => undefined} />
        </Card>
      </Example>
      <Example name="load-error">
        <Card>
          <LoadError
            error={new Error('no answer')}
            describe={(message) => `Error loading chats: ${message}`}
            onRetry={() => undefined}
          />
        </Card>
      </Example>
      <Example name="figure-tile" wide>
        <div className="grid grid-cols-2 gap-2.5">
          <FigureLink to="/_ui" label="A count" figure={12} />
          <FigureLink to="/_ui" label="In words" figure="Tue 7:00 PM" detail="What it is" isWords />
        </div>
      </Example>
      <Example name="section">
        <Section title="A part of a screen">
          <Card>What it is about</Card>
        </Section>
      </Example>
      <Example name="skeleton: rows">
        <SkeletonRows count={3} />
      </Example>
      <Example name="skeleton: cards">
        <SkeletonCards count={2} className="h-24" />
      </Example>
      <Example name="offline-note" wide>
        <OfflineNote copiedAt={THREE_HOURS_AGO} />
      </Example>
    </>
  )
}
