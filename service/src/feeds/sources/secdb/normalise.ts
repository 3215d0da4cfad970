import { hash } from 'node:crypto'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, UNDATED } from '../../../domain/instant.ts'
import { buildPageUrl } from '../../../domain/source/alias.ts'
import type { SecdbSourceId } from '../../../domain/source/secdb-sources.ts'
import { SECDB_SOURCES } from '../../../domain/source/secdb-sources.ts'
import type { AdvisoryRecord, VendorProduct } from '../../../domain/source/vendor-record.ts'
import type { Rejected } from '../../feed.ts'
import { toAffectedProduct, UNBOUNDED } from '../../formats/affected-package.ts'
import { TOO_MANY_PRODUCTS } from '../../formats/osv-format.ts'
import type { AdvisoryRow } from '../../stores/advisory.ts'
import type { PackageFix, RawVulnerability } from './read-documents.ts'

/** A vulnerability of a library that many packages contain has a few hundred. */
const MAX_PRODUCTS = 20_000

/** The version of a package that never had the vulnerability. */
const NEVER_AFFECTED = '0'

export function normaliseSecdb(source: SecdbSourceId, raw: RawVulnerability): AdvisoryRow | Rejected {
  const { id, aliases, fixes } = raw
  if (fixes.length > MAX_PRODUCTS) return { rejected: id, reason: TOO_MANY_PRODUCTS }
  const { ecosystem, page } = SECDB_SOURCES[source]
  const cveId = parseCanonicalCveId(id)
  const cveIds = cveId === undefined ? [] : [cveId]
  const record: AdvisoryRecord = {
    database: source,
    cve_ids: cveIds,
    aliases,
    advisories: [],
    title: null,
    description: null,
    withdrawn: false,
    severity: null,
    scores: [],
    weaknesses: [],
    products: fixes.map((fix) => toProduct(ecosystem, fix)),
    references:
      cveId === undefined || page === undefined ? [] : [{ url: buildPageUrl(page, cveId), tags: [], built: true }],
    published: null,
    exploitation: null,
    modified: formatInstant(UNDATED),
  }
  const text = JSON.stringify(record)
  const contentHash = hash('sha256', text, 'buffer')
  return { id, cveIds, modified: UNDATED, isFuture: false, record: text, contentHash }
}

function toProduct(ecosystem: string, { name, branch, version }: PackageFix): VendorProduct {
  const isAffected = version !== NEVER_AFFECTED
  const pack = { ecosystem: branch === null ? ecosystem : `${ecosystem}:${branch}`, name }
  return {
    ...toAffectedProduct(pack, { ...UNBOUNDED, fixed: isAffected ? version : null }),
    status: isAffected ? 'affected' : 'not_affected',
  }
}
