import type { Claim } from '../model/claim.ts'
import type { SourceRecord } from '../model/source-data.ts'
import { parseObject, textIn } from './json.ts'
import { readVendorRecord } from './vendor.ts'

/**
 * Advisories of OSV databases (Go, RustSec, Bitnami, AlmaLinux, PyPA) repeat scores and texts of the CVE's other
 * sources, so only affected packages, fixed versions and references are read. Undefined if withdrawn.
 */
export function readOsv({ modified, record }: SourceRecord): Claim | undefined {
  const parsed = parseObject(record)
  if (parsed === undefined) return undefined
  const provider = `osv:${textIn(parsed, 'database') ?? 'unknown'}`
  const claim = readVendorRecord({ source: 'osv', provider, modified }, parsed)
  return claim && { ...claim, published: null, description: null, ratings: [], weaknesses: [], severityWord: null }
}
