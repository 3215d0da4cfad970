import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeScheduledSnapshot, makeSnapshot } from '../../../src/catalog/snapshot/make.ts'
import { openSession } from '../../../src/database/session.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { runCommand } from '../../support/run-command.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const IDS = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']
for (const id of IDS) await catalog.storeRecord('nvd', id, nvdRecord(id, {}))
await catalog.publish()

beforeEach(() => catalog.selectRows('truncate catalog.snapshot cascade'))

function openContext() {
  const session = openSession(catalog.url, 'snapshot-test')
  cleanUpAfterTests(() => session.close())
  return { session, clock: catalog.clock.now, signal: new AbortController().signal }
}

async function readLines(): Promise<{ cve_id: string; record: { description: string } }[]> {
  const parts = await catalog.selectRows<{ bytes: Buffer }>('select bytes from catalog.snapshot_part order by nr')
  const text = gunzipSync(Buffer.concat(parts.map(({ bytes }) => bytes))).toString()
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** Resolves when a session is waiting for a lock on the documents. */
async function waitForLockWait(): Promise<void> {
  const countWaiting = async () =>
    (await catalog.selectRows("select from pg_locks where not granted and relation = 'catalog.cve_document'::regclass"))
      .length
  await expect.poll(countWaiting, { timeout: 30_000 }).toBe(1)
}

describe('A catalog snapshot', () => {
  it('has the records at its position although a CVE is published meanwhile', async () => {
    const [before] = await catalog.selectRows('select seq, tag from catalog.change order by seq desc limit 1')
    const publisher = openContext().session
    const { snapshot } = await publisher.db.transaction().execute(async (tx) => {
      await sql`lock table catalog.cve_document in access exclusive mode`.execute(tx)
      const snapshot = makeSnapshot(openContext())
      await waitForLockWait()
      await sql`update catalog.cve_document set description = '"It was changed."'`.execute(tx)
      await sql`insert into catalog.change (cve_key, kind) select cve_key, 'changed' from catalog.cve`.execute(tx)
      return { snapshot }
    })
    expect(await snapshot).toMatchObject({ records: 3, parts: 1 })
    expect(await catalog.selectRows('select seq, tag from catalog.snapshot')).toEqual([before])
    const lines = await readLines()
    expect(lines.map(({ cve_id }) => cve_id)).toEqual(IDS)
    for (const { record } of lines) expect(record.description).not.toBe('It was changed.')
  })

  it('is not visible if its process dies or is stopped, and the next one is complete', async () => {
    const dying = openContext()
    await expect(makeSnapshot({ ...dying, onRecords: () => dying.session.abandon() })).rejects.toThrow()
    const stop = new AbortController()
    const stopped = { ...openContext(), signal: stop.signal, onRecords: () => stop.abort(new Error('stopped')) }
    await expect(makeSnapshot(stopped)).rejects.toThrow('stopped')
    expect(await catalog.selectRows('select from catalog.snapshot')).toEqual([])
    expect(await catalog.selectRows('select from catalog.snapshot_part')).toEqual([])

    expect(await makeSnapshot(openContext())).toMatchObject({ records: 3 })
    expect(await readLines()).toHaveLength(3)
  })

  it('is made once for a scheduled time by two processes at once, neither of which waits for the other', async () => {
    const scheduledFor = new Date('2026-03-01T02:00:00Z')
    const [first, second] = [openContext(), openContext()]
    let later: Promise<unknown> | undefined
    const onRecords = () => {
      later ??= makeScheduledSnapshot(second, scheduledFor)
    }
    const made = [await makeScheduledSnapshot({ ...first, onRecords }, scheduledFor), await later]

    expect(made.filter((each) => each !== undefined)).toHaveLength(1)
    expect(await catalog.selectRows('select scheduled_for from catalog.snapshot')).toEqual([
      { scheduled_for: scheduledFor },
    ])
  })

  it('is made by vis-server catalog snapshot', async () => {
    const environment = { DATABASE_URL: catalog.url, NODE_ENV: 'test' }
    const { code, stdout } = await runCommand(['catalog', 'snapshot', '--json'], environment)
    expect(code).toBe(0)
    const made = JSON.parse(stdout)
    expect(made).toMatchObject({ records: 3, parts: 1, bytes: expect.any(Number) })
    expect(await catalog.selectRows('select id from catalog.snapshot')).toEqual([{ id: made.id }])
  })
})
