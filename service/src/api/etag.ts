// Weak validators of the content of `data` (decision B13).
import { hash } from 'node:crypto'

export function weakEtag(content: string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}

/** Weak comparison, as If-None-Match asks for: W/ does not matter. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((each) => {
    const candidate = each.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === opaque
  })
}
