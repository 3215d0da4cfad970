// Metasploit's modules as it publishes them, one object with a member for each; or one of them a line.
import { buffer } from 'node:stream/consumers'
import { FeedError, type Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { jsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'

/** Six times what it is today; it is read in one piece. */
export const MAX_BYTES = 64 * 1024 * 1024

export async function* readModules(
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const chunks = openFile(path, { maxBytes: MAX_BYTES }, onBytes)
  if (/\.ndjson(\.gz)?$/.test(path)) yield* jsonLines(chunks)
  else for (const raw of modulesIn(await buffer(chunks))) yield { raw }
}

function modulesIn(content: Buffer): unknown[] {
  const parsed = parseRecord(content)
  if ('fault' in parsed)
    throw new FeedError(`it should be a JSON object with a member for each module: ${parsed.fault}`)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FeedError('it should be a JSON object with a member for each module, and is other JSON')
  return Object.values(value)
}
