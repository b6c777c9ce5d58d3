// Replaces supabase/migrations by one baseline made from supabase/schemas. Only while nothing is released: databases that
// applied the replaced migrations are refused at start, those that applied only the old baseline have to be thrown away.
//   npm run database-baseline [-- 20261201000000]      with a new version those are refused too
import { register } from 'tsx/esm/api'

const [version] = process.argv.slice(2)
if (version && !/^\d{14}$/.test(version)) {
  console.error('A version has 14 digits: npm run database-baseline -- 20261201000000')
  process.exit(1)
}

register()
const { writeBaseline } = await import('../supabase/tools/write-baseline.ts')
console.log(`wrote supabase/migrations/${writeBaseline(version)}`)
