import type { Cve } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { formatNumber } from '../../../text/format.ts'
import { readHost } from '../model/link.ts'
import { groupReferences, type Reference } from '../model/references.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { SourceChip } from '../parts/source-chip.tsx'

const FIRST_PER_KIND = 4

export function ReferencesPanel({ cve: { references } }: { readonly cve: Cve }) {
  const groups = groupReferences(references)
  return (
    <Panel title="References" note={formatNumber(references.length)}>
      {groups.length === 0 && <Missing>No loaded source gives a reference.</Missing>}
      <div className="grid items-start gap-x-8 gap-y-4 md:grid-cols-2 2xl:grid-cols-4">
        {groups.map(({ kind, label, references: found }) => (
          <section key={kind}>
            <h3 className="mb-1 text-xs font-medium text-ink-3">
              {label} <span className="font-normal">{formatNumber(found.length)}</span>
            </h3>
            <MoreList items={found} first={FIRST_PER_KIND} step={50} noun="references">
              {(shown) => (
                <ul className="divide-y divide-line text-sm">
                  {shown.map((reference) => (
                    <ReferenceItem key={`${reference.source} ${reference.url}`} reference={reference} />
                  ))}
                </ul>
              )}
            </MoreList>
          </section>
        ))}
      </div>
    </Panel>
  )
}

function ReferenceItem({ reference: { url, source, tags = [] } }: { readonly reference: Reference }) {
  const host = readHost(url)
  return (
    <li className="py-1.5">
      <ExternalLink url={url}>
        {host && (
          <>
            <span className="font-medium">{host}</span>
            <span className="text-xs">{shortenPath(url)}</span>
          </>
        )}
      </ExternalLink>
      <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-ink-2">
        {tags.join(', ')}
        <SourceChip source={source} />
      </span>
    </li>
  )
}

const MAX_PATH_LENGTH = 90

/** Returns the part of the address after the host, shortened in the middle. */
function shortenPath(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]+/i, '')
  return path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, 60)}…${path.slice(-28)}`
}
