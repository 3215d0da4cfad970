// What is known to have happened to a CVE, in lanes. A fact without a day is listed and never placed.
import { EVIDENCE_DAYS, EVIDENCE_KINDS, type EvidenceKind } from '../exploitation/exploit-evidence.ts'

export const LANES = ['known', 'exploit', 'exploited', 'fix'] as const

type Lane = (typeof LANES)[number]

/** Kinds of facts: pieces of evidence of exploits, and others. */
export const FACT_KINDS = ['published', 'notice', 'fix', ...EVIDENCE_KINDS] as const

type FactKind = (typeof FACT_KINDS)[number]

/** What the day of a fact can mean, besides the days of evidence. */
export const FACT_DAYS = [...EVIDENCE_DAYS, 'first_seen', 'latest'] as const

/** A piece of evidence as the record has it. */
interface Evidence {
  readonly kind: EvidenceKind
  readonly date: string | null
  readonly date_is?: (typeof FACT_DAYS)[number]
  readonly first_seen?: string
  readonly maturity: string
  readonly [member: string]: unknown
}

interface Notice {
  readonly title: string
  readonly publishedDate: string
  readonly url?: string
}

/** A source's statement that there is a fix. `time` is when its record changed last. */
interface FixStatement {
  readonly source: string
  readonly time?: string
  readonly date?: string
  readonly downstream?: true
}

export interface TimelineFacts {
  readonly published: string | null
  readonly notices: readonly Notice[]
  readonly evidence: readonly Evidence[]
  /** Number of pieces of evidence, including those that the record leaves out. */
  readonly evidenceCount: number
  readonly fixes: readonly FixStatement[]
}

interface Fact {
  readonly lane: Lane
  readonly kind: FactKind
  readonly date?: string
  readonly [member: string]: unknown
}

export interface Timeline {
  /** Oldest first. */
  readonly dated: readonly Fact[]
  readonly undated: readonly Fact[]
  /** Number of pieces of evidence that the record leaves out. */
  readonly omitted: number
}

export function buildTimeline(facts: TimelineFacts): Timeline {
  const { published, notices, evidence, evidenceCount, fixes } = facts
  const all: readonly Fact[] = [
    ...(published === null ? [] : [{ lane: 'known' as const, kind: 'published' as const, date: toDay(published) }]),
    ...notices.map(toNoticeFact),
    ...evidence.map(toEvidenceFact),
    ...toFixFacts(fixes),
  ]
  return {
    dated: all
      .filter(({ date }) => date !== undefined)
      .toSorted((a, b) => String(a.date).localeCompare(String(b.date))),
    undated: all.filter(({ date }) => date === undefined),
    omitted: Math.max(0, evidenceCount - evidence.length),
  }
}

const toDay = (instant: string) => instant.slice(0, 'YYYY-MM-DD'.length)

const toNoticeFact = ({ title, publishedDate, url }: Notice): Fact => ({
  lane: 'known',
  kind: 'notice',
  date: toDay(publishedDate),
  source: 'acsc',
  says: title,
  ...(url !== undefined && { url }),
})

function toEvidenceFact({ date, date_is, first_seen, ...item }: Evidence): Fact {
  const lane = findLane(item, date_is)
  if (date !== null) return { lane, date, ...(date_is && { date_is }), ...item }
  return { lane, ...(first_seen !== undefined && { date: first_seen, date_is: 'first_seen' }), ...item }
}

function findLane({ kind, maturity }: Pick<Evidence, 'kind' | 'maturity'>, dateIs: Evidence['date_is']): Lane {
  // Metasploit gives the day on which the vulnerability became known, not that of its module.
  if (dateIs === 'disclosure') return 'known'
  const isReport = kind === 'kev' || ((kind === 'ssvc' || kind === 'vendor') && maturity === 'active')
  return isReport ? 'exploited' : 'exploit'
}

/**
 * Sources do not say when a fix came out. The last change of a record that names one is a day on which it was named at
 * the latest, and only the earliest of these days says something.
 */
function toFixFacts(statements: readonly FixStatement[]): readonly Fact[] {
  const own = statements.filter(({ downstream }) => downstream !== true)
  const dated = own.flatMap(({ source, time, date }) => {
    const day = time ?? date
    return day === undefined ? [] : [{ source, day: toDay(day) }]
  })
  const [first] = dated.toSorted((a, b) => a.day.localeCompare(b.day))
  if (first) return [{ lane: 'fix', kind: 'fix', date: first.day, date_is: 'latest', source: first.source }]
  return own.slice(0, 1).map(({ source }) => ({ lane: 'fix', kind: 'fix', source }))
}
