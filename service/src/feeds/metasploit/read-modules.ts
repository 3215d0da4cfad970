// Metasploit's modules as it publishes them, one object with a member for each; or one of them a line.
import { buffer } from 'node:stream/consumers'
import { FeedFault, type Reading } from '../feed.ts'
import { jsonLines } from '../reading/json-lines.ts'
import { parseRecord } from '../reading/parse-json.ts'
import { openFile } from '../reading/unpack.ts'

/** Six times what it is today; it is read in one piece. */
export const MOST_BYTES = 64 * 1024 * 1024

export async function* readModules(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const chunks = openFile(path, { mostBytes: MOST_BYTES }, onBytes)
  if (/\.ndjson(\.gz)?$/.test(path)) yield* jsonLines(chunks)
  else for (const raw of modulesIn(await buffer(chunks))) yield { raw }
}

function modulesIn(content: Buffer): unknown[] {
  const parsed = parseRecord(content)
  if ('fault' in parsed)
    throw new FeedFault(`it should be a JSON object with a member for each module: ${parsed.fault}`)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FeedFault('it should be a JSON object with a member for each module, and is other JSON')
  return Object.values(value)
}
