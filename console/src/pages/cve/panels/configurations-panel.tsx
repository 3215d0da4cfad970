// Affected combinations of products as a tree of "all of" and "one of".
import type { Cve } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { splitCpe } from '../../../text/cpe-name.ts'
import { formatNumber } from '../../../text/format.ts'
import { type CpeMatch, toRange } from '../model/cpe-products.ts'
import { describeRange } from '../model/product-versions.ts'
import { MoreList } from '../parts/more-list.tsx'

type Configuration = NonNullable<Cve['configurations']>[number]
type Node = Configuration['nodes'][number]

/** Shown only if the record has configurations. */
export function ConfigurationsPanel({ cve: { configurations = [] } }: { readonly cve: Cve }) {
  if (configurations.length === 0) return null
  return (
    <Panel title="Configurations" note="a system is affected if it fulfils one of them">
      <MoreList items={configurations} first={5} step={20} noun="configurations">
        {(shown) =>
          shown.map((configuration, index) => (
            <details
              // biome-ignore lint/suspicious/noArrayIndexKey: configurations have no id and never move.
              key={index}
              className="border-t border-line py-1.5 first:border-t-0"
            >
              <summary className="rounded text-sm">
                {index + 1}. {summarize(configuration)}
              </summary>
              <ul className="mt-1 ml-3 space-y-2 border-l border-line pl-3 text-sm">
                {configuration.nodes.map((node, position) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no id and never move.
                  <li key={position}>
                    {position > 0 && <Operator>{configuration.operator === 'AND' ? 'and' : 'or'}</Operator>}
                    <NodeView node={node} />
                  </li>
                ))}
              </ul>
            </details>
          ))
        }
      </MoreList>
    </Panel>
  )
}

function summarize({ operator, negate, nodes }: Configuration): string {
  const matches = nodes.reduce((total, { cpe_match }) => total + cpe_match.length, 0)
  const products = new Set(nodes.flatMap(({ cpe_match }) => cpe_match.map(nameProduct)))
  const [first = ''] = products
  const more = products.size > 1 ? ` and ${formatNumber(products.size - 1)} more` : ''
  const groups = nodes.length > 1 ? `, ${operator === 'AND' ? 'all' : 'one'} of ${nodes.length} groups` : ''
  return `${negate ? 'Not: ' : ''}${first}${more} (${formatNumber(matches)} ${matches === 1 ? 'match' : 'matches'}${groups})`
}

function nameProduct(match: CpeMatch): string {
  const { vendor, product } = splitCpe(match.criteria)
  return `${vendor} ${product}`
}

function NodeView({ node: { operator, negate, cpe_match: matches } }: { readonly node: Node }) {
  return (
    <>
      {(matches.length > 1 || negate) && <Operator>{describeOperator(operator, negate)}</Operator>}
      <MoreList items={matches} first={8} noun="matches">
        {(shown) => (
          <ul className="mt-0.5 space-y-0.5">
            {shown.map((match, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two matches can be equal, and matches never move.
              <li key={index} className="[overflow-wrap:anywhere]">
                <Match match={match} />
              </li>
            ))}
          </ul>
        )}
      </MoreList>
    </>
  )
}

function describeOperator(operator: Node['operator'], negate: boolean): string {
  if (operator === 'AND') return negate ? 'not all of' : 'all of'
  return negate ? 'none of' : 'one of'
}

function Match({ match }: { readonly match: CpeMatch }) {
  const name = splitCpe(match.criteria)
  const range = toRange(match, name)
  const remarks = [
    ...range.limits,
    ...(range.isInWords ? ['versions the source names in words'] : []),
    ...(match.vulnerable ? [] : ['not vulnerable itself']),
  ]
  return (
    <span title={match.criteria}>
      <span className="text-ink-2">{name.vendor}</span> <span className="font-medium">{name.product}</span>{' '}
      {describeRange(range).toLowerCase()}
      {remarks.length > 0 && <span className="text-ink-2"> ({remarks.join(', ')})</span>}
    </span>
  )
}

function Operator({ children }: { readonly children: string }) {
  return <span className="text-xs font-semibold text-ink-3 uppercase">{children}</span>
}
