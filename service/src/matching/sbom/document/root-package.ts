import type { Entry } from './entry.ts'

/**
 * Marks the package that an SPDX document describes, usually the caller's own software. A document has no root if it
 * describes several packages or contains no other package.
 */
export function markRoot(entries: readonly Entry[], described: ReadonlySet<string>): readonly Entry[] {
  const roots = entries.filter(({ ref, kind }) => kind === 'software' && ref !== undefined && described.has(ref))
  const [root, second] = roots
  if (root === undefined || second !== undefined || entries.length === 1) return entries
  return entries.map((each) => (each === root ? { ...each, kind: 'root' } : each))
}
