// Reads the products that a configuration requires in addition to the vulnerable one, such as the platform it runs on.

import { type RequiredRange, type Requirement, toRequiredRange } from '../../record/affected-row.ts'
import type { Configuration, ConfigurationNode, CpeMatch } from '../model/claim.ts'
import { readCriteria, readVersions } from './read-criteria.ts'

/** Maximum number of alternatives of which one is required. Further alternatives are ignored. */
const MAX_PRODUCTS = 100
/** A required product with more versions and ranges than this is accepted in any version. */
const MAX_VERSIONS = 20

type Condition = readonly (readonly Requirement[])[]

/** Negated nodes require nothing. */
export function createConditions({
  operator,
  nodes,
}: Configuration): (node: ConfigurationNode, match: CpeMatch) => Condition | null {
  const byNode = new Map<ConfigurationNode, Condition>()
  return (node, match) => {
    const ofOthers = operator === 'AND' && nodes.length > 1 ? readOtherNodes(nodes, node, byNode) : []
    const ofSame = node.operator === 'AND' ? readOtherMatches(node, match) : []
    return ofOthers.length + ofSame.length === 0 ? null : [...ofOthers, ...ofSame]
  }
}

function readOtherNodes(
  nodes: readonly ConfigurationNode[],
  node: ConfigurationNode,
  known: Map<ConfigurationNode, Condition>,
): Condition {
  const found = known.get(node)
  if (found !== undefined) return found
  const others = nodes.filter((each) => each !== node && !each.negate)
  const condition = others.flatMap((each) =>
    each.operator === 'AND' ? each.matches.map((match) => listRequirements([match])) : [listRequirements(each.matches)],
  )
  const needed = condition.filter((each) => each.length > 0)
  known.set(node, needed)
  return needed
}

function readOtherMatches({ matches }: ConfigurationNode, match: CpeMatch): Condition {
  const others = matches.filter((each) => each !== match)
  return others.map((each) => listRequirements([each])).filter((each) => each.length > 0)
}

function listRequirements(matches: readonly CpeMatch[]): readonly Requirement[] {
  const products = new Map<string, { name: Requirement; isAny: boolean; versions: string[]; ranges: RequiredRange[] }>()
  for (const match of matches) {
    const read = readCriteria(match.criteria)
    if (read === undefined) continue
    const { part, vendor, product } = read
    const key = `${part} ${vendor} ${product}`
    const known = products.get(key)
    if (known === undefined && products.size === MAX_PRODUCTS) continue
    const required = known ?? { name: { part, vendor, product }, isAny: false, versions: [], ranges: [] }
    products.set(key, required)
    const { version, limits, isVague } = readVersions(read, match)
    if (isVague) required.isAny = true
    else if (version === null) required.ranges.push(toRequiredRange(limits))
    else required.versions.push(version)
  }
  return [...products.values()].map(({ name, isAny, versions, ranges }) => {
    if (isAny || versions.length + ranges.length > MAX_VERSIONS) return name
    return { ...name, ...(versions.length > 0 && { versions }), ...(ranges.length > 0 && { ranges }) }
  })
}
