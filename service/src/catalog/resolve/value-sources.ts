// Lists the values of a CVE with their sources: who states the value of the record, when, and what other sources state.
// `include=sources` and the command `catalog explain` are rendered from this one list (decision E15).
import type { SourcedValueName } from '../../contract/add-ons/sources.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { StatementContent } from '../../domain/stored-sources.ts'
import type { Provider, Rating, Ssvc } from '../model/claim.ts'
import { type Attributed, type Chosen, type Resolved, RULES, type Techniques } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { CISA_KEV } from '../sources/kev.ts'
import { mergeTags } from '../sources/read-tags.ts'
import { findStatementTimes, type StatementTimes } from './statement-times.ts'
import { isRejected } from './status.ts'

export interface Statement {
  /** Provider (decision C17), or the data set of a value that is not part of a source record, such as `kev`. */
  readonly source: Provider
  /** Instant of the last change of the source's record, or the day of the statement; null if no date is known. */
  readonly time: string | null
  readonly content: StatementContent
}

interface ValueSources {
  /** Statements that agree with the record; the first one decided. */
  readonly from: readonly Statement[]
  /** Statements with other values, highest precedence first. */
  readonly others: readonly Statement[]
}

export interface SourcedCve {
  readonly sourceData: SourceData
  readonly resolved: Resolved
  readonly techniques: Techniques
}

interface ReadContext extends SourcedCve {
  readonly times: StatementTimes
}

interface ValueSpec {
  /** Name of the value in the explanation for operators. */
  readonly label: string
  /** Members of the content that the record itself shows; `include=sources` omits them from agreeing statements. */
  readonly shownInRecord?: readonly (keyof StatementContent)[]
  /** Names of one and of several counted things. */
  readonly unit?: readonly [one: string, many: string]
  /** True for a value that is not part of the published record: the API adds it, because it changes daily. */
  readonly isAddedLater?: true
  /** Returns undefined if no source states a value. */
  readonly read: (context: ReadContext) => ValueSources | undefined
}

export interface SourcedValue {
  /** Name of the value in `include=sources`. */
  readonly name: string
  readonly spec: ValueSpec
  readonly sources: ValueSources | undefined
}

/** Returns every value, also those that no source states, in the order in which responses show them. */
export function listSourcedValues(cve: SourcedCve): readonly SourcedValue[] {
  const context = { ...cve, times: findStatementTimes(cve.resolved.claims) }
  return VALUE_LIST.map(([name, spec]) => ({ name, spec, sources: spec.read(context) }))
}

const text = (value: string): StatementContent => ({ value })
const instant = (value: Date): StatementContent => ({ value: formatInstant(value) })

const VALUES: Readonly<Record<SourcedValueName, ValueSpec>> = {
  source_tag: { label: 'leading source', shownInRecord: ['value'], read: readRecords },
  published: choice('published', ({ resolved }) => resolved.published, instant),
  modified: { label: 'modified', shownInRecord: ['value'], read: readModified },
  description: { label: 'description', shownInRecord: ['value'], read: readDescription },
  severity: { label: 'score', shownInRecord: ['score', 'vector'], read: readSeverity },
  status: choice('status', ({ resolved }) => resolved.status, text),
  tags: { label: 'tags', read: readTags },
  cvss_v3_1: rating('cvss 3.x', ({ resolved }) => resolved.v3),
  cvss_v4_0: rating('cvss 4.0', ({ resolved }) => resolved.v4),
  cvss_v2_0: { ...rating('cvss 2.0', ({ resolved }) => resolved.v2), shownInRecord: [] },
  weaknesses: { label: 'weaknesses', read: readWeaknesses },
  cpe: { label: 'cpe', shownInRecord: ['count'], unit: ['match', 'matches'], read: readCpe },
  products: counts('affected', ['product', 'products'], ({ resolved }) => resolved.affected),
  references: counts(
    'references',
    ['link', 'links'],
    ({ resolved }) => resolved.references,
    ({ times }, organisation) => times.findReferences(organisation),
  ),
  exploitation: assessment(
    'exploitation',
    ({ resolved }) => resolved.exploitation,
    ({ level }) => level,
  ),
  automatable: assessment('automatable', selectSsvc('automatable'), ({ automatable }) => automatable),
  technical_impact: assessment(
    'technical impact',
    selectSsvc('technicalImpact'),
    ({ technicalImpact }) => technicalImpact,
  ),
  fix: { ...choice('fix', ({ resolved }) => resolved.fix, text), shownInRecord: [] },
  kev: { label: 'kev', shownInRecord: ['value'], read: readKev },
  epss: { label: 'epss', isAddedLater: true, read: readEpss },
  acsc: { label: 'notices', unit: ['notice', 'notices'], read: readNotices },
  exploits: { label: 'exploits', unit: ['item', 'items'], read: readExploits },
  attack: { label: 'techniques', unit: ['technique', 'techniques'], read: readTechniques },
}

