import { hash } from 'node:crypto'
import type { CveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime, UNDATED } from '../../../domain/instant.ts'
import { buildPageUrl } from '../../../domain/source/alias.ts'
import type { OsvDescriptor } from '../../../domain/source/descriptor.ts'
import type { AdvisoryRecord } from '../../../domain/source/vendor-record.ts'
import { clampToNow, isFutureTime } from '../../clock-skew.ts'
import type { Rejected } from '../../feed.ts'
import {
  type OsvAdvisory,
  osvFormat,
  parseOsvContent,
  parseReferences,
  TOO_MANY_PRODUCTS,
} from '../../formats/osv-format.ts'
import { findIdForReport, parseCveIds } from '../../stores/extract-ids.ts'

export interface OsvRow {
  readonly id: string
  readonly cveIds: readonly CveId[]
  readonly modified: Date
  /** True if the modification date is in the future; `modified` is then the time of the import (decision C22). */
  readonly isFuture: boolean
  readonly record: string
  readonly contentHash: Buffer
}

export function normaliseOsv(source: OsvDescriptor, raw: unknown, now: Date): OsvRow | Rejected {
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
  const cveIds = parseCveIds(raw[cveIdsIn] ?? [])
  const parsed = parseOsvContent(raw)
  if (parsed === undefined) return reject(TOO_MANY_PRODUCTS)
  const content = {
    database,
    cve_ids: cveIds,
    aliases: (raw.aliases ?? []).filter((alias) => !cveIds.some((cveId) => cveId === alias)),
    advisories: [id],
    ...parsed,
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
