// Validates the members of an NVD record that the service uses, and stores the whole record.
import { type Static, Type } from 'typebox'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { parseDateTime } from '../../../domain/instant.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, readText } from '../../schema-check.ts'
import { type SourceRow, toSourceRow } from '../../stores/source-record.ts'

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

// Members that NVD's own schema requires are required here too.
const nvdRecord = compileSchema(
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
  if (!nvdRecord.matches(raw))
    return { rejected: readNvdId(raw) ?? 'a record without an id', reason: nvdRecord.describeMismatch(raw) }
  const { cve } = raw
  const cveId = parseCanonicalCveId(cve.id)
  if (cveId === undefined) return { rejected: cve.id, reason: 'not a CVE id' }
  if (cveId !== cve.id) return { rejected: cve.id, reason: 'the CVE id is not in upper case' }
  const modified = parseDateTime(cve.lastModified)
  if (modified === undefined) return { rejected: cve.id, reason: describeInvalidDate('lastModified', cve.lastModified) }
  if (parseDateTime(cve.published) === undefined)
    return { rejected: cve.id, reason: describeInvalidDate('published', cve.published) }
  return toSourceRow(cveId, modified, { value: cve, score: choosePrimaryScore(cve.metrics) }, now)
}

/** Lets a rejection name the record even if it does not match the schema. */
export function readNvdId(raw: unknown): string | undefined {
  return readText(raw, 'cve', 'id')
}

function describeInvalidDate(member: string, value: string): string {
  return `/cve/${member} must be a date and time, such as 2026-08-22T09:30:00, not ${JSON.stringify(value.slice(0, 40))}`
}

function choosePrimaryScore(metrics: Static<typeof Metrics> = {}): number | null {
  const { cvssMetricV31 = [], cvssMetricV30 = [], cvssMetricV40 = [], cvssMetricV2 = [] } = metrics
  for (const ratings of [cvssMetricV31, cvssMetricV30, cvssMetricV40, cvssMetricV2]) {
    const chosen = ratings.find((each) => each.type === 'Primary') ?? ratings[0]
    if (chosen) return chosen.cvssData.baseScore
  }
  return null
}
