// What a detail record says of severity: the scores of one source alone (decision C18).
import { cvssV2Object, cvssV3Object, cvssV4Object } from '../../domain/cvss-object.ts'
import { exploitabilityScore, impactScore } from '../../domain/cvss-score.ts'
import type { CvssV2Vector, CvssV3Vector, CvssV4Vector } from '../../domain/cvss-vector.ts'
import { type BaseSeverity, baseSeverity } from '../../domain/severity.ts'
import type { Rating } from '../model/claim.ts'
import { vectorOf } from '../sources/parse-vector.ts'

/** Of each version the vector that counts. */
export interface SourceVectors {
  readonly v3: CvssV3Vector | undefined
  readonly v4: CvssV4Vector | undefined
  readonly v2: CvssV2Vector | undefined
}

/** `ratings` in the order of decision C3. */
export function vectorsOf(ratings: readonly Rating[]): SourceVectors {
  const vectors = ratings.flatMap(({ vector }) => vectorOf(vector) ?? [])
  return {
    v3: vectors.find((each) => each.version === '3.1' || each.version === '3.0'),
    v4: vectors.find((each) => each.version === '4.0'),
    v2: vectors.find((each) => each.version === '2.0'),
  }
}

/** Undefined members are absent from JSON: what is an addition or optional is not null (decision C2). */
export function metricsOf(vectors: SourceVectors, severityWord: string | null) {
  const v4 = vectors.v4 && cvssV4Object(vectors.v4)
  const v2 = vectors.v2 && cvssV2Object(vectors.v2)
  const v3 = vectors.v3 ? withParts(vectors.v3) : null
  const score = (v3 ?? v4 ?? v2)?.baseScore
  return {
    cvss_v31: v3,
    cvss_v40: v4,
    cvss_v2: v2 && { version: v2.version, vectorString: v2.vectorString, baseScore: v2.baseScore },
    severity: score === undefined ? levelOf(severityWord) : baseSeverity(score),
  }
}

function withParts(vector: CvssV3Vector) {
  const { version, vectorString, baseScore, baseSeverity: severity } = cvssV3Object(vector)
  return {
    version,
    vectorString,
    baseScore,
    baseSeverity: severity,
    exploitabilityScore: exploitabilityScore(vector) ?? 0,
    impactScore: impactScore(vector) ?? 0,
  }
}

/** What vendors call their levels. */
const LEVELS: ReadonlyMap<string, BaseSeverity> = new Map([
  ['critical', 'CRITICAL'],
  ['important', 'HIGH'],
  ['high', 'HIGH'],
  ['moderate', 'MEDIUM'],
  ['medium', 'MEDIUM'],
  ['low', 'LOW'],
  ['none', 'NONE'],
])

function levelOf(severityWord: string | null): BaseSeverity | null {
  return LEVELS.get(severityWord?.trim().toLowerCase() ?? '') ?? null
}

interface Words {
  readonly attack_vector: string | null
  readonly attack_complexity: string | null
  readonly privileges_required: string | null
  readonly user_interaction: string | null
  readonly scope: string | null
}

/** Of version 3, else of 4.0, else of 2.0; null for what a version does not know. */
export function wordsOf({ v3, v4, v2 }: SourceVectors): Words & { readonly authentication: string | null } {
  const old = v2 && cvssV2Object(v2)
  const words = v3 ? inVersion3(cvssV3Object(v3)) : v4 ? inVersion4(cvssV4Object(v4)) : inVersion2(old)
  return { ...words, authentication: old?.authentication ?? null }
}

function inVersion3(cvss: ReturnType<typeof cvssV3Object>): Words {
  return {
    attack_vector: cvss.attackVector,
    attack_complexity: cvss.attackComplexity,
    privileges_required: cvss.privilegesRequired,
    user_interaction: cvss.userInteraction,
    scope: cvss.scope,
  }
}

function inVersion4(cvss: ReturnType<typeof cvssV4Object>): Words {
  return {
    attack_vector: cvss.attackVector,
    attack_complexity: cvss.attackComplexity,
    privileges_required: cvss.privilegesRequired,
    user_interaction: cvss.userInteraction,
    scope: null,
  }
}

function inVersion2(cvss: ReturnType<typeof cvssV2Object> | undefined): Words {
  return {
    attack_vector: cvss?.accessVector ?? null,
    attack_complexity: cvss?.accessComplexity ?? null,
    privileges_required: null,
    user_interaction: null,
    scope: null,
  }
}
