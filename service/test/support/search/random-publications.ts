// Random publications through the real publisher, each of one or a few changes to what sources say. Every kind of change
// is one line, so that a test can count how often it happened.
import type { CatalogHarness } from '../../catalog/catalog-setup.ts'
import { configuration, cpe, cveListRecord, nvdRating, nvdRecord } from '../../catalog/source-fixtures.ts'
import { createDice, type Dice } from '../generator/dice.ts'

/** What the sources say about a CVE. */
interface Told {
  readonly nvd: boolean
  readonly rating: number
  readonly status: string
  readonly cwes: readonly string[]
  readonly products: readonly string[]
  readonly cnaProduct: string | null
  readonly text: string
  readonly links: number
  readonly publishedDay: number
  readonly assigner: string
  readonly exploitation: string | null
  readonly isRejected: boolean
}

const FIRST_DAY = Date.UTC(2026, 7, 1)
const CVES = 12

const RATINGS = [
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 7.5],
  ['CVSS:3.1/AV:A/AC:L/PR:L/UI:N/S:U/C:L/I:L/A:N', 4.6],
  ['CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8],
] as const

export const RANDOM_IDS = Array.from({ length: CVES }, (_, number) => `CVE-2026-${1000 + number}`)

export interface RandomPublications {
  /** How often each kind of change was stored. */
  readonly counts: ReadonlyMap<string, number>
  /** Stores one to three random changes and publishes them. */
  publishNext(): Promise<void>
}

export function createRandomPublications(catalog: CatalogHarness, seed: number): RandomPublications {
  const [world, counts] = [new World(catalog, seed), new Map<string, number>()]
  const store = async (name: string, id: string) => {
    await CHANGES[name]?.(world, id)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return {
    counts,
    publishNext: async () => {
      const first = RANDOM_IDS[world.number]
      if (first !== undefined) await store('new CVE', first)
      else
        for (let count = 1 + world.dice.below(3); count > 0; count -= 1)
          await store(world.pick(Object.keys(CHANGES)), world.pick(RANDOM_IDS))
      world.number += 1
      await catalog.publish()
      catalog.clock.advance({ days: 1 })
    },
  }
}

/** What the sources say now. */
class World {
  readonly catalog: CatalogHarness
  readonly dice: Dice
  readonly told = new Map<string, Told>()
  readonly kev = new Map<string, Parameters<CatalogHarness['storeKev']>[0][number]>()
  readonly euKev = new Map<string, string>()
  readonly scores = new Map<string, number>()
  /** Number of the publication. */
  number = 0
  day = 0

  constructor(catalog: CatalogHarness, seed: number) {
    this.catalog = catalog
    this.dice = createDice(48, seed)
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.dice.below(choices.length)]
    if (chosen === undefined) throw new Error('There is nothing to choose from.')
    return chosen
  }

  async tell(id: string, change: (told: Told) => Partial<Told>): Promise<void> {
    const before = this.told.get(id) ?? this.#draw()
    const told = { ...before, ...change(before) }
    this.told.set(id, told)
    if (told.nvd) await this.catalog.storeRecord('nvd', id, renderNvd(id, told))
    await this.catalog.storeRecord('cve', id, renderCveList(id, told))
  }

  async storeScores(model?: string): Promise<void> {
    this.day += 1
    const day = new Date(FIRST_DAY + this.day * 86_400_000).toISOString().slice(0, 10)
    await this.catalog.storeEpss(day, Object.fromEntries(this.scores), model)
  }

  #draw(): Told {
    return {
      nvd: this.dice.below(4) > 0,
      rating: this.dice.below(5),
      status: this.pick(['Analyzed', 'Modified', 'Received']),
      cwes: ['CWE-79'],
      products: ['router'],
      cnaProduct: null,
      text: `A flaw in the ${this.pick(['kernel', 'parser', 'session'])}.`,
      links: this.dice.below(3),
      publishedDay: this.dice.below(10),
      assigner: 'routers',
      exploitation: null,
      isRejected: false,
    }
  }
}

