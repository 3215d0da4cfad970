// Derives values from all sources together (decisions C14, C16, C17).
import { type AttackVector, attackVectorWord } from '../../domain/cvss/cvss-object.ts'
import type { Resolved, ResolvedCpe } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { isAffected } from '../resolve/fixes/debian-fixes.ts'
import { isRejected } from '../resolve/status.ts'
import { parseVectorCached } from '../sources/fields/parse-vector.ts'
import type { ExploitAssessment } from './exploitability.ts'
import { isListed } from './kev.ts'

export interface Enrichment {
  /** Null for a CVE that does not count as enriched yet. */
  readonly content: EnrichmentContent | null
  readonly attackVector: AttackVector | null
  readonly hasPatch: boolean
}

type EnrichmentContent = ReturnType<typeof buildContent>

export function enrich(sourceData: SourceData, resolved: Resolved, exploit: ExploitAssessment): Enrichment {
  const vector = resolved.score && parseVectorCached(resolved.score.value.vector)
  const attackVector = vector ? attackVectorWord(vector) : null
  // `hasPatch` means that a source names a fix (decision C16).
  const flags = { hasExploit: exploit.hasExploit, isInKev: isListed(sourceData.kev), hasPatch: resolved.fix !== null }
  const content = isEnriched(sourceData, resolved, exploit) ? buildContent(resolved, attackVector, flags) : null
  return { content, attackVector, hasPatch: flags.hasPatch }
}

/** A KEV entry alone is not enough (decision C14). A fix is: the filter `patched` finds every CVE that has one. */
function isEnriched(sourceData: SourceData, resolved: Resolved, exploit: ExploitAssessment): boolean {
  return (
    resolved.score !== null ||
    resolved.weaknesses.length > 0 ||
    resolved.cpe.matches.length > 0 ||
    resolved.affected.length > 0 ||
    resolved.fix !== null ||
    exploit.hasExploit ||
    (!isRejected(resolved) && sourceData.debian.some(isAffected))
  )
}

interface Flags {
  readonly hasExploit: boolean
  readonly isInKev: boolean
  readonly hasPatch: boolean
}

function buildContent(resolved: Resolved, attackVector: AttackVector | null, flags: Flags) {
  return {
    cvss_vector: resolved.score?.value.vector ?? null,
    cvss_source: resolved.score?.by ?? null,
    cwe_list: resolved.weaknesses.map(({ id }) => id),
    exploit_flag: flags.hasExploit,
    kev_flag: flags.isInKev,
    attack_vector: attackVector,
    patch_available: flags.hasPatch,
    cpe_count: resolved.cpe.matches.length,
    cpe_source: describeCpeSource(resolved.cpe),
    reference_count: resolved.references.length,
    vendor_tags: resolved.sources,
  }
}

/** The prefix `derived:` marks matches derived from product names. */
export function describeCpeSource({ by, isDerived }: ResolvedCpe): string | null {
  return by !== null && isDerived ? `derived:${by}` : by
}
