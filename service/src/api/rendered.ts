// The data of an answer as finished bytes, kept by whoever made it: what is asked for again is neither rendered nor
// compressed again. Each answer adds its own `meta` behind them.
import type { GzipBeginning, Rendered } from '../contract/endpoint.ts'
import { dataHead } from '../contract/envelope.ts'
import { weakEtag } from './etag.ts'
import { beginGzip } from './gzip.ts'

/** `etagOf` stands for the content of `json`. */
export function rendered(json: string, etagOf: string): Rendered {
  const plain = Buffer.from(dataHead(json))
  let compressed: Promise<GzipBeginning> | undefined
  return {
    etag: weakEtag(etagOf),
    plain,
    gzipped: () => {
      compressed ??= beginGzip(plain)
      return compressed
    },
  }
}