const CHANGES: Readonly<Record<string, (world: World, id: string) => Promise<void>>> = {
  'new CVE'(world, id) {
    return world.tell(id, () => ({}))
  },
  'new score'(world, id) {
    return world.tell(id, ({ rating }) => ({ rating: (rating + 1 + world.dice.below(3)) % 5 }))
  },
  'other product'(world, id) {
    return world.tell(id, () => ({
      products: [['router'], ['switch'], ['router', 'switch'], []][world.dice.below(4)] ?? [],
    }))
  },
  'product named by the CNA'(world, id) {
    return world.tell(id, () => ({ cnaProduct: world.pick(['Phone', 'Gate', null]) }))
  },
  'other weakness'(world, id) {
    return world.tell(id, () => ({ cwes: world.pick([['CWE-89'], ['CWE-79', 'CWE-502'], []]) }))
  },
  'other text'(world, id) {
    return world.tell(id, () => ({ text: `Another flaw, number ${world.dice.below(20)}.` }))
  },
  'other links'(world, id) {
    return world.tell(id, () => ({ links: world.dice.below(3) }))
  },
  'other status'(world, id) {
    return world.tell(id, () => ({ status: world.pick(['Analyzed', 'Modified', 'Received', 'Deferred']) }))
  },
  'other day of publication'(world, id) {
    return world.tell(id, () => ({ publishedDay: world.dice.below(10) }))
  },
  'other assigner'(world, id) {
    return world.tell(id, () => ({ assigner: world.pick(['routers', 'Switches', 'mitre']) }))
  },
  'SSVC by CISA'(world, id) {
    return world.tell(id, () => ({ exploitation: world.pick(['none', 'poc', 'active', null]) }))
  },
  rejection(world, id) {
    return world.tell(id, ({ isRejected }) => ({ isRejected: !isRejected }))
  },
  'NVD record'(world, id) {
    return world.tell(id, () => ({ nvd: true }))
  },
  async removal(world, id) {
    await world.catalog.selectRows(`delete from source.source_record where cve_id = '${id}'`)
    await world.catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${id}', 'nvd')`)
    world.told.delete(id)
  },
  async 'KEV entry'(world, id) {
    world.kev.set(id, { cveId: id, dateAdded: `2026-08-1${world.dice.below(9)}`, knownRansomware: false })
    await world.catalog.storeKev([...world.kev.values()])
  },
  async 'KEV entry edited'(world, id) {
    const entry = world.kev.get(id) ?? [...world.kev.values()][0]
    if (entry)
      world.kev.set(entry.cveId, {
        ...entry,
        ...world.pick([
          { dateAdded: `2026-08-1${world.dice.below(9)}` },
          { knownRansomware: world.dice.below(2) === 0 },
          { vulnerabilityName: `Example Router Flaw Number ${world.dice.below(20)}` },
          { dueDate: `2026-09-1${world.dice.below(9)}` },
        ]),
      })
    await world.catalog.storeKev([...world.kev.values()])
  },
  async 'KEV entry removed'(world, id) {
    world.kev.delete(world.kev.has(id) ? id : ([...world.kev.keys()][0] ?? id))
    await world.catalog.storeKev([...world.kev.values()])
  },
  async 'EU KEV'(world, id) {
    if (!world.euKev.delete(id)) world.euKev.set(id, '2026-08-05')
    await world.catalog.storeEuKev(Object.fromEntries(world.euKev))
  },
  async 'EPSS release'(world) {
    for (const id of RANDOM_IDS) {
      const old = world.scores.get(id) ?? 0.3
      const step = world.dice.below(3) === 0 ? 0.4 : 0.02
      const score = Math.min(0.97, Math.max(0.001, old + (world.dice.share() - 0.5) * step))
      if (world.dice.below(8) === 0) world.scores.delete(id)
      else world.scores.set(id, Number(score.toFixed(5)))
    }
    await world.storeScores()
  },
  async 'EPSS model'(world) {
    for (const id of RANDOM_IDS) world.scores.set(id, world.dice.below(97_000) / 100_000)
    await world.storeScores(`v2026.${world.day}`)
  },
  'ACSC notice'(world, id) {
    return world.catalog.storeNotice(`notice-${world.number}-${world.dice.below(1e9)}`, [id])
  },
  'public exploit'(world, id) {
    return world.catalog.storeExploit('exploitdb', `exploit-${world.number}-${world.dice.below(1e9)}`, [id])
  },
  async 'advisory of GitHub'(world, id) {
    const name = world.pick(['left-pad', 'right-pad'])
    const record = { ...GHSA, advisories: ['GHSA-jfh8-c2jp-5v3q'], products: [{ ...GHSA.products[0], product: name }] }
    await world.catalog.selectRows(`
      insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
      values ('GHSA-${id}', '${id}', '', '2026-08-02T10:00:00Z', '${JSON.stringify(record)}')
      on conflict (ghsa_id) do update set record = excluded.record
    `)
    await world.catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${id}', 'ghsa')`)
  },
  async 'ATT&CK release'(world) {
    const techniques = world.pick([['T1190'], ['T1190', 'T1203', 'T1068', 'T1499'], ['T1059', 'T1059.001']])
    await world.catalog.selectRows('delete from source.attack_technique')
    await world.catalog.selectRows(`
      insert into source.attack_technique (technique_id, name, tactics, is_subtechnique, is_deprecated, content_hash)
      select id, id, '{impact}', id like '%.%', false, '${world.number}'
        from unnest('{${techniques.join()}}'::text[]) id
    `)
  },
}

