// Renders the affected product combinations as a tree.
import type { Configuration } from 'vis-sdk'
import { describeProduct } from './describe-product.ts'
import type { Terminal } from './terminal.ts'
import { cleanLine } from './text.ts'

const MAX_CONFIGURATIONS = 10
const MAX_MATCHES = 8

export function renderConfigurations(terminal: Terminal, configurations: readonly Configuration[] = []): string {
  if (configurations.length === 0) return ''
  const more = configurations.length - MAX_CONFIGURATIONS
  const lines = [
    ...configurations.slice(0, MAX_CONFIGURATIONS).flatMap(describeConfiguration),
    ...(more > 0 ? [`  and ${more} more; --json shows all`] : []),
  ]
  const title = terminal.paint('bold', `Configurations (${configurations.length})`)
  return `\n${title}\n${lines.map((line) => `${line}\n`).join('')}`
}

function describeConfiguration({ operator, negate, nodes }: Configuration): string[] {
  return [`  ${describeOperator(operator, negate)}`, ...nodes.flatMap(describeNode)]
}

function describeNode({ operator, negate, cpe_match: matched }: Configuration['nodes'][number]): string[] {
  const more = matched.length - MAX_MATCHES
  const matches = matched
    .slice(0, MAX_MATCHES)
    .map((match) => `${cleanLine(describeProduct(match))}${match.vulnerable ? '' : ' (not vulnerable itself)'}`)
  return [
    `    ${describeOperator(operator, negate)}`,
    ...[...matches, ...(more > 0 ? [`and ${more} more`] : [])].map((text) => `      ${text}`),
  ]
}

function describeOperator(operator: 'AND' | 'OR', negate: boolean): string {
  const words = operator === 'AND' ? 'all of' : 'one of'
  return negate ? `not ${words}` : words
}
