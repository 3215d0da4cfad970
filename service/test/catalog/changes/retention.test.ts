import { Client } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteExpiredChanges, planRetention } from '../../../src/catalog/changes/retention.ts'
import { createCatalogHarness } from '../catalog-setup.ts'

const catalog = await createCatalogHarness()
/** Numbers in a range of the log, and of a table that completes it. */
const [LOG_WIDTH, DETAIL_WIDTH] = [250_000, 50_000]

const daysAgo = (days: number) => new Date(catalog.clock.now().getTime() - days * 86_400_000).toISOString()

/** Moves on to the next range, so that no row of an earlier test is in the way. Returns its first number. */
async function beginRange(width = LOG_WIDTH): Promise<number> {
  const [sequence] = await catalog.selectRows<{ last: string }>('select last_value as last from catalog.change_seq_seq')
  const first = (Math.floor(Number(sequence?.last) / width) + 1) * width
  await catalog.selectRows(`select setval('catalog.change_seq_seq', ${first}, false)`)
  await catalog.selectRows('select catalog.add_change_ranges(0)')
  return first
}

beforeEach(async () => {
  await catalog.selectRows('truncate catalog.change; delete from catalog.change_time where seq > 0')
  await catalog.selectRows('update catalog.change_floor set data_seq = 0, complete_seq = 0, details_seq = 0')
})

/** Writes rows, each with a cause and an age in days. Returns their numbers. */
async function log(...rows: readonly (readonly [cause: string, ageDays: number, kind?: string])[]): Promise<number[]> {
  const numbers: number[] = []
  for (const [cause, age, kind = 'changed'] of rows) {
    const [row] = await catalog.selectRows<{ seq: string }>(
      `insert into catalog.change (cve_key, kind, cause, at) values (1, '${kind}', '${cause}', '${daysAgo(age)}') returning seq`,
    )
    numbers.push(Number(row?.seq))
  }
  return numbers
}

const readState = async () => {
  const rows = await catalog.selectRows<{ seq: string }>('select seq from catalog.change order by seq')
  const [floor] = await catalog.selectRows<{ data: string; complete: string }>(
    'select data_seq as data, complete_seq as complete from catalog.change_floor',
  )
  return {
    kept: rows.map(({ seq }) => Number(seq)),
    floor: { data: Number(floor?.data), complete: Number(floor?.complete) },
  }
}

const readTables = async (first: number) =>
  (
    await catalog.selectRows<{ name: string }>(
      `select relid::text as name from pg_partition_tree('catalog.change') where relid::text ~ '_${first}(_|$)' order by 1`,
    )
  ).map(({ name }) => name)

const drop = (snapshot: number) => deleteExpiredChanges(catalog.context, [BigInt(snapshot)])

