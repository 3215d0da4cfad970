// Parses an advisory in OSV format (https://ossf.github.io/osv-schema/), which GitHub's advisory repository and the
// databases of osv.dev use.
import { type Static, Type } from 'typebox'
import { findStreamNames } from '../../domain/component/rpm-stream.ts'
import type { VendorProduct, VendorRecord, VendorReference, VendorScore } from '../../domain/source/vendor-record.ts'
import { compileSchema, type Matched, optionalOrNull } from '../schema-check.ts'
import { type Bounds, parseIntroduced, parseRange, toAffectedProduct, UNBOUNDED } from './affected-package.ts'

const Version = Type.Optional(Type.String())

const Range = Type.Object({
  type: Type.String(),
  events: Type.Array(Type.Object({ introduced: Version, fixed: Version, last_affected: Version })),
})

const Severities = optionalOrNull(Type.Array(Type.Object({ type: Type.String(), score: Type.String() })))

const Affected = Type.Object({
  package: optionalOrNull(
    Type.Object({ ecosystem: Type.String(), name: Type.String(), purl: optionalOrNull(Type.String()) }),
  ),
  ranges: optionalOrNull(Type.Array(Range)),
  versions: optionalOrNull(Type.Array(Type.String())),
  severity: Severities,
  database_specific: optionalOrNull(Type.Object({ last_known_affected_version_range: optionalOrNull(Type.String()) })),
})

const Ids = optionalOrNull(Type.Array(Type.String()))

export const osvFormat = compileSchema(
  Type.Object({
    id: Type.String(),
    modified: Type.String(),
    published: optionalOrNull(Type.String()),
    withdrawn: optionalOrNull(Type.String()),
    aliases: Ids,
    related: Ids,
    upstream: Ids,
    summary: optionalOrNull(Type.String()),
    details: optionalOrNull(Type.String()),
    severity: Severities,
    affected: optionalOrNull(Type.Array(Affected)),
    references: optionalOrNull(Type.Array(Type.Object({ type: Type.String(), url: Type.String() }))),
    database_specific: optionalOrNull(
      Type.Object({ cwe_ids: optionalOrNull(Type.Array(Type.String())), severity: optionalOrNull(Type.String()) }),
    ),
  }),
)

export type OsvAdvisory = Matched<typeof osvFormat>

/** Content of an advisory without its ids and dates, which databases assign in different ways. */
export type AdvisoryContent = Omit<
  VendorRecord,
  'cve_id' | 'advisories' | 'published' | 'modified' | 'exploitation' | 'references'
>

/** Returns undefined for an advisory with more than MAX_PRODUCTS products, which the feed rejects. */
export function parseOsvContent(raw: OsvAdvisory): AdvisoryContent | undefined {
  const products = parseAllProducts(raw)
  if (products === undefined) return undefined
  return {
    title: raw.summary ?? null,
    description: raw.details ?? null,
    withdrawn: Boolean(raw.withdrawn),
    severity: raw.database_specific?.severity?.toUpperCase() ?? null,
    scores: parseScores(raw),
    weaknesses: filterCweIds(raw.database_specific?.cwe_ids ?? []),
    products,
  }
}

/**
 * Returns the CVSS vectors of the advisory and its packages, without duplicates. Bitnami gives vectors only for
 * packages.
 */
function parseScores({ severity, affected }: OsvAdvisory): VendorScore[] {
  const all = [severity, ...(affected ?? []).map((each) => each.severity)].flatMap((each) => each ?? [])
  const vectors = new Set(all.filter(({ type }) => type.startsWith('CVSS_V')).map(({ score }) => score))
  return [...vectors].map((vector) => ({ vector, base_score: null }))
}

export function filterCweIds(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id) => /^CWE-\d{1,6}$/.test(id)))]
}

/** Keeps an advisory of a few megabytes from becoming a huge record. */
const MAX_PRODUCTS = 20_000
export const TOO_MANY_PRODUCTS = `more than ${MAX_PRODUCTS} products`

