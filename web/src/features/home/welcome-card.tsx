import { useQuery } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/notify-error.ts'
import { PRODUCT_NAME } from '#lib/product.ts'
import { useErrorAlert } from '#lib/use-error-alert.ts'
import { Card } from '#ui/card.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { HomeItemBody } from './home-item-body.tsx'
import { homeContentQuery } from './home-queries.ts'
import { VicePresidents } from './vice-presidents.tsx'

/** The vice presidents' welcome: what they publish on Home, or the built-in words until they do. */
export function WelcomeCard() {
  const content = useQuery(homeContentQuery())
  useErrorAlert(m.home_error_loading(), content)
  if (content.data) {
    const [welcome, ...others] = content.data.data
    return (
      <>
        <OfflineNote reading={content.data} />
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
        <ErrorState
          text={`${m.home_error_loading()}: ${messageOf(content.error)}`}
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
