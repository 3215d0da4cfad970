// Computes the values of the search columns of catalog.cve from a resolved CVE.
import type { CopyValue } from '../../database/copy-line.ts'
import { rankMaturity } from '../../domain/exploitation/exploit-maturity.ts'
import { listKnownNames } from '../../domain/known-names/known-names.ts'
import { toHeldThreshold } from '../../domain/priority/epss-rule.ts'
import { findEventDay } from '../../domain/priority/event-day.ts'
import type { DecisionFacts } from '../../domain/priority/facts.ts'
import { rank } from '../../domain/priority/policy.ts'
import { packSsvc } from '../../domain/priority/ssvc.ts'
import { type StatedDisagreement, sumSubjects } from '../../domain/source/disagreement.ts'
import type { Claim } from '../model/claim.ts'
import type { Resolved, Techniques } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { toStorableText } from '../model/storable-text.ts'
import type { Enrichment } from './enrichment.ts'
import type { ExploitAssessment } from './exploitability.ts'
import type { RenderedExploits } from './exploits.ts'
import { isListed } from './kev.ts'

interface Known {
  readonly sourceData: SourceData
  readonly resolved: Resolved
  readonly enrichment: Enrichment
  readonly exploit: ExploitAssessment
  readonly facts: DecisionFacts
  readonly techniques: Techniques
  readonly exploits: RenderedExploits
  readonly disagreements: readonly StatedDisagreement[]
}

type ValueTable = Readonly<Record<string, (known: Known) => CopyValue>>

/**
 * The search columns of catalog.cve: for example, `cpeCount` is the value of cpe_count. The publisher's statements are
 * derived from this table, and a changed list of columns makes the next publication render every CVE again.
 */
const COLUMN_VALUES = {
  published: ({ resolved }) => resolved.published?.value ?? null,
  modified: ({ resolved }) => resolved.modified.value,
  score: ({ resolved }) => resolved.score?.value.score ?? null,
  status: ({ resolved }) => resolved.status.value,
  isEnriched: ({ enrichment }) => enrichment.content !== null,
  hasExploit: ({ exploit }) => exploit.hasExploit,
  inKev: ({ sourceData }) => isListed(sourceData.kev),
  inEuKev: ({ sourceData }) => isListed(sourceData.euKev),
  hasNotice: ({ sourceData }) => sourceData.notices.length > 0,
  hasReference: ({ resolved }) => resolved.references.length > 0,
  cpeCount: ({ resolved }) => resolved.cpe.matches.length,
  attackVector: ({ enrichment }) => enrichment.attackVector,
  hasPatch: ({ enrichment }) => enrichment.hasPatch,
  sources: ({ resolved }) => resolved.sources,
  priority: ({ facts, sourceData }) => rank(facts, toHeldThreshold(sourceData.epssScore, sourceData.epssHeld)),
  ssvc: ({ facts }) => packSsvc(facts),
  cwes: ({ resolved }) => resolved.weaknesses.map(({ id }) => id),
  techniques: ({ techniques }) => addParents(techniques.ids),
  assigner: ({ resolved }) => findAssigner(resolved.claims),
  maturity: ({ exploits }) => rankMaturity(exploits.maturity),
  evidenceCount: ({ exploits }) => countEvidence(exploits.counts),
  hasFix: ({ resolved }) => resolved.fixes.length > 0,
  isRansomware: ({ sourceData }) => isListed(sourceData.kev) && sourceData.kev.knownRansomware,
  scoreVersion: ({ resolved }) => resolved.score && Number.parseInt(resolved.score.value.version, 10),
  disagreements: ({ disagreements }) => sumSubjects(disagreements),
  eventDay: ({ sourceData, resolved }) =>
    findEventDay({ published: resolved.published?.value ?? null, listed: listKevDays(sourceData) }),
} satisfies ValueTable

/** Texts from which the column `words` is computed. */
const WORD_SOURCES = {
  /** Names of the vulnerability: well-known names, and the name of its KEV entry. */
  names: ({ sourceData }) => listNames(sourceData),
  text: ({ resolved }) => toStorableText(resolved.description?.value ?? ''),
} satisfies ValueTable

const ALL_VALUES = { ...COLUMN_VALUES, ...WORD_SOURCES }

export type SearchValues = {
  readonly [Name in keyof typeof ALL_VALUES]: ReturnType<(typeof ALL_VALUES)[Name]>
}

export type ColumnValue = keyof typeof COLUMN_VALUES

/** The search columns of catalog.cve, each with the name of its value. */
export const COLUMNS_WITH_VALUES: readonly { readonly column: string; readonly value: ColumnValue }[] =
  // The cast is safe: Object.keys returns the keys of COLUMN_VALUES.
  (Object.keys(COLUMN_VALUES) as ColumnValue[]).map((value) => ({
    column: value.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  }))

/**
 * The content hash of a CVE covers the JSON text of the returned object, so adding, renaming or moving a member changes
 * the hash of every CVE.
 */
export function renderSearchValues(known: Known): SearchValues {
  const values = Object.entries(ALL_VALUES).map(([name, read]) => [name, read(known)])
  // The cast is safe: the result has the value of each function under the function's name.
  return Object.fromEntries(values) as SearchValues
}

function listKevDays({ kev, euKev }: Pick<SourceData, 'kev' | 'euKev'>): readonly string[] {
  return [...(isListed(kev) ? [kev.dateAdded] : []), ...(isListed(euKev) ? [euKev.dateListed] : [])]
}

function listNames({ cveId, kev }: Pick<SourceData, 'cveId' | 'kev'>): readonly string[] {
  return [...listKnownNames(cveId), ...(isListed(kev) ? [toStorableText(kev.vulnerabilityName)] : [])]
}

/** Adds the parent of each sub-technique, so that a search for the parent is one lookup in the index. */
function addParents(techniques: readonly string[]): readonly string[] {
  return [...new Set(techniques.flatMap((id) => [id.split('.', 1)[0] ?? id, id]))].sort()
}

/**
 * The CVE List decides who assigned an id; NVD repeats it, with an e-mail address instead of the name, and so does
 * Anchore for a CVE that neither of them has.
 */
function findAssigner(claims: readonly Claim[]): string | null {
  const named = (source: Claim['source']) => claims.find((each) => each.source === source)?.assigner
  return named('cve') ?? named('nvd') ?? named('overrides') ?? null
}

/** Maximum value of the column's type. */
const MAX_COUNT = 32_767

function countEvidence(counts: RenderedExploits['counts']): number {
  const count = Object.values(counts).reduce((sum, each) => sum + each, 0)
  return Math.min(count, MAX_COUNT)
}
