// Detail records: what one source says of a CVE, whole, and nothing that another source says (decision D12). Only how
// far exploitation has come is said by all of them together.

import type { Affected, AffectedRange, CpeMatch, Reference, Statement } from '../model/claim.ts'
import type { PublishedDetail } from '../model/published.ts'
import type { Resolved } from '../model/resolved.ts'
import type { Facts, Knowledge } from '../model/source-data.ts'
import { resolveCpe } from '../resolve/cpe.ts'
import { orderRatings } from '../resolve/ratings.ts'
import { mergeReferences } from '../resolve/references.ts'
import { metricsOf, vectorsOf, wordsOf } from './detail-metrics.ts'
import { cpeSource } from './enrichment.ts'
import type { ExploitAssessment } from './exploitability.ts'
import { jsonText } from './json-text.ts'
import { isListed } from './kev.ts'

const LOWEST_SCORE = 7.0
const MIN_MATCHES = 50
const LOWEST_EPSS = 0.1

export interface Material {
  readonly facts: Facts
  readonly resolved: Resolved
  readonly exploit: ExploitAssessment
  readonly knowledge: Knowledge
}

export function renderDetails(material: Material): PublishedDetail[] {
  if (!deservesDetail(material)) return []
  const { sources, statements } = material.resolved
  return sources.flatMap((source) => {
    const own = statements.filter((each) => each.source === source)
    return own.length === 0 ? [] : { source, record: jsonText(detailOf(source, own, material)) }
  })
}

function deservesDetail({ facts, resolved, exploit }: Material): boolean {
  return (
    (resolved.score?.value.score ?? 0) >= LOWEST_SCORE ||
    isListed(facts.kev) ||
    exploit.hasExploit ||
    resolved.cpe.matches.length >= MIN_MATCHES ||
    (facts.epssScore ?? 0) >= LOWEST_EPSS
  )
}

/** A source may have several advisories for one CVE: what it says is concluded from them as from several sources. */
function detailOf(source: string, own: readonly Statement[], { resolved, exploit, knowledge }: Material) {
  const vectors = vectorsOf(orderRatings(own))
  const severityWord = own.find((each) => each.severityWord !== null)?.severityWord ?? null
  const cpe = resolveCpe(own)
  return {
    cve_id: resolved.cveId,
    vendor: source,
    metrics: {
      ...metricsOf(vectors, severityWord),
      exploitability: { score: exploit.score, evidence: exploit.evidence },
    },
    technical_details: { cwe: weaknessesOf(own, knowledge), ...wordsOf(vectors) },
    affected_products: {
      cpe_configurations: cpe.matches.map(configurationOf),
      total_cpe_count: cpe.matches.length,
      cpe_source: cpeSource(cpe),
      products: own.flatMap(({ affected }) => affected).map(productOf),
    },
    references: referencesOf(own),
  }
}

function weaknessesOf(own: readonly Statement[], knowledge: Knowledge) {
  const ids = new Set(own.flatMap(({ weaknesses }) => weaknesses.map(({ id }) => id)))
  return [...ids].sort(byNumber).map((id) => {
    const known = knowledge.weaknesses.get(id)
    return { id, name: known?.name ?? null, description: known?.description ?? null }
  })
}

function byNumber(a: string, b: string): number {
  return Number(a.slice('CWE-'.length)) - Number(b.slice('CWE-'.length))
}

function configurationOf(match: CpeMatch) {
  return {
    vulnerable: match.vulnerable,
    cpe23Uri: match.criteria,
    versionStartIncluding: match.versionStartIncluding ?? null,
    versionEndExcluding: match.versionEndExcluding ?? null,
    versionEndIncluding: match.versionEndIncluding ?? null,
    versionStartExcluding: match.versionStartExcluding ?? null,
  }
}

function productOf({ vendor, product, packageUrl, isAffectedByDefault, ranges }: Affected) {
  return {
    vendor,
    product,
    package_url: packageUrl,
    affected_by_default: isAffectedByDefault ?? false,
    versions: ranges.map(rangeOf),
  }
}

function rangeOf({ isAffected, version, lessThan, lessThanOrEqual, isCommit }: AffectedRange) {
  return {
    affected: isAffected,
    version,
    less_than: lessThan,
    less_than_or_equal: lessThanOrEqual,
    is_commit: isCommit ?? false,
  }
}

type Bucket = 'vendor_advisories' | 'exploits' | 'mitigations' | 'technical_articles'

/** Each in one of them: the first line that fits (decision D13). */
const BUCKETS: readonly { readonly tags: readonly string[]; readonly bucket: Bucket }[] = [
  { tags: ['Exploit'], bucket: 'exploits' },
  { tags: ['Vendor Advisory'], bucket: 'vendor_advisories' },
  { tags: ['Patch', 'Mitigation', 'Release Notes'], bucket: 'mitigations' },
]

function referencesOf(own: readonly Statement[]) {
  const references = mergeReferences(own.flatMap((each) => each.references))
  const within = (bucket: Bucket) => references.filter(({ tags }) => bucketOf(tags) === bucket).map(referenceOf)
  return {
    vendor_advisories: within('vendor_advisories'),
    exploits: within('exploits'),
    mitigations: within('mitigations'),
    technical_articles: within('technical_articles'),
    total_reference_count: references.length,
  }
}

function bucketOf(tags: readonly string[]): Bucket {
  return BUCKETS.find((each) => each.tags.some((tag) => tags.includes(tag)))?.bucket ?? 'technical_articles'
}

function referenceOf({ url, by, tags }: Reference) {
  return { url, tags, source: by }
}
