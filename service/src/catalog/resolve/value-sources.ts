// Lists who states each value of a CVE, and when, and what other sources state. `include=sources` and `catalog explain`
// are rendered from this list (decision E15).
import type { SourcedValueName } from '../../contract/record/add-ons/sources.ts'
import { formatInstant } from '../../domain/instant.ts'
import { RULES } from '../../domain/source/provider-names.ts'
import type { StatementContent } from '../../domain/source/stored-sources.ts'
import type { Provider, Rating, Ssvc } from '../model/claim.ts'
import { describeEvidence, type FixEvidence } from '../model/fix-evidence.ts'
import type { Attributed, Chosen, Resolved, Techniques } from '../model/resolved.ts'
import type { ExploitItem, SourceData } from '../model/source-data.ts'
import { CISA_KEV } from '../sources/kev.ts'
import { describeConclusion } from './conclusions/describe.ts'
import { toVersionKey } from './fixes/affected-ends.ts'
import { findTime } from './provenance.ts'
import { toBaseMetrics } from './ratings/ratings.ts'
import { isRejected } from './status.ts'
import { findTruncated, type IsTruncated } from './truncated-values.ts'

export interface Statement {
  /** A provider (decision C17), or a data set such as `kev` for a value outside source records. */
  readonly source: Provider
  /** Last change of the source's record, or the day of the statement. */
  readonly time: string | null
  readonly content: StatementContent
}

interface ValueSources {
  /** Statements that agree with the record; the first one decided the value. */
  readonly from: readonly Statement[]
  /** Statements with different values, highest precedence first. */
  readonly others: readonly Statement[]
}

export interface SourcedCve {
  readonly sourceData: SourceData
  readonly resolved: Resolved
  readonly techniques: Techniques
}

interface ValueSpec {
  /** Name of the value in the explanation for operators. */
  readonly label: string
  /** Members that the record itself shows; `include=sources` omits them from agreeing statements. */
  readonly shownInRecord?: readonly (keyof StatementContent)[]
  /** The text is too long to be given twice. */
  readonly isLong?: true
  readonly unit?: readonly [one: string, many: string]
  /** The value is not in the published record: the API adds it, because it changes daily. */
  readonly isAddedLater?: true
  /** Returns undefined if no source states a value. */
  readonly read: (cve: SourcedCve) => ValueSources | undefined
}

export interface SourcedValue {
  /** Name of the value in `include=sources`. */
  readonly name: string
  readonly spec: ValueSpec
  readonly sources: ValueSources | undefined
}

/** Lists values in the order of responses, including values that no source states. */
export function listSourcedValues(cve: SourcedCve): readonly SourcedValue[] {
  const isTruncated = findTruncated(cve.resolved.claims, cve.sourceData)
  return VALUE_LIST.map(([name, spec]) => {
    const sources = dropRepeated(spec.read(cve))
    return { name, spec, sources: isTruncated && sources ? markTruncated(name, sources, isTruncated) : sources }
  })
}

/** Several advisories of one source often state the same value; the first one, which is the newest, stands for all. */
function dropRepeated(sources: ValueSources | undefined): ValueSources | undefined {
  if (sources === undefined || sources.from.length + sources.others.length < 2) return sources
  return { from: listDistinct(sources.from), others: listDistinct(sources.others) }
}

function listDistinct(statements: readonly Statement[]): readonly Statement[] {
  const first = new Map<string, Statement>()
  for (const each of statements) {
    const key = toStatementKey(each)
    if (!first.has(key)) first.set(key, each)
  }
  return first.size === statements.length ? statements : [...first.values()]
}

/** The value of a statement without content is its time. */
function toStatementKey({ source, time, content }: Statement): string {
  return JSON.stringify(Object.keys(content).length === 0 ? [source, time] : [source, content])
}

