import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { fullName } from '#domain/member-name.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { PRODUCT_NAME } from '#domain/product.ts'
import { vicePresidentsQuery } from '#domain/vice-presidents.ts'
import { formatList } from '#lib/i18n/format-list.ts'
import { m } from '#lib/messages/messages.js'
import { useErrorAlert } from '#lib/server/use-error-alert.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Card } from '#ui/card.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { HomeItemBody } from './home-item-body.tsx'
import { homeContentQuery } from './home-queries.ts'

/** The vice presidents' welcome: what they publish on Home, or a built-in text (product.md P21). */
export function WelcomeCard() {
  const content = useQuery(homeContentQuery())
  const { copiedAt } = useCopyState(homeContentQuery())
  // Not only once the content is there, but together with it.
  useQuery(vicePresidentsQuery())
  useErrorAlert(m.home_error_loading(), content)
  if (content.data) {
    const [welcome, ...others] = content.data
    return (
      <>
        <OfflineNote copiedAt={copiedAt} />
        <Card className="grid grid-cols-1 gap-3">
          <VicePresidents />
          {welcome ? <HomeItemBody item={welcome} /> : <BuiltInWelcome />}
        </Card>
        {others.map((item) => (
          <Card key={item.id} className="grid grid-cols-1 gap-3">
            <HomeItemBody item={item} />
          </Card>
        ))}
      </>
    )
  }
  if (content.error) {
    return (
      <Card>
        <LoadError
          error={content.error}
          describe={(message) => `${m.home_error_loading()}: ${message}`}
          onRetry={() => void content.refetch()}
        />
      </Card>
    )
  }
  return (
    <Card>
      <p role="status" className="sr-only">
        {m.ui_loading()}
      </p>
      <Skeleton className="h-46" />
    </Card>
  )
}

function BuiltInWelcome() {
  return (
    <>
      <h2 className="text-lead font-bold">{m.home_welcome_title()}</h2>
      <p className="-mt-1.5">{m.home_welcome_text({ product: PRODUCT_NAME })}</p>
    </>
  )
}

const MOST_PICTURES = 5

/**
 * The vice presidents, who sign the welcome. Each of them sees "You" in place of their own name. Renders
 * nothing without vice presidents, or if their names fail to load.
 */
function VicePresidents() {
  const userId = useUserId()
  const { data: named = [], isPending } = useQuery(vicePresidentsQuery())
  const people = named.map(({ id, ...person }) => ({
    id,
    name: fullName(person),
  }))
  const isOwn = people.some(({ id }) => id === userId)
  if (isPending) return <Skeleton className="h-11" />
  if (people.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="flex flex-none">
        {people.slice(0, MOST_PICTURES).map(({ id, name }) => (
          <Avatar key={id} name={name} seed={id} className="border-2 border-card not-first:-ml-3" />
        ))}
      </div>
      {/* Below many pictures. */}
      <div className="flex min-w-0 flex-1 basis-36 items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-semibold">
            {formatList(
              people.map(({ id, name }) => (id === userId ? m.people_you() : name)),
              'short',
            )}
          </p>
          <p className="text-note text-muted">
            {isOwn && m.home_welcome_is_yours()}
            {!isOwn && (people.length === 1 ? m.home_vice_president() : m.home_vice_presidents())}
          </p>
        </div>
        {isOwn && <EditWelcome />}
      </div>
    </div>
  )
}

/** For a vice president who is an admin; keeps its place until that is known. */
function EditWelcome() {
  const { data: profile, isPending } = useQuery(ownProfileQuery(useUserId()))
  if (isPending) return <span className="size-11" />
  if (profile?.role !== 'admin') return null
  return (
    <Link
      to="/admin-manage?type=home"
      aria-label={m.home_welcome_edit()}
      title={m.home_welcome_edit()}
      className="grid size-11 flex-none place-items-center rounded-field text-primary hover:bg-tint"
    >
      <Pencil aria-hidden="true" className="size-5" />
    </Link>
  )
}
