// Reads batches of CVEs around a publication that changes all of these CVEs.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../catalog/source-fixtures.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { startTestService } from '../../support/service.ts'

const { api, given, database } = await startTestService()
const catalog = await createCatalogHarness(database.url)
const key = createTestKey()
await given(account('enterprise').withQuota(1_000_000_000).withKey(key))

const ROUNDS = 2
/** Longer than the 500 ms after which a node reads the change log again. */
const POLLED_AFTER_MS = 1000

async function publish(ids: readonly string[], text: string): Promise<void> {
  const descriptions = [{ lang: 'en', value: text }]
  for (const id of ids) await catalog.storeRecord('nvd', id, nvdRecord(id, { descriptions }))
  await catalog.publish()
}

async function readDescriptions(ids: readonly string[]): Promise<readonly string[]> {
  const { json } = await api.send('POST', '/api/v1/cve/batch', {
    key: key.key,
    body: JSON.stringify({ cve_ids: ids }),
    headers: { 'Content-Type': 'application/json' },
  })
  return ids.map((id) => json.data.cves[id].description)
}

describe('POST /api/v1/cve/batch around a publication', () => {
  it('never mixes the states before and after the publication in one response', async () => {
    const responses: (readonly string[])[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = [1, 2, 3].map((index) => `CVE-2026-${2000 + 10 * round + index}`)
      await publish(ids, 'Before.')
      await sleep(POLLED_AFTER_MS)
      // The first two CVEs are cached, the third one is not.
      await readDescriptions(ids.slice(0, 2))
      await publish(ids, 'After.')
      // Reads the third CVE as it is after the publication, which the node does not know about yet.
      await readDescriptions(ids.slice(2))
      responses.push(await readDescriptions(ids))
      await expect.poll(() => readDescriptions(ids), { timeout: 30_000 }).toEqual(['After.', 'After.', 'After.'])
    }
    expect(responses.filter((texts) => new Set(texts).size > 1)).toEqual([])
  })
})
