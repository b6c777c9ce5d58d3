import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { queryClient } from '#data/query-client.ts'

/** The team's rules, the address for abuse, and whether the member has to accept them. */
export const houseRulesQuery = () =>
  queryOptions({
    queryKey: ['house_rules'],
    queryFn: async ({ signal }) => {
      const [rules] = await callFunction('house_rules', {}, signal)
      if (!rules) throw new Error('The database has no house rules')
      return rules
    },
    // Asked once for each open of the app.
    staleTime: Infinity,
  })

export async function acceptHouseRules(version: number): Promise<void> {
  await callFunction('accept_house_rules', { version })
  await queryClient.invalidateQueries({ queryKey: ['house_rules'] })
}

export type HouseRulesEdit = { body: string; contact: string; ask_again: boolean }

export async function saveHouseRules(edit: HouseRulesEdit): Promise<void> {
  await callFunction('save_house_rules', edit)
  await queryClient.invalidateQueries({ queryKey: ['house_rules'] })
}

/** Which version a sign-up accepts; the first if the server does not say. */
export async function shownRulesVersion(): Promise<number> {
  const rules = await callFunction('house_rules').catch(() => [])
  return rules[0]?.version ?? 1
}
