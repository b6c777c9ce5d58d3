// Runs a cluster until it is killed; embedded-cluster.test.ts starts it as a separate process.
import { startEmbeddedCluster } from '../src/postgres/embedded-cluster.ts'
import { TEST_PASSWORD } from './passwords.ts'

const dataDir = process.argv[2]
if (!dataDir) throw new Error('usage: run-cluster.ts DATA_DIR')
try {
  const cluster = await startEmbeddedCluster({ dataDir, password: TEST_PASSWORD })
  process.on('SIGTERM', () => void cluster.stop().then(() => process.exit(0)))
  console.log(cluster.url)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
