// Renders the cacheable part of a body: `data` as bytes, compressed on first use. Each response appends its own `meta`
// (respond.ts).
import type { GzipPrefix, Rendered } from '../contract/endpoint.ts'
import { buildHead } from '../contract/response/envelope.ts'
import { buildWeakEtag } from './etag.ts'
import { beginGzip } from './gzip.ts'

/** `etagSource` must change whenever `json` does. */
export function renderHead(json: string, etagSource: string): Rendered {
  const plain = Buffer.from(buildHead(json))
  let compressed: Promise<GzipPrefix> | undefined
  return {
    etag: buildWeakEtag(etagSource),
    plain,
    gzipped: () => {
      compressed ??= beginGzip(plain)
      return compressed
    },
  }
}
