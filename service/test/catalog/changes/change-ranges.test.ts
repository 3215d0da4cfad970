// The ranges of numbers into which the change log is divided (ADR 0036).
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appendChanges } from '../../../src/catalog/changes/log.ts'
import { withPublishLock } from '../../../src/catalog/publish-lock.ts'
import type { ChangeContent } from '../../../src/domain/change/change.ts'
import { EVERY_CHANGE } from '../../../src/record/change-log/filter.ts'
import { POSITION, toPosition } from '../../../src/record/change-log/position-text.ts'
import { readPage } from '../../../src/record/change-log/read-log.ts'
import { createCatalogHarness } from '../catalog-setup.ts'

const catalog = await createCatalogHarness()
const WIDTH = 250_000
const TABLES = ['change', 'change_before', 'affected_touched', 'epss_moved']

const CHANGE: ChangeContent = { kind: 'changed', fields: ['summary'], diff: {} }
const append = (count: number) =>
  withPublishLock(catalog.context, (tx) =>
    appendChanges(
      tx,
      Array.from({ length: count }, () => ({ ...CHANGE, key: null, cause: 'data' as const })),
    ),
  )

const moveTo = (seq: number) => catalog.selectRows(`select setval('catalog.change_seq_seq', ${seq}, false)`)

const readEnds = async (table: string) =>
  (
    await catalog.selectRows<{ first: string; end: string }>(
      `select coalesce(first_seq, 0) as first, end_seq as end from catalog.list_change_ranges('catalog.${table}')`,
    )
  ).map(({ first, end }) => [Number(first), Number(end)] as const)

describe('Ranges of the change log', () => {
  it.each(TABLES)('of catalog.%s follow each other without a gap, and begin with the first number', async (table) => {
    const ranges = await readEnds(table)
    expect(ranges[0]?.[0]).toBe(1)
    for (const [index, [first]] of ranges.entries()) if (index > 0) expect(first).toBe(ranges[index - 1]?.[1])
  })

  it('are made before the publisher needs them, also if one publication needs several', async () => {
    await moveTo(WIDTH - 3)
    const rows = await append(10)
    expect(rows.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 10 }, (_, index) => WIDTH - 3 + index))
    await catalog.selectRows(`select catalog.add_change_ranges(${3 * WIDTH})`)
    for (const table of TABLES) expect((await readEnds(table)).at(-1)?.[1]).toBeGreaterThan(WIDTH + 3 * WIDTH)
  })

  it('exist also where numbers were left out', async () => {
    await moveTo(7 * WIDTH + 10)
    expect((await append(1)).map(({ seq }) => Number(seq))).toEqual([7 * WIDTH + 10])
  })

  it('are complete or absent if the publisher dies, and the next one makes them', async () => {
    const before = await Promise.all(TABLES.map(readEnds))
    const dying = new Client({ connectionString: catalog.url })
    dying.on('error', () => {})
    await dying.connect()
    await dying.query('begin')
    await dying.query(`select catalog.add_change_ranges(${5 * WIDTH})`)
    const { rows } = await dying.query('select pg_backend_pid() as pid')
    await catalog.selectRows(`select pg_terminate_backend(${rows[0].pid}, 5000)`)
    expect(await Promise.all(TABLES.map(readEnds))).toEqual(before)
    await catalog.selectRows(`select catalog.add_change_ranges(${5 * WIDTH})`)
    expect((await readEnds('change')).length).toBeGreaterThan(before[0]?.length ?? 0)
  })

  it('are made while readers of the log go on, even one whose transaction stays open', async () => {
    const reader = new Client({ connectionString: catalog.url })
    await reader.connect()
    await reader.query('begin isolation level repeatable read')
    await reader.query('select count(*) from catalog.change')
    await catalog.selectRows(`set lock_timeout = '1s'; select catalog.add_change_ranges(${10 * WIDTH})`)
    await reader.query('select count(*) from catalog.change')
    await reader.end()
  })

  it('have one table for 400 days and one for 30 days', async () => {
    await moveTo(8 * WIDTH)
    await catalog.selectRows(`
      insert into catalog.change (kind, cause)
      values ('changed', 'data'), ('added', 'rules'), ('removed', 'source'), ('changed', 'rules'), ('kev', 'source'),
             ('changed', 'epss_model'), ('changed', 'reload')`)
    const rows = await catalog.selectRows(
      `select tableoid::regclass::text as name, array_agg(kind || ' ' || cause order by seq) as rows
         from catalog.change where seq >= ${8 * WIDTH} group by 1 order by 1`,
    )
    expect(rows).toEqual([
      {
        name: `catalog.change_${8 * WIDTH}_30`,
        rows: ['changed rules', 'kev source', 'changed epss_model', 'changed reload'],
      },
      { name: `catalog.change_${8 * WIDTH}_400`, rows: ['changed data', 'added rules', 'removed source'] },
    ])
  })

  it('cannot get a row with a number that was chosen, so numbers stay unique without an index that says so', async () => {
    await expect(catalog.selectRows("insert into catalog.change (seq, kind) values (1, 'epss')")).rejects.toThrow(
      'cannot insert a non-DEFAULT value',
    )
  })

  it('are not deleted from or changed by the publisher’s login', async () => {
    const rights = await catalog.selectRows(
      `select name, has_table_privilege('vis_feeds', 'catalog.' || name, 'delete') as may_delete
         from unnest(array['${TABLES.join("','")}']) name`,
    )
    expect(rights).toEqual(TABLES.map((name) => ({ name, may_delete: false })))
  })
})

