// A catalog that is many times as large, for measuring searches: every row of it comes back several times, under ids
// that nobody has and with values that other rows had.
import { Client } from 'pg'
import { refreshStatistics } from '../../../src/catalog/publish/statistics.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { insertCves, insertDocuments, insertEpss, insertKev, ORIGIN, ORIGIN_KEV } from './grow-statements.ts'
import { withoutIndexes } from './without-indexes.ts'

const TABLES = ['catalog.cve', 'catalog.epss', 'catalog.kev', 'catalog.cve_document'] as const

/** Index builds get more memory than the usual settings have, and nothing waits for the disk before the end. */
const SETTINGS = [
  'synchronous_commit = off',
  "work_mem = '128MB'",
  "maintenance_work_mem = '2GB'",
  'max_parallel_maintenance_workers = 2',
] as const

/** Afterwards there are `factor` times as many rows. One transaction, so that it is all of them or none. */
export async function growCatalog(url: string, factor: number): Promise<void> {
  if (!Number.isInteger(factor) || factor < 1)
    throw new Error(`A catalog grows by a whole number from 1 on, such as 10, not by ${factor}.`)
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    for (const setting of SETTINGS) await client.query(`set local ${setting}`)
    await prepare(client, factor)
    await withoutIndexes(client, TABLES, () => insertCopies(client, factor))
    // As the publisher says that a whole data set is another one: nodes forget what they remember.
    await client.query(`insert into catalog.change (kind) values ('epss')`)
    await client.query('commit')
    await client.query(`vacuum (analyze) ${TABLES.join(', ')}`)
  } finally {
    await client.end()
  }
  await countAgain(url)
}

/** The rows to copy, apart: the tables themselves grow meanwhile, and have no index. */
async function prepare(client: Client, factor: number): Promise<void> {
  await client.query(`create temporary table origin on commit drop as ${ORIGIN}`)
  await client.query(`create temporary table origin_kev on commit drop as ${ORIGIN_KEV}`)
  await client.query('analyze origin')
  await client.query('analyze origin_kev')
  const { rows } = await client.query<{ largest: string }>('select max(stride) * $1::int as largest from origin', [
    factor,
  ])
  if (Number(rows[0]?.largest ?? 0) > 10 ** 14)
    throw new Error(`There is no room for ${factor} times as many ids: some of those that are there are too long.`)
}

async function insertCopies(client: Client, factor: number): Promise<void> {
  for (let copy = 1; copy < factor; copy += 1)
    for (const insert of [insertCves, insertEpss, insertKev, insertDocuments]) await client.query(insert(copy))
}

async function countAgain(url: string): Promise<void> {
  const limits = { poolSize: 1, statementTimeoutMs: 300_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
  const pool = openPool(url, 'grow', limits, () => {})
  try {
    await pool.db.transaction().execute(refreshStatistics)
  } finally {
    await pool.close()
  }
}