const GHSA = {
  title: 'A flaw in a package',
  published: '2026-08-01T10:00:00Z',
  withdrawn: false,
  scores: [],
  products: [{ vendor: 'npm', product: '', status: 'affected', cpe: null, purl: 'pkg:npm/left-pad', fixed: '2.0.0' }],
}

const toDay = (day: number) => `2026-07-${10 + day}`

function renderNvd(id: string, told: Told): object {
  const [vector, score] = RATINGS[told.rating] ?? []
  return nvdRecord(id, {
    vulnStatus: told.isRejected ? 'Rejected' : told.status,
    published: `${toDay(told.publishedDay)}T10:15:20.123`,
    descriptions: [{ lang: 'en', value: told.text }],
    metrics: vector === undefined ? {} : { cvssMetricV31: [nvdRating(vector, score ?? 0)] },
    weaknesses: [
      {
        source: 'nvd@nist.gov',
        type: 'Primary',
        description: told.cwes.map((value) => ({ lang: 'en', value })),
      },
    ],
    configurations: told.products.map((product) =>
      configuration([{ criteria: cpe(product), versionEndExcluding: '2.4' }]),
    ),
    references: Array.from({ length: told.links }, (_, at) => ({
      url: `https://router.example/${at}`,
      source: 'nvd@nist.gov',
      tags: at === 0 ? ['Vendor Advisory'] : ['Patch'],
    })),
  })
}

function renderCveList(id: string, told: Told): object {
  const record = cveListRecord(
    id,
    {
      descriptions: [{ lang: 'en', value: told.text }],
      references: [],
      ...(told.cnaProduct !== null && {
        affected: [
          {
            vendor: 'Example Phones',
            product: told.cnaProduct,
            versions: [{ version: '1.0', lessThan: '2.0', status: 'affected', versionType: 'semver' }],
          },
        ],
      }),
    },
    told.isRejected ? 'REJECTED' : 'PUBLISHED',
  ) as { cveMetadata: object; containers: object }
  return {
    ...record,
    cveMetadata: { ...record.cveMetadata, assignerShortName: told.assigner },
    containers: {
      ...record.containers,
      ...(told.exploitation !== null && { adp: [renderSsvc(id, told.exploitation)] }),
    },
  }
}

const renderSsvc = (id: string, exploitation: string) => ({
  providerMetadata: { orgId: '134c704f-9b21-4f2e-91b3-4a467353bcc0', shortName: 'CISA-ADP' },
  title: 'CISA ADP Vulnrichment',
  metrics: [
    {
      other: {
        type: 'ssvc',
        content: {
          id,
          role: 'CISA Coordinator',
          options: [{ Exploitation: exploitation }, { Automatable: 'yes' }, { 'Technical Impact': 'total' }],
          version: '2.0.3',
          timestamp: '2026-08-20T10:00:00.000000Z',
        },
      },
    },
  ],
})
