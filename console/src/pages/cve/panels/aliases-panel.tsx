// The ids that advisories and other databases use for the CVE.
import { Link } from '@tanstack/react-router'
import type { Cve } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { findAdvisoryUrl } from '../../../text/alias.ts'
import { formatNumber } from '../../../text/format.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { SourceChip } from '../parts/source-chip.tsx'

/** Shown only if the CVE has other ids. */
export function AliasesPanel({ cve: { aliases = [] } }: { readonly cve: Cve }) {
  if (aliases.length === 0) return null
  return (
    <Panel title="Advisories and other ids" note={formatNumber(aliases.length)}>
      <MoreList items={aliases} first={6} noun="ids">
        {(shown) => (
          <ul className="space-y-1.5 text-sm">
            {shown.map(({ alias, source }) => (
              <li key={alias} className="flex flex-wrap items-center gap-x-2">
                <Link
                  to="/alias/$alias"
                  params={{ alias }}
                  title={`CVEs of ${alias}`}
                  className="rounded font-mono text-xs text-accent [overflow-wrap:anywhere] hover:underline"
                >
                  {alias}
                </Link>
                <Advisory alias={alias} />
                <SourceChip source={source} />
              </li>
            ))}
          </ul>
        )}
      </MoreList>
    </Panel>
  )
}

function Advisory({ alias }: { readonly alias: string }) {
  const url = findAdvisoryUrl(alias)
  if (url === undefined) return null
  return (
    <span className="text-xs">
      <ExternalLink url={url}>
        advisory<span className="sr-only"> {alias}</span>
      </ExternalLink>
    </span>
  )
}
