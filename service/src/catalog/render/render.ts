// One CVE, concluded, → what is stored and served: nothing of it is built again when somebody asks.
import { cvssV3Object, cvssV4Object } from '../../domain/cvss-object.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { CpeMatch, Rating, Reference } from '../model/claim.ts'
import type { Fragments, Published, PublishedColumns } from '../model/published.ts'
import type { Chosen, Resolved } from '../model/resolved.ts'
import type { Facts, Knowledge, NoticeFact } from '../model/source-data.ts'
import { vectorOf } from '../sources/parse-vector.ts'
import { renderDetails } from './detail.ts'
import { type Enrichment, enrich } from './enrichment.ts'
import { assessExploits } from './exploitability.ts'
import { jsonText, soundText } from './json-text.ts'
import { isListed } from './kev.ts'
import { techniquesOf } from './techniques.ts'

export function render(facts: Facts, resolved: Resolved, knowledge: Knowledge): Published {
  const exploit = assessExploits(facts, resolved)
  const enrichment = enrich(facts, resolved, exploit)
  return {
    cveId: resolved.cveId,
    columns: columnsOf(facts, resolved, { ...enrichment, hasExploit: exploit.hasExploit }),
    fragments: fragmentsOf(facts, resolved, {
      content: enrichment.content,
      techniques: techniquesOf(facts, resolved, knowledge),
    }),
    details: renderDetails({ facts, resolved, exploit, knowledge }),
  }
}

type Assessed = Enrichment & { readonly hasExploit: boolean }

function columnsOf(facts: Facts, resolved: Resolved, assessed: Assessed): PublishedColumns {
  return {
    published: resolved.published?.value ?? null,
    modified: resolved.modified.value,
    score: resolved.score?.value.score ?? null,
    status: resolved.status.value,
    isEnriched: assessed.content !== null,
    hasExploit: assessed.hasExploit,
    inKev: isListed(facts.kev),
    hasNotice: facts.notices.length > 0,
    hasReference: resolved.references.length > 0,
    cpeCount: resolved.cpe.matches.length,
    attackVector: assessed.attackVector,
    hasPatch: assessed.hasPatch,
    sources: resolved.sources,
    text: soundText(resolved.description?.value ?? ''),
  }
}

interface Added {
  readonly content: Enrichment['content']
  readonly techniques: readonly string[]
}

function fragmentsOf(facts: Facts, resolved: Resolved, { content, techniques }: Added): Fragments {
  const notices = facts.notices.toSorted(newestFirst)
  return {
    source_tag: jsonText(resolved.sourceTag),
    published: jsonText(resolved.published && formatInstant(resolved.published.value)),
    modified: jsonText(formatInstant(resolved.modified.value)),
    description: jsonText(resolved.description?.value ?? null),
    severity: jsonText(resolved.score?.value.score ?? null),
    status: jsonText(resolved.status.value),
    enrichment_status: content === null ? '"pending"' : '"enriched"',
    cvss: jsonText({ v3_1: version3(resolved.v3) ?? null, v4_0: version4(resolved.v4) }),
    cpe: jsonText(resolved.cpe.matches.map(matchOf)),
    references: jsonText(resolved.references.map(referenceOf)),
    acsc: jsonText(notices.map(noticeOf)),
    acsc_notices: jsonText(notices.map(noticeInList)),
    techniques: jsonText(techniques),
    enrichment: jsonText(content),
  }
}

/** 3.0 says so in its `version` (decision C4). */
function version3(chosen: Chosen<Rating> | null) {
  const vector = chosen && vectorOf(chosen.value.vector)
  return vector && (vector.version === '3.1' || vector.version === '3.0') ? cvssV3Object(vector) : undefined
}

/** Undefined, and thereby absent from JSON, where there is none (decision C2). */
function version4(chosen: Chosen<Rating> | null) {
  const vector = chosen && vectorOf(chosen.value.vector)
  return vector?.version === '4.0' ? cvssV4Object(vector) : undefined
}

/** Versions that are not set are absent (decision C2). */
function matchOf(match: CpeMatch) {
  return {
    vulnerable: match.vulnerable,
    criteria: match.criteria,
    matchCriteriaId: match.matchCriteriaId,
    versionStartIncluding: match.versionStartIncluding,
    versionStartExcluding: match.versionStartExcluding,
    versionEndIncluding: match.versionEndIncluding,
    versionEndExcluding: match.versionEndExcluding,
  }
}

function referenceOf({ url, by, tags }: Reference) {
  return { url, source: by, tags: tags.length === 0 ? undefined : tags }
}

function newestFirst(a: NoticeFact, b: NoticeFact): number {
  return b.published.getTime() - a.published.getTime() || (a.id < b.id ? -1 : 1)
}

/** Members that are optional are absent where nothing is said (decision C2). */
function noticeOf(notice: NoticeFact) {
  return {
    id: notice.id,
    title: notice.title,
    type: notice.type,
    priority: notice.priority,
    publishedDate: formatInstant(notice.published),
    lastUpdated: notice.updated === null ? undefined : formatInstant(notice.updated),
    url: notice.url,
    affectedProducts: notice.affectedProducts.length === 0 ? undefined : notice.affectedProducts,
    summary: notice.summary ?? undefined,
  }
}

function noticeInList(notice: NoticeFact) {
  return {
    id: notice.id,
    type: notice.type,
    title: notice.title,
    priority: notice.priority,
    published: formatInstant(notice.published),
  }
}
