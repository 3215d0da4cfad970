// "In short": the facts that decide how urgent a CVE is, each with its source, and the KEV entry next to them.
import type { ReactNode } from 'react'
import type { Cve, DetailRecord } from 'vis-sdk'
import { UpstreamText } from '../../../kit/upstream-text.tsx'
import { classNames } from '../../../text/class-names.ts'
import { formatProbability } from '../../../text/format.ts'
import { readCvssVector } from '../model/cvss-vector.ts'
import { describeAttack } from '../model/describe-attack.ts'
import { findCurrentEuKevEntry } from '../model/kev-catalogs.ts'
import { listRatings } from '../model/ratings.ts'
import { SourceChip } from '../parts/source-chip.tsx'
import { WhoSaysSo } from '../parts/who-says-so.tsx'
import { KevFacts } from './kev-panel.tsx'

interface SummaryPanelProps {
  readonly cve: Cve
  readonly detail: DetailRecord | undefined
}

export function SummaryPanel({ cve, detail }: SummaryPanelProps) {
  const isUrgent = cve.kev !== undefined || findCurrentEuKevEntry(cve) !== undefined
  return (
    <section
      aria-labelledby="in-short"
      className={classNames(
        'grid gap-x-6 gap-y-3 rounded-xl border border-line bg-panel px-4 py-3.5',
        isUrgent && 'lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]',
        // If there is a priority, the panel above has the colored border.
        isUrgent && !cve.priority && 'border-l-4 border-l-critical',
      )}
    >
      <div>
        <div className="mb-3 flex items-start justify-between gap-2">
          <DescriptionText cve={cve} />
          <WhoSaysSo sources={cve.sources} name="description" />
        </div>
        <h2 id="in-short" className="mb-1.5 text-sm font-semibold">
          In short
        </h2>
        <ul className="list-disc space-y-1 pl-5 text-sm marker:text-ink-3">
          {listFacts(cve, detail).map(({ key, text, sources }) => (
            <li key={key}>
              {text}
              {sources.map((source) => (
                <span key={source} className="ml-1 first:ml-1.5">
                  <SourceChip source={source} />
                </span>
              ))}
            </li>
          ))}
        </ul>
      </div>
      <div
        className={classNames(
          'border-line',
          isUrgent ? 'max-lg:border-t max-lg:pt-3 lg:border-l lg:pl-6' : 'border-t pt-3',
        )}
      >
        <h2 className="mb-2 text-sm font-semibold">
          Known exploited <small className="font-normal text-ink-3">CISA KEV</small>
        </h2>
        <KevFacts cve={cve} />
      </div>
    </section>
  )
}

export function DescriptionText({ cve: { description } }: { readonly cve: Cve }) {
  if (description === null) return <p className="text-ink-2">No source describes this CVE yet.</p>
  return (
    <div>
      <UpstreamText
        text={description}
        className="block max-w-[90ch] whitespace-pre-line"
        cutClassName="line-clamp-[12]"
      />
    </div>
  )
}

interface Fact {
  readonly key: string
  readonly text: ReactNode
  readonly sources: readonly string[]
}

/** If there is a priority, its reasons already cover exploitation, EPSS and exploits. */
function listFacts(cve: Cve, detail: DetailRecord | undefined): readonly Fact[] {
  if (cve.priority) return [describeScore(cve), describeFix(cve, detail)]
  return [
    describeExploitation(cve),
    describeScore(cve),
    describeEpss(cve),
    describeExploits(cve),
    describeFix(cve, detail),
  ]
}