function markTruncated(name: string, { from, others }: ValueSources, isTruncated: IsTruncated): ValueSources {
  const mark = (statement: Statement) =>
    isTruncated(name, statement.source)
      ? { ...statement, content: { ...statement.content, truncated: true as const } }
      : statement
  return { from: from.map(mark), others: others.map(mark) }
}

const VALUES: Readonly<Record<SourcedValueName, ValueSpec>> = {
  source_tag: { label: 'leading source', shownInRecord: ['value'], read: readRecords },
  published: {
    label: 'published',
    shownInRecord: ['value'],
    read: ({ resolved }) => readChoice(resolved.published, (date) => text(formatInstant(date))),
  },
  modified: { label: 'modified', shownInRecord: ['value'], read: readModified },
  description: {
    label: 'description',
    shownInRecord: ['value'],
    isLong: true,
    read: ({ resolved }) => readChoice(resolved.description, text),
  },
  severity: { label: 'score', shownInRecord: ['score', 'vector'], read: readSeverity },
  severity_word: { label: 'severity word', read: readSeverityWords },
  status: { label: 'status', shownInRecord: ['value'], read: ({ resolved }) => readChoice(resolved.status, text) },
  tags: { label: 'tags', read: ({ resolved }) => readParts(resolved.parts.tags, (tags) => ({ tags })) },
  cvss_v3_1: {
    label: 'cvss 3.x',
    shownInRecord: ['score', 'vector', 'version'],
    read: ({ resolved }) => readChoice(resolved.v3, toRatingContent),
  },
  cvss_v4_0: {
    label: 'cvss 4.0',
    shownInRecord: ['score', 'vector', 'version'],
    read: ({ resolved }) => readChoice(resolved.v4, toRatingContent),
  },
  cvss_v2_0: { label: 'cvss 2.0', read: ({ resolved }) => readChoice(resolved.v2, toRatingContent) },
  weaknesses: {
    label: 'weaknesses',
    read: ({ resolved }) => readParts(resolved.parts.weaknesses, (ids) => ({ cwe_list: ids })),
  },
  cpe: { label: 'cpe', shownInRecord: ['count'], unit: ['match', 'matches'], read: readCpe },
  products: {
    label: 'affected',
    unit: ['product', 'products'],
    read: ({ resolved }) => readParts(resolved.parts.affected, (count) => ({ count })),
  },
  references: {
    label: 'references',
    unit: ['link', 'links'],
    read: ({ resolved }) => readParts(resolved.parts.references, (count) => ({ count })),
  },
  exploitation: {
    label: 'exploitation',
    read: ({ resolved }) => readChoice(resolved.exploitation, ({ level }) => text(level)),
  },
  automatable: { label: 'automatable', read: ({ resolved }) => readSsvc(resolved, 'automatable') },
  technical_impact: { label: 'technical impact', read: ({ resolved }) => readSsvc(resolved, 'technicalImpact') },
  fix: { label: 'fix', read: readFix },
  conclusions: { label: 'conclusions', read: readConclusions },
  kev: { label: 'kev', shownInRecord: ['value'], read: readKev },
  epss: { label: 'epss', isAddedLater: true, read: readEpss },
  acsc: { label: 'notices', unit: ['notice', 'notices'], read: readNotices },
  exploits: { label: 'exploits', unit: ['item', 'items'], read: readExploits },
  attack: { label: 'techniques', unit: ['technique', 'techniques'], read: readTechniques },
}

const VALUE_LIST = Object.entries(VALUES)

function text(value: string): StatementContent {
  return { value }
}

function toRatingContent({ score, vector, version, statedScore }: Rating): StatementContent {
  const isOther = statedScore !== null && statedScore !== score
  return { version, score, vector, ...(isOther && { stated_score: statedScore }) }
}

function toStatement<T>({ value, by, time }: Attributed<T>, toContent: (value: T) => StatementContent): Statement {
  const content = toContent(value)
  return { source: by, time, content: by === RULES ? { ...content, derived: true } : content }
}

