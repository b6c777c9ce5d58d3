import { Component, type ReactNode } from 'react'
import { noteAppError } from '#lib/app-errors/note-app-error.ts'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { ErrorState } from '#ui/error-state.tsx'

type Props = { children: ReactNode }

/** Keeps a broken screen from taking down the navigation. Use the path as key, so that navigating resets it. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    console.error('A screen failed', error)
    noteAppError(error)
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    // A screen of an older deployment may be gone from the server; only a page load finds the new one.
    const text = messageOf(this.state.error)
    return <ErrorState isPageTitle text={text} onRetry={() => location.reload()} />
  }
}
