import { Component, type ReactNode } from 'react'
import { noteAppError } from '#data/app-errors/note-app-error.ts'
import { messageOf } from '#lib/server/notify-error.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { renewFailedScreens } from './lazy-screen.ts'

type Props = { path: string; children: ReactNode }
type State = { path: string; error?: unknown }

/** Keeps a broken screen from taking down the navigation; another path resets it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { path: this.props.path }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  static getDerivedStateFromProps({ path }: Props, state: State): State | null {
    return path === state.path ? null : { path, error: undefined }
  }

  override componentDidCatch(error: unknown) {
    console.error('A screen failed', error)
    noteAppError(error)
    renewFailedScreens()
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    // A screen of an older deployment may be gone from the server; only a page load finds the new one.
    const text = messageOf(this.state.error)
    return <ErrorState isPageTitle text={text} onRetry={() => location.reload()} />
  }
}
