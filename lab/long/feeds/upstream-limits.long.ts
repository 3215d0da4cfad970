// Compares the limits for upstream texts and lists with all real upstream files: nothing is cut, and every limit is at
// least four times the largest value (decision E42).
import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { limitRecord } from '../../../service/src/domain/source/limit-record.ts'
import {
  findUpstreamLimits,
  TEXT_LIMITS,
  type UpstreamLimits,
} from '../../../service/src/domain/source/upstream-limits.ts'
import { type Delivery, type Feed, isRejected, NoFilesError } from '../../../service/src/feeds/feed.ts'
import { feedDefinitions } from '../../../service/src/feeds/index.ts'
import { REAL_DATA_NOW } from '../../../service/test/support/catalog/load-catalog.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const MIN_FACTOR = 4
const folders = (['data', 'data-more'] as const).flatMap((name) => realData('the limits on real records', name) ?? [])
/** Files of one record per line in a form that no feed reads as it is. */
const OTHER_FILES = [
  ['redhat', 'csaf-redhat-vex.ndjson.gz'],
  ['msrc', 'msrc-cvrf-by-cve.ndjson.gz'],
] as const

interface Largest {
  readonly length: number
  readonly max: number
  readonly path: string
}

const KIND_BY_LIMIT = new Map<object, string>(Object.entries(TEXT_LIMITS).map(([kind, limit]) => [limit, kind]))

describe.runIf(folders.length > 0)('Limits for upstream texts and lists', { timeout: 900_000 }, () => {
  it('truncate nothing in the real files, and are four times the largest values', async () => {
    const [largest, counts] = [new Map<string, Largest>(), { records: 0, cut: [] as string[] }]
    const visit = (feed: string, raw: unknown) => {
      const limits = findUpstreamLimits(feed)
      const { truncated, excess } = limitRecord(raw, limits)
      counts.records += 1
      if (truncated.length > 0 || excess !== undefined) counts.cut.push(`${feed}: ${truncated.join()} ${excess ?? ''}`)
      measure(raw, [], { feed, limits, largest })
    }
    for (const definition of feedDefinitions) {
      const { feed } = definition.configure({})
      for (const folder of folders) for await (const raw of readRecords(feed, folder)) visit(feed.name, raw)
    }
    for (const [feed, name] of OTHER_FILES)
      for (const raw of readLines(name)) visit(feed, feed === 'msrc' ? readVulnerability(raw) : raw)

    for (const [key, { length, max, path }] of [...largest].sort()) console.log(`${key}: ${length} of ${max} (${path})`)
    console.log(`${counts.records} records read, ${counts.cut.length} cut`)
    expect(counts.records).toBeGreaterThan(100_000)
    expect(counts.cut).toEqual([])
    expect([...largest].filter(([, { length, max }]) => length * MIN_FACTOR > max)).toEqual([])
  })
})

async function* readRecords(feed: Feed, from: string): AsyncGenerator {
  const context = {
    cursor: undefined,
    now: new Date(REAL_DATA_NOW),
    from,
    download: { file: () => Promise.reject(new Error('this test has no network')) },
    spool: await mkdtemp(join(tmpdir(), 'vis-limits-')),
    signal: new AbortController().signal,
    notice: () => {},
  }
  try {
    for await (const delivery of feed.fetch(context)) yield* readRaws(delivery)
  } catch (error) {
    if (!(error instanceof NoFilesError)) throw error
  }
}

async function* readRaws(delivery: Delivery<unknown>): AsyncGenerator {
  for await (const reading of delivery.records(() => {})) if (!isRejected(reading)) yield reading.raw
}

/** The feed reads a document entry by entry: the notes about the whole document are no part of a record. */
function readVulnerability(document: unknown): unknown {
  return (document as { readonly vulnerability: unknown }).vulnerability
}

function readLines(name: string): unknown[] {
  const text = gunzipSync(readFileSync(join(folders.at(-1) ?? '', name))).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

interface Measurement {
  readonly feed: string
  readonly limits: UpstreamLimits
  readonly largest: Map<string, Largest>
}

function measure(value: unknown, path: string[], to: Measurement): void {
  if (typeof value === 'string') {
    const limit = to.limits.findTextLimit(path)
    keepLargest(to, KIND_BY_LIMIT.get(limit) ?? '', { length: value.length, max: limit.max }, path)
  } else if (Array.isArray(value)) {
    const kind = path.at(-1) === 'references' ? 'list of references' : 'list'
    keepLargest(to, kind, { length: value.length, max: to.limits.findMaxLength(path) }, path)
    for (const each of value) measure(each, path, to)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      path.push(name)
      measure(member, path, to)
      path.pop()
    }
  }
}

function keepLargest(
  { feed, largest }: Measurement,
  kind: string,
  found: Omit<Largest, 'path'>,
  path: readonly string[],
): void {
  const key = `${feed} ${kind}`
  if (found.length > (largest.get(key)?.length ?? -1)) largest.set(key, { ...found, path: path.join('/') })
}
