// An advisory of GitHub, whichever of its two forms it came in.
import { hash } from 'node:crypto'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { VendorProduct, VendorRecord, VendorReference } from '../../../domain/vendor-record.ts'
import type { Rejected } from '../../feed.ts'

/** What both forms say, the dates as GitHub writes them. */
export interface Advisory {
  readonly id: string
  /** As GitHub writes it; null: no CVE is known for it, or there is none. */
  readonly cve: string | null
  readonly modified: string
  readonly published: string | null
  readonly said: Omit<VendorRecord, 'cve_id' | 'advisories' | 'published' | 'modified' | 'exploitation'>
}

export interface AdvisoryRow {
  readonly ghsaId: string
  readonly contentHash: Buffer
  readonly modified: Date
  /** It was dated later than now, and is cut to now. */
  readonly isFuture: boolean
  /** Null: it speaks of no CVE, or no longer, and there is nothing to keep. */
  readonly kept: { readonly cveId: string; readonly record: string } | null
}

/** As GitHub makes them, which has a small alphabet: other letters are taken too, other forms are not. */
const GHSA_ID = /^GHSA(?:-[0-9a-z]{4}){3}$/

/** Clocks differ; whoever is ahead of us by less than this is not from the future. */
const CLOCK_DIFFERENCE_MS = 60 * 60_000

export function advisoryRow(advisory: Advisory, now: Date): AdvisoryRow | Rejected {
  const { id, cve } = advisory
  const reject = (reason: string) => ({ rejected: id, reason })
  if (!GHSA_ID.test(id)) return reject('not the id of an advisory')
  const modified = parseDateTime(advisory.modified)
  if (!modified) return reject(`the time of its last change is no time: "${advisory.modified}"`)
  const published = advisory.published === null ? null : parseDateTime(advisory.published)
  if (published === undefined) return reject(`the time of its publication is no time: "${advisory.published}"`)
  const cveId = cve === null ? null : parseCanonicalCveId(cve)
  if (cveId === undefined) return reject(`not a CVE id: "${cve}"`)

  const aheadMs = modified.getTime() - now.getTime()
  const [at, isFuture] = [aheadMs > 0 ? now : modified, aheadMs > CLOCK_DIFFERENCE_MS]
  const row = { ghsaId: id, contentHash: contentHash(advisory, isFuture), modified: at, isFuture }
  if (cveId === null) return { ...row, kept: null }
  const record: VendorRecord = {
    cve_id: cveId,
    advisories: [id],
    ...advisory.said,
    published: published && formatInstant(published),
    modified: formatInstant(at),
    exploitation: null,
  }
  return { ...row, kept: { cveId, record: JSON.stringify(record) } }
}

/**
 * Of what both forms have: the API knows no kinds of references and no package URLs, and the archive no base scores, and
 * their lists have orders of their own. So an advisory that comes in the other form has not changed.
 */
function contentHash({ id, cve, modified, published, said }: Advisory, isFuture: boolean): Buffer {
  const { title, description, withdrawn, severity, scores, weaknesses, products, references } = said
  const sets = [
    scores.map(({ vector }) => vector),
    weaknesses,
    products.map(boundsOf),
    references.map(({ url }) => url),
  ].map((each) => [...each].sort())
  const words = [id, cve, modified, published, title, description, withdrawn, severity, sets, isFuture]
  return hash('sha256', JSON.stringify(words), 'buffer')
}

function boundsOf({ vendor, product, introduced, fixed, last_affected }: VendorProduct): string {
  return JSON.stringify([vendor, product, introduced, fixed, last_affected])
}

interface Mention {
  readonly url: string
  readonly kind?: string
}

/** Each address once, and only such as can be followed; GitHub's own page, which not every form has, among them. */
export function references(id: string, said: readonly Mention[]): VendorReference[] {
  const own = `https://github.com/advisories/${id}`
  const byUrl = new Map<string, VendorReference>([[own, { url: own, tags: ['Third Party Advisory'] }]])
  for (const { url, kind } of said) {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || byUrl.has(url)) continue
    byUrl.set(url, { url, tags: tagsOf(url, kind) })
  }
  return [...byUrl.values()]
}

const TAGS = new Map([
  ['ADVISORY', 'Vendor Advisory'],
  ['FIX', 'Patch'],
  ['EVIDENCE', 'Exploit'],
])
/** GitHub calls the page of NVD an advisory, which no vendor wrote. */
const OF_NVD = /^https?:\/\/(?:[a-z]+\.)?nvd\.nist\.gov\//i
/** And an advisory of the repository itself, by those who make the package, just a page. */
const OF_REPOSITORY = /^https:\/\/github\.com\/[^/]+\/[^/]+\/security\/advisories\/GHSA-[\w-]+$/i

function tagsOf(url: string, kind = ''): string[] {
  if (OF_REPOSITORY.test(url)) return ['Vendor Advisory']
  const tag = OF_NVD.test(url) ? undefined : TAGS.get(kind)
  return tag === undefined ? [] : [tag]
}

export function cwesAmong(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id) => /^CWE-\d{1,6}$/.test(id)))]
}

export type Bounds = Pick<VendorProduct, 'introduced' | 'fixed' | 'last_affected'>

export const UNBOUNDED: Bounds = { introduced: null, fixed: null, last_affected: null }

/** `0` is before every version, which goes without saying. */
export function introducedAt(version: string): string | null {
  return version === '0' ? null : version
}

/** `>= 1.0, < 1.2`, as GitHub writes ranges for people; undefined if it is written otherwise. */
export function parseRange(text: string): Bounds | undefined {
  let bounds = UNBOUNDED
  for (const part of text.split(',')) {
    const [, operator, version] = /^\s*(>=|<=|>|<|=)\s*([^\s<>=][^<>=]*?)\s*$/.exec(part) ?? []
    if (operator === undefined || version === undefined) return undefined
    bounds = { ...bounds, ...boundsBy(operator, version) }
  }
  return bounds
}

/** There is no bound for "later than": that one version too much is better than none. */
function boundsBy(operator: string, version: string): Partial<Bounds> {
  if (operator === '<') return { fixed: version }
  if (operator === '<=') return { last_affected: version }
  if (operator === '=') return { introduced: version, last_affected: version }
  return { introduced: introducedAt(version) }
}

export function affected(
  pack: { readonly ecosystem: string; readonly name: string; readonly purl?: string | null | undefined },
  bounds: Bounds,
): VendorProduct {
  return {
    vendor: pack.ecosystem,
    product: pack.name,
    status: 'affected',
    cpe: null,
    purl: pack.purl ?? null,
    ...bounds,
  }
}
