import type { ReactNode } from 'react'
import { CveLink } from '../../kit/cve-link.tsx'
import { findAdvisoryUrl } from '../../text/alias.ts'

/** Links to the page of a CVE, or to the advisory at its issuer. */
export function SubjectLink({ id }: { readonly id: string }): ReactNode {
  if (id.startsWith('CVE-')) return <CveLink id={id} />
  const url = findAdvisoryUrl(id)
  const name = <span className="font-mono text-[0.8rem] font-semibold break-all">{id}</span>
  if (url === undefined) return name
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className="rounded text-accent hover:underline">
      {name}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
