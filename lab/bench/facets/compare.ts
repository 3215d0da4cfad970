// Compares three designs of exact facets side by side (ADR 0032): SQL with a cube, columns in memory, and DuckDB in
// process. Prints a table with time, processor time and memory.
//
//   npm install --no-save @duckdb/node-api
//   node --expose-gc lab/bench/facets/compare.ts --url postgres://…/scratch
//
// --url: a scratch database with the whole published catalog. The schema `compared` is created in it.
// lab/bench/facets/grow.sql makes ten times as many CVEs of it, for which SQL takes half an hour: --memory-only measures
// the columns alone, without comparing their counts. Without DuckDB, its rows are left out.
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openPool } from '../../../service/src/database/postgres.ts'
import { READ_SESSION_SETTINGS } from '../../../service/src/runtime/connections.ts'
import { readAllColumns } from '../../../service/src/search/columns/read-columns.ts'
import { countFacetsInMemory } from '../../../service/src/search/facets/count-in-memory.ts'
import { readCpuSeconds } from '../../../service/test/support/load/cpu.ts'
import { buildCount, buildCubeCount, CUBE_TABLE, NARROW_TABLES, toCounts } from './in-sql.ts'
import { type Counts, type Design, FACETS, SEARCHES, type Search, SIZE } from './searches.ts'

/** A search is repeated until it was counted 20 times, or for five seconds. */
const MAX_RUNS = 20
const MAX_MS = 5000
const DUCKDB = '@duckdb/node-api'
const LIMITS = { poolSize: 1, statementTimeoutMs: 600_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }

const { values } = parseArgs({
  options: { url: { type: 'string' }, 'memory-only': { type: 'boolean', default: false } },
})
if (values.url === undefined) throw new Error('--url is missing.')
const { url } = values

const print = (line: string) => process.stdout.write(`${line}\n`)
const ownCpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
const residentMegabytes = () => {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1e6
}

/** Prints what starting a design takes. */
async function start(open: () => Promise<Design>): Promise<Design> {
  const [startedAt, cpu, memory] = [performance.now(), ownCpuSeconds(), residentMegabytes()]
  const design = await open()
  const [seconds, used] = [(performance.now() - startedAt) / 1000, ownCpuSeconds() - cpu]
  print(
    `${design.title}: started in ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of this process; memory +${(residentMegabytes() - memory).toFixed(0)} MB`,
  )
  return design
}

async function openSql(usesCube: boolean): Promise<Design> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const [name, value] of Object.entries(READ_SESSION_SETTINGS)) await client.query(`set ${name} = '${value}'`)
  await client.query('set search_path = compared')
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const many = FACETS.filter((name) => name === 'cwe' || name === 'product_vendor')
  return {
    title: usesCube ? 'SQL with a cube' : 'SQL over narrow tables',
    count: async (search) => {
      if (!usesCube || !search.isInCube) return toCounts((await client.query(buildCount(search))).rows)
      const few = (await client.query(buildCubeCount(search))).rows
      const others = (await client.query(buildCount(search, many))).rows.filter(({ facet }) => facet !== 'total')
      return toCounts([...few, ...others])
    },
    cpuSeconds: () => readCpuSeconds(rows[0].pid) + ownCpuSeconds(),
  }
}

async function openMemory(): Promise<Design> {
  const pool = openPool(url, 'compare', { ...LIMITS, settings: READ_SESSION_SETTINGS }, () => {})
  const { columns } = await readAllColumns(pool.db)
  await pool.close()
  print(`columns in memory: ${(columns.bytes / 1e6).toFixed(0)} MB in typed arrays`)
  return {
    title: 'columns in memory',
    count: async ({ values: filters }: Search): Promise<Counts> => {
      const { total, facets } = countFacetsInMemory(
        columns,
        { values: filters, facets: FACETS, size: SIZE, names: {} },
        undefined,
      )
      return toCounts([
        { facet: 'total', value: null, cves: total },
        ...Object.entries(facets).flatMap(([facet, all]) =>
          all.map(({ value, count }) => ({ facet, value, cves: count })),
        ),
      ])
    },
    cpuSeconds: ownCpuSeconds,
  }
}

async function openDuckDb(): Promise<Design> {
  const { DuckDBInstance } = await import(DUCKDB)
  const folder = await mkdtemp(join(tmpdir(), 'facets-'))
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run('set threads = 1')
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const table of ['cve', 'cve_vendor']) {
    const file = join(folder, `${table}.json`)
    const { rows } = await client.query({ text: `select to_json(t)::text from compared.${table} t`, rowMode: 'array' })
    writeFileSync(file, rows.map(([row]) => row).join('\n'))
    await connection.run(`create table ${table} as select * from read_json('${file}', maximum_object_size = 1000000)`)
  }
  await client.end()
  await rm(folder, { recursive: true })
  return {
    title: 'DuckDB in process',
    count: async (search) => toCounts((await connection.runAndReadAll(buildCount(search))).getRowObjectsJson()),
    cpuSeconds: ownCpuSeconds,
  }
}

async function measure(design: Design, expected: ReadonlyMap<string, Counts>): Promise<void> {
  for (const search of SEARCHES) {
    const counts = await design.count(search)
    const wanted = expected.get(search.title)
    const judgement = JSON.stringify(counts) === JSON.stringify(wanted) ? 'equal' : 'DIFFERENT'
    const [cpu, times]: [number, number[]] = [design.cpuSeconds(), []]
    const endsAt = performance.now() + MAX_MS
    while (times.length < MAX_RUNS && (times.length === 0 || performance.now() < endsAt)) {
      const startedAt = performance.now()
      await design.count(search)
      times.push(performance.now() - startedAt)
    }
    const cpuMs = ((design.cpuSeconds() - cpu) / times.length) * 1000
    const sorted = times.toSorted((a, b) => a - b)
    const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    const cells = [design.title, search.title, counts.total, wanted ? judgement : 'not compared']
    print(`| ${[...cells, median.toFixed(1), longest.toFixed(1), cpuMs.toFixed(1)].join(' | ')} |`)
  }
}

async function openPlain(): Promise<Design> {
  const setup = new Client({ connectionString: url })
  await setup.connect()
  await setup.query(NARROW_TABLES)
  await setup.query(CUBE_TABLE)
  await setup.end()
  return start(() => openSql(false))
}

const plain = values['memory-only'] ? undefined : await openPlain()
const expected = new Map<string, Counts>()
if (plain) for (const search of SEARCHES) expected.set(search.title, await plain.count(search))
print('| design | search | CVEs | exact | median ms | longest ms | processor ms |')
print('|---|---|---|---|---|---|---|')
if (plain) await measure(plain, expected)
for (const open of plain ? [() => openSql(true), openMemory, openDuckDb] : [openMemory]) {
  try {
    await measure(await start(open), expected)
  } catch (error) {
    print(error instanceof Error ? error.message : 'failed')
  }
}
process.exit()