function describeExploitation(cve: Cve): Fact {
  const { kev, sources } = cve
  const euEntry = findCurrentEuKevEntry(cve)
  const reports = sources?.exploitation?.stated_by ?? []
  const level = reports[0]?.value
  const names = reports.map(({ source }) => source)
  const key = 'exploitation'
  if (kev) {
    const text = `Exploited: in CISA's KEV catalog since ${kev.dateAdded}${kev.knownRansomware ? '; ransomware known' : ''}.`
    return { key, text, sources: ['cisa-kev'] }
  }
  if (euEntry)
    return { key, text: `Exploited: in ENISA's EU KEV catalog, reported on ${euEntry.since}.`, sources: ['eukev'] }
  if (level === 'active') return { key, text: 'Exploitation is reported.', sources: names }
  if (level === 'poc')
    return {
      key,
      text: 'A public proof of concept or a well-known way to exploit it is reported, no exploitation.',
      sources: names,
    }
  return { key, text: 'No exploitation is known.', sources: level === 'none' ? names : [] }
}

function describeScore(cve: Cve): Fact {
  const [rating] = listRatings(cve)
  const vector = rating && readCvssVector(rating.version, rating.vector)
  const source = cve.enrichment?.cvss_source
  return {
    key: 'score',
    text: vector ? describeAttack(vector) : 'No CVSS vector.',
    sources: vector && source ? [source] : [],
  }
}

function describeEpss({ epss }: Cve): Fact {
  const key = 'epss'
  if (!epss) return { key, text: 'EPSS has no estimate for this CVE.', sources: [] }
  const text = `EPSS estimates a probability of ${formatProbability(epss.score)} that it is exploited within 30 days.`
  return { key, text, sources: ['epss'] }
}

const EXPLOIT_WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  metasploit: ['Metasploit module', 'Metasploit modules'],
  exploitdb: ['Exploit-DB entry', 'Exploit-DB entries'],
  nuclei: ['Nuclei template', 'Nuclei templates'],
  poc: ['public repository', 'public repositories'],
}

function describeExploits({ sources, enrichment }: Cve): Fact {
  const key = 'exploits'
  const statements = sources?.exploits?.stated_by ?? []
  const parts = statements.map(({ source, count = 1 }) => {
    const [one, many] = EXPLOIT_WORDS[source] ?? ['exploit', 'exploits']
    return `${count} ${count === 1 ? one : many}`
  })
  if (parts.length > 0)
    return { key, text: `Public exploits: ${parts.join(', ')}.`, sources: statements.map(({ source }) => source) }
  const text = enrichment?.exploit_flag ? 'There is public evidence of an exploit.' : 'No public exploit is known.'
  return { key, text, sources: [] }
}

const MAX_FIXES_IN_SUMMARY = 4

type NamedFix = Pick<NonNullable<DetailRecord['fixes']>[number], 'product' | 'version'>

/** Lists fixed versions by product: `fortiproxy 7.0.20, 7.2.13; fortios 7.0.17`. */
export function listFixedVersions(fixes: readonly NamedFix[]): string {
  const distinct = [...new Map(fixes.map((fix) => [`${fix.product} ${fix.version}`, fix])).values()]
  const groups = Map.groupBy(distinct.slice(0, MAX_FIXES_IN_SUMMARY), ({ product }) => product)
  const products = [...groups].map(([product, each]) =>
    `${product} ${each.map(({ version }) => version).join(', ')}`.trim(),
  )
  const more = distinct.length - MAX_FIXES_IN_SUMMARY
  return [...products, ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

function describeFix({ enrichment, sources }: Cve, detail: DetailRecord | undefined): Fact {
  const key = 'fix'
  const versions = (detail?.fixes ?? []).filter(({ is_commit }) => !is_commit)
  const own = versions.filter(({ downstream }) => !downstream)
  // Another product's version never stands for the CVE while its own product has one.
  const named = own.length > 0 ? own : versions
  const names = [...new Set(named.map(({ source }) => source))]
  if (named.length > 0) return { key, text: `Fixed versions: ${listFixedVersions(named)}.`, sources: names }
  if (!enrichment?.patch_available) return { key, text: 'No source names a fix.', sources: [] }
  return { key, text: 'A source names a fix.', sources: (sources?.fix?.stated_by ?? []).map(({ source }) => source) }
}
