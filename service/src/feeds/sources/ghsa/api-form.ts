// Advisories as GitHub's API gives them, in the words that its repository has for the same things.
import { type Static, Type } from 'typebox'
import type { VendorProduct, VendorScore } from '../../../domain/vendor-record.ts'
import type { Rejected } from '../../feed.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import { type Advisory, affected, type Bounds, cwesAmong, parseRange, references, UNBOUNDED } from './advisory.ts'

const Cvss = Type.Object({ vector_string: orNull(Type.String()), score: orNull(Type.Number()) })

const Vulnerability = Type.Object({
  package: orNull(Type.Object({ ecosystem: Type.String(), name: orNull(Type.String()) })),
  vulnerable_version_range: orNull(Type.String()),
  first_patched_version: Type.Optional(
    Type.Union([Type.String(), Type.Object({ identifier: Type.String() }), Type.Null()]),
  ),
})

export const apiForm = shapeOf(
  Type.Object({
    ghsa_id: Type.String(),
    cve_id: orNull(Type.String()),
    summary: orNull(Type.String()),
    description: orNull(Type.String()),
    severity: orNull(Type.String()),
    source_code_location: orNull(Type.String()),
    references: orNull(Type.Array(Type.String())),
    published_at: orNull(Type.String()),
    updated_at: Type.String(),
    withdrawn_at: orNull(Type.String()),
    vulnerabilities: orNull(Type.Array(Vulnerability)),
    cvss: orNull(Cvss),
    cvss_severities: orNull(Type.Object({ cvss_v3: orNull(Cvss), cvss_v4: orNull(Cvss) })),
    cwes: orNull(Type.Array(Type.Object({ cwe_id: Type.String() }))),
  }),
)

type ApiAdvisory = typeof apiForm extends { fits(raw: unknown): raw is infer T } ? T : never

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

export function fromApiForm(raw: ApiAdvisory): Advisory | Rejected {
  const products: VendorProduct[] = []
  for (const each of raw.vulnerabilities ?? []) {
    const product = productOf(each)
    if (product === undefined)
      return { rejected: raw.ghsa_id, reason: `its range cannot be read: "${each.vulnerable_version_range}"` }
    if (product) products.push(product)
  }
  return {
    id: raw.ghsa_id,
    cve: raw.cve_id ?? null,
    modified: raw.updated_at,
    published: raw.published_at ?? null,
    said: {
      title: raw.summary ?? null,
      description: raw.description ?? null,
      withdrawn: Boolean(raw.withdrawn_at),
      severity: severityOf(raw.severity ?? 'unknown'),
      scores: scoresOf(raw),
      weaknesses: cwesAmong((raw.cwes ?? []).map(({ cwe_id }) => cwe_id)),
      products,
      references: referencesOf(raw),
    },
  }
}

function severityOf(word: string): string | null {
  if (word === 'unknown') return null
  return word === 'medium' ? 'MODERATE' : word.toUpperCase()
}

function scoresOf({ cvss, cvss_severities: all }: ApiAdvisory): VendorScore[] {
  const said = all ? [all.cvss_v3, all.cvss_v4] : [cvss]
  return said.flatMap((each) =>
    each?.vector_string ? [{ vector: each.vector_string, base_score: each.score ?? null }] : [],
  )
}

/** The repository lists the source among them. */
function referencesOf({ ghsa_id, references: said, source_code_location: source }: ApiAdvisory) {
  const urls = [...(said ?? []), ...(source ? [source] : [])]
  return references(
    ghsa_id,
    urls.map((url) => ({ url })),
  )
}

/** Null: no package is named. Undefined: the range cannot be read, and "every version" would be a lie. */
function productOf(raw: Static<typeof Vulnerability>): VendorProduct | null | undefined {
  const { ecosystem, name } = raw.package ?? {}
  if (ecosystem === undefined || !name) return null
  const range = raw.vulnerable_version_range
  const bounds = range ? parseRange(range) : UNBOUNDED
  return bounds && affected({ ecosystem: ECOSYSTEMS.get(ecosystem) ?? ecosystem, name }, patched(bounds, raw))
}

/** The repository names the version that fixed it, and the last affected one only where there is none. */
function patched(bounds: Bounds, { first_patched_version: said }: Static<typeof Vulnerability>): Bounds {
  const version = typeof said === 'object' ? said?.identifier : said
  return version ? { ...bounds, fixed: version, last_affected: null } : bounds
}
