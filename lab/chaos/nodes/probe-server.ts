// Program for tests: an API node as in `vis-server serve`, with one more endpoint that reads a request body.
import { endpoints } from '../../../service/src/api/endpoints/index.ts'
import { loadConfig } from '../../../service/src/config.ts'
import { systemClock } from '../../../service/src/domain/clock.ts'
import { createLog } from '../../../service/src/log.ts'
import { assembleNode } from '../../../service/src/runtime/api-node.ts'
import { createOpsServer } from '../../../service/src/runtime/ops-server.ts'
import { bodyProbe } from '../../../service/test/support/probes.ts'

const config = loadConfig(process.env)
const log = createLog(config.logLevel)
const { app, metrics } = await assembleNode(config, { endpoints: [...endpoints, bodyProbe], clock: systemClock, log })
const ops = createOpsServer(metrics, () => true)
await app.listen({ host: config.http.host, port: config.http.port })
ops.listen(config.http.opsPort, config.http.opsHost, () => {
  log.info({ api: app.server.address(), ops: ops.address() }, 'serving')
})
