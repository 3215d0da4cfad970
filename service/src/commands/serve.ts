import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { drain } from '../api/drain.ts'
import { endpoints } from '../api/endpoints/index.ts'
import { type Config, loadConfig, loadEnvironment } from '../config.ts'
import type { Clock } from '../domain/clock.ts'
import { createLog, type Log } from '../log.ts'
import { type ApiNode, assembleNode } from '../runtime/api-node.ts'
import { createOpsServer } from '../runtime/ops-server.ts'
import { refusePendingMigrations } from '../runtime/pending-migrations.ts'
import { chooseClock } from './input/clock-option.ts'

const CLEAN_UP_MS = 2000

export function serveCommand(): Command {
  return new Command('serve')
    .description('answer HTTP requests until told to stop')
    .option('--now <time>', 'pretend that it is this time, such as 2026-08-22T00:00:00Z (for demonstrations and tests)')
    .action(async ({ now }: { now?: string }) => {
      const config = loadConfig(loadEnvironment())
      await serve(config, chooseClock(config, now), { log: createLog(config.logLevel), stopped: stopSignal })
    })
}

export interface Manners {
  readonly log: Log
  /** Called when calls are answered; resolves when that is to end, with what ended it. */
  readonly stopped: () => Promise<string>
  /** Told the port once, which the system may have chosen. */
  readonly onServing?: (port: number) => void
}

export async function serve(config: Config, clock: Clock, { log, stopped, onServing }: Manners): Promise<void> {
  await refusePendingMigrations(config, log)
  const node = await assembleNode(config, { endpoints, clock, log })
  const ops = createOpsServer(node.metrics, () => !node.isDraining)
  try {
    await listen(node, ops, config)
  } catch (error) {
    await abandon(node, ops, log)
    throw error
  }
  log.info({ api: node.app.server.address(), ops: ops.address(), now: clock() }, 'serving')
  onServing?.(portOf(node))

  const signal = await stopped()
  node.startDraining()
  log.info({ signal }, 'draining: readiness is off')
  const { wasCut } = await drain(node.app.server, config.http.drainDelayMs)
  await close(node, ops)
  log.info({ wasCut }, 'stopped')
}

async function listen({ app }: ApiNode, ops: Server, { http }: Config): Promise<void> {
  await app.listen({ host: http.host, port: http.port })
  ops.listen(http.opsPort, http.opsHost)
  await once(ops, 'listening')
}

function portOf({ app }: ApiNode): number {
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** Half a node must not serve: without readiness nobody could drain it. Open links would keep the process alive. */
async function abandon(node: ApiNode, ops: Server, log: Log): Promise<void> {
  node.app.server.closeAllConnections()
  const closing = close(node, ops).catch((err: unknown) => log.error({ err }, 'a failed start could not be cleaned up'))
  // A link that is just being made may not let itself be closed; the reason of the failure must not wait for it.
  await Promise.race([closing, sleep(CLEAN_UP_MS, undefined, { ref: false })])
}

async function close(node: ApiNode, ops: Server): Promise<void> {
  await node.close()
  ops.close()
  ops.closeAllConnections()
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}
