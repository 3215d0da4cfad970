// Lists the values of a CVE with their sources: who states the value of the record, when, and what other sources state.
// `include=sources` and the command `catalog explain` are rendered from this one list (decision E15).
import type { SourcedValueName } from '../../contract/record/add-ons/sources.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { StatementContent } from '../../domain/source/stored-sources.ts'
import type { Claim, Provider, Rating, Ssvc } from '../model/claim.ts'
import { type Attributed, type Chosen, type Resolved, RULES, type Techniques } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { mergeTags } from '../sources/fields/read-tags.ts'
import { CISA_KEV } from '../sources/kev.ts'
import { EU_KEV, statesFix } from './fixes/fix.ts'
import { compareText, rankProvider } from './precedence.ts'
import { findStatementTimes, type StatementTimes } from './statement-times.ts'
import { isRejected } from './status.ts'
import { findTruncated, type IsTruncated } from './truncated-values.ts'

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
  const isTruncated = findTruncated(cve.resolved.claims, cve.sourceData)
  return VALUE_LIST.map(([name, spec]) => {
    const sources = spec.read(context)
    return { name, spec, sources: isTruncated && sources ? markTruncated(name, sources, isTruncated) : sources }
  })
}

function markTruncated(name: string, { from, others }: ValueSources, isTruncated: IsTruncated): ValueSources {
  const mark = (statement: Statement) =>
    isTruncated(name, statement.source)
      ? { ...statement, content: { ...statement.content, truncated: true as const } }
      : statement
  return { from: from.map(mark), others: others.map(mark) }
}

const text = (value: string): StatementContent => ({ value })
const instant = (value: Date): StatementContent => ({ value: formatInstant(value) })

const VALUES: Readonly<Record<SourcedValueName, ValueSpec>> = {
  source_tag: { label: 'leading source', shownInRecord: ['value'], read: readRecords },
  published: choice('published', ({ resolved }) => resolved.published, {
    toContent: instant,
    isStatedIn: (claim, { value, by }) => claim.provider === by && claim.published?.getTime() === value.getTime(),
  }),
  modified: { label: 'modified', shownInRecord: ['value'], read: readModified },
  description: { label: 'description', shownInRecord: ['value'], read: readDescription },
  severity: { label: 'score', shownInRecord: ['score', 'vector'], read: readSeverity },
  status: choice('status', ({ resolved }) => resolved.status, {
    toContent: text,
    isStatedIn: (claim, { value, by }) => claim.provider === by && claim.status === value,
  }),
  tags: { label: 'tags', read: readTags },
  cvss_v3_1: rating('cvss 3.x', ({ resolved }) => resolved.v3),
  cvss_v4_0: rating('cvss 4.0', ({ resolved }) => resolved.v4),
  cvss_v2_0: { ...rating('cvss 2.0', ({ resolved }) => resolved.v2), shownInRecord: [] },
  weaknesses: { label: 'weaknesses', read: readWeaknesses },
  cpe: { label: 'cpe', shownInRecord: ['count'], unit: ['match', 'matches'], read: readCpe },
  products: counts(
    'affected',
    ['product', 'products'],
    ({ resolved }) => resolved.affected,
    ({ affected }) => affected,
  ),
  references: counts(
    'references',
    ['link', 'links'],
    ({ resolved }) => resolved.references,
    ({ references }) => references,
  ),
  exploitation: assessment(
    'exploitation',
    ({ resolved }) => resolved.exploitation,
    ({ level }) => level,
    ({ exploitation }, assessed) => exploitation === assessed,
  ),
  automatable: assessment(
    'automatable',
    selectSsvc('automatable'),
    ({ automatable }) => automatable,
    ({ ssvc = [] }, assessed) => ssvc.includes(assessed),
  ),
  technical_impact: assessment(
    'technical impact',
    selectSsvc('technicalImpact'),
    ({ technicalImpact }) => technicalImpact,
    ({ ssvc = [] }, assessed) => ssvc.includes(assessed),
  ),
  fix: { label: 'fix', read: readFix },
  kev: { label: 'kev', shownInRecord: ['value'], read: readKev },
  epss: { label: 'epss', isAddedLater: true, read: readEpss },
  acsc: { label: 'notices', unit: ['notice', 'notices'], read: readNotices },
  exploits: { label: 'exploits', unit: ['item', 'items'], read: readExploits },
  attack: { label: 'techniques', unit: ['technique', 'techniques'], read: readTechniques },
}

const VALUE_LIST = Object.entries(VALUES)

interface ChoiceSpec<T> {
  readonly toContent: (value: T) => StatementContent
  /** Returns whether the record of a source states the value. */
  readonly isStatedIn: (claim: Claim, stated: Attributed<T>) => boolean
}

function choice<T>(
  label: string,
  select: (context: ReadContext) => Chosen<T> | null,
  { toContent, isStatedIn }: ChoiceSpec<T>,
): ValueSpec {
  const read = (context: ReadContext) =>
    readChoice(select(context), toContent, (stated) => context.times.find((claim) => isStatedIn(claim, stated)))
  return { label, shownInRecord: ['value'], read }
}

