// The real records, joined by id, with the dates that the feeds give them.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Facts, RecordFact, RecordSource } from '../../src/catalog/model/source-data.ts'
import type { CveId } from '../../src/domain/cve-id.ts'
import { isRejected, type Reading, type Rejected } from '../../src/feeds/feed.ts'
import { openFile } from '../../src/feeds/formats/decompress.ts'
import { jsonLines } from '../../src/feeds/formats/json-lines.ts'
import { normaliseCve } from '../../src/feeds/sources/cve-list/normalise.ts'
import { recordsOf } from '../../src/feeds/sources/nvd/container.ts'
import { normaliseNvd } from '../../src/feeds/sources/nvd/normalise.ts'
import { normaliseOverride } from '../../src/feeds/sources/overrides/normalise.ts'
import { readOverrides } from '../../src/feeds/sources/overrides/read-overrides.ts'
import type { SourceRow } from '../../src/feeds/stores/source-record.ts'

const NOW = new Date('2026-08-23T00:00:00Z')
const LIMITS = { maxBytes: 2 ** 31 }
const LINE_LIMITS = { maxLineBytes: 2 ** 26 }
const YEAR_FILE = /^nvdcve-2\.0-\d{4}\.json\.gz$/

type Normalise = (raw: unknown, now: Date) => SourceRow | Rejected

/** One file of NVD after the other, each with what the others say of the ids in it; at last those that NVD does not have. */
export async function* realFacts(data: string): AsyncGenerator<Facts> {
  const others = new Map<CveId, RecordFact[]>()
  const cveList = jsonLines(openFile(join(data, 'cvelist5.ndjson.gz'), LIMITS), LINE_LIMITS)
  for await (const [id, fact] of factsOf('cve', cveList, (value, now) => normaliseCve({ value }, now)))
    add(others, id, fact)
  const overrides = readOverrides(join(data, 'nvd/nvd_overrides_anchore.ndjson.gz'), () => {})
  for await (const [id, fact] of factsOf('overrides', overrides, normaliseOverride)) add(others, id, fact)
  for (const name of (await readdir(join(data, 'nvd'))).filter((each) => YEAR_FILE.test(each)).sort()) {
    const readings = recordsOf({ path: join(data, 'nvd', name), name }, () => {})
    for await (const [id, fact] of factsOf('nvd', readings, normaliseNvd)) {
      yield facts(id, [fact, ...(others.get(id) ?? [])])
      others.delete(id)
    }
  }
  for (const [id, records] of others) yield facts(id, records)
}

async function* factsOf(
  source: RecordSource,
  readings: AsyncIterable<Reading<unknown>>,
  normalise: Normalise,
): AsyncGenerator<[CveId, RecordFact]> {
  for await (const reading of readings) {
    const row = 'raw' in reading ? normalise(reading.raw, NOW) : reading
    if (!isRejected(row)) yield [row.cveId, { source, modified: row.modified, record: row.record }]
  }
}

function add(records: Map<CveId, RecordFact[]>, id: CveId, fact: RecordFact): void {
  const held = records.get(id)
  if (held === undefined) records.set(id, [fact])
  else held.push(fact)
}

function facts(cveId: CveId, records: readonly RecordFact[]): Facts {
  return { cveId, records, kev: null, notices: [], exploits: [], mappings: [], epssScore: null }
}
