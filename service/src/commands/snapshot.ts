// Command `vis-server catalog snapshot`: makes a snapshot of the catalog immediately.
import { type MadeSnapshot, makeSnapshot } from '../catalog/snapshot/make.ts'
import { UsageError } from '../domain/usage-error.ts'
import { listenForStop } from '../runtime/stop-signal.ts'
import { chooseClock } from './input/clock-option.ts'
import { type CommandIo, readConfig } from './io.ts'
import { formatNumber, printJson, printLine } from './output/print.ts'
import { createPublishProgress } from './output/publish-progress.ts'
import { withCatalogSession } from './publish-now.ts'

interface SnapshotOptions {
  readonly json?: boolean
  readonly now?: string
}

export async function snapshotCatalog(io: CommandIo, { json = false, now }: SnapshotOptions): Promise<void> {
  const config = readConfig(io)
  const [clock, stop, line] = [chooseClock(config, now), listenForStop(), createPublishProgress(io.stderr)]
  const onRecords = (done: number) => line.show({ done, total: undefined })
  const made = await withCatalogSession(config, (session) =>
    makeSnapshot({ session, clock, signal: stop.signal, onRecords }),
  )
    .catch((error: unknown) => {
      throw stop.signal.aborted ? new UsageError('The command was stopped, and no snapshot was stored.') : error
    })
    .finally(() => {
      line.clear()
      stop.dispose()
    })
  if (json) printJson(io, made)
  else printLine(io, describeSnapshot(made))
}

const describeSnapshot = ({ id, records, parts, bytes }: MadeSnapshot) =>
  `Snapshot ${id}: ${formatNumber(records)} records in ${formatNumber(parts)} parts, ${formatNumber(bytes)} bytes`
