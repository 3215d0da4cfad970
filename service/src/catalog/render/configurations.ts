// Renders the AND/OR tree of CPE matches in its stored form (decision E7).
import {
  type ConfigurationTree,
  type TreeConfiguration,
  type TreeNode,
  toRuns,
  toTreeOperator,
} from '../../domain/cpe/configuration-tree.ts'
import type { Configuration, ConfigurationNode, CpeMatch } from '../model/claim.ts'
import type { ResolvedCpe } from '../model/resolved.ts'
import { dropCommits } from '../resolve/products/commit-limits.ts'
import { buildMatchKey } from '../resolve/products/cpe.ts'

export function renderConfigurations({ configurations, matches }: ResolvedCpe): ConfigurationTree {
  if (configurations.length === 0 || matches.length === 0 || isUsualTree(configurations, matches)) return null
  const findPosition = createPositions(matches)
  return configurations.map((each) => renderConfiguration(each, findPosition))
}

type FindPosition = (match: CpeMatch) => number | undefined

/**
 * Most matches of a tree are the same objects as in the list. Others are compared as text: repeated matches, of which
 * the list has only the first, and matches with commits, which the list leaves out.
 */
function createPositions(matches: readonly CpeMatch[]): FindPosition {
  const byObject = new Map(matches.map((match, position) => [match, position]))
  let byKey: ReadonlyMap<string, number> | undefined
  return (match) => {
    const known = byObject.get(match)
    if (known !== undefined) return known
    byKey ??= new Map(matches.map((each, position) => [buildMatchKey(each), position]))
    return byKey.get(buildMatchKey(match)) ?? byKey.get(buildMatchKey(dropCommits(match)))
  }
}

/** True for a single list of alternatives, as in most CVEs. */
function isUsualTree(configurations: readonly Configuration[], matches: readonly CpeMatch[]): boolean {
  const [configuration, ...others] = configurations
  if (configuration === undefined || others.length > 0 || !isPlainOr(configuration)) return false
  const [node, ...otherNodes] = configuration.nodes
  return node !== undefined && otherNodes.length === 0 && isPlainOr(node) && node.matches.length === matches.length
}

function isPlainOr({ operator, negate }: Configuration | ConfigurationNode): boolean {
  return operator === 'OR' && !negate
}

function renderConfiguration(
  { operator, negate, nodes }: Configuration,
  findPosition: FindPosition,
): TreeConfiguration {
  return [toTreeOperator(operator, negate), nodes.map((node) => renderNode(node, findPosition))]
}

/** A node can repeat a match; as in the list of matches, the repetition is left out. */
function renderNode({ operator, negate, matches }: ConfigurationNode, findPosition: FindPosition): TreeNode {
  const positions = [...new Set(matches.map(findPosition))].filter((position) => position !== undefined)
  return [toTreeOperator(operator, negate), toRuns(positions)]
}