describe('Change log retention', () => {
  it('drops data changes after 400 days and others after 30 days, and records up to where rows may be missing', async () => {
    await beginRange()
    const old = await log(['data', 402], ['rules', 402])
    const first = await beginRange()
    const [kept = 0] = await log(['data', 399])
    const others = await log(['rules', 32], ['reload', 32], ['source', 32], ['epss_model', 32])
    const newest = [await beginRange(), ...(await log(['rules', 29], ['data', 0]))]
    expect(await drop(newest[0] ?? 0)).toBe(6)
    expect(await readState()).toEqual({
      kept: [kept, ...newest.slice(1)],
      floor: { data: old[0], complete: others.at(-1) },
    })
    expect(await readTables(first)).toEqual([`catalog.change_${first}`, `catalog.change_${first}_400`])
  })

  it('keeps a table of which one row is not expired, with all of its rows', async () => {
    await beginRange()
    const rows = await log(['data', 500], ['data', 399], ['rules', 500], ['rules', 29])
    rows.push(await beginRange(), ...(await log(['data', 0])))
    expect(await drop(rows.at(-1) ?? 0)).toBe(0)
    expect(await readState()).toMatchObject({
      kept: rows.filter((_, index) => index !== 4),
      floor: { data: 0, complete: 0 },
    })
  })

  it('keeps a range that a kept snapshot needs', async () => {
    await beginRange()
    const old = await log(['data', 500], ['data', 500])
    await beginRange()
    const later = await log(['data', 500])
    await beginRange()
    const newest = await log(['data', 0])
    const all = [...old, ...later, ...newest]
    expect(await deleteExpiredChanges(catalog.context, [BigInt(newest[0] ?? 0), BigInt(old[1] ?? 0)])).toBe(0)
    expect((await readState()).kept).toEqual(all)
    expect(await drop(later[0] ?? 0)).toBe(2)
    expect((await readState()).kept).toEqual([...later, ...newest])
  })

  it('keeps every row while there is no snapshot', async () => {
    await beginRange()
    await log(['data', 500])
    await beginRange()
    await log(['data', 0])
    expect(planRetention(catalog.clock.now(), [])).toBeUndefined()
    expect(await deleteExpiredChanges(catalog.context, [])).toBe(0)
  })

  it('keeps the range of the newest row, whatever its age', async () => {
    await beginRange()
    const rows = await log(['data', 500], ['data', 500])
    expect(await drop(Number.MAX_SAFE_INTEGER)).toBe(0)
    expect((await readState()).kept).toEqual(rows)
  })

  it('keeps CVE additions and removals for 400 days, whatever their cause', async () => {
    await beginRange()
    const kept = await log(['rules', 32, 'added'], ['reload', 32, 'removed'])
    await log(['rules', 32])
    await beginRange()
    kept.push(...(await log(['data', 0])))
    expect(await drop(kept.at(-1) ?? 0)).toBe(1)
    expect((await readState()).kept).toEqual(kept)
  })

  it('drops the range itself once none of its tables is left', async () => {
    const first = await beginRange()
    await log(['data', 402], ['rules', 32])
    await beginRange()
    await drop((await log(['data', 0]))[0] ?? 0)
    expect(await readTables(first)).toEqual([])
  })

  it('has dropped nothing and raised no floor if its process dies before the commit, and then drops everything', async () => {
    await beginRange()
    const old = await log(['data', 402], ['rules', 402])
    await beginRange()
    const [newest = 0] = await log(['data', 0])
    const dying = new Client({ connectionString: catalog.url })
    dying.on('error', () => {})
    await dying.connect()
    await dying.query('begin')
    await dying.query('select catalog.drop_expired_changes($1, $2, $2)', [newest, daysAgo(400)])
    const { rows } = await dying.query('select pg_backend_pid() as pid')
    await catalog.selectRows(`select pg_terminate_backend(${rows[0].pid}, 5000)`)
    expect(await readState()).toEqual({ kept: [...old, newest], floor: { data: 0, complete: 0 } })
    expect(await drop(newest)).toBe(2)
    expect(await readState()).toEqual({ kept: [newest], floor: { data: old[0], complete: old[1] } })
  })

  it('waits at most 2 s for a reader of the expired rows, while readers of newer rows do not wait at all', async () => {
    await beginRange()
    const old = await log(['data', 402])
    await beginRange()
    const [newest = 0] = await log(['data', 0])
    const [reader, other] = [
      new Client({ connectionString: catalog.url }),
      new Client({ connectionString: catalog.url }),
    ]
    await Promise.all([reader.connect(), other.connect()])
    try {
      await reader.query('begin')
      await reader.query('select from catalog.change where cve_key = 1')
      const dropping = expect(drop(newest)).rejects.toThrow('lock timeout')
      await catalog.selectRows(`
        do $$ begin
          while not exists (select from pg_locks where mode = 'AccessExclusiveLock' and not granted) loop
            perform pg_sleep(0.01);
          end loop;
        end $$`)
      const startedAt = performance.now()
      await other.query(`select seq from catalog.change where seq >= ${newest} order by seq limit 100`)
      expect(performance.now() - startedAt).toBeLessThan(1000)
      await dropping
      expect((await reader.query('select seq from catalog.change order by seq')).rows).toHaveLength(2)
      await reader.query('commit')
      expect(await drop(newest)).toBe(old.length)
    } finally {
      await Promise.all([reader.end(), other.end()])
    }
  })

  it('deletes replaced values after 400 days, and records since when the history is complete', async () => {
    await catalog.selectRows(`update catalog.past_start set complete_since = '${daysAgo(500)}'`)
    await catalog.selectRows(`
      insert into catalog.cve_past (cve_key, until_seq, until_at, members)
      values (1, 1, '${daysAgo(401)}', '{}'), (1, 2, '${daysAgo(399)}', '{}')
    `)
    await deleteExpiredChanges(catalog.context, [])
    expect(await catalog.selectRows('select until_seq from catalog.cve_past')).toEqual([{ until_seq: '2' }])
    const [start] = await catalog.selectRows<{ since: Date }>('select complete_since as since from catalog.past_start')
    expect(start?.since.toISOString()).toBe(daysAgo(400))
  })

  it('drops the values before a change after 30 days, range by range, and records up to where', async () => {
    const ranges = [await beginRange(DETAIL_WIDTH), await beginRange(DETAIL_WIDTH), await beginRange(DETAIL_WIDTH)]
    const [first = 0, second = 0, third = 0] = ranges
    const insert = (table: string, columns: string) =>
      catalog.selectRows(
        `insert into catalog.${table} select seq, ${columns} from unnest(array[${ranges.join(',')}]::bigint[]) seq`,
      )
    await insert('change_before', "'{}'")
    await insert('affected_touched', '1, 1')
    await insert('epss_moved', '1, 0.1, 0.2')
    await catalog.selectRows(`
      insert into catalog.change_time (seq, at)
      values (${second - 1}, '${daysAgo(32)}'), (${third - 2}, '${daysAgo(31)}'), (${third}, '${daysAgo(29)}')`)
    await deleteExpiredChanges(catalog.context, [])
    for (const table of ['change_before', 'affected_touched', 'epss_moved'])
      expect(
        await catalog.selectRows(`select seq::int from catalog.${table} where seq >= ${first} order by seq`),
      ).toEqual([{ seq: second }, { seq: third }])
    expect(await catalog.selectRows('select details_seq::int from catalog.change_floor')).toEqual([
      { details_seq: second - 1 },
    ])
  })

  it('drops no other table', async () => {
    await expect(catalog.selectRows("select catalog.drop_expired_details('catalog.change', 1)")).rejects.toThrow(
      'catalog.change is no table that completes the change log',
    )
  })
})
