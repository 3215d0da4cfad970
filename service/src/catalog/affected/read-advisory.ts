// Reads the advisories of one vulnerability without a published CVE.

import { type AdvisoryKind, rateAdvisory } from '../../domain/priority/advisory-level.ts'
import { toStoredFacts } from '../../domain/priority/facts.ts'
import { MALICIOUS_FEEDS, toAdvisoryProvider } from '../../domain/source/advisory-provider.ts'
import type { AffectedRow } from '../../record/affected-row.ts'
import type { Claim } from '../model/claim.ts'
import { toJsonText, toStorableText } from '../model/storable-text.ts'
import { isTrueIn, type JsonObject, parseObject, textIn, textsIn } from '../sources/json.ts'
import { readVendorRecord } from '../sources/vendor.ts'
import { collectAdvisoryFacts, findRating } from './advisory-facts.ts'
import { collapse } from './collapse.ts'
import { collectFromPackages } from './from-packages.ts'

export interface AdvisoryRecord {
  readonly id: string
  /** One of ADVISORY_FEEDS, such as `ghsa` or `osv-go`. */
  readonly feed: string
  readonly modified: Date
  readonly record: string
}

export interface Advisory {
  readonly id: string
  /** The leading source, for example `ghsa` or `osv:go`. */
  readonly source: string
  /** Ids of the same vulnerability, among them CVEs that are not published. */
  readonly aliases: readonly string[]
  /** Null for a vulnerability. */
  readonly kind: AdvisoryKind | null
  readonly title: string | null
  readonly score: number | null
  /** The source's word, if no source gives a score. */
  readonly severityWord: string | null
  /** Rank of the level; null for a withdrawn advisory. */
  readonly rank: number | null
  /** JSON text. */
  readonly facts: string
  readonly published: Date | null
  readonly modified: Date
  readonly isWithdrawn: boolean
  readonly affected: readonly AffectedRow[]
}

const MAX_TITLE_LENGTH = 500

/** `members` are about the same vulnerability, the leading one first. There must be at least one. */
export function readAdvisory(members: readonly AdvisoryRecord[]): Advisory {
  const [lead] = members
  if (lead === undefined) throw new Error('An advisory needs a record.')
  const read = members.map((member) => ({ member, parsed: parseObject(member.record) ?? {} }))
  const claims = read.flatMap(({ member, parsed }) => readMember(member, parsed) ?? [])
  const kind = claims.some(({ provider }) => MALICIOUS_FEEDS.includes(provider)) ? 'malicious' : null
  const facts = collectAdvisoryFacts(claims)
  const score = findRating(claims)?.score ?? null
  return {
    id: lead.id,
    source: toAdvisoryProvider(lead.feed),
    aliases: listAliases(
      lead.id,
      read.map(({ member, parsed }) => [member.id, parsed]),
    ),
    kind,
    title: readTitle(read.map(({ parsed }) => parsed)),
    score,
    severityWord: score === null ? (claims.flatMap((claim) => claim.severityWord ?? [])[0] ?? null) : null,
    rank: rateAdvisory(kind, facts).rank,
    facts: toJsonText(toStoredFacts(facts)),
    published: claims.flatMap((claim) => claim.published ?? []).toSorted(compareTimes)[0] ?? null,
    modified: new Date(Math.max(...members.map(({ modified }) => modified.getTime()))),
    isWithdrawn: read.every(({ parsed }) => isTrueIn(parsed, 'withdrawn')),
    affected: collapse(claims.flatMap(collectFromPackages)),
  }
}

const compareTimes = (a: Date, b: Date) => a.getTime() - b.getTime()

function readMember({ feed, modified }: AdvisoryRecord, parsed: JsonObject): Claim | undefined {
  return readVendorRecord(
    { source: feed === 'ghsa' ? 'ghsa' : 'osv', provider: toAdvisoryProvider(feed), modified },
    parsed,
  )
}

function readTitle(parsed: readonly JsonObject[]): string | null {
  const title = parsed.flatMap((each) => textIn(each, 'title') ?? [])[0]
  return title === undefined ? null : toStorableText(title.slice(0, MAX_TITLE_LENGTH))
}

function listAliases(lead: string, read: readonly (readonly [id: string, record: JsonObject])[]): readonly string[] {
  const aliases = read.flatMap(([id, record]) => {
    const cve = textIn(record, 'cve_id')
    return [id, ...(cve === null ? [] : [cve]), ...textsIn(record, 'cve_ids'), ...textsIn(record, 'aliases')]
  })
  return [...new Set(aliases)].filter((each) => each !== lead).map(toStorableText)
}
