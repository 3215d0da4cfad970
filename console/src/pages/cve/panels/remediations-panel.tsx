// What publishers advise besides a fixed version: workarounds, mitigations, and that no fix is planned.
import type { Cve } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { cutText, UpstreamText } from '../../../kit/upstream-text.tsx'
import { formatNumber } from '../../../text/format.ts'
import { joinProductName } from '../../../text/product-name.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { SourceChip } from '../parts/source-chip.tsx'

type Remediation = NonNullable<Cve['remediations']>[number]

const KINDS: Readonly<Record<Remediation['kind'], readonly [words: string, tone: 'good' | 'accent' | 'high']>> = {
  fix: ['Fix', 'good'],
  workaround: ['Workaround', 'accent'],
  mitigation: ['Mitigation', 'accent'],
  none_planned: ['No fix planned', 'high'],
  none_available: ['No fix yet', 'high'],
}

/** Shown only if a publisher advises something. */
export function RemediationsPanel({ cve: { remediations = [], remediations_omitted = 0 } }: { readonly cve: Cve }) {
  if (remediations.length === 0) return null
  return (
    <Panel title="What publishers advise">
      <MoreList items={remediations} first={4} step={20} noun="pieces of advice">
        {(shown) => (
          <ul className="divide-y divide-line text-sm">
            {shown.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two pieces of advice can be equal, and they never move.
              <li key={index} className="py-2 first:pt-0 last:pb-0">
                <Advice remediation={each} />
              </li>
            ))}
          </ul>
        )}
      </MoreList>
      {remediations_omitted > 0 && (
        <p className="mt-2 text-xs text-ink-2">
          The record leaves out {formatNumber(remediations_omitted)} more; the API lists all under /detail.
        </p>
      )}
    </Panel>
  )
}

const MAX_PRODUCTS = 4

function Advice({ remediation }: { readonly remediation: Remediation }) {
  const { kind, text, url, source, applies_to, products_omitted = 0 } = remediation
  const [words, tone] = KINDS[kind]
  const names = [...new Set(applies_to.map(nameProduct))]
  const rest = names.length - MAX_PRODUCTS + products_omitted
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <Badge tone={tone}>{words}</Badge>
        <SourceChip source={source} />
        {url !== null && <ExternalLink url={url}>its page</ExternalLink>}
      </p>
      {text !== null && (
        <div className="mt-1">
          <UpstreamText text={text} first={500} className="block whitespace-pre-line" />
        </div>
      )}
      {names.length > 0 && (
        <p className="mt-1 text-xs text-ink-2 [overflow-wrap:anywhere]">
          For {names.slice(0, MAX_PRODUCTS).join(', ')}
          {rest > 0 && ` and ${formatNumber(rest)} more`}
        </p>
      )}
    </>
  )
}

function nameProduct({ vendor, product, version }: Remediation['applies_to'][number]): string {
  return cutText([joinProductName(vendor, product), version].filter(Boolean).join(' '), 120)
}
