// Feed of Metasploit's list of modules. Only the list is read, never the modules.
import { buffer } from 'node:stream/consumers'
import { Type } from 'typebox'
import { address } from '../../../domain/setting.ts'
import { type EvidenceRow, evidenceFeed, parseDay, toEvidenceRow } from '../../evidence-feed.ts'
import { FeedError, type Reading, type Rejected } from '../../feed.ts'
import { defineFeed } from '../../feed-definition.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { compileSchema, optionalOrNull, readText } from '../../schema-check.ts'
import { parseCveIds } from '../../stores/extract-ids.ts'

/** Maximum size of Metasploit's list of modules: six times its size in 2026. The whole list is parsed in memory. */
const MAX_BYTES = 64 * 1024 * 1024

export const metasploitFeed = evidenceFeed<unknown>({
  feed: 'metasploit',
  name: 'modules_metadata_base.json',
  maxDownloadBytes: MAX_BYTES,
  inDirectory: /^(?:modules_metadata_base\.json|metasploit_modules_trimmed\.ndjson)(?:\.gz)?$/,
  read: readModules,
  normalise: normaliseModule,
})

export const metasploitDefinition = defineFeed(
  {
    url: address(
      'FEED_METASPLOIT_URL',
      'https://raw.githubusercontent.com/rapid7/metasploit-framework/master/db/modules_metadata_base.json',
    ),
  },
  metasploitFeed,
)

/** Upstream's file is one JSON object with a member for each module; an alternative format has one module per line. */
async function* readModules(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const chunks = readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes)
  if (/\.ndjson(\.gz)?$/.test(path)) yield* readJsonLines(chunks)
  else for (const raw of parseModules(await buffer(chunks))) yield { raw }
}

function parseModules(content: Buffer): unknown[] {
  const expected = 'expected a JSON object with a member for each module'
  const parsed = parseRecord(content)
  if ('error' in parsed) throw new FeedError(`${expected}, found ${parsed.error}`)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FeedError(`${expected}, found other JSON`)
  return Object.values(value)
}

const MODULE = compileSchema(
  Type.Object({
    fullname: Type.String(),
    name: Type.String({ minLength: 1 }),
    rank: optionalOrNull(Type.Integer()),
    disclosure_date: optionalOrNull(Type.String()),
    references: optionalOrNull(Type.Array(Type.String())),
    path: optionalOrNull(Type.String()),
  }),
)

const FULL_NAME = /^[a-z]+(?:\/[\w+-][\w.+-]*)+$/
const PATH = /^\/modules(?:\/[\w+-][\w.+-]*)+$/
const SOURCE = 'https://github.com/rapid7/metasploit-framework/blob/master'
/** Folder names of module types, if they differ from the type. */
const FOLDERS: Readonly<Record<string, string>> = {
  exploit: 'exploits',
  payload: 'payloads',
  encoder: 'encoders',
  nop: 'nops',
}
/** Metasploit's names for its ranks, which rate how reliable and how safe a module is. */
const RANKS: Readonly<Record<number, string>> = {
  0: 'manual',
  100: 'low',
  200: 'average',
  300: 'normal',
  400: 'good',
  500: 'great',
  600: 'excellent',
}

function normaliseModule(raw: unknown, now: Date): EvidenceRow | Rejected {
  const rejected = readText(raw, 'fullname') ?? 'a module without a name'
  if (!MODULE.matches(raw)) return { rejected, reason: MODULE.describeMismatch(raw) }
  const { fullname, name, rank, disclosure_date: date, references, path } = raw
  if (!FULL_NAME.test(fullname)) return { rejected, reason: `fullname is not a module name: "${fullname}"` }
  const published = parseDay(date)
  if (published === undefined) return { rejected, reason: `disclosure_date is not a date: "${date}"` }
  const item = {
    id: fullname,
    kind: 'module' as const,
    title: name,
    url: `${SOURCE}${path && PATH.test(path) ? path : buildPath(fullname)}`,
    published,
    rank: rank === null || rank === undefined ? null : (RANKS[rank] ?? String(rank)),
    cveIds: parseCveIds(references ?? []),
  }
  return toEvidenceRow(item, now)
}

/** Builds the path of a Metasploit module in Ruby. For modules in other languages, upstream gives the path. */
function buildPath(fullname: string): string {
  const [type = '', ...rest] = fullname.split('/')
  return `/modules/${[FOLDERS[type] ?? type, ...rest].join('/')}.rb`
}
