// Takes the values for the search columns of catalog.cve from a resolved CVE.
import { rankMaturity } from '../../domain/exploitation/exploit-maturity.ts'
import { listKnownNames } from '../../domain/known-names/known-names.ts'
import type { DecisionFacts } from '../../domain/priority/facts.ts'
import { rank } from '../../domain/priority/policy.ts'
import { packSsvc } from '../../domain/priority/ssvc.ts'
import type { Claim } from '../model/claim.ts'
import type { Resolved, Techniques } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { toStorableText } from '../model/storable-text.ts'
import { findDisagreements } from './disagreements.ts'
import type { Enrichment } from './enrichment.ts'
import type { ExploitAssessment } from './exploitability.ts'
import type { RenderedExploits } from './exploits.ts'
import { isListed } from './kev.ts'

export type SearchValues = ReturnType<typeof renderSearchValues>

interface Assessment {
  readonly enrichment: Enrichment
  readonly exploit: ExploitAssessment
  readonly facts: DecisionFacts
  readonly techniques: Techniques
  readonly exploits: RenderedExploits
}

/**
 * The content hash of a CVE covers the JSON text of the returned object, so adding, renaming or moving a member changes
 * the hash of every CVE. Nevertheless the publisher renders all CVEs again only after a new resolver version or a
 * rebuild.
 */
export function renderSearchValues(
  sourceData: SourceData,
  resolved: Resolved,
  { enrichment, exploit, facts, techniques, exploits }: Assessment,
) {
  return {
    published: resolved.published?.value ?? null,
    modified: resolved.modified.value,
    score: resolved.score?.value.score ?? null,
    status: resolved.status.value,
    isEnriched: enrichment.content !== null,
    hasExploit: exploit.hasExploit,
    inKev: isListed(sourceData.kev),
    inEuKev: isListed(sourceData.euKev),
    hasNotice: sourceData.notices.length > 0,
    hasReference: resolved.references.length > 0,
    cpeCount: resolved.cpe.matches.length,
    attackVector: enrichment.attackVector,
    hasPatch: enrichment.hasPatch,
    sources: resolved.sources,
    priority: rank(facts, sourceData.epssScore),
    ssvc: packSsvc(facts),
    cwes: resolved.weaknesses.map(({ id }) => id),
    techniques: addParents(techniques.ids),
    assigner: findAssigner(resolved.claims),
    maturity: rankMaturity(exploits.maturity),
    evidenceCount: countEvidence(exploits.counts),
    hasFix: resolved.fixes.length > 0,
    isRansomware: isListed(sourceData.kev) && sourceData.kev.knownRansomware,
    scoreVersion: resolved.score && Number.parseInt(resolved.score.value.version, 10),
    disagreements: findDisagreements(resolved, facts),
    /** Names of the vulnerability, for full-text search: well-known names, and the name of its KEV entry. */
    names: listNames(sourceData),
    /** Text of the description, for full-text search. */
    text: toStorableText(resolved.description?.value ?? ''),
  }
}

function listNames({ cveId, kev }: Pick<SourceData, 'cveId' | 'kev'>): readonly string[] {
  return [...listKnownNames(cveId), ...(isListed(kev) ? [toStorableText(kev.vulnerabilityName)] : [])]
}

/** Adds the parent of each sub-technique, so that a search for the parent is one lookup in the index. */
function addParents(techniques: readonly string[]): readonly string[] {
  return [...new Set(techniques.flatMap((id) => [id.split('.', 1)[0] ?? id, id]))].sort()
}

/** The CVE List decides who assigned an id; NVD repeats it, with an e-mail address instead of the name. */
function findAssigner(claims: readonly Claim[]): string | null {
  const named = (source: Claim['source']) => claims.find((each) => each.source === source)?.assigner
  return named('cve') ?? named('nvd') ?? null
}

/** Maximum of the column's type. */
const MAX_COUNT = 32_767

function countEvidence(counts: RenderedExploits['counts']): number {
  const count = Object.values(counts).reduce((sum, each) => sum + each, 0)
  return Math.min(count, MAX_COUNT)
}
