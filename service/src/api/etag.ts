// Weak ETags for the content of the `data` member of a response (decision B13).
import { hash } from 'node:crypto'

export function buildWeakEtag(content: string | Buffer): string {
  return formatWeakEtag(hash('sha256', content, 'base64url'))
}

/** Formats the base64url text of a SHA-256 hash as a weak ETag. */
export function formatWeakEtag(digest: string): string {
  return `W/"${digest.slice(0, 27)}"`
}

/** Compares ETags weakly, as RFC 9110 requires for If-None-Match: the prefix W/ is ignored. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((part) => {
    const candidate = part.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === opaque
  })
}
