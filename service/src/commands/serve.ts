import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { drain } from '../api/drain.ts'
import { endpoints } from '../api/endpoints/index.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../domain/clock.ts'
import { createLog, type Log } from '../log.ts'
import { type ApiNode, assembleNode } from '../runtime/api-node.ts'
import { createOpsServer } from '../runtime/ops-server.ts'
import { assertNoPendingMigrations } from '../runtime/pending-migrations.ts'
import { chooseClock, NOW_OPTION } from './input/clock-option.ts'
import { type CommandIo, readConfig } from './io.ts'

const FAILED_START_CLOSE_TIMEOUT_MS = 2000

export function serveCommand(io: CommandIo): Command {
  return new Command('serve')
    .description('Serve the HTTP API until stopped')
    .option(...NOW_OPTION)
    .action(async ({ now }: { now?: string }) => {
      const config = readConfig(io)
      const log = createLog(config.logLevel)
      await serve(config, chooseClock(config, now), { log, waitForStop: waitForStopSignal })
    })
}

export interface ServeOptions {
  readonly log: Log
  /** Called once the API node accepts requests. Resolves with the reason for stopping, which is logged. */
  readonly waitForStop: () => Promise<string>
  /** Called once with the port of the API. The operating system chooses the port if PORT is 0. */
  readonly onServing?: (port: number) => void
}

export async function serve(
  config: Config,
  clock: Clock,
  { log, waitForStop, onServing }: ServeOptions,
): Promise<void> {
  await assertNoPendingMigrations(config, log)
  const node = await assembleNode(config, { endpoints, clock, log })
  const ops = createOpsServer(node.metrics, () => !node.isDraining)
  try {
    await listen(node, ops, config)
  } catch (error) {
    await closeFailedStart(node, ops, log)
    throw error
  }
  log.info({ api: node.app.server.address(), ops: ops.address(), now: clock() }, 'serving')
  onServing?.(readPort(node))

  const signal = await waitForStop()
  node.startDraining()
  log.info({ signal }, 'draining: /ready now returns 503')
  const { wasCut } = await drain(node.app.server, config.http.drainDelayMs)
  await close(node, ops)
  log.info({ wasCut }, 'stopped')
}

async function listen({ app }: ApiNode, ops: Server, { http }: Config): Promise<void> {
  await app.listen({ host: http.host, port: http.port })
  ops.listen(http.opsPort, http.opsHost)
  await once(ops, 'listening')
}

function readPort({ app }: ApiNode): number {
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * Closes an API node whose operators' port could not be opened: without the endpoint /ready on that port, the load
 * balancer could not learn when to stop sending requests to the node. Open connections are closed too, because they
 * would keep the process alive.
 */
async function closeFailedStart(node: ApiNode, ops: Server, log: Log): Promise<void> {
  node.app.server.closeAllConnections()
  const closing = close(node, ops).catch((err: unknown) => log.error({ err }, 'closing after a failed start failed'))
  // A connection of the node that is still being established may never close. The error of the failed start is
  // therefore reported after a time limit at the latest.
  await Promise.race([closing, sleep(FAILED_START_CLOSE_TIMEOUT_MS, undefined, { ref: false })])
}

async function close(node: ApiNode, ops: Server): Promise<void> {
  await node.close()
  ops.close()
  ops.closeAllConnections()
}

function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}
