import { once } from 'node:events'
import { Registry } from '@prometheus-io/client'
import { Command } from 'commander'
import type { Config } from '../../config.ts'
import { createLog, type Log } from '../../log.ts'
import { startIdentity } from '../../runtime/identity/identity.ts'
import { createIdentityMetrics } from '../../runtime/identity/metrics.ts'
import { assertSignInSettings } from '../../runtime/identity/settings.ts'
import { createOpsServer } from '../../runtime/ops-server.ts'
import { assertNoPendingMigrations } from '../../runtime/pending-migrations.ts'
import { listenForStop } from '../../runtime/stop-signal.ts'
import { watchForUncaughtErrors } from '../../runtime/uncaught-errors.ts'
import { describeIdentityLogin } from '../command-login.ts'
import { type CommandIo, readConfig } from '../io.ts'

export function identityCommand(io: CommandIo): Command {
  return new Command('identity')
    .description('Decide about sign-ins, until stopped; "vis-server worker" does this too')
    .action(async () => {
      const config = readConfig(io)
      assertSignInSettings(config)
      const log = createLog(config.logLevel)
      await assertNoPendingMigrations(config, log, { sets: ['accounts'], accountsUrl: config.database.identityUrl })
      const uncaughtErrors = watchForUncaughtErrors(log)
      const stop = listenForStop()
      void uncaughtErrors.first.then(() => stop.stop('an uncaught error'))
      await runIdentity(config, log, stop.signal)
      if (uncaughtErrors.hasOccurred) io.exitCode = 1
    })
}

async function runIdentity(config: Config, log: Log, signal: AbortSignal): Promise<void> {
  const registry = new Registry()
  const metrics = createIdentityMetrics(registry)
  const page = { text: () => registry.metrics(), contentType: registry.contentType }
  const ops = createOpsServer(page, () => !signal.aborted)
  ops.listen(config.http.workerOpsPort, config.http.opsHost)
  await once(ops, 'listening')
  const identity = startIdentity(config, { log, metrics, describeProblem: describeIdentityLogin })
  log.info({ ops: ops.address() }, 'deciding about sign-ins')
  if (!signal.aborted) await once(signal, 'abort')
  await identity.stop()
  ops.close()
  ops.closeAllConnections()
  log.info('stopped')
}
