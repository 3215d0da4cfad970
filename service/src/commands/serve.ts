import type { Server } from 'node:http'
import { Command } from 'commander'
import { drain } from '../api/drain.ts'
import { endpoints } from '../api/endpoints/index.ts'
import { createOpsServer } from '../api/ops-server.ts'
import { type Config, loadConfig, loadEnvironment } from '../config.ts'
import { type Clock, clockFrom, systemClock } from '../domain/clock.ts'
import { parseDateTime } from '../domain/instant.ts'
import { createLog } from '../log.ts'
import { assembleNode } from './node.ts'
import { refusePendingMigrations } from './pending-migrations.ts'
import { UsageError } from './usage-error.ts'

export function serveCommand(): Command {
  return new Command('serve')
    .description('answer HTTP requests until told to stop')
    .option('--now <time>', 'pretend that it is this time, such as 2026-08-22T00:00:00Z (for demonstrations and tests)')
    .action(async ({ now }: { now?: string }) => {
      const config = loadConfig(loadEnvironment())
      await serve(config, chooseClock(config, now))
    })
}

export function chooseClock(config: Config, now: string | undefined): Clock {
  if (now === undefined) return systemClock
  if (config.environment === 'production') {
    throw new UsageError('--now is refused while NODE_ENV is production: answers would lie about their age.')
  }
  const start = parseDateTime(now)
  if (!start) throw new UsageError(`--now takes a time such as 2026-08-22T00:00:00Z, not ${JSON.stringify(now)}.`)
  return clockFrom(start)
}

async function serve(config: Config, clock: Clock): Promise<void> {
  const log = createLog(config.logLevel)
  await refusePendingMigrations(config, log)
  const node = await assembleNode(config, { endpoints, clock, log })
  const ops = createOpsServer(node.metrics, () => !node.isDraining)
  await node.app.listen({ host: config.http.host, port: config.http.port })
  await listen(ops, config.http.opsPort, config.http.opsHost)
  log.info({ api: node.app.server.address(), ops: ops.address(), now: clock() }, 'serving')

  const signal = await stopSignal()
  node.startDraining()
  log.info({ signal }, 'draining: readiness is off')
  const { wasCut } = await drain(node.app.server, config.http.drainDelayMs)
  await node.app.close()
  ops.close()
  ops.closeAllConnections()
  await node.links.close()
  log.info({ wasCut }, 'stopped')
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}
