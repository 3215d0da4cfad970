// Patterns and techniques together in one small file, as others pass them on. Which weakness leads to which pattern is
// in it twice; we read it where the pattern says so.
import { FeedError } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import type { RawPattern } from './pattern.ts'

const MAX_BYTES = 32 * 1024 * 1024

export async function readPlain(path: string, member: 'capec' | 'attack_techniques'): Promise<readonly RawPattern[]> {
  const chunks: Buffer[] = []
  for await (const chunk of openFile(path, { maxBytes: MAX_BYTES })) chunks.push(chunk)
  const parsed = parseRecord(Buffer.concat(chunks))
  if ('fault' in parsed) throw new FeedError(`capec_attack.json cannot be used: ${parsed.fault}.`)
  const { value } = parsed
  const list: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
  if (!Array.isArray(list) || list.length === 0)
    throw new FeedError(`capec_attack.json cannot be used: it has no list "${member}" with something in it.`)
  return list.map((said: unknown) => ({ form: 'plain', said }))
}
