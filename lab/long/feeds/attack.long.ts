// Imports the real ATT&CK techniques, CAPEC patterns and ATT&CK mappings.
import { describe, expect, it } from 'vitest'
import { createAttackHarness, FEEDS } from '../../../service/test/feeds/sources/attack/fixtures.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const from = realData('the test of the real ATT&CK techniques, patterns and mappings')

describe.skipIf(!from)('ATT&CK, CAPEC and mapping feeds with the real data', () => {
  it('stores all techniques, patterns and mappings and writes no rows when they are imported again', async () => {
    const { run, selectRows } = await createAttackHarness()
    const counts = { attack: 835, capec: 615, 'attack-mapping': 1183 }

    for (const [name, count] of Object.entries(counts)) {
      const feed = Object.values(FEEDS).find((each) => each.name === name)
      if (!feed) throw new Error(`no feed ${name}`)
      const all = { outcome: 'succeeded', read: count, written: count, rejected: 0, duplicates: 0 }
      expect(await run(feed, { from })).toMatchObject(all)
      expect(await run(feed, { from })).toMatchObject({
        outcome: 'succeeded',
        written: 0,
        removed: 0,
        unchanged: count,
      })
    }

    expect(
      await selectRows(`
        select (select count(*)::int from source.attack_technique where not is_deprecated) as techniques,
               (select count(*)::int from source.capec where not is_deprecated) as patterns,
               (select count(distinct id)::int from source.capec, unnest(cwe_ids) id) as weaknesses,
               (select count(distinct cve_id)::int from source.attack_mapping) as cves,
               (select count(*)::int from source.publication_queue) as queued
      `),
    ).toEqual([{ techniques: 691, patterns: 559, weaknesses: 336, cves: 419, queued: 419 }])
  })
})