function parseAllProducts({ affected, summary }: OsvAdvisory): VendorProduct[] | undefined {
  const products: VendorProduct[] = []
  const streams = summary ? findStreamNames(summary) : []
  for (const each of affected ?? []) {
    products.push(...parseProducts(each, streams))
    if (products.length > MAX_PRODUCTS) return undefined
  }
  return products
}

function parseProducts(raw: Static<typeof Affected>, streams: readonly string[]): VendorProduct[] {
  const { package: pack } = raw
  return pack ? parseAffectedVersions(raw).map((bounds) => toAffectedProduct(pack, bounds, streams)) : []
}

/** Prefers ranges to the list of single versions. Ignores GIT ranges, whose bounds are commits. */
function parseAffectedVersions({ ranges, versions, database_specific: extra }: Static<typeof Affected>): Bounds[] {
  const fromRanges = (ranges ?? []).filter(({ type }) => type !== 'GIT').flatMap(({ events }) => parseEvents(events))
  if (fromRanges.length > 0)
    return fromRanges.map((bounds) => addUpperBound(bounds, extra?.last_known_affected_version_range))
  const listed = (versions ?? [])
    .slice(0, MAX_PRODUCTS + 1)
    .map((version) => ({ introduced: version, fixed: null, last_affected: version }))
  return listed.length > 0 ? listed : [UNBOUNDED]
}

/** An `introduced` event starts an interval; a `fixed` or `last_affected` event after it ends the interval. */
function parseEvents(events: Static<typeof Range>['events']): Bounds[] {
  const found: Bounds[] = []
  for (const { introduced, fixed = null, last_affected = null } of events) {
    if (introduced !== undefined) found.push({ ...UNBOUNDED, introduced: parseIntroduced(introduced) })
    const last = found.pop()
    if (last) found.push({ ...last, fixed: fixed ?? last.fixed, last_affected: last_affected ?? last.last_affected })
  }
  return found
}

/** Before OSV had `last_affected`, GitHub wrote it to `database_specific`, where many advisories still have it. */
function addUpperBound(bounds: Bounds, lastKnownAffected: string | null | undefined): Bounds {
  if (bounds.fixed !== null || bounds.last_affected !== null) return bounds
  const { fixed, last_affected } = parseRange(lastKnownAffected ?? '') ?? UNBOUNDED
  return { ...bounds, fixed, last_affected }
}

interface RawReference {
  readonly url: string
  readonly type?: string
}

/**
 * Keeps each http(s) URL once. The advisory's own page comes first: records are excerpts, and have to link to the
 * original, which not every format lists.
 */
export function parseReferences(ownPage: string, raw: readonly RawReference[]): VendorReference[] {
  const own = raw.find(({ url }) => url === ownPage)
  const first: VendorReference = own
    ? { url: ownPage, tags: chooseTags(ownPage, own.type) }
    : { url: ownPage, tags: [], built: true }
  const byUrl = new Map([[ownPage, first]])
  for (const { url, type } of raw) {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || byUrl.has(url)) continue
    byUrl.set(url, { url, tags: chooseTags(url, type) })
  }
  return [...byUrl.values()]
}

const TAGS = new Map([
  // Advisories of anybody: of the vendor, a distribution or a database.
  ['ADVISORY', 'Advisory'],
  ['FIX', 'Patch'],
  ['EVIDENCE', 'Exploit'],
])
/** URL of an NVD page. Advisories give such pages the type ADVISORY, although they only repeat the record. */
const NVD_PAGE = /^https?:\/\/(?:[a-z]+\.)?nvd\.nist\.gov\//i
/** Tags follow from the advisory's types alone, never from the form of a URL (decision C23). */
function chooseTags(url: string, type = ''): string[] {
  const tag = NVD_PAGE.test(url) ? undefined : TAGS.get(type)
  return tag === undefined ? [] : [tag]
}
