// npm run bench: what the service costs, against bare baselines, in one run. See docs/performance.md.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { NEWEST } from '../support/catalog/load-catalog.ts'
import { writeUpstreamFiles } from './data/upstream-files.ts'
import { isFarOff, type SectionResult } from './figures.ts'
import { writeDocument } from './report/document.ts'
import { printReport, summaryLine } from './report/lines.ts'
import type { Bench, Section } from './section.ts'
import { batch } from './sections/batch.ts'
import { cold, warm } from './sections/get-cve.ts'
import { load } from './sections/load.ts'
import { mixture } from './sections/mixture.ts'
import { profile } from './sections/profile.ts'
import { accounts, processes } from './sections/scale-out.ts'
import { search, tenfold } from './sections/search.ts'
import { sqlite } from './sections/sqlite.ts'
import { type CatalogFrom, openWorld } from './world.ts'

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
/** Of little data a load is mostly the start of a process, and nobody would use SQLite for it. */
const ONLY_FULL = new Set(['load', 'sqlite'])
const CALLER_COUNT = 10
const HOT_RECORDS = 1000
const MANY_RECORDS = 20_000
const DATA = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
/** A catalog that was loaded before, to be copied: loading it takes minutes. Nobody may be connected to it. */
const LOADED = process.env['WHOLE_CATALOG']
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
  [...SECTIONS.keys()].filter((name) => name !== 'profile' && !(values.quick && ONLY_FULL.has(name)))
const unknown = chosen.filter((name) => !SECTIONS.has(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no section ${unknown.join(', ')}. There are: ${[...SECTIONS.keys()].join(', ')}.\n`)
  process.exit(2)
}
const { turns, sliceMs, warmUpTurns, records } = values.quick ? QUICK : FULL

const generated = mkdtempSync(join(tmpdir(), 'vis-bench-files-'))
const isReal = !values.quick && existsSync(DATA)
const files = isReal ? DATA : await generate()
const from: CatalogFrom = LOADED !== undefined && isReal ? { database: LOADED } : { files }
const world = await openWorld(from, CALLER_COUNT)
const results: SectionResult[] = []
try {
  const manyIds = await someIds(world.url)
  const bench: Bench = {
    world,
    files,
    ids: manyIds.slice(0, HOT_RECORDS),
    manyIds,
    pace: { turns, sliceMs, warmUpTurns },
    isQuick: values.quick,
  }
  for (const name of chosen) results.push(await run(name, bench))
} finally {
  await world.close()
  rmSync(generated, { recursive: true })
}
const measured = results.flatMap((result) => result.measured)
if (values.write) writeDocument(results, new Date().toISOString().slice(0, 10))
const faulty = measured.filter(isFarOff).map(({ figure }) => figure)
if (faulty.length > 0) process.stderr.write(`Worse than half of what is to hold: ${faulty.join(', ')}.\n`)
process.stdout.write(`${summaryLine(measured)}\n`)
process.exitCode = faulty.length > 0 ? 1 : 0

async function run(name: string, bench: Bench): Promise<SectionResult> {
  process.stdout.write(`=== ${name}\n`)
  const result = (await SECTIONS.get(name)?.(bench)) ?? { measured: [] }
  printReport(result)
  return result
}

async function generate(): Promise<string> {
  if (!values.quick) process.stdout.write(`There is no ${DATA}: ${records} records are made up instead.\n`)
  await writeUpstreamFiles(generated, { records, seed: 1, today: NEWEST.slice(0, 10) })
  return generated
}

/** The same ones in every run. */
async function someIds(url: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    `select catalog.cve_id(cve_key) as id from catalog.cve order by sha256(cve_key::text::bytea) limit ${MANY_RECORDS}`,
  )
  await client.end()
  return rows.map(({ id }) => id)
}
