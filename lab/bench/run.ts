// npm run bench: compares the service with bare baselines in one run. See lab/docs/performance.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { REAL_DATA_NOW } from '../../service/test/support/catalog/load-catalog.ts'
import { writeUpstreamFiles } from '../../service/test/support/generator/upstream-files.ts'
import { findRealData } from '../../service/test/support/real-data.ts'
import { findRecordingObstacle, formatDurability, readDurability } from './commit.ts'
import { SERVER_URL } from './databases.ts'
import { FIGURES, type Figure, type FigureName, isRegression, type SectionResult } from './figures.ts'
import { chooseClient, type LoadClient } from './load/client.ts'
import { writeDocuments } from './report/document.ts'
import { formatSummary, printReport } from './report/lines.ts'
import { findRecordedValue, type RunSize, readRecorded, writeRecorded } from './report/recorded.ts'
import { type Bench, MANY_ACCOUNTS, type Section } from './section.ts'
import { batch } from './sections/batch.ts'
import { charges } from './sections/charges.ts'
import { cold, gzip, warm, warm256 } from './sections/get-cve.ts'
import { load } from './sections/load.ts'
import { mixture } from './sections/mixture.ts'
import { profile } from './sections/profile.ts'
import { accounts, processes } from './sections/scale-out.ts'
import { search, tenfold } from './sections/search.ts'
import { sqlite } from './sections/sqlite.ts'
import { COMMIT, openBenchSetup } from './setup.ts'

const SECTIONS = new Map<string, Section>(
  Object.entries({
    warm,
    warm256,
    gzip,
    cold,
    batch,
    processes,
    charges,
    accounts,
    search,
    sqlite,
    mixture,
    tenfold,
    load,
    profile,
  }),
)
/**
 * Benchmark sections that --quick omits. With its little data, an import would measure mostly the start of the process.
 */
const FULL_ONLY_SECTIONS = new Set(['load', 'sqlite'])
const HOT_RECORDS = 1000
const MANY_RECORDS = 20_000
/**
 * Database with an imported catalog. The benchmark copies the database, because an import takes minutes. No client may
 * be connected to the database while it is copied.
 */
const LOADED_DATABASE = process.env['WHOLE_CATALOG']
/** Name of the database in which the catalog of the benchmark is kept for the next run. */
const KEPT_DATABASE = process.env['KEPT_CATALOG']
const QUICK = { turns: 3, sliceMs: 1000, warmUpTurns: 2, records: 1500 }
const FULL = { turns: 7, sliceMs: 2000, warmUpTurns: 4, records: 50_000 }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    'accept-worse': { type: 'boolean', default: false },
  },
})
const chosen =
  values.only?.split(',') ??
  [...SECTIONS.keys()].filter((name) => name !== 'profile' && !(values.quick && FULL_ONLY_SECTIONS.has(name)))
const unknown = chosen.filter((name) => !SECTIONS.has(name))
if (unknown.length > 0)
  fail(`Unknown section: ${unknown.join(', ')}. Known sections: ${[...SECTIONS.keys()].join(', ')}.`)
const { turns, sliceMs, warmUpTurns, records } = values.quick ? QUICK : FULL

/** Folder of generated upstream files and of files for the client. */
const temporary = mkdtempSync(join(tmpdir(), 'vis-bench-files-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
/** Folder of the real upstream files; undefined with --quick, which always uses generated records. */
const realFiles = values.quick ? undefined : findRealData()
const isReal = realFiles !== undefined
const client = openClient()
if (values.write && client.name !== 'wrk') fail('--write needs wrk: the client in Node.js limits the baseline F.')
if (values.write && !values.quick && !isReal)
  fail('--write needs the real upstream files: set VIS_DATA, or add --quick.')
const durability = await readDurability(SERVER_URL, COMMIT)
const obstacle = values.write ? findRecordingObstacle(durability) : undefined
if (obstacle !== undefined) fail(obstacle)
const files = realFiles ?? (await generate())
const setup = await openBenchSetup(
  { files, database: isReal ? LOADED_DATABASE : undefined, keptAs: isReal ? KEPT_DATABASE : undefined },
  MANY_ACCOUNTS,
)
const size: RunSize = values.quick ? 'quick' : 'full'
const recorded = readRecorded()
const results = new Map<string, SectionResult>()
try {
  const manyIds = await readIds(setup.url)
  const bench: Bench = {
    setup,
    client,
    files,
    ids: manyIds.slice(0, HOT_RECORDS),
    manyIds,
    pace: { turns, sliceMs, warmUpTurns },
    isQuick: values.quick,
  }
  for (const name of chosen) results.set(name, await run(name, bench))
} finally {
  await setup.close()
}
const measured = [...results.values()].flatMap((result) => result.measured)
const regressions = measured
  .filter((each) => client.name === 'wrk' || !isLimitedByClient(each.figure))
  .filter((each) => isRegression(each, findRecordedValue(recorded, size, each.figure)))
const unlimited = measured.filter(({ figure }) => findRecordedValue(recorded, size, figure) === undefined)
if (unlimited.length > 0 && !values.write)
  process.stderr.write(`No recorded value, so no limit: ${unlimited.map(({ figure }) => figure).join(', ')}.\n`)
const mayWrite = regressions.length === 0 || values['accept-worse']
if (values.write && mayWrite) write()
if (regressions.length > 0) {
  const names = regressions.map(({ figure }) => figure).join(', ')
  const hint = values.write && !mayWrite ? ' Nothing was written; --accept-worse records these results.' : ''
  process.stderr.write(`More than 1.25 times worse than recorded: ${names}.${hint}\n`)
}
process.stdout.write(`${formatSummary(measured)}\n`)
process.exitCode = regressions.length > 0 ? 1 : 0

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function openClient(): LoadClient {
  try {
    return chooseClient(temporary)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

async function run(name: string, bench: Bench): Promise<SectionResult> {
  process.stdout.write(`=== ${name}\n`)
  const result = (await SECTIONS.get(name)?.(bench)) ?? { measured: [] }
  printReport(result, formatDurability(durability))
  return result
}

function isLimitedByClient(name: FigureName): boolean {
  const figure: Figure = FIGURES[name]
  return figure.needsFastClient === true
}

/** Records the results of the sections of this run and, in a full run, renews the tables of lab/docs/performance.md. */
function write(): void {
  const day = new Date().toISOString().slice(0, 10)
  const sections = Object.fromEntries(
    [...SECTIONS.keys()].flatMap((name) => {
      const result = results.get(name)
      const section = result ? { day, ...result } : recorded[size][name]
      return section && name !== 'profile' ? [[name, section]] : []
    }),
  )
  writeRecorded({ ...recorded, [size]: sections })
  if (size === 'full') writeDocuments(readRecorded().full)
}

async function generate(): Promise<string> {
  if (!values.quick)
    process.stdout.write(`VIS_DATA is not set: ${records} generated records replace the real upstream files.\n`)
  await writeUpstreamFiles(temporary, { records, seed: 1, today: REAL_DATA_NOW.slice(0, 10) })
  return temporary
}

/** Reads CVE ids in a pseudo-random order that is the same in every run. */
async function readIds(url: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    `select catalog.cve_id(cve_key) as id from catalog.cve order by sha256(cve_key::text::bytea) limit ${MANY_RECORDS}`,
  )
  await client.end()
  return rows.map(({ id }) => id)
}
