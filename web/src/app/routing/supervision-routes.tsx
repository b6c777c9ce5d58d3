import { SupervisionScreen } from '#features/supervision/supervision-screen.tsx'
import { routesUnder } from './routes-under.tsx'

/** What supervisors see. */
export const SupervisionRoutes = routesUnder('/supervision', { '': SupervisionScreen })
