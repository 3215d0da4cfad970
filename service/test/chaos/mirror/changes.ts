// Generates changes of the source data for publications: CVEs that are added, changed, rejected and removed, KEV entries,
// exploits, notices and EPSS releases. Equal seeds give equal changes.
import type { Dice } from '../../bench/data/dice.ts'
import type { CatalogHarness } from '../../catalog/catalog-setup.ts'
import { cveListRecord, nvdRating, nvdRecord } from '../../catalog/source-fixtures.ts'

type KevEntry = Parameters<CatalogHarness['storeKev']>[0][number]

export interface ChangeGenerator {
  /** All CVE ids that were ever added, also those that are removed again. */
  readonly ids: ReadonlySet<string>
  /** Stores the source data of one publication. */
  store(): Promise<void>
  /** Stores an EPSS release of the next day. */
  storeEpss(): Promise<void>
  /** Returns how often each kind of change was stored. */
  counts(): Readonly<Record<string, number>>
}

const MAX_CHANGES = 6
const DAY_MS = 86_400_000
const FIRST_DAY_MS = Date.parse('2026-01-01')
/** CVEs that only KEV lists: without their entry they are removed from the catalog. */
const KEV_ONLY = Array.from({ length: 6 }, (_, index) => `CVE-2026-${8000 + index}`)
const RATINGS = [
  nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8),
  nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 7.5),
  nvdRating('CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8),
]

export function createChanges(catalog: CatalogHarness, dice: Dice): ChangeGenerator {
  const [ids, listed, counts] = [new Set<string>(), new Map<string, KevEntry>(), {} as Record<string, number>]
  let [items, days] = [0, 0]
  const choose = <T>(values: Iterable<T>): T => {
    const all = [...values]
    return all[dice.below(all.length)] as T
  }
  const add = async () => {
    const id = `CVE-2026-${1000 + ids.size}`
    ids.add(id)
    await catalog.storeRecord('nvd', id, nvdRecord(id))
  }
  const storeEpss = async () => {
    days += 1
    const day = new Date(FIRST_DAY_MS + days * DAY_MS).toISOString().slice(0, 10)
    const scored = [...ids].filter(() => dice.share() < 0.9)
    await catalog.storeEpss(day, Object.fromEntries(scored.map((id) => [id, Number(dice.share().toFixed(5))])))
  }
  const kinds = {
    added: add,
    changed: async () => {
      items += 1
      const id = choose(ids)
      const descriptions = [{ lang: 'en', value: `Example Router restarts, says text number ${items}.` }]
      const metrics = { cvssMetricV31: [choose(RATINGS)] }
      await catalog.storeRecord('nvd', id, nvdRecord(id, { descriptions, metrics }))
    },
    'changed by a second source': async () => {
      const id = choose(ids)
      items += 1
      await catalog.storeRecord('cve', id, cveListRecord(id, { title: `Title ${items}` }))
    },
    rejected: async () => {
      const id = choose(ids)
      await catalog.storeRecord('nvd', id, nvdRecord(id, { vulnStatus: 'Rejected' }))
    },
    'KEV entry': async () => {
      const id = choose(dice.share() < 0.5 ? KEV_ONLY : ids)
      ids.add(id)
      if (listed.has(id) && dice.share() < 0.5) listed.delete(id)
      else {
        const dueDate = `2026-09-${10 + dice.below(20)}`
        listed.set(id, { cveId: id, dueDate, knownRansomware: dice.share() < 0.3 })
      }
      await catalog.storeKev([...listed.values()])
    },
    exploit: async () => {
      items += 1
      await catalog.storeExploit('exploitdb', `item-${items}`, [choose(ids)])
    },
    notice: async () => {
      items += 1
      await catalog.storeNotice(`notice-${items}`, [choose(ids)])
    },
    'EPSS release': storeEpss,
  }
  return {
    ids,
    storeEpss,
    counts: () => counts,
    store: async () => {
      while (ids.size < 10) await add()
      for (let change = dice.below(MAX_CHANGES); change >= 0; change -= 1) {
        const [kind, store] = choose(Object.entries(kinds))
        counts[kind] = (counts[kind] ?? 0) + 1
        await store()
      }
    },
  }
}
