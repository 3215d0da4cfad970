// Advisories as they are in GitHub's repository: in the form of OSV, https://ossf.github.io/osv-schema/.
import { type Static, Type } from 'typebox'
import type { VendorProduct } from '../../../domain/vendor-record.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import {
  type Advisory,
  affected,
  type Bounds,
  cwesAmong,
  introducedAt,
  parseRange,
  references,
  UNBOUNDED,
} from './advisory.ts'

const Version = Type.Optional(Type.String())

const Range = Type.Object({
  type: Type.String(),
  events: Type.Array(Type.Object({ introduced: Version, fixed: Version, last_affected: Version })),
})

const Affected = Type.Object({
  package: Type.Optional(
    Type.Object({ ecosystem: Type.String(), name: Type.String(), purl: Type.Optional(Type.String()) }),
  ),
  ranges: orNull(Type.Array(Range)),
  versions: orNull(Type.Array(Type.String())),
  database_specific: orNull(Type.Object({ last_known_affected_version_range: orNull(Type.String()) })),
})

export const osvForm = shapeOf(
  Type.Object({
    id: Type.String(),
    modified: Type.String(),
    published: orNull(Type.String()),
    withdrawn: orNull(Type.String()),
    aliases: orNull(Type.Array(Type.String())),
    summary: orNull(Type.String()),
    details: orNull(Type.String()),
    severity: orNull(Type.Array(Type.Object({ type: Type.String(), score: Type.String() }))),
    affected: orNull(Type.Array(Affected)),
    references: orNull(Type.Array(Type.Object({ type: Type.String(), url: Type.String() }))),
    database_specific: orNull(
      Type.Object({ cwe_ids: orNull(Type.Array(Type.String())), severity: orNull(Type.String()) }),
    ),
  }),
)

type OsvAdvisory = typeof osvForm extends { fits(raw: unknown): raw is infer T } ? T : never

export function fromOsv(raw: OsvAdvisory): Advisory {
  return {
    id: raw.id,
    cve: cveAmong(raw.aliases ?? []),
    modified: raw.modified,
    published: raw.published ?? null,
    said: {
      title: raw.summary ?? null,
      description: raw.details ?? null,
      withdrawn: Boolean(raw.withdrawn),
      severity: raw.database_specific?.severity?.toUpperCase() ?? null,
      scores: (raw.severity ?? [])
        .filter(({ type }) => type.startsWith('CVSS_V'))
        .map(({ score }) => ({ vector: score, base_score: null })),
      weaknesses: cwesAmong(raw.database_specific?.cwe_ids ?? []),
      products: (raw.affected ?? []).flatMap(productsOf),
      references: references(
        raw.id,
        (raw.references ?? []).map(({ type, url }) => ({ url, kind: type })),
      ),
    },
  }
}

/** GitHub gives an advisory one CVE at most. */
function cveAmong(aliases: readonly string[]): string | null {
  return aliases.find((alias) => /^CVE-/i.test(alias)) ?? null
}

function productsOf(raw: Static<typeof Affected>): VendorProduct[] {
  const { package: pack } = raw
  return pack ? intervals(raw).map((bounds) => affected(pack, bounds)) : []
}

/** Commits are no versions. Versions are listed where no range says the same. */
function intervals({ ranges, versions, database_specific: own }: Static<typeof Affected>): Bounds[] {
  const ofRanges = (ranges ?? []).filter(({ type }) => type !== 'GIT').flatMap(({ events }) => intervalsOf(events))
  if (ofRanges.length > 0) return ofRanges.map((bounds) => closed(bounds, own?.last_known_affected_version_range))
  const listed = (versions ?? []).map((version) => ({ introduced: version, fixed: null, last_affected: version }))
  return listed.length > 0 ? listed : [UNBOUNDED]
}

/** Each begins with an introduction, and ends with what follows it, if anything does. */
function intervalsOf(events: Static<typeof Range>['events']): Bounds[] {
  const found: Bounds[] = []
  for (const { introduced, fixed = null, last_affected = null } of events) {
    if (introduced !== undefined) found.push({ ...UNBOUNDED, introduced: introducedAt(introduced) })
    const last = found.pop()
    if (last) found.push({ ...last, fixed: fixed ?? last.fixed, last_affected: last_affected ?? last.last_affected })
  }
  return found
}

/** Before OSV had a word for the last affected version, GitHub wrote it beside; many advisories still have it there. */
function closed(bounds: Bounds, beside: string | null | undefined): Bounds {
  if (bounds.fixed !== null || bounds.last_affected !== null) return bounds
  const { fixed, last_affected } = parseRange(beside ?? '') ?? UNBOUNDED
  return { ...bounds, fixed, last_affected }
}
