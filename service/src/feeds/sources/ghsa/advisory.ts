// A GitHub advisory, independent of the format (OSV or REST API) that it was parsed from.
import { hash } from 'node:crypto'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { VendorProduct, VendorRecord, VendorReference } from '../../../domain/source/vendor-record.ts'
import { clampToNow, isFutureTime } from '../../clock-skew.ts'
import type { Rejected } from '../../feed.ts'
import type { AdvisoryContent } from '../../formats/osv-format.ts'

/** The properties that the OSV format and the REST API format share. Dates are GitHub's unparsed text. */
export interface Advisory {
  readonly id: string
  readonly cve: string | null
  readonly modified: string
  readonly published: string | null
  readonly content: AdvisoryContent & { readonly references: readonly VendorReference[] }
}

export interface AdvisoryRow {
  readonly ghsaId: string
  readonly contentHash: Buffer
  readonly modified: Date
  /** True if GitHub's modification date was in the future; `modified` is then replaced by the time of the import. */
  readonly isFuture: boolean
  /** Null for an advisory that has only a GHSA id. */
  readonly cveId: string | null
  readonly record: string
}

/**
 * Raising the version makes the feed store every advisory again. Version 2 added package URLs and advisories without a
 * CVE, version 3 removed tags that GitHub does not give.
 */
export const RECORD_VERSION = 3

/** GitHub uses only some letters and digits; the pattern accepts all. */
const GHSA_ID = /^GHSA(?:-[0-9a-z]{4}){3}$/

export function toAdvisoryRow(advisory: Advisory, now: Date): AdvisoryRow | Rejected {
  const { id, cve } = advisory
  const reject = (reason: string) => ({ rejected: id, reason })
  if (!GHSA_ID.test(id)) return reject('not a GHSA id')
  const modified = parseDateTime(advisory.modified)
  if (!modified) return reject(`the modification date is not a valid date-time: "${advisory.modified}"`)
  const published = advisory.published === null ? null : parseDateTime(advisory.published)
  if (published === undefined) return reject(`the publication date is not a valid date-time: "${advisory.published}"`)
  const cveId = cve === null ? null : parseCanonicalCveId(cve)
  if (cveId === undefined) return reject(`not a CVE id: "${cve}"`)

  const isFuture = isFutureTime(modified, now)
  const at = clampToNow(modified, now)
  const record: VendorRecord = {
    cve_id: cveId,
    advisories: [id],
    ...advisory.content,
    published: published && formatInstant(published),
    modified: formatInstant(at),
    exploitation: null,
  }
  const contentHash = hashContent(advisory, isFuture)
  return { ghsaId: id, contentHash, modified: at, isFuture, cveId, record: JSON.stringify(record) }
}

/**
 * Hashes only what both formats have, with sorted lists, so that an advisory counts as unchanged when it arrives in the
 * other format. The REST API has no reference types or package URLs, and the OSV files have no base scores.
 */
function hashContent({ id, cve, modified, published, content }: Advisory, isFuture: boolean): Buffer {
  const { title, description, withdrawn, severity, scores, weaknesses, products, references } = content
  const sets = [
    scores.map(({ vector }) => vector),
    weaknesses,
    products.map(formatBounds),
    references.map(({ url }) => url),
  ].map((each) => [...each].sort())
  const fields = [RECORD_VERSION, id, cve, modified, published, title, description, withdrawn, severity, sets, isFuture]
  return hash('sha256', JSON.stringify(fields), 'buffer')
}

function formatBounds({ vendor, product, introduced, fixed, last_affected }: VendorProduct): string {
  return JSON.stringify([vendor, product, introduced, fixed, last_affected])
}

export function advisoryPage(ghsaId: string): string {
  return `https://github.com/advisories/${ghsaId}`
}
