import { hash } from 'node:crypto'
import { readEcosystemRelease } from '../../../domain/component/distribution-release.ts'
import type { CveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime, UNDATED } from '../../../domain/instant.ts'
import { buildPageUrl } from '../../../domain/source/alias.ts'
import type { OsvDescriptor } from '../../../domain/source/descriptor.ts'
import type { AdvisoryRecord, VendorProduct } from '../../../domain/source/vendor-record.ts'
import { clampToNow, isFutureTime } from '../../clock-skew.ts'
import type { Rejected } from '../../feed.ts'
import {
  type AdvisoryContent,
  type OsvAdvisory,
  osvFormat,
  parseOsvContent,
  parseReferences,
  TOO_MANY_PRODUCTS,
} from '../../formats/osv-format.ts'
import type { AdvisoryRow } from '../../stores/advisory.ts'
import { findIdForReport, parseCveIds } from '../../stores/extract-ids.ts'

export function normaliseOsv(source: OsvDescriptor, raw: unknown, now: Date): AdvisoryRow | Rejected {
  if (!osvFormat.matches(raw))
    return { rejected: findIdForReport(raw, 'id', 'an advisory'), reason: osvFormat.describeMismatch(raw) }
  const { id } = raw
  const reject = (reason: string) => ({ rejected: id, reason })
  const { database, advisories, cveIdsIn } = source
  if (!advisories.pattern.test(id)) return reject(`not an id of the ${source.work}`)
  const changed = parseTime(raw.modified)
  if (!changed) return reject(`the modification date is not a valid date-time: "${raw.modified}"`)
  const published = raw.published ? parseTime(raw.published) : null
  if (published === undefined) return reject(`the publication date is not a valid date-time: "${raw.published}"`)
  // The repository of the Go database dates every advisory to the year 1.
  const modified = clampToNow(changed < UNDATED ? UNDATED : changed, now)
  const cveIds = parseCveIds((raw[cveIdsIn] ?? []).map(removePrefix))
  const parsed = source.packages === undefined ? toIdsOnly(raw) : parseOsvContent(raw)
  if (parsed === undefined) return reject(TOO_MANY_PRODUCTS)
  const isNotice = cveIds.length > 0 && source.notices?.test(id) === true
  const content = {
    database,
    cve_ids: cveIds,
    aliases: (raw.aliases ?? []).filter((alias) => !cveIds.some((cveId) => cveId === alias)),
    advisories: [id],
    ...parsed,
    products: isNotice ? [] : omitFixedInEdition(parsed.products),
    references: parseReferences(buildPageUrl(advisories.page, id), selectReferences(raw, cveIds)),
    published: published && published > UNDATED ? formatInstant(published) : null,
    exploitation: null,
  }
  const record: AdvisoryRecord = { ...content, modified: formatInstant(modified) }
  // The hash excludes `modified`, because Bitnami writes new dates into thousands of unchanged advisories (decision
  // C11).
  const contentHash = hash('sha256', JSON.stringify(content), 'buffer')
  return { id, cveIds, modified, isFuture: isFutureTime(changed, now), record: JSON.stringify(record), contentHash }
}

/** Ubuntu's notices refer to its records of CVEs, and Debian's advisories to osv.dev's copies of the tracker. */
function removePrefix(id: string): string {
  return id.replace(/^(?:UBUNTU|DEBIAN)-(?=CVE-)/, '')
}

function toIdsOnly({ withdrawn }: OsvAdvisory): AdvisoryContent {
  return {
    title: null,
    description: null,
    withdrawn: Boolean(withdrawn),
    severity: null,
    scores: [],
    weaknesses: [],
    products: [],
  }
}

/**
 * Ubuntu lists a package twice if only Ubuntu Pro has a fix: without an end for `Ubuntu:22.04:LTS`, and with the fix for
 * `Ubuntu:Pro:22.04:LTS`. The first entry would make the fixed package look affected.
 */
function omitFixedInEdition(products: readonly VendorProduct[]): readonly VendorProduct[] {
  const fixedIn = Map.groupBy(
    products.filter(({ fixed }) => fixed !== null),
    nameInRelease,
  )
  return products.filter((each) => {
    const isOpen = each.fixed === null && each.last_affected === null
    return !isOpen || !fixedIn.get(nameInRelease(each))?.some(({ vendor }) => vendor !== each.vendor)
  })
}

function nameInRelease({ vendor, product }: VendorProduct): string {
  return `${readEcosystemRelease(vendor)}\n${product}`
}

/** YAML that was converted to JSON may have a space instead of the `T`. */
function parseTime(text: string): Date | undefined {
  return parseDateTime(text.replace(' ', 'T'))
}

const NAMES_CVE = /CVE-\d{4}-\d{4}/i

/**
 * An advisory for several CVEs lists the reports of all of them. Those without the id of a CVE, such as bug numbers, are
 * left out, because it is not known which CVE they are about. The catalog gives each CVE only its own pages.
 */
function selectReferences({ references }: OsvAdvisory, cveIds: readonly CveId[]) {
  const all = references ?? []
  return cveIds.length < 2 ? all : all.filter(({ type, url }) => type !== 'REPORT' || NAMES_CVE.test(url))
}
