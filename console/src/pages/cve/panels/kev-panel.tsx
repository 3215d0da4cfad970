// The entries in the catalogs of known exploited vulnerabilities: when, and what CISA demands. Its due date is among the
// deadlines, because it binds only US federal agencies.
import type { Cve } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { cutText, UpstreamText } from '../../../kit/upstream-text.tsx'
import { formatDay } from '../../../text/format.ts'
import { findEuKevEntry } from '../../../text/verdict/kev-catalogs.ts'
import { ExternalLink } from '../parts/external-link.tsx'

export function KevPanel({ cve }: { readonly cve: Cve }) {
  const { kev } = cve
  return (
    <Panel title="Catalogs of exploited CVEs">
      {kev ? <Entry kev={kev} /> : <NoEntry cve={cve} />}
      <EuEntry cve={cve} />
    </Panel>
  )
}

const LIST = 'grid grid-cols-[5.25rem_minmax(0,1fr)] gap-x-2 gap-y-1 text-sm'

function Entry({ kev }: { readonly kev: NonNullable<Cve['kev']> }) {
  return (
    <>
      <dl className={LIST}>
        <dt className="text-ink-2">CISA KEV</dt>
        <dd className="font-medium">since {kev.dateAdded}</dd>
        <dt className="text-ink-2">Ransomware</dt>
        <dd className="font-medium">{kev.knownRansomware ? 'known' : 'not known'}</dd>
        {(kev.vendorProject || kev.product) && (
          <>
            <dt className="text-ink-2">Product</dt>
            <dd>
              <UpstreamText text={[kev.vendorProject, kev.product].filter(Boolean).join(' ')} first={300} />
            </dd>
          </>
        )}
      </dl>
      {kev.requiredAction && (
        <p className="my-2 text-sm">
          <span className="text-ink-2">Required action: </span>
          <UpstreamText text={kev.requiredAction} />
        </p>
      )}
      {kev.notes && <Notes text={kev.notes} />}
    </>
  )
}

function NoEntry({ cve: { sources, exploits } }: { readonly cve: Cve }) {
  const removed =
    exploits?.kev_catalogs.find(({ name }) => name === 'cisa')?.removed_at ??
    sources?.kev?.others?.find(({ removed_at }) => removed_at !== undefined)?.removed_at
  return (
    <p className="mb-2 text-sm text-ink-2">
      {removed
        ? `CISA removed it from the catalog on ${formatDay(removed)}.`
        : "Not in CISA's catalog of known exploited vulnerabilities."}
    </p>
  )
}

/** Shown only if the service knows the EU catalog: an older service does not return `exploits`. */
function EuEntry({ cve }: { readonly cve: Cve }) {
  if (cve.exploits === undefined) return null
  return (
    <dl className={`${LIST} mt-2`}>
      <dt className="text-ink-2">EU KEV</dt>
      <dd className="font-medium">{describeEuEntry(findEuKevEntry(cve))}</dd>
    </dl>
  )
}

function describeEuEntry(entry: { readonly since: string; readonly removed_at: string | null } | undefined): string {
  if (entry === undefined) return 'not listed'
  return entry.removed_at === null
    ? `listed, reported on ${entry.since}`
    : `reported on ${entry.since}, removed on ${formatDay(entry.removed_at)}`
}

/** CISA's longest notes are 724 characters. */
const MAX_NOTES_LENGTH = 4000

/** CISA writes addresses into the notes, separated by semicolons. */
function Notes({ text }: { readonly text: string }) {
  const words = cutText(text, MAX_NOTES_LENGTH)
    .split(/[\s;]/)
    .filter((word) => word !== '')
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit rounded text-xs text-ink-2 hover:text-ink">Notes of CISA</summary>
      <p className="mt-1 text-xs text-ink-2 [overflow-wrap:anywhere]">
        {words.map((word, index) => {
          const key = `${index} ${word}`
          if (!/^https?:/i.test(word)) return <span key={key}>{word} </span>
          return (
            <span key={key}>
              <ExternalLink url={word} />{' '}
            </span>
          )
        })}
      </p>
    </details>
  )
}
