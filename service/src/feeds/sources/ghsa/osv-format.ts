// Parses an advisory file of GitHub's advisory repository, in OSV format (https://ossf.github.io/osv-schema/).
import { type Static, Type } from 'typebox'
import type { VendorProduct } from '../../../domain/vendor-record.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import {
  type Advisory,
  type Bounds,
  filterCweIds,
  parseIntroduced,
  parseRange,
  parseReferences,
  toAffectedProduct,
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
  ranges: optionalOrNull(Type.Array(Range)),
  versions: optionalOrNull(Type.Array(Type.String())),
  database_specific: optionalOrNull(Type.Object({ last_known_affected_version_range: optionalOrNull(Type.String()) })),
})

export const osvFormat = compileSchema(
  Type.Object({
    id: Type.String(),
    modified: Type.String(),
    published: optionalOrNull(Type.String()),
    withdrawn: optionalOrNull(Type.String()),
    aliases: optionalOrNull(Type.Array(Type.String())),
    summary: optionalOrNull(Type.String()),
    details: optionalOrNull(Type.String()),
    severity: optionalOrNull(Type.Array(Type.Object({ type: Type.String(), score: Type.String() }))),
    affected: optionalOrNull(Type.Array(Affected)),
    references: optionalOrNull(Type.Array(Type.Object({ type: Type.String(), url: Type.String() }))),
    database_specific: optionalOrNull(
      Type.Object({ cwe_ids: optionalOrNull(Type.Array(Type.String())), severity: optionalOrNull(Type.String()) }),
    ),
  }),
)

type OsvAdvisory = typeof osvFormat extends { matches(raw: unknown): raw is infer T } ? T : never

export function parseOsvAdvisory(raw: OsvAdvisory): Advisory {
  return {
    id: raw.id,
    cve: findCveId(raw.aliases ?? []),
    modified: raw.modified,
    published: raw.published ?? null,
    content: {
      title: raw.summary ?? null,
      description: raw.details ?? null,
      withdrawn: Boolean(raw.withdrawn),
      severity: raw.database_specific?.severity?.toUpperCase() ?? null,
      scores: (raw.severity ?? [])
        .filter(({ type }) => type.startsWith('CVSS_V'))
        .map(({ score }) => ({ vector: score, base_score: null })),
      weaknesses: filterCweIds(raw.database_specific?.cwe_ids ?? []),
      products: (raw.affected ?? []).flatMap(parseProducts),
      references: parseReferences(
        raw.id,
        (raw.references ?? []).map(({ type, url }) => ({ url, type })),
      ),
    },
  }
}

/** Returns the CVE id among the aliases of an advisory. GitHub assigns at most one CVE to an advisory. */
function findCveId(aliases: readonly string[]): string | null {
  return aliases.find((alias) => /^CVE-/i.test(alias)) ?? null
}

function parseProducts(raw: Static<typeof Affected>): VendorProduct[] {
  const { package: pack } = raw
  return pack ? parseAffectedVersions(raw).map((bounds) => toAffectedProduct(pack, bounds)) : []
}

/**
 * Parses the affected versions of a package. Ranges are preferred to the list of single versions. GIT ranges are
 * ignored: their bounds are commits, not versions.
 */
function parseAffectedVersions({ ranges, versions, database_specific: extra }: Static<typeof Affected>): Bounds[] {
  const fromRanges = (ranges ?? []).filter(({ type }) => type !== 'GIT').flatMap(({ events }) => parseEvents(events))
  if (fromRanges.length > 0)
    return fromRanges.map((bounds) => addUpperBound(bounds, extra?.last_known_affected_version_range))
  const listed = (versions ?? []).map((version) => ({ introduced: version, fixed: null, last_affected: version }))
  return listed.length > 0 ? listed : [UNBOUNDED]
}

/**
 * Parses the events of an OSV version range. Each `introduced` event starts an interval; a `fixed` or `last_affected`
 * event after it ends the interval.
 */
function parseEvents(events: Static<typeof Range>['events']): Bounds[] {
  const found: Bounds[] = []
  for (const { introduced, fixed = null, last_affected = null } of events) {
    if (introduced !== undefined) found.push({ ...UNBOUNDED, introduced: parseIntroduced(introduced) })
    const last = found.pop()
    if (last) found.push({ ...last, fixed: fixed ?? last.fixed, last_affected: last_affected ?? last.last_affected })
  }
  return found
}

/**
 * Adds an upper bound to a version range that has none. Before OSV had `last_affected`, GitHub wrote the last affected
 * version to `database_specific`. Many advisories still have it there and nowhere else.
 */
function addUpperBound(bounds: Bounds, lastKnownAffected: string | null | undefined): Bounds {
  if (bounds.fixed !== null || bounds.last_affected !== null) return bounds
  const { fixed, last_affected } = parseRange(lastKnownAffected ?? '') ?? UNBOUNDED
  return { ...bounds, fixed, last_affected }
}
