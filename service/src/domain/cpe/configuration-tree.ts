// The stored AND/OR tree of a CVE's CPE matches. It holds operators and the positions of matches in the CVE's list, so
// no match is stored twice.

/** The operator starts with NOT if the source negates it. */
export type TreeOperator = 'AND' | 'OR' | 'NOT AND' | 'NOT OR'

/** `runs` lists pairs of position and length: [0, 3, 7, 1] is three matches from position 0 and one at position 7. */
export type TreeNode = readonly [operator: TreeOperator, runs: readonly number[]]

export type TreeConfiguration = readonly [operator: TreeOperator, nodes: readonly TreeNode[]]

/** Null for the usual tree: one configuration with one node that combines all matches with OR. */
export type ConfigurationTree = readonly TreeConfiguration[] | null

export function toTreeOperator(operator: 'AND' | 'OR', negate: boolean): TreeOperator {
  return negate ? `NOT ${operator}` : operator
}

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
