// The small panels on the right: EPSS, SSVC, techniques, weaknesses and national notices.
import type { ReactNode } from 'react'
import type { Cve, DetailRecord } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { cutText, UpstreamText } from '../../../kit/upstream-text.tsx'
import { formatDay, formatProbability } from '../../../text/format.ts'
import { toTechnique } from '../model/techniques.ts'
import { INPUTS } from '../model/verdict.ts'
import { listWeaknesses } from '../model/weaknesses.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { WhoSaysSo } from '../parts/who-says-so.tsx'

interface LoadedPanelProps {
  readonly cve: Cve
  /** True if nothing of the panel's data set was ever stored, so that an absent value says nothing. */
  readonly isNeverLoaded: boolean
}

export function EpssPanel({ cve: { epss, sources }, isNeverLoaded }: LoadedPanelProps) {
  return (
    <Panel title="EPSS" note="exploitation within 30 days" actions={<WhoSaysSo sources={sources} name="epss" />}>
      {epss ? (
        <>
          <Meter label="Probability" share={epss.score} />
          <Meter label="Percentile" share={epss.percentile} />
          <p className="mt-2 text-xs text-ink-2">
            Computed by FIRST on {epss.date}. {formatProbability(epss.percentile)} of all CVEs have the same or a lower
            probability.
          </p>
        </>
      ) : (
        <Missing>{isNeverLoaded ? 'EPSS scores were never loaded.' : 'EPSS has no estimate for this CVE.'}</Missing>
      )}
    </Panel>
  )
}

function Meter({ label, share }: { readonly label: string; readonly share: number }) {
  return (
    <div className="mb-1.5 grid grid-cols-[5rem_minmax(0,1fr)_4.5rem] items-center gap-2 text-sm">
      <span className="text-ink-2">{label}</span>
      <svg aria-hidden="true" className="block h-2 w-full">
        <rect width="100%" height="8" rx="4" className="fill-soft" />
        <rect width={`${Math.max(0.01, share) * 100}%`} height="8" rx="4" className="fill-accent" />
      </svg>
      <span className="text-right font-semibold whitespace-nowrap">{formatProbability(share)}</span>
    </div>
  )
}

/** Shown only if the record has SSVC values. */
export function SsvcPanel({ cve: { sources } }: { readonly cve: Cve }) {
  const rows = INPUTS.flatMap(([name, label, words]) => {
    const [statement] = sources?.[name]?.stated_by ?? []
    const value = statement?.value
    return value === undefined ? [] : [{ name, label, text: words[value] ?? value }]
  })
  if (rows.length === 0) return null
  return (
    <Panel title="SSVC" note="inputs for a decision">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 text-sm">
        {rows.map(({ name, label, text }) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{label}</dt>
            <dd className="flex items-center gap-2 font-medium">
              {text}
              <WhoSaysSo sources={sources} name={name} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const MAPPINGS = {
  curated: ['good', 'curated', 'People assigned these techniques to this CVE.'],
  derived: [
    'medium',
    'derived',
    'Rules derived these techniques from the kind of vulnerability. About half of such techniques agree with what people would assign.',
  ],
} as const

export function TechniquesPanel({ cve: { attack, sources } }: { readonly cve: Cve }) {
  const mapping = attack?.mapping ? MAPPINGS[attack.mapping] : undefined
  return (
    <Panel
      title="Techniques"
      note="MITRE ATT&CK"
      actions={
        <>
          {mapping && <Badge tone={mapping[0]}>{mapping[1]}</Badge>}
          <WhoSaysSo sources={sources} name="attack" />
        </>
      }
    >
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

interface WeaknessesPanelProps {
  readonly cve: Cve
  readonly detail: DetailRecord | undefined
}

export function WeaknessesPanel({ cve: { enrichment, sources }, detail }: WeaknessesPanelProps) {
  const weaknesses = listWeaknesses(enrichment?.cwe_list ?? [], detail?.technical_details.cwe ?? [])
  return (
    <Panel title="Weaknesses" note="CWE" actions={<WhoSaysSo sources={sources} name="weaknesses" />}>
      {weaknesses.length === 0 ? (
        <Missing>No source names a weakness.</Missing>
      ) : (
        <ItemList>
          {weaknesses.map(({ id, name, description, url }) => (
            <li key={id}>
              <ExternalLink url={url}>
                <span className="font-mono text-xs">{id}</span>
                {name && ` ${name}`}
              </ExternalLink>
              {description && (
                <span className="block text-xs text-ink-2">
                  <UpstreamText text={description} first={600} />
                </span>
              )}
            </li>
          ))}
        </ItemList>
      )}
    </Panel>
  )
}

export function NoticesPanel({ cve: { acsc = [], sources }, isNeverLoaded }: LoadedPanelProps) {
  return (
    <Panel title="National notices" note="ACSC, Australia" actions={<WhoSaysSo sources={sources} name="acsc" />}>
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
