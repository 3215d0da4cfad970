// Renders one detail record per source, from the source's own data (decision D12). Only exploitability and fixes are
// the same in all records.
import { CSAF_COORDINATORS, CSAF_VENDORS } from '../../domain/source/csaf-sources.ts'
import {
  listDetailParts,
  MIN_DETAIL_EPSS,
  MIN_DETAIL_MATCHES,
  MIN_DETAIL_SCORE,
} from '../../domain/source/detail-record.ts'
import { isNoVersion } from '../../domain/version/version-form.ts'
import type { Affected, AffectedRange, Claim, CpeMatch, Reference } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import type { ReferenceData, SourceData } from '../model/source-data.ts'
import { toJsonText } from '../model/storable-text.ts'
import { compareWeaknesses } from '../resolve/parts.ts'
import { chooseCpe } from '../resolve/products/cpe.ts'
import { orderRatings } from '../resolve/ratings/ratings.ts'
import { mergeReferences } from '../resolve/references.ts'
import { isAffectedAtAll, isStatusUnknown } from '../resolve/versions/version-ranges.ts'
import { mergeTags } from '../sources/fields/read-tags.ts'
import { pickRatings, renderMetrics, renderVectorMetrics } from './detail-metrics.ts'
import { describeCpeSource } from './enrichment.ts'
import type { ExploitAssessment } from './exploitability.ts'
import { renderFixes } from './fixes.ts'
import { isListed } from './kev.ts'
import type { PublishedDetail } from './published.ts'
import { renderRemediations } from './remediations.ts'

export interface DetailInput {
  readonly sourceData: SourceData
  readonly resolved: Resolved
  readonly exploit: ExploitAssessment
  readonly referenceData: ReferenceData
}

/** These records are kept for every CVE, because only they contain all versions and remediations that the source states. */
const ALWAYS_DETAILED: readonly string[] = ['ghsa', 'redhat', ...CSAF_VENDORS, ...CSAF_COORDINATORS]

export function renderDetails(detailInput: DetailInput): PublishedDetail[] {
  const { sources, claims } = detailInput.resolved
  const detailed = hasDetail(detailInput) ? sources : sources.filter((source) => ALWAYS_DETAILED.includes(source))
  return detailed.flatMap((source) => {
    const own = claims.filter((each) => each.source === source)
    if (own.length === 0) return []
    const record = renderDetail(source, own, detailInput)
    return { source, record: toJsonText(record), parts: listDetailParts(record) }
  })
}

function hasDetail({ sourceData, resolved, exploit }: DetailInput): boolean {
  return (
    (resolved.score?.value.score ?? 0) >= MIN_DETAIL_SCORE ||
    isListed(sourceData.kev) ||
    exploit.hasExploit ||
    resolved.cpe.matches.length >= MIN_DETAIL_MATCHES ||
    (sourceData.epssScore ?? 0) >= MIN_DETAIL_EPSS
  )
}

/** Several advisories from the source are merged like records from several sources. */
function renderDetail(source: string, own: readonly Claim[], { resolved, exploit, referenceData }: DetailInput) {
  const ratings = pickRatings(orderRatings(own).current.map(({ value }) => value))
  const severityWord = own.find((each) => each.severityWord !== null)?.severityWord ?? null
  const cpe = chooseCpe(resolved.cpeCandidates.filter((each) => each.source === source))
  const { fixes, omitted } = renderFixes(resolved)
  return {
    cve_id: resolved.cveId,
    vendor: source,
    title: own.find(({ title }) => title !== undefined)?.title,
    tags: renderTags(own),
    metrics: {
      ...renderMetrics(source, ratings, severityWord),
      exploitability: { score: exploit.score, evidence: exploit.evidence },
    },
    technical_details: { cwe: renderWeaknesses(own, referenceData), ...renderVectorMetrics(ratings.vectors) },
    affected_products: {
      cpe_configurations: cpe.matches.map(renderConfiguration),
      total_cpe_count: cpe.matches.length,
      cpe_source: describeCpeSource(cpe),
      products: own.flatMap(renderProducts),
    },
    fixes: fixes.length === 0 ? undefined : fixes,
    fixes_omitted: omitted || undefined,
    ...renderRemediations(source, resolved.claims),
    references: renderReferences(own),
  }
}

