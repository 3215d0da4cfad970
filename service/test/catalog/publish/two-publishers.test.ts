import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { publish } from '../../../src/catalog/publish/publish.ts'
import { openSession } from '../../../src/database/session.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const RECORDS = 400

interface Change {
  readonly seq: string
  readonly cve_key: string | null
}

/** Reads the change log in a loop, each time after the last row it has read, as an API node's cache does. */
async function followChanges(isStopped: () => boolean): Promise<Change[]> {
  const client = new Client({ connectionString: catalog.url })
  await client.connect()
  const seen: Change[] = []
  while (true) {
    const isLast = isStopped()
    const last = seen.at(-1)?.seq ?? '0'
    const { rows } = await client.query<Change>('select seq, cve_key from catalog.change where seq > $1 order by seq', [
      last,
    ])
    seen.push(...rows)
    if (isLast) break
    await sleep(1)
  }
  await client.end()
  return seen
}

async function publishUntil(name: string, isStopped: () => boolean): Promise<number> {
  const session = openSession(catalog.url, name)
  cleanUpAfterTests(() => session.close())
  let published = 0
  while (!isStopped()) {
    const { added, changed } = await publish({ ...catalog.context, session })
    published += added + changed
  }
  return published
}

it('two publishers write the change log in commit order, so that a reader misses no change', async () => {
  const isPublished = async () =>
    (await catalog.selectRows('select from source.publication_queue limit 1')).length === 0
  let isStopped = false
  const following = followChanges(() => isStopped)
  const publishing = Promise.all([publishUntil('one', () => isStopped), publishUntil('two', () => isStopped)])
  for (let number = 0; number < RECORDS; number += 1) {
    const id = `CVE-2026-${10_000 + number}`
    await catalog.storeRecord('nvd', id, nvdRecord(id))
  }
  while (!(await isPublished())) await sleep(10)
  isStopped = true
  const [one, two] = await publishing
  const seen = await following

  expect(one).toBeGreaterThan(0)
  expect(two).toBeGreaterThan(0)
  expect(one + two).toBe(RECORDS)
  expect(seen).toEqual(await catalog.selectRows<Change>('select seq, cve_key from catalog.change order by seq'))
  expect(new Set(seen.map((each) => each.cve_key)).size).toBe(RECORDS)
}, 60_000)

it('a publisher waits while another holds the lock, and stops waiting when its abort signal fires', async () => {
  const other = new Client({ connectionString: catalog.url })
  await other.connect()
  cleanUpAfterTests(() => other.end())
  await other.query('begin')
  await other.query(`select pg_advisory_xact_lock(hashtextextended('vis: publish the catalog', 0))`)
  await catalog.storeRecord('nvd', 'CVE-2026-0001', nvdRecord('CVE-2026-0001'))
  const stop = new AbortController()
  const stopped = publish({ ...catalog.context, signal: stop.signal })
  await sleep(200)
  expect(await catalog.selectRows("select from catalog.cve where cve_key = catalog.cve_key('CVE-2026-0001')")).toEqual(
    [],
  )
  stop.abort()
  await expect(stopped).rejects.toThrow(/abort/i)
  const waiting = publish(catalog.context)
  await other.query('commit')
  expect(await waiting).toMatchObject({ added: 1 })
})
