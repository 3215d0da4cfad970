// Baseline C of the benchmark: loads upstream files with gunzip, JSON.parse and COPY into tables without indexes, keys
// and checks. The baseline validates nothing and holds whole files in memory.
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { formatCopyLine } from '../../../service/src/database/copy-line.ts'

const CHUNK_CHARACTERS = 64 * 1024

/** Loads the upstream files and returns the duration of the load in seconds. */
export async function runBareLoad(url: string, folder: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('create unlogged table if not exists public.warm_up (id text)')
  await client.query('create table public.bare_record (id text, record text)')
  await client.query('create table public.bare_score (id text, score float8, percentile float8)')
  const startedAt = performance.now()
  for (const file of listYearFiles(folder)) await copy(client, 'bare_record', parseNvdLines(file))
  await copy(client, 'bare_record', parseCveListLines(`${folder}/cvelist5.ndjson.gz`))
  await copy(client, 'bare_record', parseKevLines(`${folder}/known_exploited_vulnerabilities.json`))
  await copy(client, 'bare_score', parseEpssLines(folder))
  const seconds = (performance.now() - startedAt) / 1000
  await client.query('drop table public.bare_record, public.bare_score, public.warm_up')
  await client.end()
  return seconds
}

function listYearFiles(folder: string): string[] {
  return readdirSync(`${folder}/nvd`).flatMap((name) =>
    /^nvdcve-2\.0-\d{4}\.json\.gz$/.test(name) ? [`${folder}/nvd/${name}`] : [],
  )
}

const readGzip = (file: string) => gunzipSync(readFileSync(file)).toString('utf8')

function* parseNvdLines(file: string): Generator<string> {
  const { vulnerabilities }: { vulnerabilities: { cve: { id: string } }[] } = JSON.parse(readGzip(file))
  for (const { cve } of vulnerabilities) yield formatCopyLine([cve.id, JSON.stringify(cve)])
}

function* parseCveListLines(file: string): Generator<string> {
  for (const line of readGzip(file).split('\n')) {
    if (line === '') continue
    const record: { cveMetadata: { cveId: string } } = JSON.parse(line)
    yield formatCopyLine([record.cveMetadata.cveId, JSON.stringify(record)])
  }
}

function* parseKevLines(file: string): Generator<string> {
  const { vulnerabilities }: { vulnerabilities: { cveID: string }[] } = JSON.parse(readFileSync(file, 'utf8'))
  for (const entry of vulnerabilities) yield formatCopyLine([entry.cveID, JSON.stringify(entry)])
}

function* parseEpssLines(folder: string): Generator<string> {
  const [name = ''] = readdirSync(folder).filter((each) => each.startsWith('epss_scores-'))
  for (const line of readGzip(`${folder}/${name}`).split('\n').slice(2)) {
    const [id = '', score = '', percentile = ''] = line.split(',')
    if (id !== '') yield formatCopyLine([id, score, percentile])
  }
}

async function copy(client: Client, table: string, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(joinToChunks(lines)), client.query(copyFrom(`copy public.${table} from stdin`)))
}

function* joinToChunks(lines: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
