// Runs every check on the whole catalog: compares what is served with what the sources say, and counts the CVEs that
// each check finds. The round trip then compares the served values with the raw records, and counts the differences.
import type { Database } from '../../../database/postgres.ts'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { readSourceData } from '../../publish/read/read-source-data.ts'
import { type CoverageOfYear, createYearCounter } from '../coverage/by-year.ts'
import { countServed, readServedBatches } from '../served/read-served.ts'
import { readServed } from '../served/served.ts'
import type { AuditContext, Check } from './check.ts'
import { CHECKS } from './checks.ts'
import { readNvdNames } from './nvd-names.ts'
import { compareBatch } from './round-trip/compare-catalog.ts'
import { createRoundTripCounters, type RoundTrip } from './round-trip/counters.ts'
import { readSourceFacts } from './source-facts.ts'

export interface Audit {
  readonly cves: number
  readonly checks: readonly CountedCheck[]
  readonly years: readonly CoverageOfYear[]
  /** What is served, compared with the raw records of the sources. */
  readonly roundTrip: RoundTrip
}

export interface CountedCheck {
  readonly id: string
  readonly sentence: string
  /** True if the count describes the data and is not a defect. */
  readonly isInformation: boolean
  readonly count: number
  readonly examples: readonly string[]
  /** Counts by group, largest first, if the check has groups. */
  readonly groups?: readonly { readonly group: string; readonly count: number }[]
}

export interface AuditOptions {
  /** Maximum number of example ids per check. */
  readonly maxExamples: number
  readonly onProgress?: (progress: { readonly done: number; readonly total: number | undefined }) => void
}

export async function auditCatalog(db: Database, { maxExamples, onProgress }: AuditOptions): Promise<Audit> {
  const nvdNames = await readNvdNames(db, (done) => onProgress?.({ done, total: undefined }))
  const total = await countServed(db)
  const counters = createAuditCounters(maxExamples)
  const roundTrip = createRoundTripCounters(maxExamples)
  for await (const rows of readServedBatches(db)) {
    await compareBatch(db, rows, roundTrip)
    const served = rows.map(readServed)
    const facts = await readFacts(
      db,
      served.map(({ cveId }) => cveId),
    )
    for (const each of served) {
      const found = facts.get(each.cveId)
      if (found) counters.count({ served: each, facts: found, nvdNames })
    }
    onProgress?.({ done: counters.done(), total })
  }
  return { ...counters.result(), roundTrip: roundTrip.result() }
}

async function readFacts(db: Database, texts: readonly string[]) {
  const ids = texts.flatMap((text) => parseCanonicalCveId(text) ?? [])
  const all = await readSourceData(db, ids)
  return new Map(all.map((each) => [String(each.cveId), readSourceFacts(each)]))
}

interface CheckCounter {
  readonly check: Check
  count: number
  readonly examples: string[]
  readonly groups: Map<string, number>
}

/** Counts one CVE at a time, and keeps only counts and a few example ids. */
function createAuditCounters(maxExamples: number) {
  const counters: readonly CheckCounter[] = CHECKS.map((check) => ({
    check,
    count: 0,
    examples: [],
    groups: new Map(),
  }))
  const years = createYearCounter()
  let cves = 0
  return {
    count: (context: AuditContext) => {
      cves += 1
      years.count(context.served)
      for (const each of counters) if (each.check.applies(context)) countCheck(each, context, maxExamples)
    },
    done: () => cves,
    result: (): Omit<Audit, 'roundTrip'> => ({
      cves,
      checks: counters.map(toCountedCheck),
      years: years.result(),
    }),
  }
}

function countCheck(counter: CheckCounter, context: AuditContext, maxExamples: number): void {
  counter.count += 1
  if (counter.examples.length < maxExamples) counter.examples.push(context.served.cveId)
  const group = counter.check.group?.(context)
  if (group !== undefined) counter.groups.set(group, (counter.groups.get(group) ?? 0) + 1)
}

function toCountedCheck({ check, count, examples, groups }: CheckCounter): CountedCheck {
  const sorted = [...groups].sort(([, one], [, other]) => other - one)
  return {
    id: check.id,
    sentence: check.sentence,
    isInformation: check.isInformation ?? false,
    count,
    examples,
    ...(check.group && { groups: sorted.map(([group, inGroup]) => ({ group, count: inGroup })) }),
  }
}
