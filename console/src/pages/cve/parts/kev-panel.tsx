// The entry in CISA's KEV catalog: since when, until when to act, and what to do.
import type { Cve } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { describeDueDate } from '../model/dates.ts'
import { ExternalLink } from './external-link.tsx'
import { WhoSaysSo } from './who-says-so.tsx'

export function KevFacts({ cve }: { readonly cve: Cve }) {
  const { kev, sources } = cve
  if (!kev) {
    const removed = sources?.kev?.others?.find(({ removed_at }) => removed_at !== undefined)?.removed_at
    return (
      <p className="text-sm text-ink-2">
        {removed === undefined
          ? "Not in CISA's catalog of known exploited vulnerabilities."
          : `CISA removed it from the catalog on ${removed.slice(0, 10)}.`}
      </p>
    )
  }
  const due = kev.dueDate === undefined ? undefined : describeDueDate(kev.dueDate, new Date())
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-ink-2">Added</dt>
        <dd className="flex items-center gap-2 font-medium">
          {kev.dateAdded}
          <WhoSaysSo sources={sources} name="kev" />
        </dd>
        <dt className="text-ink-2">Due date</dt>
        <dd className="flex flex-wrap items-center gap-2 font-medium">
          {kev.dueDate ?? 'none given'}
          {due && <Badge tone={due.isOverdue ? 'critical' : 'high'}>{due.phrase}</Badge>}
        </dd>
        <dt className="text-ink-2">Ransomware</dt>
        <dd className="font-medium">{kev.knownRansomware ? 'used in campaigns' : 'no use known'}</dd>
        {(kev.vendorProject || kev.product) && (
          <>
            <dt className="text-ink-2">Product</dt>
            <dd className="[overflow-wrap:anywhere]">{[kev.vendorProject, kev.product].filter(Boolean).join(' ')}</dd>
          </>
        )}
      </dl>
      {kev.requiredAction && (
        <p className="mt-2 text-sm">
          <span className="text-ink-2">Required action: </span>
          {kev.requiredAction}
        </p>
      )}
      {kev.notes && <Notes text={kev.notes} />}
    </>
  )
}

/** CISA writes addresses into the notes, separated by semicolons. */
function Notes({ text }: { readonly text: string }) {
  const words = text.split(/(?<=[\s;])/)
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit rounded text-xs text-ink-2 hover:text-ink">Notes of CISA</summary>
      <p className="mt-1 text-xs text-ink-2 [overflow-wrap:anywhere]">
        {words.map((word, index) => {
          const address = word.replace(/[;,\s]+$/, '')
          const key = `${index} ${word}`
          if (!/^https?:/i.test(address)) return <span key={key}>{word}</span>
          return (
            <span key={key}>
              <ExternalLink url={address} />{' '}
            </span>
          )
        })}
      </p>
    </details>
  )
}
