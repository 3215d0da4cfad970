import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { drain } from '../api/drain.ts'
import { endpoints } from '../api/endpoints/index.ts'
import type { Config } from '../config.ts'
import { findConsoleFolder } from '../console/files.ts'
import { describeLoading } from '../contract/response/loading.ts'
import type { Clock } from '../domain/clock.ts'
import { createLog, type Log } from '../log.ts'
import { type ApiNode, assembleNode } from '../runtime/api-node.ts'
import { createOpsServer } from '../runtime/ops-server.ts'
import { assertNoPendingMigrations } from '../runtime/pending-migrations.ts'
import { type UncaughtErrors, watchForUncaughtErrors } from '../runtime/uncaught-errors.ts'
import { chooseClock, NOW_OPTION } from './input/clock-option.ts'
import { type CommandIo, readConfig } from './io.ts'

const FAILED_START_CLOSE_TIMEOUT_MS = 2000
/** Time after an uncaught error for the load balancer to notice that the API node is not ready. */
const URGENT_DRAIN_DELAY_MS = 1000
/** Longer than a request may take (10 s), so that every request in flight gets an answer and its refund. */
const URGENT_HARD_STOP_MS = 12_000

export function serveCommand(io: CommandIo): Command {
  return new Command('serve')
    .description('Serve the HTTP API until stopped')
    .option(...NOW_OPTION)
    .action(async ({ now }: { now?: string }) => {
      const config = readConfig(io)
      const log = createLog(config.logLevel)
      const uncaughtErrors = watchForUncaughtErrors(log)
      const waitForStop = () => Promise.race([waitForStopSignal(), waitForError(uncaughtErrors)])
      await serve(config, chooseClock(config, now), { log, waitForStop })
      if (uncaughtErrors.hasOccurred) io.exitCode = 1
    })
}

export interface Stop {
  readonly reason: string
  readonly isUrgent: boolean
}

export interface ServeOptions {
  readonly log: Log
  /** Called once the API node accepts requests. Resolves when it should stop. */
  readonly waitForStop: () => Promise<Stop>
  /** Called once with the port of the API. The operating system chooses the port if PORT is 0. */
  readonly onServing?: (port: number) => void
  /** API key that /docs fills in. Only the demo sets it. */
  readonly referenceKey?: string | undefined
}

export async function serve(
  config: Config,
  clock: Clock,
  { log, waitForStop, onServing, referenceKey }: ServeOptions,
): Promise<void> {
  await assertNoPendingMigrations(config, log)
  const node = await assembleNode(config, {
    endpoints,
    clock,
    log,
    referenceKey,
    consoleFolder: findConsoleFolder(),
  })
  await node.connections.warmUp()
  node.readColumns()
  const ops = createOpsServer(
    node.metrics,
    () => !node.isDraining,
    () => describeReadiness(node),
  )
  try {
    await listen(node, ops, config)
  } catch (error) {
    await closeFailedStart(node, ops, log)
    throw error
  }
  log.info({ api: node.app.server.address(), ops: ops.address(), now: clock() }, 'serving')
  onServing?.(readPort(node))

  const { reason, isUrgent } = await waitForStop()
  node.startDraining()
  log.info({ reason }, 'draining: /ready now returns 503')
  const { wasCut } = isUrgent ? await drainSoon(node, config) : await drain(node.app.server, config.http.drainDelayMs)
  await close(node, ops)
  log.info({ wasCut }, 'stopped')
}

/** A node is ready while the catalog is loading: it serves what is published, and says with each answer that more comes. */
function describeReadiness(node: ApiNode): string {
  const loading = node.loading()
  return loading === undefined ? 'ready' : `ready, loading: ${describeLoading(loading)}`
}

/** Drains an API node after an uncaught error: requests in flight are answered, and new connections are soon refused. */
function drainSoon({ app }: ApiNode, { http }: Config): Promise<{ wasCut: boolean }> {
  return drain(app.server, Math.min(http.drainDelayMs, URGENT_DRAIN_DELAY_MS), URGENT_HARD_STOP_MS)
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
 * Without /ready on the operators' port, the load balancer could not learn when to stop sending requests. Open
 * connections are closed too, because they would keep the process alive.
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

function waitForStopSignal(): Promise<Stop> {
  return new Promise((resolve) => {
    const stop = (reason: NodeJS.Signals) => resolve({ reason, isUrgent: false })
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  })
}

async function waitForError({ first }: UncaughtErrors): Promise<Stop> {
  await first
  return { reason: 'uncaught error', isUrgent: true }
}
