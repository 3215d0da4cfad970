import { once } from 'node:events'
import { Registry } from '@prometheus-io/client'
import { Command } from 'commander'
import type { Config } from '../../config.ts'
import { createLog, type Log } from '../../log.ts'
import { startEvaluator } from '../../notify/evaluator.ts'
import { createNotifyMetrics } from '../../runtime/notify/metrics.ts'
import { createOpsServer } from '../../runtime/ops-server.ts'
import { assertNoPendingMigrations } from '../../runtime/pending-migrations.ts'
import { listenForStop } from '../../runtime/stop-signal.ts'
import { watchForUncaughtErrors } from '../../runtime/uncaught-errors.ts'
import { describeNotifyLogin } from '../command-login.ts'
import { type CommandIo, readConfig } from '../io.ts'

export function notifyCommand(io: CommandIo): Command {
  return new Command('notify')
    .description('Judge changes of the catalog against watches, until stopped; "vis-server worker" does this too')
    .action(async () => {
      const config = readConfig(io)
      const log = createLog(config.logLevel)
      await assertNoPendingMigrations(config, log, { accountsUrl: config.database.notifyUrl })
      const uncaughtErrors = watchForUncaughtErrors(log)
      const stop = listenForStop()
      void uncaughtErrors.first.then(() => stop.stop('an uncaught error'))
      await runNotify(config, log, stop.signal)
      if (uncaughtErrors.hasOccurred) io.exitCode = 1
    })
}

async function runNotify({ database, http }: Config, log: Log, signal: AbortSignal): Promise<void> {
  const registry = new Registry()
  const page = { text: () => registry.metrics(), contentType: registry.contentType }
  const ops = createOpsServer(page, () => !signal.aborted)
  ops.listen(http.workerOpsPort, http.opsHost)
  await once(ops, 'listening')
  const evaluator = startEvaluator({
    accountsUrl: database.notifyUrl,
    catalogUrl: database.readUrl,
    log,
    metrics: createNotifyMetrics(registry),
    describeProblem: describeNotifyLogin,
  })
  log.info({ ops: ops.address() }, 'judging changes against watches')
  if (!signal.aborted) await once(signal, 'abort')
  await evaluator.stop()
  ops.close()
  ops.closeAllConnections()
  log.info('stopped')
}
