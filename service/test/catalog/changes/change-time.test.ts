// A time becomes a position in the change log by the time at which the changes were visible, not by that of their
// insertion and not by the day of the event.
import { Client } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { withPublishLock } from '../../../src/catalog/publish-lock.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { RARE_TYPES } from '../../../src/domain/change/types.ts'
import { EVERY_CHANGE } from '../../../src/record/change-log/filter.ts'
import { readPage } from '../../../src/record/change-log/read-log.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const LIMITS = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const pool = openPool(catalog.url, 'change-time', LIMITS, () => {})
cleanUpAfterTests(() => pool.close())

beforeEach(async () => {
  await catalog.reset()
  await catalog.selectRows('truncate catalog.change_time')
  await catalog.selectRows('insert into catalog.change_time (seq, at) values (0, clock_timestamp())')
})

const readNow = async () => {
  const [row] = await catalog.selectRows<{ now: Date }>('select clock_timestamp() as now')
  // A Date has milliseconds: this time is not before the one of the database.
  return new Date((row?.now ?? new Date()).getTime() + 1)
}
const readSince = async (time: Date) => (await readPage(pool.db, { time }, EVERY_CHANGE, 100)).rows
const listKeys = async (time: Date) => (await readSince(time)).map(({ key }) => key?.slice(-4))

async function publishCve(number: string): Promise<void> {
  await catalog.storeRecord('nvd', `CVE-2019-${number}`, nvdRecord(`CVE-2019-${number}`), '2019-01-01T00:00:00Z')
  await catalog.publish()
}

describe('Changes since a time', () => {
  it('are those published after it, although their own dates are years earlier', async () => {
    await publishCve('0001')
    const between = await readNow()
    await publishCve('0002')

    expect(await listKeys(between)).toEqual(['0002'])
    expect(await listKeys(await readNow())).toEqual([])
  })

  it('include a change that was written before the time and committed after it', async () => {
    const writer = new Client({ connectionString: catalog.url })
    await writer.connect()
    cleanUpAfterTests(() => writer.end())
    await writer.query('begin')
    await writer.query("select pg_advisory_xact_lock(hashtextextended('vis: publish the catalog', 0))")
    await writer.query(
      "insert into catalog.change (cve_key, kind) values (catalog.cve_key('CVE-2026-0001'), 'changed')",
    )
    const between = await readNow()
    expect(await listKeys(between)).toEqual([])

    await writer.query('commit')
    expect(await listKeys(between), 'before the next publisher').toEqual(['0001'])
    await withPublishLock(catalog.context, async () => {})
    const [row] = await readSince(between)
    expect(row?.key).toBe('201900000000000001'.replace('2019', '2026'))
    expect(Date.parse(row?.recordedAt ?? '')).toBeGreaterThanOrEqual(Math.floor(between.getTime() / 1000) * 1000)
    expect(await listKeys(await readNow())).toEqual([])
  })

  it('include the changes of a publisher that was killed after its commit, until another one has run', async () => {
    await catalog.selectRows("insert into catalog.change (cve_key, kind) values (1, 'changed')")
    const later = await readNow()
    expect(await readSince(later)).toHaveLength(1)

    await withPublishLock(catalog.context, async () => {})
    expect(await readSince(later), 'recorded by now, so not yet at that time').toHaveLength(1)
    expect(await readSince(await readNow())).toEqual([])
  })

  it('never have an earlier time than those before them, even if the clock of the database is set back', async () => {
    await publishCve('0001')
    await catalog.selectRows("update catalog.change_time set at = at + interval '1 hour' where seq > 0")
    await publishCve('0002')
    const times = await catalog.selectRows<{ at: Date }>('select at from catalog.change_time order by seq')
    expect(times).toHaveLength(3)
    expect(times[2]?.at).toEqual(times[1]?.at)
  })
})

describe('The index of rare types', () => {
  it('has exactly the types that a reader looks up with it', async () => {
    const [index] = await catalog.selectRows<{ predicate: string }>(
      "select pg_get_expr(indpred, indrelid) as predicate from pg_index where indexrelid = 'catalog.change_of_rare_type'::regclass",
    )
    expect(index?.predicate).toContain(`'{${RARE_TYPES.join(',')}}'`)
  })
})
