// The forms in which advisories lie in files: GitHub's repository as an archive, one advisory a file, one a line.
import { type Delivery, FeedError, type Reading, type FetchContext } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import type { FoundFile } from '../../formats/directory.ts'
import { jsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { zipEntries } from '../../formats/zip.ts'
import { isReviewed, namesCve } from './normalise.ts'

type Readings = AsyncIterable<Reading<unknown>>
type OnBytes = (count: number) => void

const MEBIBYTE = 1024 * 1024
/** The reviewed ones have less than a tenth of it. */
const MAX_BYTES = 2048 * MEBIBYTE
/** Descriptions end at 64 KiB. */
const MAX_RECORD_BYTES = 4 * MEBIBYTE
/** What is not reviewed is not even unpacked. */
const REVIEWED = /^[^/]+\/advisories\/github-reviewed\/\d{4}\/\d{2}\/[^/]+\/(GHSA-[^/]+)\.json$/

export async function* readArchive(path: string, onBytes: OnBytes): AsyncGenerator<Reading<unknown>> {
  const limits = {
    matches: (name: string) => REVIEWED.test(name),
    maxEntryBytes: MAX_RECORD_BYTES,
    maxBytes: MAX_BYTES,
  }
  for await (const { name, bytes } of zipEntries(path, limits, onBytes))
    yield readOne(REVIEWED.exec(name)?.[1] ?? name, bytes)
}

export async function* readFiles(files: readonly FoundFile[], onBytes: OnBytes): AsyncGenerator<Reading<unknown>> {
  for (const { path, name } of files) {
    const chunks: Buffer[] = []
    for await (const chunk of openFile(path, { maxBytes: MAX_RECORD_BYTES }, onBytes)) chunks.push(chunk)
    yield readOne(name.replace(/\.json(?:\.gz)?$/, ''), Buffer.concat(chunks))
  }
}

export async function* readLines({ path, name }: FoundFile, onBytes: OnBytes): AsyncGenerator<Reading<unknown>> {
  try {
    yield* jsonLines(openFile(path, { maxBytes: MAX_BYTES }, onBytes), { maxLineBytes: MAX_RECORD_BYTES })
  } catch (error) {
    throw error instanceof FeedError ? new FeedError(`${name} cannot be used: ${error.message}.`) : error
  }
}

function readOne(id: string, bytes: Buffer): Reading<unknown> {
  const parsed = parseRecord(bytes)
  return 'fault' in parsed ? { rejected: id, reason: parsed.fault } : { raw: parsed.value }
}

/**
 * Nothing is wrong with an advisory that names no CVE: it is told apart from those that cannot be used, once for all of
 * them. It is handed on all the same, as it may have named one before.
 */
export function withRemarks(delivery: Delivery<unknown>, context: FetchContext): Delivery<unknown> {
  return {
    ...delivery,
    records: (onBytes) => reviewed(delivery.records(onBytes), (count) => context.notice(remark(delivery.label, count))),
  }
}

async function* reviewed(readings: Readings, atEnd: (withoutCve: number) => void): AsyncGenerator<Reading<unknown>> {
  let withoutCve = 0
  for await (const reading of readings) {
    if ('raw' in reading && !isReviewed(reading.raw)) continue
    if ('raw' in reading && !namesCve(reading.raw)) withoutCve += 1
    yield reading
  }
  if (withoutCve > 0) atEnd(withoutCve)
}

function remark(label: string, count: number): string {
  return `${label}: ${count} ${count === 1 ? 'advisory names' : 'advisories name'} no CVE; there is nothing to keep of them`
}
