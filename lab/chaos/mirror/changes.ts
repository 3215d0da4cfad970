// Generates changes of the source data for publications: CVEs that are added, changed, rejected and removed, KEV entries,
// exploits, notices and EPSS releases. Equal seeds give equal changes.

import type { CatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { cveListRecord, nvdRating, nvdRecord } from '../../../service/test/catalog/source-fixtures.ts'
import type { Dice } from '../../../service/test/support/generator/dice.ts'

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

interface Sources {
  readonly catalog: CatalogHarness
  readonly dice: Dice
  readonly ids: Set<string>
  readonly listed: Map<string, KevEntry>
  /** Number of texts, exploits and notices so far, of which each has a number of its own. */
  items: number
  /** Number of EPSS releases so far. */
  days: number
}

export function createChanges(catalog: CatalogHarness, dice: Dice): ChangeGenerator {
  const sources: Sources = { catalog, dice, ids: new Set(), listed: new Map(), items: 0, days: 0 }
  const counts: Record<string, number> = {}
  return {
    ids: sources.ids,
    storeEpss: () => storeEpss(sources),
    counts: () => counts,
    store: async () => {
      while (sources.ids.size < 10) await add(sources)
      for (let change = dice.below(MAX_CHANGES); change >= 0; change -= 1) {
        const [kind, store] = choose(dice, Object.entries(KINDS))
        counts[kind] = (counts[kind] ?? 0) + 1
        await store(sources)
      }
    },
  }
}

function choose<T>(dice: Dice, values: Iterable<T>): T {
  const all = [...values]
  const chosen = all[dice.below(all.length)]
  if (chosen === undefined) throw new Error('There is nothing to choose from.')
  return chosen
}

const KINDS: Readonly<Record<string, (sources: Sources) => Promise<void>>> = {
  added: add,
  changed: async (sources) => {
    const { catalog, dice, ids } = sources
    sources.items += 1
    const id = choose(dice, ids)
    const descriptions = [{ lang: 'en', value: `Example Router restarts, says text number ${sources.items}.` }]
    const metrics = { cvssMetricV31: [choose(dice, RATINGS)] }
    await catalog.storeRecord('nvd', id, nvdRecord(id, { descriptions, metrics }))
  },
  'changed by a second source': async (sources) => {
    sources.items += 1
    const id = choose(sources.dice, sources.ids)
    await sources.catalog.storeRecord('cve', id, cveListRecord(id, { title: `Title ${sources.items}` }))
  },
  rejected: async ({ catalog, dice, ids }) => {
    const id = choose(dice, ids)
    await catalog.storeRecord('nvd', id, nvdRecord(id, { vulnStatus: 'Rejected' }))
  },
  'KEV entry': storeKevEntry,
  exploit: async (sources) => {
    sources.items += 1
    await sources.catalog.storeExploit('exploitdb', `item-${sources.items}`, [choose(sources.dice, sources.ids)])
  },
  notice: async (sources) => {
    sources.items += 1
    await sources.catalog.storeNotice(`notice-${sources.items}`, [choose(sources.dice, sources.ids)])
  },
  'EPSS release': storeEpss,
}

async function add({ catalog, ids }: Sources): Promise<void> {
  const id = `CVE-2026-${1000 + ids.size}`
  ids.add(id)
  await catalog.storeRecord('nvd', id, nvdRecord(id))
}

/** Adds, changes or removes the KEV entry of a CVE. */
async function storeKevEntry({ catalog, dice, ids, listed }: Sources): Promise<void> {
  const id = choose(dice, dice.share() < 0.5 ? KEV_ONLY : ids)
  ids.add(id)
  if (listed.has(id) && dice.share() < 0.5) listed.delete(id)
  else {
    const dueDate = `2026-09-${10 + dice.below(20)}`
    listed.set(id, { cveId: id, dueDate, knownRansomware: dice.share() < 0.3 })
  }
  await catalog.storeKev([...listed.values()])
}

async function storeEpss(sources: Sources): Promise<void> {
  const { catalog, dice, ids } = sources
  sources.days += 1
  const day = new Date(FIRST_DAY_MS + sources.days * DAY_MS).toISOString().slice(0, 10)
  const scored = [...ids].filter(() => dice.share() < 0.9)
  await catalog.storeEpss(day, Object.fromEntries(scored.map((id) => [id, Number(dice.share().toFixed(5))])))
}
