// npm run bench: compares the service with bare baselines in one run. See docs/performance.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { REAL_DATA_NOW } from '../support/catalog/load-catalog.ts'
import { findRealData } from '../support/real-data.ts'
import { writeUpstreamFiles } from './data/upstream-files.ts'
import { isRegression, type SectionResult } from './figures.ts'
import { writeDocument } from './report/document.ts'
import { formatSummary, printReport } from './report/lines.ts'
import type { Bench, Section } from './section.ts'
import { batch } from './sections/batch.ts'
import { cold, warm } from './sections/get-cve.ts'
import { load } from './sections/load.ts'
import { mixture } from './sections/mixture.ts'
import { profile } from './sections/profile.ts'
import { accounts, processes } from './sections/scale-out.ts'
import { search, tenfold } from './sections/search.ts'
import { sqlite } from './sections/sqlite.ts'
import { type CatalogSource, openBenchSetup } from './setup.ts'

const SECTIONS = new Map<string, Section>(
  Object.entries({
    warm,
    cold,
    batch,
    accounts,
    processes,
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
const ACCOUNT_COUNT = 10
const HOT_RECORDS = 1000
const MANY_RECORDS = 20_000
/**
 * Database with an imported catalog. The benchmark copies the database, because an import takes minutes. No client may
 * be connected to the database while it is copied.
 */
const LOADED_DATABASE = process.env['WHOLE_CATALOG']
const QUICK = { turns: 3, sliceMs: 400, warmUpTurns: 3, records: 1500 }
const FULL = { turns: 7, sliceMs: 2000, warmUpTurns: 4, records: 50_000 }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const chosen =
  values.only?.split(',') ??
  [...SECTIONS.keys()].filter((name) => name !== 'profile' && !(values.quick && FULL_ONLY_SECTIONS.has(name)))
const unknown = chosen.filter((name) => !SECTIONS.has(name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown section: ${unknown.join(', ')}. Known sections: ${[...SECTIONS.keys()].join(', ')}.\n`)
  process.exit(2)
}
const { turns, sliceMs, warmUpTurns, records } = values.quick ? QUICK : FULL

const generated = mkdtempSync(join(tmpdir(), 'vis-bench-files-'))
/** Folder of the real upstream files; undefined with --quick, which always uses generated records. */
const realFiles = values.quick ? undefined : findRealData()
const files = realFiles ?? (await generate())
const source: CatalogSource =
  LOADED_DATABASE !== undefined && realFiles !== undefined ? { database: LOADED_DATABASE } : { files }
const setup = await openBenchSetup(source, ACCOUNT_COUNT)
const results: SectionResult[] = []
try {
  const manyIds = await readIds(setup.url)
  const bench: Bench = {
    setup,
    files,
    ids: manyIds.slice(0, HOT_RECORDS),
    manyIds,
    pace: { turns, sliceMs, warmUpTurns },
    isQuick: values.quick,
  }
  for (const name of chosen) results.push(await run(name, bench))
} finally {
  await setup.close()
  rmSync(generated, { recursive: true })
}
const measured = results.flatMap((result) => result.measured)
if (values.write) writeDocument(results, new Date().toISOString().slice(0, 10))
const regressions = measured.filter(isRegression).map(({ figure }) => figure)
if (regressions.length > 0)
  process.stderr.write(`Worse than half of the goal or of the value reached before: ${regressions.join(', ')}.\n`)
process.stdout.write(`${formatSummary(measured)}\n`)
process.exitCode = regressions.length > 0 ? 1 : 0

async function run(name: string, bench: Bench): Promise<SectionResult> {
  process.stdout.write(`=== ${name}\n`)
  const result = (await SECTIONS.get(name)?.(bench)) ?? { measured: [] }
  printReport(result)
  return result
}

async function generate(): Promise<string> {
  if (!values.quick)
    process.stdout.write(`VIS_DATA is not set: ${records} generated records replace the real upstream files.\n`)
  await writeUpstreamFiles(generated, { records, seed: 1, today: REAL_DATA_NOW.slice(0, 10) })
  return generated
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
