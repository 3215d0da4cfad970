// What all sources together add to a record (decisions C14, C16, C17).
import { type AttackVector, attackVectorWord } from '../../domain/cvss-object.ts'
import type { Resolved, ResolvedCpe } from '../model/resolved.ts'
import type { Facts } from '../model/source-data.ts'
import { vectorOf } from '../sources/parse-vector.ts'
import type { ExploitAssessment } from './exploitability.ts'
import { isListed } from './kev.ts'

export interface Enrichment {
  /** Null: nothing to add, the record is pending. */
  readonly content: EnrichmentContent | null
  readonly attackVector: AttackVector | null
  readonly hasPatch: boolean
}

type EnrichmentContent = ReturnType<typeof contentOf>

export function enrich(facts: Facts, resolved: Resolved, exploit: ExploitAssessment): Enrichment {
  const vector = resolved.score && vectorOf(resolved.score.value.vector)
  const attackVector = vector ? attackVectorWord(vector) : null
  // The resolver has looked for fixed versions and for references tagged Patch (decision C16).
  const flags = { hasExploit: exploit.hasExploit, isInKev: isListed(facts.kev), hasPatch: resolved.fix !== null }
  const content = isEnriched(resolved, exploit) ? contentOf(resolved, attackVector, flags) : null
  return { content, attackVector, hasPatch: flags.hasPatch }
}

/** The KEV catalogue alone does not count (decision C14). */
function isEnriched(resolved: Resolved, exploit: ExploitAssessment): boolean {
  return (
    resolved.score !== null ||
    resolved.weaknesses.length > 0 ||
    resolved.cpe.matches.length > 0 ||
    resolved.affected.length > 0 ||
    exploit.hasExploit
  )
}

interface Flags {
  readonly hasExploit: boolean
  readonly isInKev: boolean
  readonly hasPatch: boolean
}

function contentOf(resolved: Resolved, attackVector: AttackVector | null, flags: Flags) {
  return {
    cvss_vector: resolved.score?.value.vector ?? null,
    cvss_source: resolved.score?.by ?? null,
    cwe_list: resolved.weaknesses.map(({ id }) => id),
    exploit_flag: flags.hasExploit,
    kev_flag: flags.isInKev,
    attack_vector: attackVector,
    patch_available: flags.hasPatch,
    cpe_count: resolved.cpe.matches.length,
    cpe_source: cpeSource(resolved.cpe),
    reference_count: resolved.references.length,
    vendor_tags: resolved.sources,
  }
}

/** What we have made from other words must not pass for what somebody said. */
export function cpeSource({ by, isDerived }: ResolvedCpe): string | null {
  return by !== null && isDerived ? `derived:${by}` : by
}
