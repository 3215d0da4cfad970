import type { Entry } from './entry.ts'

/**
 * Marks the package that an SPDX document describes, which is usually the caller's own software. A document that
 * describes several packages, or has no other package, is a list of packages without a root.
 */
export function markRoot(entries: readonly Entry[], described: ReadonlySet<string>): readonly Entry[] {
  const roots = entries.filter(({ ref, kind }) => kind === 'software' && ref !== undefined && described.has(ref))
  const [root, second] = roots
  if (root === undefined || second !== undefined || entries.length === 1) return entries
  return entries.map((each) => (each === root ? { ...each, kind: 'root' } : each))
}
