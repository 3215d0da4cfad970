// Reads the real records of NVD, the CVE List and Anchore, grouped by CVE id, with the dates that the feeds store.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordSource, SourceData, SourceRecord } from '../../../service/src/catalog/model/source-data.ts'
import type { CveId } from '../../../service/src/domain/cve-id.ts'
import { isRejected, type Reading, type Rejected } from '../../../service/src/feeds/feed.ts'
import { readDecompressed } from '../../../service/src/feeds/formats/decompress.ts'
import { readJsonLines } from '../../../service/src/feeds/formats/json-lines.ts'
import { normaliseCve } from '../../../service/src/feeds/sources/cve-list/normalise.ts'
import { readRecords } from '../../../service/src/feeds/sources/nvd/container.ts'
import { normaliseNvd } from '../../../service/src/feeds/sources/nvd/normalise.ts'
import { normaliseOverride, readOverrides } from '../../../service/src/feeds/sources/overrides/feed.ts'
import type { SourceRow } from '../../../service/src/feeds/stores/source-record.ts'

const NOW = new Date('2026-08-23T00:00:00Z')
const LIMITS = { maxBytes: 2 ** 31 }
const LINE_LIMITS = { maxLineBytes: 2 ** 26 }
const YEAR_FILE = /^nvdcve-2\.0-\d{4}\.json\.gz$/

type Normalise = (raw: unknown, now: Date) => SourceRow | Rejected

/** Yields every CVE in the NVD files with its records of all sources, and then the CVEs without an NVD record. */
export async function* readRealSourceData(data: string): AsyncGenerator<SourceData> {
  const others = new Map<CveId, SourceRecord[]>()
  const cveList = readJsonLines(readDecompressed(join(data, 'cvelist5.ndjson.gz'), LIMITS), LINE_LIMITS)
  for await (const [id, sourceRecord] of readSourceRecords('cve', cveList, (value, now) =>
    normaliseCve({ value }, now),
  ))
    add(others, id, sourceRecord)
  const overrides = readOverrides(join(data, 'nvd/nvd_overrides_anchore.ndjson.gz'), () => {})
  for await (const [id, sourceRecord] of readSourceRecords('overrides', overrides, normaliseOverride))
    add(others, id, sourceRecord)
  for (const name of (await readdir(join(data, 'nvd'))).filter((each) => YEAR_FILE.test(each)).sort()) {
    const readings = readRecords({ path: join(data, 'nvd', name), name }, () => {})
    for await (const [id, sourceRecord] of readSourceRecords('nvd', readings, normaliseNvd)) {
      yield buildSourceData(id, [sourceRecord, ...(others.get(id) ?? [])])
      others.delete(id)
    }
  }
  for (const [id, records] of others) yield buildSourceData(id, records)
}

async function* readSourceRecords(
  source: RecordSource,
  readings: AsyncIterable<Reading<unknown>>,
  normalise: Normalise,
): AsyncGenerator<[CveId, SourceRecord]> {
  for await (const reading of readings) {
    const row = 'raw' in reading ? normalise(reading.raw, NOW) : reading
    if (!isRejected(row)) yield [row.cveId, { source, modified: row.modified, record: row.record }]
  }
}

function add(records: Map<CveId, SourceRecord[]>, id: CveId, sourceRecord: SourceRecord): void {
  const existing = records.get(id)
  if (existing === undefined) records.set(id, [sourceRecord])
  else existing.push(sourceRecord)
}

function buildSourceData(cveId: CveId, records: readonly SourceRecord[]): SourceData {
  return {
    cveId,
    records,
    kev: null,
    euKev: null,
    notices: [],
    exploits: [],
    removedExploits: [],
    mappings: [],
    debian: [],
    epssScore: null,
    epssHeld: [],
  }
}
