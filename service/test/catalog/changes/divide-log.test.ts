// The migration that divides a change log with rows (0020_change_partitions).
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../../src/database/migrate.ts'
import { createEmptyDatabase } from '../../support/database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'vis-migrations-'))
const { url } = await createEmptyDatabase()
const [owner, node] = [new Client({ connectionString: url }), new Client({ connectionString: url })]
const ROWS = 3000

beforeAll(async () => {
  await cp(MIGRATIONS, folder, { recursive: true })
  for (const name of await readdir(join(folder, 'catalog'))) if (name >= '0020') await rm(join(folder, 'catalog', name))
  await migrate(url, 'catalog', folder)
  await Promise.all([owner.connect(), node.connect()])
  await owner.query(`
    insert into catalog.change (cve_key, kind, cause, types, at)
    select n % 100, case when n % 7 = 0 then 'added' else 'changed' end,
           case when n % 3 = 0 then 'rules' else 'data' end, '{updated}', '2026-01-01'::timestamptz + n * interval '1 min'
      from generate_series(1, ${ROWS}) n;
    insert into catalog.change_before select seq, '{}' from catalog.change;
    insert into catalog.affected_touched select seq, 1, 1 from catalog.change;
    insert into catalog.epss_moved select seq, 1, 0.1, 0.2 from catalog.change;
    update catalog.change_floor set data_seq = 5, complete_seq = 6, details_seq = 7`)
})
afterAll(async () => {
  await Promise.all([owner.end(), node.end()])
  await rm(folder, { recursive: true })
})

/** A statement of a node, which it has prepared before the migration. */
const readPage = async (after: number) =>
  (
    await node.query<{ seq: string }>({
      name: 'page',
      text: 'select seq, tag, cve_key, kind, cause, at from catalog.change where seq > $1 order by seq limit 10',
      values: [after],
    })
  ).rows

const sum = async (table: string) =>
  (await owner.query(`select count(*)::int as rows, sum(hashtextextended(t::text, 0)) as content from ${table} t`))
    .rows[0]

const TABLES = ['catalog.change', 'catalog.change_before', 'catalog.affected_touched', 'catalog.epss_moved']

describe('The migration of a change log with rows', () => {
  it('gives up within seconds while a reader holds the table, and leaves everything as it was', async () => {
    await node.query('begin')
    const before = await readPage(0)
    await expect(migrate(url, 'catalog', MIGRATIONS)).rejects.toThrow(/lock/)
    expect(await readPage(0)).toEqual(before)
    await node.query('commit')
  })

  it('keeps every row, the floors and the next number, and a node goes on reading', async () => {
    const [page, before] = [await readPage(1500), await Promise.all(TABLES.map(sum))]
    await migrate(url, 'catalog', MIGRATIONS)
    expect(await readPage(1500)).toEqual(page)
    expect(await Promise.all(TABLES.map(sum))).toEqual(before)
    expect((await owner.query('select data_seq, complete_seq, details_seq from catalog.change_floor')).rows).toEqual([
      { data_seq: '5', complete_seq: '6', details_seq: '7' },
    ])
  })

  it('lets a publisher of the previous release write on', async () => {
    const { rows } = await owner
      .query(`
      set role vis_feeds;
      insert into catalog.change (kind, cause) values ('changed', 'data'), ('changed', 'rules');
      insert into catalog.change_before select max(seq), '{}' from catalog.change;
      reset role;
      select seq::int, tableoid::regclass::text as name from catalog.change where seq > ${ROWS} order by seq`)
      .then((results) => (results as unknown as { rows: object[] }[]).at(-1) ?? { rows: [] })
    expect(rows).toEqual([
      { seq: ROWS + 1, name: `catalog.change_${ROWS + 1}_400` },
      { seq: ROWS + 2, name: `catalog.change_${ROWS + 1}_30` },
    ])
  })

  it('drops the rows from before it when all of them are expired', async () => {
    const drop = async (before: string) =>
      (await owner.query(`select catalog.drop_expired_changes(1000000, '${before}', '2026-02-01') as dropped`)).rows[0]
    await owner.query("select setval('catalog.change_seq_seq', 250000)")
    await owner.query("select catalog.add_change_ranges(0); insert into catalog.change (kind) values ('epss')")
    expect(await drop('2026-01-02')).toEqual({ dropped: null })
    expect(await drop('2026-02-01')).toEqual({ dropped: String(ROWS) })
    expect((await readPage(0)).map(({ seq }) => Number(seq))).toEqual([ROWS + 1, ROWS + 2, 250_001])
  })
})
