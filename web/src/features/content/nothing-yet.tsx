import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'

const ADD_FIRST = {
  training: m.admin_training_add_first,
  newrepstart: m.admin_newrepstart_add_first,
  licensing: m.admin_licensing_add_first,
  schedule: m.admin_schedule_add_first,
}

type Props = {
  type: keyof typeof ADD_FIRST
  picture: ReactNode
  title: string
  text: string
  /** Where a member goes from here; without it, to Home. */
  action?: ReactNode
}

/** A list without items. Members are led elsewhere, admins to where they add the first one. */
export function NothingYet({ type, picture, title, text, action }: Props) {
  const { data: profile } = useQuery(ownProfileQuery(useUserId()))
  const addFirst = profile?.role === 'admin' && (
    <Link to={`/admin-manage?type=${type}`} className={buttonLook()}>
      {ADD_FIRST[type]()}
    </Link>
  )
  const goHome = (
    <Link to="/home" className={buttonLook('tint')}>
      {m.ui_go_home()}
    </Link>
  )
  return (
    <EmptyState
      picture={picture}
      title={title}
      text={addFirst ? m.content_none_for_admins() : text}
      action={
        <div className="grid gap-2.5">
          {addFirst}
          {action ?? (!addFirst && goHome)}
        </div>
      }
    />
  )
}
