// Renders the cacheable part of a response body: `data` as bytes, and as compressed bytes on first use. Each response
// appends its own `meta` (see respond.ts).
import type { GzipPrefix, Rendered } from '../contract/endpoint.ts'
import { buildHead } from '../contract/response/envelope.ts'
import { buildWeakEtag } from './etag.ts'
import { beginGzip } from './gzip.ts'

/** Renders `json` with an ETag that is computed from `etagSource`, a text that changes whenever `json` changes. */
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
