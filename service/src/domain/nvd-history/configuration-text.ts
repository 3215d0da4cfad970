// CPE configurations as NVD's change history writes them, one line per operator and per CPE match:
//
//   AND
//        OR
//             *cpe:2.3:o:example:router_firmware:*:*:*:*:*:*:*:* versions up to (excluding) 2.4
//        OR
//             cpe:2.3:h:example:router:-:*:*:*:*:*:*:*
//
// The asterisk marks a match that is vulnerable.

const LIMITS = ['versionStartIncluding', 'versionStartExcluding', 'versionEndIncluding', 'versionEndExcluding'] as const

type CpeMatch = {
  readonly vulnerable: boolean
  readonly criteria: string
  readonly matchCriteriaId?: string
} & { readonly [Limit in (typeof LIMITS)[number]]?: string }

export interface CpeNode {
  readonly operator: 'AND' | 'OR'
  readonly negate: boolean
  readonly cpeMatch: readonly CpeMatch[]
}

export interface Configuration {
  readonly operator: 'AND' | 'OR'
  readonly negate: boolean
  readonly nodes: readonly CpeNode[]
}

/** Returns undefined for a text in another form. */
export function parseConfiguration(text: string): Configuration | undefined {
  // NVD's API sends some line breaks as a backslash and the letter n.
  const lines = text
    .replaceAll('\\n', '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const first = lines[0]
  const isNested = first === 'AND' && lines[1] !== undefined && isOperator(lines[1])
  const nodes = parseNodes(isNested ? lines.slice(1) : lines)
  return nodes && { operator: isNested ? 'AND' : 'OR', negate: false, nodes }
}

const isOperator = (line: string): line is 'AND' | 'OR' => line === 'AND' || line === 'OR'

function parseNodes(lines: readonly string[]): readonly CpeNode[] | undefined {
  const nodes: { operator: 'AND' | 'OR'; negate: false; cpeMatch: CpeMatch[] }[] = []
  for (const line of lines) {
    if (isOperator(line)) {
      nodes.push({ operator: line, negate: false, cpeMatch: [] })
      continue
    }
    const match = parseMatch(line)
    if (match === undefined) return undefined
    const node = nodes.at(-1)
    if (node === undefined) return undefined
    node.cpeMatch.push(match)
  }
  return nodes.length > 0 && nodes.every(({ cpeMatch }) => cpeMatch.length > 0) ? nodes : undefined
}

function parseMatch(line: string): CpeMatch | undefined {
  const [name = '', ...rest] = line.split(' ')
  const isVulnerable = name.startsWith('*')
  const criteria = isVulnerable ? name.slice(1) : name
  if (!criteria.startsWith('cpe:2.3:')) return undefined
  const limits = parseLimits(rest.filter((word) => word !== ''))
  return limits && { vulnerable: isVulnerable, criteria, ...limits }
}

/** The words after a CPE name, such as "versions from (including) 1.0 up to (excluding) 2.0". */
function parseLimits(words: readonly string[]): Readonly<Record<string, string>> | undefined {
  const limits: Record<string, string> = {}
  let [edge, at] = ['', words[0] === 'versions' ? 1 : 0]
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === 'from') edge = 'Start'
    else if (word === 'up' && words[at + 1] === 'to') {
      edge = 'End'
      at += 1
    } else if ((word === '(including)' || word === '(excluding)') && edge !== '' && words[at + 1] !== undefined) {
      limits[`version${edge}${word === '(including)' ? 'Including' : 'Excluding'}`] = words[at + 1] ?? ''
      at += 1
    } else return undefined
  }
  return limits
}

/** Two configurations with the same key mean the same: NVD does not keep the order of nodes and matches. */
export function toConfigurationKey({ operator, negate, nodes }: Configuration): string {
  const keys = nodes.map(toNodeKey).toSorted()
  // With one node, the operator between nodes means nothing.
  return JSON.stringify([keys.length === 1 ? 'OR' : operator, negate, keys])
}

function toNodeKey({ operator, negate, cpeMatch }: CpeNode): string {
  const matches = cpeMatch.map((match) =>
    [match.vulnerable, match.criteria, ...LIMITS.map((limit) => match[limit] ?? '')].join(' '),
  )
  return JSON.stringify([cpeMatch.length === 1 ? 'OR' : operator, negate, matches.toSorted()])
}
