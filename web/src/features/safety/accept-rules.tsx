import { useMutation } from '@tanstack/react-query'
import { acceptHouseRules } from '#domain/house-rules.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { FormError } from '#ui/form-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { RulesText } from './rules-text.tsx'

type AcceptRulesProps = { rules: { body: string; contact: string; version: number } }

/** In place of the app, when an admin asked everybody to accept the rules again. */
export function AcceptRules({ rules }: AcceptRulesProps) {
  const accept = useMutation({ mutationFn: () => acceptHouseRules(rules.version) })
  return (
    <main className="h-dvh overflow-y-auto">
      <Screen header={<PageHeader title={m.safety_rules()} />}>
        <p className="text-muted">{m.safety_rules_changed()}</p>
        <Card className="grid gap-4">
          <RulesText {...rules} />
        </Card>
        <FormError text={accept.error ? messageOf(accept.error) : undefined} />
        <Button size="lg" isWaiting={accept.isPending} onClick={() => accept.mutate()}>
          {m.safety_rules_accept()}
        </Button>
      </Screen>
    </main>
  )
}
