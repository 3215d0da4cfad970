// Weak ETags for a response's `data` (decision B13).
import { hash } from 'node:crypto'

export function buildWeakEtag(content: string | Buffer): string {
  return formatWeakEtag(hash('sha256', content, 'base64url'))
}

/** `digest` is a SHA-256 digest in base64url. */
export function formatWeakEtag(digest: string): string {
  return `W/"${digest.slice(0, 27)}"`
}

/** If-None-Match uses weak comparison (RFC 9110): the prefix W/ is ignored. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((part) => {
    const candidate = part.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === opaque
  })
}
