// Finds API keys in a stream of text of any kind, such as the report of a secret scanner.
import { toKeyDigest } from './api-key.ts'

/** The form of an API key (decision A1). The checksum decides whether a text of this form is a key. */
const KEY_FORM = /vis_(?:live|test)_[0-9A-Za-z]{49}/g
const KEY_LENGTH = 58

/** A text of the form of an API key. The key itself is not kept. */
export interface FoundText {
  readonly digest: string | undefined
}

/** Reads Latin-1 and skips zero bytes, so that keys are found in UTF-8, UTF-16 and binary data, also across chunks. */
export async function* findKeysInText(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<FoundText> {
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + (typeof chunk === 'string' ? chunk : chunk.toString('latin1')).replaceAll('\0', '')
    let end = 0
    for (const { 0: key, index } of text.matchAll(KEY_FORM)) {
      end = index + key.length
      yield { digest: toKeyDigest(key) }
    }
    // An unfinished key at the end of the chunk has fewer characters than a whole one.
    rest = text.slice(Math.max(end, text.length - KEY_LENGTH + 1))
  }
}
