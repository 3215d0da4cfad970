// Takes the values for the search columns of catalog.cve from a resolved CVE.
import type { DecisionFacts } from '../../domain/priority/facts.ts'
import { rank } from '../../domain/priority/policy.ts'
import { packSsvc } from '../../domain/priority/ssvc.ts'
import type { Resolved } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import type { Enrichment } from './enrichment.ts'
import type { ExploitAssessment } from './exploitability.ts'
import { toStorableText } from './json-text.ts'
import { isListed } from './kev.ts'

export type SearchValues = ReturnType<typeof renderSearchValues>

interface Assessment {
  readonly enrichment: Enrichment
  readonly exploit: ExploitAssessment
  readonly facts: DecisionFacts
}

/**
 * The content hash of a CVE covers the JSON text of the returned object, so adding, renaming or moving a member changes
 * the hash of every CVE. Nevertheless the publisher renders all CVEs again only after a new resolver version or a
 * rebuild.
 */
export function renderSearchValues(
  sourceData: SourceData,
  resolved: Resolved,
  { enrichment, exploit, facts }: Assessment,
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
    /** Text of the description, for full-text search. */
    text: toStorableText(resolved.description?.value ?? ''),
  }
}
