// Program for tests: an API node as in `vis-server serve`, plus the price probes (test endpoints that cost credits). On
// SIGTERM it completes its requests before it exits, as `vis-server serve` does.
import { drain } from '../../../src/api/drain.ts'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { loadConfig } from '../../../src/config.ts'
import { systemClock } from '../../../src/domain/clock.ts'
import { createLog } from '../../../src/log.ts'
import { assembleNode } from '../../../src/runtime/api-node.ts'
import { createOpsServer } from '../../../src/runtime/ops-server.ts'
import { priceProbes } from '../../support/price-probes.ts'

const config = loadConfig(process.env)
const log = createLog(config.logLevel)
const node = await assembleNode(config, { endpoints: [...endpoints, ...priceProbes], clock: systemClock, log })
const ops = createOpsServer(node.metrics, () => !node.isDraining)
await node.app.listen({ host: config.http.host, port: config.http.port })
ops.listen(config.http.opsPort, config.http.opsHost, () => {
  log.info({ api: node.app.server.address(), ops: ops.address() }, 'serving')
})

process.once('SIGTERM', () => void stop())

async function stop(): Promise<void> {
  node.startDraining()
  const { wasCut } = await drain(node.app.server, config.http.drainDelayMs)
  await node.close()
  ops.close()
  ops.closeAllConnections()
  log.info({ wasCut }, 'stopped')
}
