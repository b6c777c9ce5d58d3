import type { ReactNode } from 'react'
import { Logo } from '#ui/logo.tsx'

type AuthLayoutProps = { title: string; text?: ReactNode; children: ReactNode; picture?: ReactNode }

/** The column that every account screen stands in. */
export function AuthLayout({ title, text, children, picture }: AuthLayoutProps) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-form flex-col px-7 pt-safe pb-safe sm:justify-center">
      <div className="grid animate-appear gap-5 py-10 sm:rounded-sheet sm:border sm:border-line sm:bg-card sm:p-10 sm:shadow-card">
        {picture ?? <Logo className="size-16" />}
        <div className="grid gap-1">
          <h1 className="text-display leading-tight font-bold">{title}</h1>
          {text && <div className="text-muted">{text}</div>}
        </div>
        {children}
      </div>
    </main>
  )
}
