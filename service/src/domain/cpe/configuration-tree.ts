// The stored form of the AND/OR tree of a CVE's CPE matches. It holds the operators, and for each node the positions of
// its matches in the CVE's list of CPE matches, so that no match is stored twice.

/** Operator of a configuration or node; with NOT in front if the source negates it. */
export type TreeOperator = 'AND' | 'OR' | 'NOT AND' | 'NOT OR'

/**
 * Operator of a node, and the positions of its matches as runs: [0, 3, 7, 1] means the three matches from position 0 and
 * the one at position 7.
 */
export type TreeNode = readonly [operator: TreeOperator, runs: readonly number[]]

export type TreeConfiguration = readonly [operator: TreeOperator, nodes: readonly TreeNode[]]

/** The tree, or null for the usual tree: one configuration with one node that lists all matches with OR. */
export type ConfigurationTree = readonly TreeConfiguration[] | null

export function toTreeOperator(operator: 'AND' | 'OR', negate: boolean): TreeOperator {
  return negate ? `NOT ${operator}` : operator
}

/** Joins consecutive positions to runs. */
export function toRuns(positions: readonly number[]): readonly number[] {
  const runs: number[] = []
  let next = Number.NaN
  for (const position of positions) {
    if (position === next) runs.push((runs.pop() ?? 0) + 1)
    else runs.push(position, 1)
    next = position + 1
  }
  return runs
}
