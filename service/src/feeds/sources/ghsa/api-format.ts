// Parses an advisory in the format of GitHub's REST API. Ecosystems and severities are translated to the names that the
// OSV files of GitHub's advisory repository use.
import { type Static, Type } from 'typebox'
import type { VendorProduct, VendorScore } from '../../../domain/source/vendor-record.ts'
import type { Rejected } from '../../feed.ts'
import { type Bounds, parseRange, toAffectedProduct, UNBOUNDED } from '../../formats/affected-package.ts'
import { filterCweIds, parseReferences } from '../../formats/osv-format.ts'
import { compileSchema, type Matched, optionalOrNull } from '../../schema-check.ts'
import { type Advisory, advisoryPage } from './advisory.ts'

const Cvss = Type.Object({ vector_string: optionalOrNull(Type.String()), score: optionalOrNull(Type.Number()) })

const Vulnerability = Type.Object({
  package: optionalOrNull(Type.Object({ ecosystem: Type.String(), name: optionalOrNull(Type.String()) })),
  vulnerable_version_range: optionalOrNull(Type.String()),
  first_patched_version: Type.Optional(
    Type.Union([Type.String(), Type.Object({ identifier: Type.String() }), Type.Null()]),
  ),
})

export const apiFormat = compileSchema(
  Type.Object({
    ghsa_id: Type.String(),
    cve_id: optionalOrNull(Type.String()),
    summary: optionalOrNull(Type.String()),
    description: optionalOrNull(Type.String()),
    severity: optionalOrNull(Type.String()),
    source_code_location: optionalOrNull(Type.String()),
    references: optionalOrNull(Type.Array(Type.String())),
    published_at: optionalOrNull(Type.String()),
    updated_at: Type.String(),
    withdrawn_at: optionalOrNull(Type.String()),
    vulnerabilities: optionalOrNull(Type.Array(Vulnerability)),
    cvss: optionalOrNull(Cvss),
    cvss_severities: optionalOrNull(Type.Object({ cvss_v3: optionalOrNull(Cvss), cvss_v4: optionalOrNull(Cvss) })),
    cwes: optionalOrNull(Type.Array(Type.Object({ cwe_id: Type.String() }))),
  }),
)

type ApiAdvisory = Matched<typeof apiFormat>

const ECOSYSTEMS = new Map([
  ['actions', 'GitHub Actions'],
  ['composer', 'Packagist'],
  ['erlang', 'Hex'],
  ['go', 'Go'],
  ['maven', 'Maven'],
  ['npm', 'npm'],
  ['nuget', 'NuGet'],
  ['pip', 'PyPI'],
  ['pub', 'Pub'],
  ['rubygems', 'RubyGems'],
  ['rust', 'crates.io'],
  ['swift', 'SwiftURL'],
])

export function parseApiAdvisory(raw: ApiAdvisory): Advisory | Rejected {
  const products: VendorProduct[] = []
  for (const each of raw.vulnerabilities ?? []) {
    const product = parseProduct(each)
    if (product === undefined)
      return { rejected: raw.ghsa_id, reason: `cannot parse the version range "${each.vulnerable_version_range}"` }
    if (product) products.push(product)
  }
  return {
    id: raw.ghsa_id,
    cve: raw.cve_id ?? null,
    modified: raw.updated_at,
    published: raw.published_at ?? null,
    content: {
      title: raw.summary ?? null,
      description: raw.description ?? null,
      withdrawn: Boolean(raw.withdrawn_at),
      severity: parseSeverity(raw.severity ?? 'unknown'),
      scores: parseScores(raw),
      weaknesses: filterCweIds((raw.cwes ?? []).map(({ cwe_id }) => cwe_id)),
      products,
      references: collectReferences(raw),
    },
  }
}

function parseSeverity(word: string): string | null {
  if (word === 'unknown') return null
  return word === 'medium' ? 'MODERATE' : word.toUpperCase()
}

function parseScores({ cvss, cvss_severities: all }: ApiAdvisory): VendorScore[] {
  const ratings = all ? [all.cvss_v3, all.cvss_v4] : [cvss]
  return ratings.flatMap((each) =>
    each?.vector_string ? [{ vector: each.vector_string, base_score: each.score ?? null }] : [],
  )
}

/** Adds the URL of the source code, which the OSV file of the same advisory lists too. */
function collectReferences({ ghsa_id, references, source_code_location: source }: ApiAdvisory) {
  const urls = [...(references ?? []), ...(source ? [source] : [])]
  return parseReferences(
    advisoryPage(ghsa_id),
    urls.map((url) => ({ url })),
  )
}

/** Returns null if no package is named, and undefined if the version range cannot be parsed. */
function parseProduct(raw: Static<typeof Vulnerability>): VendorProduct | null | undefined {
  const { ecosystem, name } = raw.package ?? {}
  if (ecosystem === undefined || !name) return null
  const range = raw.vulnerable_version_range
  const bounds = range ? parseRange(range) : UNBOUNDED
  return bounds && toAffectedProduct({ ecosystem: ECOSYSTEMS.get(ecosystem) ?? ecosystem, name }, addFix(bounds, raw))
}

/** The OSV files name the last affected version only if there is no fix. */
function addFix(bounds: Bounds, { first_patched_version: patched }: Static<typeof Vulnerability>): Bounds {
  const version = typeof patched === 'object' ? patched?.identifier : patched
  return version ? { ...bounds, fixed: version, last_affected: null } : bounds
}
