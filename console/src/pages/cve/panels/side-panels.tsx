// Small panels: techniques, weaknesses and national notices.
import type { ReactNode } from 'react'
import type { Cve } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { cutText, UpstreamText } from '../../../kit/upstream-text.tsx'
import { formatDay } from '../../../text/format.ts'
import { toTechnique } from '../model/techniques.ts'
import { listWeaknesses } from '../model/weaknesses.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'

const MAPPINGS = {
  curated: ['good', 'curated', 'People assigned these techniques to this CVE.'],
  derived: [
    'medium',
    'derived',
    'Rules derived these techniques from the kind of vulnerability. About half of such techniques agree with what people would assign.',
  ],
} as const

export function TechniquesPanel({ cve: { attack } }: { readonly cve: Cve }) {
  const mapping = attack?.mapping ? MAPPINGS[attack.mapping] : undefined
  return (
    <Panel title="Techniques" note="MITRE ATT&CK" actions={mapping && <Badge tone={mapping[0]}>{mapping[1]}</Badge>}>
      {attack === undefined || attack.techniques.length === 0 ? (
        <Missing>No techniques are assigned.</Missing>
      ) : (
        <>
          <ItemList>
            {attack.techniques.map(toTechnique).map(({ id, name, url }) => (
              <li key={id}>
                <ExternalLink url={url}>
                  <span className="font-mono text-xs">{id}</span>
                  {name && ` ${name}`}
                </ExternalLink>
              </li>
            ))}
          </ItemList>
          {mapping && <p className="mt-2 text-xs text-ink-2">{mapping[2]}</p>}
        </>
      )}
    </Panel>
  )
}

export function WeaknessesPanel({ cve: { enrichment } }: { readonly cve: Cve }) {
  const weaknesses = listWeaknesses(enrichment?.cwe_list ?? [])
  return (
    <Panel title="Weaknesses" note="CWE">
      {weaknesses.length === 0 ? (
        <Missing>No loaded source names a weakness.</Missing>
      ) : (
        <ItemList>
          {weaknesses.map(({ id, name, url }) => (
            <li key={id}>
              <ExternalLink url={url}>
                <span className="font-mono text-xs">{id}</span>
                {name && ` ${name}`}
              </ExternalLink>
            </li>
          ))}
        </ItemList>
      )}
    </Panel>
  )
}

interface NoticesPanelProps {
  readonly cve: Cve
  /** True if no notice was ever stored, so that an absent one says nothing. */
  readonly isNeverLoaded: boolean
}

export function NoticesPanel({ cve: { acsc = [] }, isNeverLoaded }: NoticesPanelProps) {
  return (
    <Panel title="National notices" note="ACSC, Australia">
      {acsc.length === 0 ? (
        <Missing>{isNeverLoaded ? 'ACSC notices were never loaded.' : 'No notice names this CVE.'}</Missing>
      ) : (
        <MoreList items={acsc} first={4} noun="notices">
          {(shown) => (
            <ItemList>
              {shown.map(({ id, title, type, priority, publishedDate, lastUpdated, url, summary }) => (
                <li key={id}>
                  {url ? <ExternalLink url={url}>{cutText(title, 300)}</ExternalLink> : cutText(title, 300)}
                  <span className="block text-xs text-ink-2">
                    {[priority, type, formatDay(publishedDate)].filter(Boolean).join(' · ')}
                    {lastUpdated && `, updated ${formatDay(lastUpdated)}`}
                  </span>
                  {summary && (
                    <span className="mt-0.5 block text-xs text-ink-2">
                      <UpstreamText text={summary} />
                    </span>
                  )}
                </li>
              ))}
            </ItemList>
          )}
        </MoreList>
      )}
    </Panel>
  )
}

function ItemList({ children }: { readonly children: ReactNode }) {
  return <ul className="space-y-1.5 text-sm">{children}</ul>
}
