// Names rejected records (records that could not be read or converted) by their ids, and extracts the ids from these
// names. The ids are needed because upstream still has these records, and their stored rows must not count as missing.
import { type CveId, parseCanonicalCveId } from '../../domain/cve-id.ts'
import { readText } from '../schema-check.ts'

const CVE_ID = /CVE-\d{4}-\d{4,19}/i

/** Returns the name that a rejection gives an unchecked record: its id or, for example, `an entry without an id`. */
export function findIdForReport(record: unknown, member: string, kind: string): string {
  return readText(record, member) ?? `${kind} without an id`
}

/** Extracts CVE ids from the names of rejected records, such as `vulnerabilities[7] (CVE-2024-3094)`. */
export function extractCveIds(subjects: readonly string[]): string[] {
  return extractIds(CVE_ID)(subjects).flatMap((id) => parseCanonicalCveId(id) ?? [])
}

/** Unicode hyphens and dashes, which editors put into CVE ids instead of the ASCII hyphen. */
const DASHES = /[\u2010-\u2015\u2212]/g

/** Ignores references that are not CVE ids. The result is sorted and has no duplicates. */
export function parseCveIds(references: readonly string[]): CveId[] {
  const ids = references.flatMap((each) => parseCanonicalCveId(each.trim().replaceAll(DASHES, '-')) ?? [])
  return [...new Set(ids)].sort()
}

export function extractIds(pattern: RegExp): (subjects: readonly string[]) => string[] {
  return (subjects) => subjects.flatMap((each) => pattern.exec(each)?.[0] ?? [])
}