const VALUE_LIST = Object.entries(VALUES)

function choice<T>(
  label: string,
  select: (context: ReadContext) => Chosen<T> | null,
  toContent: (value: T) => StatementContent,
): ValueSpec {
  const read = (context: ReadContext) => readChoice(select(context), toContent, ({ by }) => context.times.find(by))
  return { label, shownInRecord: ['value'], read }
}

/** A value of an SSVC assessment, which has a day of its own that is more exact than the time of the record. */
function assessment<T extends { readonly date: string | null }>(
  label: string,
  select: (context: ReadContext) => Chosen<T> | null,
  toValue: (assessed: T) => string | null,
): ValueSpec {
  const read = (context: ReadContext) =>
    readChoice(
      select(context),
      (assessed) => text(toValue(assessed) ?? ''),
      ({ by, value }) => value.date ?? context.times.find(by),
    )
  return { label, read }
}

/** Chooses the SSVC assessments that have the value. */
function selectSsvc(member: 'automatable' | 'technicalImpact') {
  return ({ resolved: { ssvc } }: ReadContext): Chosen<Ssvc> | null => {
    const [first, ...runnersUp] = ssvc ? [ssvc, ...ssvc.runnersUp].filter(({ value }) => value[member] !== null) : []
    return first ? { value: first.value, by: first.by, runnersUp } : null
  }
}

function rating(label: string, select: (context: ReadContext) => Chosen<Rating> | null): ValueSpec {
  const read = (context: ReadContext) =>
    readChoice(select(context), toRatingContent, ({ by }) => context.times.find(by))
  return { label, shownInRecord: ['score', 'vector', 'version'], read }
}

/** A value that is the union of what all sources state; the statement of each source is the number of its items. */
function counts(
  label: string,
  unit: readonly [string, string],
  select: (context: ReadContext) => readonly { readonly by: string }[],
  findTime = ({ times }: ReadContext, provider: string) => times.find(provider),
): ValueSpec {
  const read = (context: ReadContext) => {
    const byProvider = new Map<string, number>()
    for (const { by } of select(context)) byProvider.set(by, (byProvider.get(by) ?? 0) + 1)
    const found = [...byProvider].map(([source, count]) => ({
      source,
      time: findTime(context, source),
      content: { count },
    }))
    return agreeing(found)
  }
  return { label, unit, read }
}

function readChoice<T>(
  chosen: Chosen<T> | null,
  toContent: (value: T) => StatementContent,
  findTime: (attributed: Attributed<T>) => string | null,
): ValueSources | undefined {
  if (chosen === null) return undefined
  const toStatement = (each: Attributed<T>): Statement => {
    const content = toContent(each.value)
    return each.by === RULES
      ? { source: RULES, time: null, content: { ...content, derived: true } }
      : { source: each.by, time: findTime(each), content }
  }
  const first = toStatement(chosen)
  const rest = chosen.runnersUp.map(toStatement)
  const agrees = ({ content }: Statement) =>
    content.vector === undefined ? content.value === first.content.value : content.vector === first.content.vector
  return { from: [first, ...rest.filter(agrees)], others: rest.filter((each) => !agrees(each)) }
}

function toRatingContent({ score, vector, version, statedScore }: Rating): StatementContent {
  const isOther = statedScore !== null && statedScore !== score
  return { version, score, vector, ...(isOther && { stated_score: statedScore }) }
}

const agreeing = (from: readonly Statement[]): ValueSources | undefined =>
  from.length === 0 ? undefined : { from, others: [] }

