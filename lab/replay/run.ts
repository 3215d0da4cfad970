// node lab/replay/run.ts FOLDER [--weeks N] [--split-only]: loads the real data as of 2025-10-12 and imports the
// following 45 weeks by their own dates, each with the clock of its day, into the migrated, empty database of
// DATABASE_URL. FOLDER receives the files of each week. VIS_DATA names the folder with the real data.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { splitData } from './split.ts'
import { toImportTime } from './weeks.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { weeks: { type: 'string' }, 'split-only': { type: 'boolean', default: false } },
})
const [target] = positionals
const { VIS_DATA: root, DATABASE_URL: url } = process.env
if (target === undefined || root === undefined || (url === undefined && !values['split-only'])) {
  process.stderr.write('Usage: VIS_DATA=… DATABASE_URL=… node lab/replay/run.ts FOLDER [--weeks N] [--split-only]\n')
  process.exit(2)
}

const print = (text: string) => void process.stdout.write(`${text}\n`)
const SERVER = join(import.meta.dirname, '../../service/bin/vis-server.js')
/** A replay imports the changes of a week at once, which daily imports would spread. */
const ALLOWED = ['too-many-new-records', 'scores-drifted']

const startedAt = performance.now()
const elapsed = () => `${Math.round((performance.now() - startedAt) / 1000)} s`
const { weeks, folder } = await splitData(root, target, Number(values.weeks ?? Number.POSITIVE_INFINITY))
print(`${weeks.days.length} folders written after ${elapsed()}`)
if (!values['split-only'])
  for (const day of weeks.days) {
    const options = ['sync', '--from', folder(day), '--now', toImportTime(day), '--allow', ...ALLOWED]
    const { status } = spawnSync(process.execPath, [SERVER, ...options], {
      stdio: ['ignore', 'inherit', 'inherit'],
      // --now is refused in production.
      env: { ...process.env, NODE_ENV: 'development' },
    })
    if (status !== 0) {
      process.stderr.write(`The import of ${day} failed with exit code ${status}.\n`)
      process.exit(1)
    }
    print(`${day} imported after ${elapsed()}`)
  }
