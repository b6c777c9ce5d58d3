import type { ReactNode } from 'react'
import { PRODUCT_NAME } from '#domain/product.ts'
import { m } from '#lib/messages/messages.js'
import { BrandScene } from '#ui/brand-scene.tsx'
import { Logo } from '#ui/logo.tsx'

type AuthLayoutProps = { title: string; text?: ReactNode; children: ReactNode; picture?: ReactNode }

/** The centered column of every account screen; on a large display the brand is shown next to it. */
export function AuthLayout({ title, text, children, picture }: AuthLayoutProps) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-2">
      <Brand />
      <main className="mx-auto flex min-h-dvh w-full max-w-form flex-col px-7 pt-safe pb-safe sm:justify-center">
        <div className="grid animate-appear gap-5 py-10">
          {picture ?? <Sign />}
          <div className="grid gap-1">
            <h1 className="text-display font-bold">{title}</h1>
            {text && <div className="text-muted">{text}</div>}
          </div>
          {children}
        </div>
      </main>
    </div>
  )
}

/** On a large display the name is in the brand's half. */
function Sign() {
  return (
    <p className="flex items-center gap-4 text-title font-bold">
      <Logo className="size-16" />
      <span className="lg:hidden">{PRODUCT_NAME}</span>
    </p>
  )
}

function Brand() {
  return (
    <header className="relative hidden overflow-hidden bg-linear-160 from-brand-from to-brand-to text-brand-ink lg:block">
      <div className="p-12">
        <p className="text-heading font-bold">{PRODUCT_NAME}</p>
        <p className="mt-8 max-w-md text-display font-bold text-balance">{m.auth_brand_title()}</p>
        <p className="mt-3 max-w-sm text-lead text-brand-muted">{m.auth_brand_text()}</p>
      </div>
      <BrandScene className="absolute inset-x-0 bottom-0 h-3/5 w-full" />
    </header>
  )
}
