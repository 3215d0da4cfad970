// What events say about a change: a row of notify.news.
import type { Diff } from '../../domain/change/change.ts'
import { toCveId } from '../../domain/cve-id.ts'
import { EXPLOIT_MATURITIES } from '../../domain/exploitation/exploit-maturity.ts'
import { findLevelOfRank, isExploitedRank } from '../../domain/priority/policy.ts'
import type { Urgency } from '../../domain/triage/effect.ts'
import type { Facts } from '../../search/watch/facts.ts'
import type { JudgedChange } from './judged-change.ts'

const MAX_PRODUCTS = 3

export interface News {
  readonly seq: bigint
  /** As catalog.cve_key. */
  readonly subjectKey: string
  readonly subject: string
  readonly at: Date
  readonly upstreamDay: string | null
  readonly types: readonly string[]
  readonly diff: Diff
  /** After the change; before it for a CVE that no source lists any more. */
  readonly record: ReturnType<typeof toRecord>
  /** The same, for what was decided about the CVE. */
  readonly urgency: Urgency
}

export function toNews({ row, around: { step, before, after } }: JudgedChange): News {
  const facts = after ?? before
  if (!facts) throw new Error(`change ${row.seq} has no record of ${step.key}`)
  const { priority } = facts.values
  return {
    seq: row.seq,
    subjectKey: step.key,
    subject: toCveId(step.key),
    at: row.at,
    upstreamDay: row.upstreamDay,
    types: row.types,
    diff: row.diff ?? {},
    record: toRecord(facts),
    urgency: { level: findLevelOfRank(priority), isExploited: isExploitedRank(priority) },
  }
}

/** In the words of the API. */
function toRecord({ values, products }: Facts) {
  const named = products.toSorted(
    (one, other) => compareText(one.vendor, other.vendor) || compareText(one.product, other.product),
  )
  return {
    severity: values.score,
    epss_score: values.epss,
    in_kev: values.flags.in_kev,
    in_eu_kev: values.flags.in_eu_kev,
    ransomware: values.flags.is_ransomware,
    priority_level: findLevelOfRank(values.priority),
    exploit_maturity: EXPLOIT_MATURITIES.toReversed()[values.maturity] ?? null,
    has_fix: values.flags.has_fix,
    status: values.status,
    products: named.slice(0, MAX_PRODUCTS).map(({ vendor, product }) => ({ vendor, product })),
    product_count: products.length,
  }
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other))
