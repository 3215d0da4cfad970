// Publishes generated changes day by day, and records what the service answers at the end of each day.

import type { CatalogHarness } from '../../catalog/catalog-setup.ts'
import { configuration, cpe, cveListRecord, nvdRating, nvdRecord } from '../../catalog/source-fixtures.ts'
import type { Api } from '../../support/api.ts'
import { createDice, type Dice } from '../../support/generator/dice.ts'

const ADD_ONS = 'acsc,enrichment,attack,configurations,sources,exploits,priority,aliases,fixes,remediations'
const FIRST_DAY = Date.UTC(2026, 6, 20)
const DAY_MS = 86_400_000

export type KevEntries = Parameters<CatalogHarness['storeKev']>[0]

export interface ReplayPlan {
  readonly days: number
  readonly cves: number
  /** The KEV entries on each day; generated if absent. */
  readonly kev?: readonly KevEntries[]
}

/** An answer that was recorded at the end of a day: the bytes of the record, or null for 404. */
export interface Recorded {
  readonly id: string
  readonly day: string
  readonly record: string | null
}

export const toDay = (index: number) => new Date(FIRST_DAY + index * DAY_MS).toISOString().slice(0, 10)

/** Cuts the bytes of the record out of an answer, in which the record is the last member of `data`. */
export function cutRecord(text: string, member: 'cve' | 'record'): string {
  const start = text.indexOf(`"${member}":{`) + member.length + 3
  return text.slice(start, text.lastIndexOf('},"meta":'))
}

export async function replay(catalog: CatalogHarness, api: Api, plan: ReplayPlan): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = []
  await storeReferenceData(catalog, 0)
  for (let index = 0; index < plan.days; index += 1) {
    await storeChanges(catalog, plan, index)
    const [newest] = await catalog.selectRows<{ seq: string }>(
      'select coalesce(max(seq), 0) as seq from catalog.change',
    )
    await catalog.publish()
    await moveToDay(catalog, newest?.seq ?? '0', toDay(index))
    recorded.push(...(await record(catalog, api, toDay(index))))
    catalog.clock.advance({ days: 1 })
  }
  return recorded
}

/** Moves the times of a publication, which come from the database, to noon on the day that it represents. */
async function moveToDay(catalog: CatalogHarness, after: string, day: string): Promise<void> {
  await catalog.selectRows(`update catalog.change set at = '${day}T12:00:00Z' where seq > ${after}`)
  await catalog.selectRows(`update catalog.cve_past set until_at = '${day}T12:00:00Z' where until_seq > ${after}`)
  await catalog.selectRows(`
    update catalog.past_start set complete_since = '${day}T12:00:01Z' where complete_since > '${toDay(100)}'
  `)
}

async function record(catalog: CatalogHarness, api: Api, day: string): Promise<readonly Recorded[]> {
  const rows = await catalog.selectRows<{ id: string; isPublished: boolean }>(`
    select catalog.cve_id(cve_key) as id, exists (select from catalog.cve where cve.cve_key = change.cve_key) as "isPublished"
      from catalog.change
     where cve_key is not null
     group by cve_key
     order by cve_key
  `)
  const recorded: Recorded[] = []
  for (const { id, isPublished } of rows) {
    const text = isPublished ? (await api.get(`/api/v1/cve/${id}?include=${ADD_ONS}`)).text : undefined
    recorded.push({ id, day, record: text === undefined ? null : cutRecord(text, 'cve') })
  }
  return recorded
}

const idOf = (number: number) => `CVE-2026-${1000 + number}`

async function storeChanges(catalog: CatalogHarness, plan: ReplayPlan, index: number): Promise<void> {
  const dice = createDice(26, index)
  // After a first load, two of three of the plan's CVEs change; new ones are added until all exist.
  const known = Math.min(plan.cves, Math.ceil(plan.cves / 2) + index)
  for (let number = 0; number < known; number += 1) {
    const isNew = index === 0 || number === known - 1
    if (isNew || dice.below(3) > 0) await storeRecords(catalog, idOf(number), index)
  }
  await catalog.storeKev(plan.kev?.[index] ?? buildKev(dice, known, index))
  await catalog.storeEuKev(Object.fromEntries(listSome(dice, known, 4).map((id) => [id, '2026-07-10'])))
  await storeScores(catalog, known, index)
  if (index % 2 === 1) await catalog.storeNotice(`notice-${index}`, listSome(dice, known, 4))
  if (index % 3 === 1) await catalog.storeExploit('exploitdb', `exploit-${index}`, listSome(dice, known, 5))
  if (index % 4 === 2) await storeReferenceData(catalog, index)
  if (index % 5 === 3) await catalog.selectRows("update catalog.resolver_inputs set resolver_version = 'older'")
}

const listSome = (dice: Dice, known: number, share: number) =>
  Array.from({ length: known }, (_, number) => idOf(number)).filter(() => dice.below(share) === 0)

