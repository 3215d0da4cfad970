// Polls the recent CVEs while publishers run, with consecutive periods that have no gap and no overlap, like a caller
// that requests the last hour once an hour.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { findRecent } from '../../src/api/endpoints/recent-cves/query.ts'
import { publish } from '../../src/catalog/publish/publish.ts'
import { EVENT_ALLOWANCE_MS } from '../../src/catalog/publish/steps/publish-events.ts'
import { type Database, openPool } from '../../src/database/postgres.ts'
import { openSession } from '../../src/database/session.ts'
import { systemClock } from '../../src/domain/clock.ts'
import { toCveId } from '../../src/domain/cve-id.ts'
import { select } from '../../src/record/selection-parameters.ts'
import { createCatalogHarness } from '../catalog/catalog-setup.ts'
import { nvdRecord } from '../catalog/source-fixtures.ts'
import { parseRecentQuery } from '../support/catalog/recent-query.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'

const catalog = await createCatalogHarness()
const POOL = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const EVENTS = 8
/** Number of CVEs published with each event, so that a publication takes longer than the pause between two polls. */
const RECORDS_PER_EVENT = 40
const POLL_INTERVAL_MS = 5

/** Polls until stopped and returns the ids of the CVEs that at least one poll returned. */
async function poll(db: Database, isStopped: () => boolean): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  const query = parseRecentQuery('type=modified&limit=500')
  let last = new Date()
  for (let isLast = false; !isLast; ) {
    isLast = isStopped()
    await sleep(POLL_INTERVAL_MS)
    const until = new Date()
    // The start of the period is moved by the time during which every event stays new, so that the test depends only on
    // the order of commits.
    const from = new Date(last.getTime() + EVENT_ALLOWANCE_MS)
    const rows = await findRecent(db, { query, from, until, after: undefined, selection: select('recent', query) })
    for (const { cve_key } of rows) seen.add(toCveId(cve_key))
    last = until
  }
  return seen
}

async function publishUntil(name: string, isStopped: () => boolean): Promise<void> {
  const session = openSession(catalog.url, name)
  cleanUpAfterTests(() => session.close())
  while (!isStopped()) await publish({ ...catalog.context, session, clock: systemClock })
}

it('a caller that polls one period after another misses no KEV addition, however long a publication takes', async () => {
  const pool = openPool(catalog.url, 'polls', POOL, () => {})
  cleanUpAfterTests(() => pool.close())
  const entries = [{ cveId: 'CVE-2020-0001' }]
  await catalog.storeKev(entries)
  await catalog.publish()
  let isStopped = false
  const polling = poll(pool.db, () => isStopped)
  const publishing = Promise.all([publishUntil('one', () => isStopped), publishUntil('two', () => isStopped)])
  for (let event = 0; event < EVENTS; event += 1) {
    for (let number = 0; number < RECORDS_PER_EVENT; number += 1) {
      const id = `CVE-2026-${10_000 + event * RECORDS_PER_EVENT + number}`
      await catalog.storeRecord('nvd', id, nvdRecord(id))
    }
    entries.push({ cveId: `CVE-2026-${1000 + event}` })
    await catalog.storeKev(entries)
  }
  const countOpen = async () =>
    (
      await catalog.selectRows(`
        select from source.publication_queue
         union all
        select from catalog.event where recent_until = 'infinity'
      `)
    ).length
  await expect.poll(countOpen).toBe(0)
  isStopped = true
  await publishing
  const seen = await polling

  expect(entries.slice(1).filter(({ cveId }) => !seen.has(cveId))).toEqual([])
})
