import { type Command, InvalidArgumentError, Option } from 'commander'
import { listChangedRecordsParameters, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { lockFolder } from '../mirror/folder.ts'
import { type MirrorOptions, runMirror } from '../mirror/mirror.ts'
import { createReport } from '../mirror/report.ts'
import { openStore } from '../mirror/store.ts'
import { formatCredits } from '../render/credits.ts'

const DEFAULT_WAIT_SECONDS = 60
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

const OPTIONS: readonly Option[] = [
  new Option(
    '--into <dir>',
    'Folder of the copy: catalog.sqlite has one record per CVE (requires Node.js 22.13 or newer)',
  ).makeOptionMandatory(),
  new Option('--once', 'Stop as soon as the copy is up to date'),
  new Option(
    '--wait <seconds>',
    `Seconds between a change and the next read, so that one call reads many changes (default: ${DEFAULT_WAIT_SECONDS})`,
  ).argParser(parseSeconds),
  new Option('--refresh-epss', 'Load a new snapshot after each EPSS release, for the scores of all CVEs'),
]

export function createMirrorCommand(context: Context): Command {
  return createCommand({
    name: 'mirror',
    summary: `Keep a copy of all records (${formatCredits(PRICES.getSnapshotPart)} per part of a snapshot, ${PRICES.listChangedRecords} per ${listChangedRecordsParameters.limit.maximum} changed records)`,
    options: OPTIONS,
    examples: [
      'visctl mirror --into copy',
      'visctl mirror --into copy --once',
      `sqlite3 copy/catalog.sqlite "select record ->> 'severity' from record where cve_id = 'CVE-2021-44228'"`,
    ],
  }).action((values: OptionValues) => keepCopy(context, values))
}

/** Maintains the copy until it is up to date (with --once) or a signal stops it. Both end with exit code 0. */
async function keepCopy({ terminal, connect }: Context, values: OptionValues): Promise<void> {
  const client = await connect(values)
  const folder = String(values['into'])
  const unlock = lockFolder(folder)
  const [report, stop] = [createReport(terminal), new AbortController()]
  const abort = () => stop.abort()
  for (const name of STOP_SIGNALS) process.once(name, abort)
  try {
    const store = openStore(folder)
    await runMirror({ client, store, options: readOptions(values), report, signal: stop.signal }).finally(() =>
      store.close(),
    )
  } catch (error) {
    if (!stop.signal.aborted) throw error
    report.stopped()
  } finally {
    for (const name of STOP_SIGNALS) process.off(name, abort)
    unlock()
  }
}

function readOptions({ once, wait = DEFAULT_WAIT_SECONDS, refreshEpss }: OptionValues): MirrorOptions {
  return { isOnce: once === true, collectMs: Number(wait) * 1000, refreshesEpss: refreshEpss === true }
}

function parseSeconds(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds, at most 99999.')
  return Number(text)
}
