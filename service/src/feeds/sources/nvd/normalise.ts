// One record of NVD: checked as far as we rely on it, and kept whole.
import { type Static, Type } from 'typebox'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { parseDateTime } from '../../../domain/instant.ts'
import type { Rejected } from '../../feed.ts'
import { shapeOf } from '../../schema-check.ts'
import { type SourceRow, sourceRow } from '../../stores/source-record.ts'

const LocalText = Type.Object({ lang: Type.String(), value: Type.String() })

const Rating = Type.Object({
  source: Type.String(),
  type: Type.String(),
  cvssData: Type.Object({ vectorString: Type.String(), baseScore: Type.Number({ minimum: 0, maximum: 10 }) }),
})

const Ratings = Type.Optional(Type.Array(Rating))

const Match = Type.Object({
  vulnerable: Type.Boolean(),
  criteria: Type.String(),
  versionStartIncluding: Type.Optional(Type.String()),
  versionStartExcluding: Type.Optional(Type.String()),
  versionEndIncluding: Type.Optional(Type.String()),
  versionEndExcluding: Type.Optional(Type.String()),
})

const Configuration = Type.Object({ nodes: Type.Array(Type.Object({ cpeMatch: Type.Array(Match) })) })

const Metrics = Type.Object({
  cvssMetricV40: Ratings,
  cvssMetricV31: Ratings,
  cvssMetricV30: Ratings,
  cvssMetricV2: Ratings,
})

// What NVD's own schema requires is required here. Everything else may be missing, and what is not named may be there.
const element = shapeOf(
  Type.Object({
    cve: Type.Object({
      id: Type.String(),
      published: Type.String(),
      lastModified: Type.String(),
      vulnStatus: Type.Optional(Type.String()),
      descriptions: Type.Array(LocalText),
      metrics: Type.Optional(Metrics),
      weaknesses: Type.Optional(Type.Array(Type.Object({ description: Type.Array(LocalText) }))),
      configurations: Type.Optional(Type.Array(Configuration)),
      references: Type.Array(Type.Object({ url: Type.String() })),
    }),
  }),
)

export function normaliseNvd(raw: unknown, now: Date): SourceRow | Rejected {
  if (!element.fits(raw)) return { rejected: nvdIdOf(raw) ?? 'a record without an id', reason: element.fault(raw) }
  const { cve } = raw
  const cveId = parseCanonicalCveId(cve.id)
  if (cveId === undefined) return { rejected: cve.id, reason: 'this is not a CVE id' }
  if (cveId !== cve.id) return { rejected: cve.id, reason: 'NVD writes its ids in upper case' }
  const modified = parseDateTime(cve.lastModified)
  if (modified === undefined) return { rejected: cve.id, reason: notAnInstant('lastModified', cve.lastModified) }
  if (parseDateTime(cve.published) === undefined)
    return { rejected: cve.id, reason: notAnInstant('published', cve.published) }
  return sourceRow(cveId, modified, { value: cve, score: bestScore(cve.metrics) }, now)
}

/** What a record calls itself, whatever else may be wrong with it. */
export function nvdIdOf(raw: unknown): string | undefined {
  const cve = typeof raw === 'object' && raw !== null && 'cve' in raw ? raw.cve : undefined
  const id = typeof cve === 'object' && cve !== null && 'id' in cve ? cve.id : undefined
  return typeof id === 'string' ? id : undefined
}

function notAnInstant(member: string, sent: string): string {
  return `/cve/${member} must be a date and time, such as 2026-08-22T09:30:00, not ${JSON.stringify(sent.slice(0, 40))}`
}

function bestScore(metrics: Static<typeof Metrics> = {}): number | null {
  const { cvssMetricV31 = [], cvssMetricV30 = [], cvssMetricV40 = [], cvssMetricV2 = [] } = metrics
  for (const ratings of [cvssMetricV31, cvssMetricV30, cvssMetricV40, cvssMetricV2]) {
    const chosen = ratings.find((each) => each.type === 'Primary') ?? ratings[0]
    if (chosen) return chosen.cvssData.baseScore
  }
  return null
}