function toFixContent(fix: FixEvidence): StatementContent {
  const { product, branch, isDownstream, isDerived } = fix.kind === 'version' ? fix : {}
  return {
    ...text(describeEvidence(fix)),
    ...(product !== undefined && { product }),
    ...(branch !== undefined && { branch }),
    ...(isDownstream && { downstream: true }),
    ...(isDerived && { derived: true }),
  }
}

/** Sources name the same version in different members of their records. */
function namesSameVersion(a: FixEvidence, b: FixEvidence): boolean {
  if (a.kind !== 'version' || b.kind !== 'version') return describeEvidence(a) === describeEvidence(b)
  return a.product === b.product && toVersionKey(a.version) === toVersionKey(b.version)
}

function readChoice<T>(
  chosen: Chosen<T> | null,
  toContent: (value: T) => StatementContent,
  isSame?: (a: T, b: T) => boolean,
): ValueSources | undefined {
  if (chosen === null) return undefined
  const first = toStatement(chosen, toContent)
  const rest = chosen.runnersUp.map((each) => {
    const statement = toStatement(each, toContent)
    return { statement, agrees: isSame?.(each.value, chosen.value) ?? hasSameContent(statement, first) }
  })
  const select = (agrees: boolean) => rest.filter((each) => each.agrees === agrees).map(({ statement }) => statement)
  return { from: [first, ...select(true)], others: select(false) }
}

function hasSameContent({ content: a }: Statement, { content: b }: Statement): boolean {
  if (a.vector === undefined || b.vector === undefined) return a.value === b.value
  return toBaseMetrics(a.vector) === toBaseMetrics(b.vector)
}

/** Reads only the assessments that contain the value. */
function readSsvc({ ssvc }: Resolved, member: 'automatable' | 'technicalImpact'): ValueSources | undefined {
  const [first, ...runnersUp] = ssvc ? [ssvc, ...ssvc.runnersUp].filter(({ value }) => value[member] !== null) : []
  return readChoice<Ssvc>(first ? { ...first, runnersUp } : null, (assessed) => text(assessed[member] ?? ''))
}

const agreeing = (from: readonly Statement[]): ValueSources | undefined =>
  from.length === 0 ? undefined : { from, others: [] }

/** Reads a value that is the union of what all providers state. */
function readParts<T>(
  parts: readonly Attributed<T>[],
  toContent: (value: T) => StatementContent,
): ValueSources | undefined {
  return agreeing(parts.map((each) => toStatement(each, toContent)))
}

/** The leading source's record comes first. */
function readRecords({ resolved: { claims, sourceTag } }: SourcedCve): ValueSources {
  const all = claims.map((claim) => ({ source: claim.provider, time: findTime(claim), content: text(claim.source) }))
  const isLeading = ({ content }: Statement) => content.value === sourceTag
  return { from: all.filter(isLeading), others: all.filter((each) => !isLeading(each)) }
}

/** The statements have no content, because the value of each is its own time. */
function readModified({ resolved: { modified } }: SourcedCve): ValueSources | undefined {
  const toEmpty = (each: Attributed<Date>) => toStatement(each, () => ({}))
  const isSame = ({ value }: Attributed<Date>) => value.getTime() === modified.value.getTime()
  const rest = modified.runnersUp
  return {
    from: [modified, ...rest.filter(isSame)].map(toEmpty),
    others: rest.filter((each) => !isSame(each)).map(toEmpty),
  }
}

/** Other providers' scores are in the values of each CVSS version. */
function readSeverity({ resolved: { score } }: SourcedCve): ValueSources | undefined {
  return score === null ? undefined : agreeing([toStatement(score, toRatingContent)])
}

