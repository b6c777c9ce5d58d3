import { lazy } from 'react'

const load = () => import('./supervision-link.tsx')

/** Loaded for supervisors alone. */
export const SupervisionLink = lazy(async () => ({ default: (await load()).SupervisionLink }))
export const SupervisionBadge = lazy(async () => ({ default: (await load()).SupervisionBadge }))
