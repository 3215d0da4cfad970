// Reads the EU KEV catalog: one JSON array of entries, without a date and without a count.
import { FeedError, type Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { parseRecord } from '../../formats/parse-json.ts'

/** Maximum size of the catalog, in memory and as a download: 180 times its size in 2026. */
export const MAX_BYTES = 4 * 1024 * 1024

export async function* readCatalog(path: string, onBytes: (count: number) => void): AsyncGenerator<Reading<unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes)) chunks.push(chunk)
  const parsed = parseRecord(Buffer.concat(chunks))
  if ('error' in parsed) throw new FeedError(`the file is ${parsed.error}`)
  if (!Array.isArray(parsed.value)) throw new FeedError('the file is not a JSON array of entries')
  for (const raw of parsed.value) yield { raw }
}