/** A value of an SSVC assessment, which has a day of its own that is more exact than the time of the record. */
function assessment<T extends { readonly date: string | null }>(
  label: string,
  select: (context: ReadContext) => Chosen<T> | null,
  toValue: (assessed: T) => string | null,
  isStatedIn: (claim: Claim, assessed: T) => boolean,
): ValueSpec {
  const read = (context: ReadContext) =>
    readChoice(
      select(context),
      (assessed) => text(toValue(assessed) ?? ''),
      ({ value }) => value.date ?? context.times.find((claim) => isStatedIn(claim, value)),
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
    readChoice(select(context), toRatingContent, ({ value }) => findRatingTime(context, value))
  return { label, shownInRecord: ['score', 'vector', 'version'], read }
}

/** A rating is an object of the claim that contains it, so that NVD's copy is told apart from the author's rating. */
function findRatingTime({ times }: ReadContext, wanted: Rating): string | null {
  return times.find(({ ratings }) => ratings.includes(wanted))
}

/** A value that is the union of what all sources state; the statement of each source is the number of its items. */
function counts(
  label: string,
  unit: readonly [string, string],
  select: (context: ReadContext) => readonly { readonly by: string }[],
  listStated: (claim: Claim) => readonly { readonly by: string }[],
): ValueSpec {
  const read = (context: ReadContext) => {
    const byProvider = new Map<string, number>()
    for (const { by } of select(context)) byProvider.set(by, (byProvider.get(by) ?? 0) + 1)
    const found = [...byProvider].map(([source, count]) => ({
      source,
      time: context.times.find((claim) => listStated(claim).some(({ by }) => by === source)),
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
  return readChoice(description, text, ({ by, value }) =>
    times.find((claim) => claim.provider === by && claim.description === value),
  )
}

/** EU KEV is not part of the claims: the day of its entry is that of its statement. */
function readFix({ resolved: { fix }, sourceData: { euKev }, times }: ReadContext): ValueSources | undefined {
  return readChoice(fix, text, (stated) =>
    stated.by === EU_KEV ? (euKev?.dateListed ?? null) : times.find((claim) => statesFix(claim, stated)),
  )
}

/** Names the CVSS version of the score. The scores of other providers are in the values of each CVSS version. */
function readSeverity(context: ReadContext): ValueSources | undefined {
  const { score } = context.resolved
  if (score === null) return undefined
  const time = findRatingTime(context, score.value)
  return agreeing([{ source: score.by, time, content: toRatingContent(score.value) }])
}

/** The record has the weaknesses of all sources, so that the order of the sources is that of scores (decision C3). */
function readWeaknesses({ resolved: { weaknesses }, times }: ReadContext): ValueSources | undefined {
  const byProvider = new Map<Provider, string[]>()
  for (const { id, by } of weaknesses)
    for (const provider of by) byProvider.set(provider, [...(byProvider.get(provider) ?? []), id])
  const ordered = [...byProvider].sort(([a], [b]) => rankProvider(a) - rankProvider(b) || compareText(a, b))
  return agreeing(
    ordered.map(([source, ids]) => ({
      source,
      time: findWeaknessTime(times, source, ids),
      content: { cwe_list: ids },
    })),
  )
}

/** NVD's copy can have other weaknesses than the record of their author. A record with all of them comes first. */
function findWeaknessTime(times: StatementTimes, provider: Provider, ids: readonly string[]): string | null {
  const states = ({ weaknesses }: Claim, id: string) =>
    weaknesses.some((each) => each.id === id && each.by === provider)
  return (
    times.find((claim) => ids.every((id) => states(claim, id))) ??
    times.find((claim) => ids.some((id) => states(claim, id)))
  )
}

function readTags({ resolved: { claims }, times }: ReadContext): ValueSources | undefined {
  const byProvider = Map.groupBy(
    claims.flatMap(({ tags }) => tags),
    ({ by }) => by,
  )
  return agreeing(
    [...byProvider].map(([source, stated]) => ({
      source,
      time: times.find(({ tags }) => tags.some(({ by }) => by === source)),
      content: { tags: mergeTags(stated) },
    })),
  )
}

function readCpe({ resolved: { cpe }, times }: ReadContext): ValueSources | undefined {
  if (cpe.by === null) return undefined
  const [first, ...others] = [{ ...cpe, by: cpe.by, value: cpe.matches.length }, ...cpe.runnersUp].map(
    ({ by, value, isDerived }) => ({
      source: by,
      time: times.find((claim) => statesProducts(claim, by)),
      content: { count: value, ...(isDerived && { derived: true as const }) },
    }),
  )
  return first && { from: [first], others }
}

function statesProducts({ configurations, configurationsBy, affected }: Claim, provider: Provider): boolean {
  return (configurations.length > 0 && configurationsBy === provider) || affected.some(({ by }) => by === provider)
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

/** Techniques are either all curated for this CVE or all derived by rules of this service (decision D19). */
function readTechniques({ techniques: { ids, mapping } }: ReadContext): ValueSources | undefined {
  if (mapping === null) return undefined
  const count = ids.length
  if (mapping === 'curated') return agreeing([{ source: 'attack-mapping', time: null, content: { count } }])
  return agreeing([{ source: RULES, time: null, content: { count, derived: true } }])
}
