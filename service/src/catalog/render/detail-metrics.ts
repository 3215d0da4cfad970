// Renders the CVSS metrics of a detail record, from the ratings of one source (decision C18).
import { cvssV2Object, cvssV3Object, cvssV4Object } from '../../domain/cvss/cvss-object.ts'
import { exploitabilityScore, impactScore } from '../../domain/cvss/cvss-score.ts'
import type { CvssV2Vector, CvssV3Vector, CvssV4Vector } from '../../domain/cvss/cvss-vector.ts'
import type { BaseSeverity } from '../../domain/cvss/severity.ts'
import type { Rating } from '../model/claim.ts'
import { parseVectorCached } from '../sources/fields/parse-vector.ts'

/** Vectors from the ratings with the highest precedence. */
interface SourceVectors {
  readonly v3: CvssV3Vector | undefined
  readonly v4: CvssV4Vector | undefined
  readonly v2: CvssV2Vector | undefined
}

/** The ratings with the highest precedence. */
interface SourceRatings {
  readonly vectors: SourceVectors
  /** Base scores that the source states and that differ from those of the vectors (decision C5). */
  readonly statedScores: readonly { readonly version: Rating['version']; readonly stated_score: number }[]
}

/** `ratings` must be ordered by precedence (decision C3). */
export function pickRatings(ratings: readonly Rating[]): SourceRatings {
  const chosen = [['3.1', '3.0'], ['4.0'], ['2.0']].flatMap(
    (versions) => ratings.find(({ version }) => versions.includes(version)) ?? [],
  )
  const vectors = chosen.flatMap(({ vector }) => parseVectorCached(vector) ?? [])
  return {
    vectors: {
      v3: vectors.find((each) => each.version === '3.1' || each.version === '3.0'),
      v4: vectors.find((each) => each.version === '4.0'),
      v2: vectors.find((each) => each.version === '2.0'),
    },
    statedScores: chosen.flatMap(({ version, score, statedScore }) =>
      statedScore === null || statedScore === score ? [] : { version, stated_score: statedScore },
    ),
  }
}

/** JSON omits undefined members (decision C2). */
export function renderMetrics(source: string, { vectors, statedScores }: SourceRatings, severityWord: string | null) {
  const v4 = vectors.v4 && cvssV4Object(vectors.v4)
  const v2 = vectors.v2 && cvssV2Object(vectors.v2)
  const v3 = vectors.v3 ? renderV3WithSubscores(vectors.v3, source) : null
  return {
    cvss_v31: v3,
    cvss_v40: v4,
    cvss_v2: v2 && { version: v2.version, vectorString: v2.vectorString, baseScore: v2.baseScore },
    stated_scores: statedScores.length === 0 ? undefined : statedScores,
    severity: (v3 ?? v4 ?? v2)?.baseSeverity ?? toSeverity(severityWord),
    severity_word: severityWord ?? undefined,
  }
}

/** Only NVD states subscores. The service computes those of other sources from the vector, and marks them. */
function renderV3WithSubscores(vector: CvssV3Vector, source: string) {
  const { version, vectorString, baseScore, baseSeverity: severity } = cvssV3Object(vector)
  return {
    version,
    vectorString,
    baseScore,
    baseSeverity: severity,
    exploitabilityScore: exploitabilityScore(vector) ?? 0,
    impactScore: impactScore(vector) ?? 0,
    subscores_derived: source === 'nvd' ? undefined : (true as const),
  }
}

/** Maps vendors' words to the API's levels. */
const LEVELS: ReadonlyMap<string, BaseSeverity> = new Map([
  ['critical', 'CRITICAL'],
  ['important', 'HIGH'],
  ['high', 'HIGH'],
  ['moderate', 'MEDIUM'],
  ['medium', 'MEDIUM'],
  ['low', 'LOW'],
  ['none', 'NONE'],
])

function toSeverity(severityWord: string | null): BaseSeverity | null {
  return LEVELS.get(severityWord?.trim().toLowerCase() ?? '') ?? null
}

interface VectorMetrics {
  readonly attack_vector: string | null
  readonly attack_complexity: string | null
  readonly privileges_required: string | null
  readonly user_interaction: string | null
  readonly scope: string | null
}

/**
 * Renders the metrics of the CVSS 3.x vector, else of the 4.0 vector, else of the 2.0 vector. Metrics that the version
 * does not define are null.
 */
export function renderVectorMetrics({
  v3,
  v4,
  v2,
}: SourceVectors): VectorMetrics & { readonly authentication: string | null } {
  const cvssV2 = v2 && cvssV2Object(v2)
  const newer = v3 ? cvssV3Object(v3) : v4 && cvssV4Object(v4)
  const metrics = newer ? renderV3OrV4(newer) : renderV2(cvssV2)
  return { ...metrics, authentication: cvssV2?.authentication ?? null }
}

function renderV3OrV4(cvss: ReturnType<typeof cvssV3Object> | ReturnType<typeof cvssV4Object>): VectorMetrics {
  return {
    attack_vector: cvss.attackVector,
    attack_complexity: cvss.attackComplexity,
    privileges_required: cvss.privilegesRequired,
    user_interaction: cvss.userInteraction,
    scope: 'scope' in cvss ? cvss.scope : null,
  }
}

function renderV2(cvss: ReturnType<typeof cvssV2Object> | undefined): VectorMetrics {
  return {
    attack_vector: cvss?.accessVector ?? null,
    attack_complexity: cvss?.accessComplexity ?? null,
    privileges_required: null,
    user_interaction: null,
    scope: null,
  }
}