/** Days until NVD has the CVEs that are at first only in the CVE List. */
const LATE_DAYS = 3

const VECTORS = [
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 7.5],
  ['CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8],
] as const

/** Stores records in which every member may differ from the day before: text, score, status, products, links, tags. */
async function storeRecords(catalog: CatalogHarness, id: string, day: number): Promise<void> {
  const dice = createDice(27, day, Number(id.slice(-4)))
  const [vector, score] = VECTORS[dice.below(3)] ?? VECTORS[0]
  const modified = `2026-08-${10 + dice.below(20)}T0${dice.below(10)}:00:00`
  const isRejected = dice.below(8) === 0
  const value = isRejected ? 'Rejected reason: not a vulnerability.' : `Restart number ${dice.below(5)} “é\\"\u2028”.`
  const references = [
    `https://router.example/${dice.below(3)}`,
    `https://github.example/GHSA-jfh8-c2jp-5v3${'qrvw'[dice.below(4)]}`,
  ]
  const products = configuration([{ criteria: cpe('router'), versionEndExcluding: `2.${dice.below(4)}` }])
  const operator = dice.below(2) === 0 ? {} : { operator: 'AND' }
  const platform = configuration([{ criteria: cpe('platform'), vulnerable: false }])
  const nvd = nvdRecord(id, {
    lastModified: `${modified}.000`,
    vulnStatus: isRejected ? 'Rejected' : ['Analyzed', 'Modified', 'Received'][dice.below(3)],
    cveTags: dice.below(2) === 0 ? [] : [{ sourceIdentifier: 'nvd@nist.gov', tags: ['disputed'] }],
    descriptions: [{ lang: 'en', value }],
    metrics: dice.below(4) === 0 ? {} : { cvssMetricV31: [nvdRating(vector, score)] },
    weaknesses: [
      {
        source: 'nvd@nist.gov',
        type: 'Primary',
        description: [{ lang: 'en', value: `CWE-${[20, 79, 502][dice.below(3)]}` }],
      },
    ],
    configurations: [{ ...products, ...operator }, platform],
    published: `2026-07-0${1 + dice.below(3)}T10:00:00.000`,
    references: references.slice(dice.below(2)).map((url) => ({ url, source: 'nvd@nist.gov', tags: ['Patch'] })),
  })
  // A CVE that is new in the CVE List gets its NVD record some days later.
  const isFirst = day < LATE_DAYS && Number(id.at(-1)) % 3 === 0
  if (!isFirst) await catalog.storeRecord('nvd', id, nvd, `${modified}Z`)
  if (!isFirst && dice.below(2) > 0) return
  const descriptions = [{ lang: 'en', value: `A flaw in switch ${dice.below(3)}.` }]
  await catalog.storeRecord('cve', id, cveListRecord(id, { descriptions }), `${modified}Z`)
}

/**
 * Some CVEs are in KEV. One of them is only in KEV, and only on some days: it is removed from the catalog and returns.
 */
function buildKev(dice: Dice, known: number, index: number): KevEntries {
  const entries = listSome(dice, known, 3).map((cveId) => ({
    cveId,
    dueDate: `2026-09-0${1 + dice.below(4)}`,
    knownRansomware: dice.below(2) === 0,
    notes: `Note ${dice.below(3)}`,
  }))
  return index % 3 === 1 ? entries : [...entries, { cveId: 'CVE-2026-9000', notes: `Note ${index}` }]
}

/**
 * Most days have a release. Some have none, and some have a corrected release of the previous day or a different model.
 */
async function storeScores(catalog: CatalogHarness, known: number, index: number): Promise<void> {
  if (index % 4 === 3) return
  const dice = createDice(28, index)
  const ids = [...Array.from({ length: known }, (_, number) => idOf(number)), 'CVE-2026-9000']
  const scores = ids.filter(() => dice.below(6) > 0).map((id) => [id, dice.below(100_000) / 100_000])
  const day = toDay(index % 4 === 2 ? index - 1 : index)
  await catalog.storeEpss(`${day}T00:00:00Z`, Object.fromEntries(scores), index > 4 ? 'v2026.08.01' : 'v2026.06.15')
}

/** Imports another ATT&CK release, which makes the service publish every CVE again under its rules. */
async function storeReferenceData(catalog: CatalogHarness, index: number): Promise<void> {
  const techniques = index % 8 === 2 ? ['T1190'] : ['T1190', 'T1203', 'T1068', 'T1499']
  await catalog.selectRows('delete from source.attack_technique')
  await catalog.selectRows(`
    insert into source.attack_technique (technique_id, name, tactics, is_subtechnique, is_deprecated, content_hash)
    select id, id, '{impact}', false, false, '${index}'
      from unnest('{${techniques.join()}}'::text[]) id
  `)
}