/** Without tags, the member is absent (decision E8). */
function renderTags(own: readonly Claim[]): readonly string[] | undefined {
  const tags = mergeTags(own.flatMap((each) => each.tags))
  return tags.length === 0 ? undefined : tags
}

function renderWeaknesses(own: readonly Claim[], referenceData: ReferenceData) {
  const ids = new Set(own.flatMap(({ weaknesses }) => weaknesses.map(({ id }) => id)))
  return [...ids].sort(compareWeaknesses).map((id) => {
    const known = referenceData.weaknesses.get(id)
    return { id, name: known?.name ?? null, description: known?.description ?? null }
  })
}

function renderConfiguration(match: CpeMatch) {
  return {
    vulnerable: match.vulnerable,
    cpe23Uri: match.criteria,
    versionStartIncluding: match.versionStartIncluding ?? null,
    versionEndExcluding: match.versionEndExcluding ?? null,
    versionEndIncluding: match.versionEndIncluding ?? null,
    versionStartExcluding: match.versionStartExcluding ?? null,
    inverted: match.inverted,
    derived: match.derived,
    by_commits: match.byCommits,
    unknown_versions: match.unknownVersions,
    unmapped: match.unmapped,
  }
}

/** Red Hat, Microsoft and CSAF documents also list products that are not affected or are still investigated. */
function renderProducts({ affected, investigated = [], unaffected = [] }: Claim) {
  return [
    ...affected.map((each) => renderProduct(each, isStatusUnknown(each))),
    ...investigated.map((each) =>
      renderProduct({ ...each, ranges: each.ranges.filter(({ productStatus }) => productStatus) }, true),
    ),
    ...unaffected.map((each) => renderProduct(each, false)),
  ]
}

function renderProduct(affected: Affected, isUnknown: boolean) {
  const { vendor, product, packageUrl, packageName, isAffectedByDefault, ranges } = affected
  return {
    vendor,
    product,
    package_url: packageUrl,
    package_name: packageName,
    platforms: affected.platforms,
    affected: isUnknown ? undefined : isAffectedByDefault === true || isAffectedAtAll(affected),
    status_unknown: isUnknown || undefined,
    distribution_state: affected.state,
    justification: affected.justification,
    affected_by_default: isAffectedByDefault ?? false,
    versions: ranges.map(renderRange),
  }
}

/** An end that is no version, such as a URL, is served as a text of its own: where the range ends is unknown. */
function renderRange(range: AffectedRange) {
  const { isAffected, version, lessThan, lessThanOrEqual, isCommit, isDerived } = range
  const end = lessThan ?? lessThanOrEqual
  const unknownEnd = end !== null && !isCommit && isNoVersion(end) ? end : undefined
  return {
    affected: isAffected,
    version,
    less_than: unknownEnd === undefined ? lessThan : null,
    less_than_or_equal: unknownEnd === undefined ? lessThanOrEqual : null,
    is_commit: isCommit ?? false,
    unknown_end: unknownEnd,
    derived: isDerived,
    product_status: range.productStatus,
    stated: range.statedText,
  }
}

type Bucket = 'vendor_advisories' | 'exploits' | 'mitigations' | 'technical_articles'

/** The first row that contains one of a reference's tags decides (decision D13). */
const BUCKETS: readonly { readonly tags: readonly string[]; readonly bucket: Bucket }[] = [
  { tags: ['Exploit'], bucket: 'exploits' },
  { tags: ['Vendor Advisory'], bucket: 'vendor_advisories' },
  { tags: ['Patch', 'Mitigation', 'Release Notes'], bucket: 'mitigations' },
]

function renderReferences(own: readonly Claim[]) {
  const references = mergeReferences(own.flatMap((each) => each.references))
  const byBucket = Map.groupBy(references, ({ tags }) => chooseBucket(tags))
  const within = (bucket: Bucket) => (byBucket.get(bucket) ?? []).map(renderReference)
  return {
    vendor_advisories: within('vendor_advisories'),
    exploits: within('exploits'),
    mitigations: within('mitigations'),
    technical_articles: within('technical_articles'),
    total_reference_count: references.length,
  }
}

function chooseBucket(tags: readonly string[]): Bucket {
  if (tags.length === 0) return 'technical_articles'
  return BUCKETS.find((each) => each.tags.some((tag) => tags.includes(tag)))?.bucket ?? 'technical_articles'
}

function renderReference({ url, by, tags }: Reference) {
  return { url, tags, source: by }
}
