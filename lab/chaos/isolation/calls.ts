// Calls of the isolation measurements: the mixed calls of the victim, and the expensive calls of the attacker.
import { ADD_ON_NAMES } from '../../../service/src/contract/record/add-ons/index.ts'
import { CVE_FIELD_NAMES, isAvailableIn } from '../../../service/src/contract/record/cve-fields.ts'
import type { Dice } from '../../../service/test/support/generator/dice.ts'

export interface Call {
  readonly kind: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

export interface VictimIds {
  /** Ids that the victim reads again and again, so that the node answers them from its record cache. */
  readonly warm: readonly string[]
  /** Ids that the victim reads once each. */
  readonly cold: readonly string[]
}

const read = (kind: string, path: string): Call => ({ kind, method: 'GET', path: `/api/v1${path}` })

const ORDINARY_SEARCHES = [
  'q=log4j',
  'q=kernel&sort=published_asc',
  'q=zyxel&sort=epss_desc',
  'q=linux&kev=true&sort=published_asc',
  'q=sql%20injection&severity=critical&sort=epss_desc',
  'kev=true&sort=epss_desc',
  'sort=severity_desc',
  'severity=critical&exploit=true&sort=epss_desc',
  'epss_min=0.5&sort=published_desc',
  'published_after=2019-01-01&published_before=2019-01-31&sort=modified_desc',
] as const

/** Kinds of calls of the victim. Twenty calls, one second, contain each entry once. */
const VICTIM_MIX: readonly ((ids: VictimIds, index: number) => Call)[] = [
  warm,
  search,
  cold,
  warm,
  () => read('ping', '/ping'),
  search,
  warm,
  detail,
  cold,
  search,
  warm,
  () => read('recent', '/cves/recent?hours=24'),
  cold,
  search,
  warm,
  () => read('kev', '/kev'),
  detail,
  smallBatch,
  warm,
  () => read('usage', '/usage'),
]

/** Builds the victim's call number `index`. Equal numbers give equal calls. */
export function buildVictimCall(ids: VictimIds, index: number): Call {
  const build = VICTIM_MIX[index % VICTIM_MIX.length] ?? warm
  return build(ids, index)
}

function pick(values: readonly string[], index: number): string {
  return values[index % values.length] ?? ''
}

function warm({ warm: ids }: VictimIds, index: number): Call {
  return read('get-cve, warm', `/cve/${pick(ids, index)}`)
}

function cold({ cold: ids }: VictimIds, index: number): Call {
  return read('get-cve, cold', `/cve/${pick(ids, index)}`)
}

function detail({ cold: ids }: VictimIds, index: number): Call {
  return read('detail', `/cve/${pick(ids, index)}/detail`)
}

function search(_: VictimIds, index: number): Call {
  // The mix has four searches in every 20 calls, one in each group of four calls before the last group.
  const earlier = Math.floor(index / 20) * 4
  return read('search', `/cves?${pick(ORDINARY_SEARCHES, earlier + Math.floor((index % 20) / 4))}`)
}

function smallBatch({ cold: ids }: VictimIds, index: number): Call {
  return buildBatch('batch of 5', { cve_ids: [0, 1, 2, 3, 4].map((step) => pick(ids, index + step)) })
}

function buildBatch(kind: string, body: Readonly<Record<string, readonly string[]>>): Call {
  return { kind, method: 'POST', path: '/api/v1/cve/batch', body: JSON.stringify(body) }
}

/** Searches that PostgreSQL answers slowly: common words, stop words and phrases, with rarely useful sort orders. */
const EXPENSIVE_SEARCHES = [
  'q=allows%20remote%20attackers&sort=epss_asc',
  'q=%22in%20the%20of%20a%22&has_references=true&sort=epss_asc',
  'q=%22a%20a%20a%20a%20a%20a%20a%20a%20a%20a%22',
  'q=%22to%20the%22&exploit=false&sort=epss_asc',
  'q=vulnerability%20allows&severity=medium,high&has_references=true&sort=epss_asc',
  'q=the%20vulnerability&exploit=false&sort=modified_asc',
  'q=remote&severity=high&exploit=false&sort=epss_asc',
] as const

/**
 * Builds a random expensive search. The time in `modified_after` differs in every search and excludes no CVE, so that
 * no two searches are equal and the node cannot answer them together.
 */
export function buildExpensiveSearch(dice: Dice): Call {
  const form = EXPENSIVE_SEARCHES[dice.below(EXPENSIVE_SEARCHES.length)] ?? EXPENSIVE_SEARCHES[0]
  return distinguish(form, dice)
}

/** Builds a search of the most expensive form. */
export function buildMostExpensiveSearch(dice: Dice): Call {
  return distinguish(EXPENSIVE_SEARCHES[0], dice)
}

function distinguish(form: string, dice: Dice): Call {
  const moment = new Date(dice.below(31_536_000) * 1000).toISOString().slice(0, 19)
  return read('expensive search', `/cves?${form}&limit=${91 + dice.below(10)}&modified_after=${moment}Z`)
}

/** Builds a batch of all given ids in a random order, with every member that a record can have. */
export function buildLargeBatch(ids: readonly string[], dice: Dice): Call {
  const shuffled = ids.map((id) => [dice.share(), id] as const).sort(([a], [b]) => a - b)
  const cveIds = shuffled.map(([, id]) => id)
  const fields = CVE_FIELD_NAMES.filter((name) => isAvailableIn(name, 'batch'))
  const include = ADD_ON_NAMES.filter((name) => isAvailableIn(name, 'batch'))
  return buildBatch('batch of the largest records', { cve_ids: cveIds, fields, include })
}