/** A word is no number, so it never becomes the score; it is shown only where no source gives one. */
function readSeverityWords({ resolved, sourceData: { exploits } }: SourcedCve): ValueSources | undefined {
  if (resolved.score !== null) return undefined
  const stated = resolved.claims.flatMap((claim) =>
    claim.severityWord === null
      ? []
      : { source: claim.provider, time: findTime(claim), content: text(claim.severityWord) },
  )
  return agreeing([...stated, ...(isRejected(resolved) ? [] : readTemplateSeverities(exploits))])
}

/** The rank of a Nuclei template is the severity of the CVE; Metasploit ranks the reliability of its module. */
function readTemplateSeverities(exploits: readonly ExploitItem[]): readonly Statement[] {
  const words = new Set(exploits.flatMap(({ feed, rank }) => (feed === 'nuclei' ? (rank ?? []) : [])))
  return [...words].sort().map((word) => ({ source: 'nuclei', time: null, content: text(word) }))
}

function readCpe({ resolved: { cpe } }: SourcedCve): ValueSources | undefined {
  if (cpe.by === null) return undefined
  const [first, ...others] = [{ ...cpe, by: cpe.by, value: cpe.matches.length }, ...cpe.runnersUp].map((each) =>
    toStatement(each, (count) => ({ count, ...(each.isDerived && { derived: true as const }) })),
  )
  return first && { from: [first], others }
}

function readFix({ resolved: { fix, doubtedFixes } }: SourcedCve): ValueSources | undefined {
  const stated = readChoice(fix, toFixContent, namesSameVersion)
  if (doubtedFixes.length === 0) return stated
  const doubted = doubtedFixes.map((each) => toStatement(each, toFixContent))
  return { from: stated?.from ?? [], others: [...(stated?.others ?? []), ...doubted] }
}

/** Each conclusion is a statement of this service about statements of sources, which are shown unchanged. */
function readConclusions({ resolved: { conclusions } }: SourcedCve): ValueSources | undefined {
  return agreeing(
    conclusions.map((each) => ({
      source: RULES,
      time: null,
      content: { ...text(describeConclusion(each)), derived: true },
    })),
  )
}

function readKev({ sourceData: { kev } }: SourcedCve): ValueSources | undefined {
  if (kev === null) return undefined
  const entry = { source: CISA_KEV, time: kev.dateAdded, content: text('listed') }
  if (kev.removedAt === null) return agreeing([entry])
  return { from: [], others: [{ ...entry, content: { removed_at: formatInstant(kev.removedAt) } }] }
}

function readEpss({ sourceData: { epssScore } }: SourcedCve): ValueSources | undefined {
  return epssScore === null ? undefined : agreeing([{ source: 'epss', time: null, content: text(String(epssScore)) }])
}

function readNotices({ sourceData: { notices } }: SourcedCve): ValueSources | undefined {
  if (notices.length === 0) return undefined
  const newest = Math.max(...notices.map(({ published, updated }) => (updated ?? published).getTime()))
  return agreeing([{ source: 'acsc', time: formatInstant(new Date(newest)), content: { count: notices.length } }])
}

/** Groups exploits by feed, with the day of the newest item. */
function readExploits({ sourceData: { exploits }, resolved }: SourcedCve): ValueSources | undefined {
  if (isRejected(resolved)) return undefined
  const byFeed = [...Map.groupBy(exploits, ({ feed }) => feed)].sort(([a], [b]) => (a < b ? -1 : 1))
  return agreeing(
    byFeed.map(([source, items]) => ({
      source,
      time: items.map(({ published }) => published ?? '').reduce((a, b) => (a > b ? a : b)) || null,
      content: { count: items.length },
    })),
  )
}

/** The techniques are either all curated for this CVE or all derived (decision D19). */
function readTechniques({ techniques: { ids, mapping } }: SourcedCve): ValueSources | undefined {
  if (mapping === null) return undefined
  const count = ids.length
  if (mapping === 'curated') return agreeing([{ source: 'attack-mapping', time: null, content: { count } }])
  return agreeing([{ source: RULES, time: null, content: { count, derived: true } }])
}
