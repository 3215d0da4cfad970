// The add-on `configurations`: a CVE's CPE matches with their source's AND and OR operators (decision E7). Its column
// holds only the operators and the positions of the matches in the member `cpe`.
import { Type } from 'typebox'
import type {
  ConfigurationTree,
  TreeConfiguration,
  TreeNode,
  TreeOperator,
} from '../../../domain/cpe/configuration-tree.ts'
import { closedObject, flagSchema } from '../../response/schemas.ts'
import { cpeMatchSchema } from '../cpe-match.ts'
import { defineAddOn } from '../cve-member.ts'

const operatorSchema = (description: string) => Type.Enum(['AND', 'OR'], { description })

const configurationsSchema = Type.Array(
  closedObject(
    {
      operator: operatorSchema('AND: all nodes must match. OR: one node must match.'),
      negate: flagSchema('Whether the configuration matches a system that does not fulfil its nodes.'),
      nodes: Type.Array(
        closedObject(
          {
            operator: operatorSchema('AND: all CPE matches must be present. OR: one of them must be present.'),
            negate: flagSchema('Whether the node matches a system that does not fulfil its CPE matches.'),
            cpe_match: Type.Array(cpeMatchSchema, { minItems: 1, description: 'CPE matches as in the member cpe.' }),
          },
          'A group of CPE matches.',
        ),
        { minItems: 1, description: 'Groups of CPE matches.' },
      ),
    },
    'A combination of products that is affected as a whole.',
    'Configuration',
  ),
  {
    description:
      'Affected combinations of products: the CPE matches of the member cpe with the AND and OR operators of their source. A system is affected if it fulfils one of the configurations.',
  },
)

export const configurations = defineAddOn({
  name: 'configurations',
  schema: configurationsSchema,
  columns: ['configurations'],
  alsoReads: ['cpe'],
  availableIn: ['single', 'batch'],
  // The 50 largest values of this member among the CVEs published up to 2026 average 271 KB.
  size: { perCve: 288 * 1024, total: 14 * 1024 * 1024 },
  render: (row) => expandConfigurations(row.configurations ?? 'null', row.cpe ?? '[]'),
})

/**
 * How every match after the first one starts in the JSON text of the list. This text cannot occur inside a match,
 * because quotation marks inside a JSON string are escaped.
 */
const NEXT_MATCH = ',{"vulnerable":'

/**
 * Returns the JSON text of the tree. The matches are cut out of the list's text without parsing it, because the lists
 * of the largest CVEs are several hundred kilobytes long.
 */
export function expandConfigurations(stored: string, cpe: string): string {
  const starts = findStarts(cpe)
  const count = starts.length - 1
  const tree: ConfigurationTree = JSON.parse(stored)
  if (tree === null && count === 0) return '[]'
  const configurations: readonly TreeConfiguration[] = tree ?? [['OR', [['OR', [0, count]]]]]
  return `[${configurations.map((each) => expandConfiguration(each, cpe, starts)).join(',')}]`
}

/** Returns the start of each match, followed by the position at which the next match would start. */
function findStarts(cpe: string): readonly number[] {
  if (cpe === '[]') return [0]
  const starts = [1]
  for (let at = cpe.indexOf(NEXT_MATCH); at >= 0; at = cpe.indexOf(NEXT_MATCH, at + 1)) starts.push(at + 1)
  return [...starts, cpe.length]
}

function expandConfiguration([operator, nodes]: TreeConfiguration, cpe: string, starts: readonly number[]): string {
  return `{${expandOperator(operator)},"nodes":[${nodes.map((node) => expandNode(node, cpe, starts)).join(',')}]}`
}

function expandNode([operator, runs]: TreeNode, cpe: string, starts: readonly number[]): string {
  const matches: string[] = []
  for (let at = 0; at < runs.length; at += 2) {
    const [first = 0, count = 0] = runs.slice(at, at + 2)
    // The character before the next match is a comma or, at the end of the list, a bracket.
    matches.push(cpe.slice(starts[first], (starts[first + count] ?? 0) - 1))
  }
  return `{${expandOperator(operator)},"cpe_match":[${matches.join(',')}]}`
}

function expandOperator(operator: TreeOperator): string {
  const name = operator.endsWith('AND') ? 'AND' : 'OR'
  return `"operator":"${name}","negate":${operator.startsWith('NOT')}`
}