/** Lists the records of which the CVE was merged. The record of the source that leads comes first. */
function readRecords({ resolved: { claims, sourceTag }, times }: ReadContext): ValueSources {
  const all = claims.map((claim) => ({
    source: claim.provider,
    time: times.format(claim),
    content: text(claim.source),
  }))
  const isLeading = ({ content }: Statement) => content.value === sourceTag
  return { from: all.filter(isLeading), others: all.filter((each) => !isLeading(each)) }
}

/** The value of each statement is its own time. */
function readModified({ resolved: { modified } }: ReadContext): ValueSources | undefined {
  const all = [modified, ...modified.runnersUp].map(({ value, by }) => ({
    source: by,
    time: formatInstant(value),
    content: {},
  }))
  return { from: all.slice(0, 1), others: all.slice(1) }
}

function readDescription({ resolved: { description }, times }: ReadContext): ValueSources | undefined {
  return readChoice(description, text, ({ by, value }) => times.find(by, value))
}

/** Names the CVSS version of the score. The scores of other providers are in the values of each CVSS version. */
function readSeverity({ resolved: { score }, times }: ReadContext): ValueSources | undefined {
  if (score === null) return undefined
  return agreeing([{ source: score.by, time: times.find(score.by), content: toRatingContent(score.value) }])
}

function readWeaknesses({ resolved: { weaknesses }, times }: ReadContext): ValueSources | undefined {
  const byProvider = new Map<Provider, string[]>()
  for (const { id, by } of weaknesses)
    for (const provider of by) byProvider.set(provider, [...(byProvider.get(provider) ?? []), id])
  return agreeing(
    [...byProvider].map(([source, ids]) => ({ source, time: times.find(source), content: { cwe_list: ids } })),
  )
}

function readTags({ resolved: { claims }, times }: ReadContext): ValueSources | undefined {
  const byProvider = Map.groupBy(
    claims.flatMap(({ tags }) => tags),
    ({ by }) => by,
  )
  return agreeing(
    [...byProvider].map(([source, tags]) => ({ source, time: times.find(source), content: { tags: mergeTags(tags) } })),
  )
}

function readCpe({ resolved: { cpe }, times }: ReadContext): ValueSources | undefined {
  if (cpe.by === null) return undefined
  const [first, ...others] = [{ ...cpe, by: cpe.by, value: cpe.matches.length }, ...cpe.runnersUp].map(
    ({ by, value, isDerived }) => ({
      source: by,
      time: times.find(by),
      content: { count: value, ...(isDerived && { derived: true as const }) },
    }),
  )
  return first && { from: [first], others }
}

function readKev({ sourceData: { kev } }: ReadContext): ValueSources | undefined {
  if (kev === null) return undefined
  const entry = { source: CISA_KEV, time: kev.dateAdded, content: text('listed') }
  if (kev.removedAt === null) return agreeing([entry])
  return { from: [], others: [{ ...entry, content: { removed_at: formatInstant(kev.removedAt) } }] }
}

function readEpss({ sourceData: { epssScore } }: ReadContext): ValueSources | undefined {
  return epssScore === null ? undefined : agreeing([{ source: 'epss', time: null, content: text(String(epssScore)) }])
}

function readNotices({ sourceData: { notices } }: ReadContext): ValueSources | undefined {
  if (notices.length === 0) return undefined
  const newest = Math.max(...notices.map(({ published, updated }) => (updated ?? published).getTime()))
  return agreeing([{ source: 'acsc', time: formatInstant(new Date(newest)), content: { count: notices.length } }])
}

/** Counts the items of each feed. The time is the day of the newest item. */
function readExploits({ sourceData: { exploits }, resolved }: ReadContext): ValueSources | undefined {
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

/** Techniques are either all curated for this CVE or all derived by rules of this service (decision E5). */
function readTechniques({ techniques: { ids, mapping } }: ReadContext): ValueSources | undefined {
  if (mapping === null) return undefined
  const count = ids.length
  if (mapping === 'curated') return agreeing([{ source: 'attack-mapping', time: null, content: { count } }])
  return agreeing([{ source: RULES, time: null, content: { count, derived: true } }])
}