describe('A statement of the change log', () => {
  interface Plan {
    readonly 'Relation Name'?: string
    readonly 'Actual Loops'?: number
    readonly Plans?: readonly Plan[]
  }
  const sent: { readonly text: string; readonly values: readonly unknown[] }[] = []
  const pool = new Pool({ connectionString: catalog.url, max: 1 })
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push({ text: query.sql, values: query.parameters }),
  })
  afterAll(() => db.destroy())
  const FIRST = 20 * WIDTH

  beforeAll(async () => {
    // Five ranges with rows, of which a reader of new changes needs the last one.
    await catalog.selectRows('truncate catalog.change')
    for (let range = 0; range < 5; range += 1) {
      await moveTo(FIRST + range * WIDTH)
      await append(20)
    }
    await catalog.selectRows('analyze catalog.change')
  })

  const listTables = (plan: Plan): readonly string[] => [
    ...(plan['Actual Loops'] && plan['Relation Name']?.startsWith('change_') ? [plan['Relation Name']] : []),
    ...(plan.Plans ?? []).flatMap(listTables),
  ]

  /** The ranges, counted from 0, whose rows the statement looks at. */
  async function readRanges(run: () => Promise<unknown>): Promise<readonly number[]> {
    sent.length = 0
    await run()
    const tables = new Set<string>()
    for (const { text, values } of sent.splice(0)) {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...values])
      for (const name of listTables(rows[0]['QUERY PLAN'][0].Plan)) tables.add(name)
    }
    const ranges = [...tables].flatMap((name) => {
      const range = (Number(/^change_(\d+)_/.exec(name)?.[1]) - FIRST) / WIDTH
      return range >= 0 && range < 5 ? [range] : []
    })
    return [...new Set(ranges)].sort((a, b) => a - b)
  }

  const readPosition = async (range: number) => {
    const { rows } = await sql<{ position: string }>`
      select ${POSITION} as position from catalog.change where seq >= ${FIRST + range * WIDTH} order by seq limit 1
    `.execute(catalog.context.session.db)
    return toPosition(rows[0]?.position)
  }

  it('reads new changes from their range, and the oldest position from the first one', async () => {
    const position = await readPosition(4)
    expect(await readRanges(() => readPage(db, position, EVERY_CHANGE, 100))).toEqual([0, 4])
  })

  it('reads a page without the ranges before its position, except for the oldest change', async () => {
    const position = await readPosition(2)
    expect(await readRanges(() => readPage(db, position, EVERY_CHANGE, 5))).toEqual([0, 2, 3, 4])
  })

  it('finds rows by their numbers in their range alone', async () => {
    expect(
      await readRanges(() =>
        sql`select at from catalog.change where seq = any (${[FIRST + WIDTH]}::bigint[])`.execute(db),
      ),
    ).toEqual([1])
  })
})
