// Finds API keys in a stream of any text, such as the report of a secret scanner.
import { toKeyDigest } from './api-key.ts'

/** Matches text that looks like an API key (decision A1). The checksum decides whether it is one. */
const KEY_FORM = /vis_(?:live|test)_[0-9A-Za-z]{49}/g
const KEY_LENGTH = 58

/** Text that looks like an API key. Only the digest of a key is kept, not the key itself. */
export interface FoundText {
  readonly digest: string | undefined
}

/** Reads Latin-1 and skips zero bytes, so that keys are found in UTF-8, UTF-16 and binary data, even across chunks. */
export async function* findKeysInText(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<FoundText> {
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + (typeof chunk === 'string' ? chunk : chunk.toString('latin1')).replaceAll('\0', '')
    let end = 0
    for (const { 0: key, index } of text.matchAll(KEY_FORM)) {
      end = index + key.length
      yield { digest: toKeyDigest(key) }
    }
    // An incomplete key at the end of the chunk is shorter than a whole one.
    rest = text.slice(Math.max(end, text.length - KEY_LENGTH + 1))
  }
}
