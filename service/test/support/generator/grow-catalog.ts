// Multiplies the size of a catalog for search measurements: growCatalog copies every row several times, with new ids
// and with values from other rows.
import { Client } from 'pg'
import { refreshStatistics } from '../../../src/catalog/publish/indexes/statistics.ts'
import { openPool } from '../../../src/database/postgres.ts'
import {
  insertCves,
  insertDocuments,
  insertEpss,
  insertKev,
  insertProducts,
  ORIGIN,
  ORIGIN_KEV,
  ORIGIN_PRODUCT,
} from './grow-statements.ts'
import { withoutIndexes } from './without-indexes.ts'

const TABLES = ['catalog.cve', 'catalog.cve_product', 'catalog.epss', 'catalog.kev', 'catalog.cve_document'] as const

/** PostgreSQL settings that speed up index builds and avoid waiting for the disk. */
const SETTINGS = [
  'synchronous_commit = off',
  "work_mem = '128MB'",
  "maintenance_work_mem = '2GB'",
  'max_parallel_maintenance_workers = 2',
] as const

/** Multiplies the number of catalog rows by `factor`, in one transaction. */
export async function growCatalog(url: string, factor: number): Promise<void> {
  if (!Number.isInteger(factor) || factor < 1)
    throw new Error(`The factor must be a whole number from 1 on, such as 10, but is ${factor}.`)
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    for (const setting of SETTINGS) await client.query(`set local ${setting}`)
    await createOriginTables(client, factor)
    await withoutIndexes(client, TABLES, () => insertCopies(client, factor))
    for (const table of ['catalog.product', 'catalog.name_count'])
      await client.query(`update ${table} set cve_count = cve_count * ${factor}`)
    // An entry of kind epss in the change log makes API nodes evict their cached records, as after a publication of all
    // EPSS scores.
    await client.query(`insert into catalog.change (kind) values ('epss')`)
    await client.query('commit')
    await client.query(`vacuum (analyze) ${TABLES.join(', ')}, catalog.product, catalog.name_count`)
  } finally {
    await client.end()
  }
  await refreshCounts(url)
}

/**
 * Copies the original rows to temporary tables and reads them from there, because the catalog tables grow and have no
 * indexes while rows are copied.
 */
async function createOriginTables(client: Client, factor: number): Promise<void> {
  await client.query(`create temporary table origin on commit drop as ${ORIGIN}`)
  await client.query(`create temporary table origin_kev on commit drop as ${ORIGIN_KEV}`)
  await client.query(`create temporary table origin_product on commit drop as ${ORIGIN_PRODUCT}`)
  await client.query('create index on origin_product (cve_key)')
  await client.query('analyze origin')
  await client.query('analyze origin_product')
  await client.query('analyze origin_kev')
  const { rows } = await client.query<{ largest: string }>('select max(stride) * $1::int as largest from origin', [
    factor,
  ])
  if (Number(rows[0]?.largest ?? 0) > 10 ** 14)
    throw new Error(`The ids are too long for a factor of ${factor}: the new numbers would have more than 14 digits.`)
}

async function insertCopies(client: Client, factor: number): Promise<void> {
  for (let copy = 1; copy < factor; copy += 1)
    for (const insert of [insertCves, insertProducts, insertEpss, insertKev, insertDocuments])
      await client.query(insert(copy))
}

async function refreshCounts(url: string): Promise<void> {
  const limits = { poolSize: 1, statementTimeoutMs: 300_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
  const pool = openPool(url, 'grow', limits, () => {})
  try {
    await pool.db.transaction().execute(refreshStatistics)
  } finally {
    await pool.close()
  }
}
