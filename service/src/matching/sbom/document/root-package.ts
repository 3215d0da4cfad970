import type { Entry } from './entry.ts'

/**
 * Marks the package that an SPDX document describes, usually the caller's own software. A document that describes
 * several packages, or has no other package, has no root.
 */
export function markRoot(entries: readonly Entry[], described: ReadonlySet<string>): readonly Entry[] {
  const roots = entries.filter(({ ref, kind }) => kind === 'software' && ref !== undefined && described.has(ref))
  const [root, second] = roots
  if (root === undefined || second !== undefined || entries.length === 1) return entries
  return entries.map((each) => (each === root ? { ...each, kind: 'root' } : each))
}
