import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { publish } from '../../../src/catalog/publish/publish.ts'
import { openSession } from '../../../src/database/session.ts'
import { atEnd } from '../../support/cleanup.ts'
import { catalogWorld } from '../catalog-setup.ts'
import { nvdSaid } from '../source-fixtures.ts'

const world = await catalogWorld()
const RECORDS = 400

interface Change {
  readonly seq: string
  readonly cve_key: string | null
}

/** As a node's cache or a mirror would: everything after the last it has seen. */
async function follow(isOver: () => boolean): Promise<Change[]> {
  const client = new Client({ connectionString: world.url })
  await client.connect()
  const seen: Change[] = []
  while (true) {
    const isLast = isOver()
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

async function publishUntil(name: string, isOver: () => boolean): Promise<number> {
  const session = openSession(world.url, name)
  atEnd(() => session.close())
  let published = 0
  while (!isOver()) {
    const { added, changed } = await publish({ ...world.tools, session })
    published += added + changed
  }
  return published
}

it('the order of the log is the order of commits: a follower of two publishers misses nothing', async () => {
  const isPublished = async () => (await world.look('select from source.publication_queue limit 1')).length === 0
  let isOver = false
  const following = follow(() => isOver)
  const publishing = Promise.all([publishUntil('one', () => isOver), publishUntil('two', () => isOver)])
  for (let number = 0; number < RECORDS; number += 1) {
    const id = `CVE-2026-${10_000 + number}`
    await world.say('nvd', id, nvdSaid(id))
  }
  while (!(await isPublished())) await sleep(10)
  isOver = true
  const [one, two] = await publishing
  const seen = await following

  expect(one).toBeGreaterThan(0)
  expect(two).toBeGreaterThan(0)
  expect(one + two).toBe(RECORDS)
  expect(seen).toEqual(await world.look<Change>('select seq, cve_key from catalog.change order by seq'))
  expect(new Set(seen.map((each) => each.cve_key)).size).toBe(RECORDS)
}, 60_000)

it('a publisher waits for another one, and heeds a signal to stop while it waits', async () => {
  const other = new Client({ connectionString: world.url })
  await other.connect()
  atEnd(() => other.end())
  await other.query('begin')
  await other.query(`select pg_advisory_xact_lock(hashtextextended('vis: publish the catalog', 0))`)
  await world.say('nvd', 'CVE-2026-0001', nvdSaid('CVE-2026-0001'))
  const stop = new AbortController()
  const stopped = publish({ ...world.tools, signal: stop.signal })
  await sleep(200)
  expect(await world.look("select from catalog.cve where cve_key = catalog.cve_key('CVE-2026-0001')")).toEqual([])
  stop.abort()
  await expect(stopped).rejects.toThrow(/abort/i)
  const waiting = publish(world.tools)
  await other.query('commit')
  expect(await waiting).toMatchObject({ added: 1 })
})
