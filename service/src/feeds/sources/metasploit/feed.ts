// Feed of Metasploit's list of modules. Only the list is read, never the modules.
import { buffer } from 'node:stream/consumers'
import { address } from '../../../domain/setting.ts'
import { evidenceFeed } from '../../evidence-feed.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { defineFeed } from '../../feed-definition.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { normaliseModule } from './normalise.ts'

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

/** Upstream's file is one JSON object with a member for each module; another form has one module per line. */
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
