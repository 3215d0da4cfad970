// Reads the two formats of Debian's security tracker: the tracker's JSON file, an object keyed by package and then by
// CVE, and an NDJSON file for one release, with one CVE per line. Both yield one reading per package, CVE and release.
import { basename } from 'node:path'
import { Type } from 'typebox'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { readJsonMembers } from '../../formats/json-members.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { findIdForReport } from '../../stores/extract-ids.ts'
import type { RawDebianStatus } from './normalise.ts'

const MEBIBYTE = 1024 * 1024
/** Maximum size of the tracker, compressed or not: seven times its size in 2026. */
export const MAX_BYTES = 512 * MEBIBYTE
/** Maximum size of one package. The largest, the Linux kernel, is 15 MiB. */
const MAX_PACKAGE_BYTES = 24 * MEBIBYTE

/** Absent for an id that is only reserved. */
const Description = optionalOrNull(Type.String())

/** A package in the tracker: its entries, keyed by CVE id. */
const PACKAGE = compileSchema(Type.Record(Type.String(), Type.Unknown()))
/** A package's CVE in the tracker: its states, keyed by release. */
const CVE_OF_PACKAGE = compileSchema(
  Type.Object({ description: Description, releases: Type.Record(Type.String(), Type.Unknown()) }),
)
/** A line in the file of a release: a CVE with its state in each package. */
const CVE_OF_RELEASE = compileSchema(
  Type.Object({
    id: Type.String(),
    description: Description,
    packages: Type.Array(Type.Object({ name: Type.String() })),
  }),
)

/** Entries with a temporary id (TEMP-…) name no CVE and are skipped. */
export async function* readTracker(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawDebianStatus>, void, undefined> {
  const chunks = readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes)
  for await (const { name, value } of readJsonMembers(chunks, { maxMemberBytes: MAX_PACKAGE_BYTES })) {
    if (!PACKAGE.matches(value)) throw new FeedError(`the package "${name}" is not a JSON object`)
    for (const [id, entry] of Object.entries(value)) yield* readEntry(name, id, entry)
  }
}

function* readEntry(name: string, id: string, entry: unknown): Generator<Reading<RawDebianStatus>> {
  const cveId = parseCanonicalCveId(id)
  if (cveId === undefined) return
  if (!CVE_OF_PACKAGE.matches(entry))
    return yield { rejected: `${name} ${cveId}`, reason: CVE_OF_PACKAGE.describeMismatch(entry) }
  const isDescribed = Boolean(entry.description)
  for (const [release, state] of Object.entries(entry.releases))
    yield { raw: { package: name, cveId, release, isDescribed, state } }
}

export async function* readRelease(
  path: string,
  release: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawDebianStatus>, void, undefined> {
  const lines = readJsonLines(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes))
  for await (const reading of nameErrors(basename(path), lines))
    if ('raw' in reading) yield* readLine(reading.raw, release)
    else yield reading
}

function* readLine(raw: unknown, release: string): Generator<Reading<RawDebianStatus>> {
  if (!CVE_OF_RELEASE.matches(raw))
    return yield { rejected: findIdForReport(raw, 'id', 'a line'), reason: CVE_OF_RELEASE.describeMismatch(raw) }
  const cveId = parseCanonicalCveId(raw.id)
  if (cveId === undefined) return
  const isDescribed = Boolean(raw.description)
  for (const state of raw.packages) yield { raw: { package: state.name, cveId, release, isDescribed, state } }
}
