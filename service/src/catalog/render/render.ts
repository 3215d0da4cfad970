// Renders a resolved CVE as its search columns, the JSON text of each member, and its detail records, in the form in
// which they are stored and served.
import { cvssV2Object, cvssV3Object, cvssV4Object } from '../../domain/cvss/cvss-object.ts'
import { formatInstant } from '../../domain/instant.ts'
import { type DecisionFacts, toStoredFacts } from '../../domain/priority/facts.ts'
import type { StatedDisagreement } from '../../domain/source/disagreement.ts'
import { collectAffected } from '../affected/collect.ts'
import type { CpeMatch, Rating, Reference } from '../model/claim.ts'
import type { Chosen, Resolved, Techniques } from '../model/resolved.ts'
import type { AcscNotice, ReferenceData, SourceData } from '../model/source-data.ts'
import { toJsonText } from '../model/storable-text.ts'
import { parseVectorCached } from '../sources/fields/parse-vector.ts'
import { listAliases } from './aliases.ts'
import { renderConfigurations } from './configurations.ts'
import { collectFacts } from './decision-facts.ts'
import { renderDetails } from './detail.ts'
import { listDisagreements } from './disagreements.ts'
import { type Enrichment, enrich } from './enrichment.ts'
import { assessExploits } from './exploitability.ts'
import { hasContent, renderExploits } from './exploits.ts'
import { renderUntimedFixes } from './fixes.ts'
import { listIndexedNames, listProducts } from './products.ts'
import type { Fragments, Published } from './published.ts'
import { renderShortRemediations } from './remediations.ts'
import { renderSearchValues } from './search-values.ts'
import { renderSources } from './sources.ts'
import { findTechniques } from './techniques.ts'

export function render(sourceData: SourceData, resolved: Resolved, referenceData: ReferenceData): Published {
  const exploit = assessExploits(sourceData, resolved)
  const enrichment = enrich(sourceData, resolved, exploit)
  const facts = collectFacts(sourceData, resolved, exploit)
  const techniques = findTechniques(sourceData, resolved, referenceData)
  const evidence = renderExploits(sourceData, resolved)
  const { exploits } = evidence
  const products = listProducts(resolved)
  const disagreements = listDisagreements(resolved, facts)
  return {
    cveId: resolved.cveId,
    search: renderSearchValues({
      sourceData,
      resolved,
      enrichment,
      exploit,
      facts,
      techniques,
      exploits,
      disagreements,
    }),
    products,
    names: listIndexedNames(products, resolved, sourceData),
    aliases: listAliases(resolved),
    affected: collectAffected(sourceData, resolved, referenceData.productNames),
    fragments: renderFragments(sourceData, resolved, {
      facts,
      content: enrichment.content,
      techniques,
      evidence,
      disagreements,
    }),
    details: renderDetails({ sourceData, resolved, exploit, referenceData }),
  }
}

interface Additions {
  readonly content: Enrichment['content']
  readonly techniques: Techniques
  readonly facts: DecisionFacts
  readonly evidence: ReturnType<typeof renderExploits>
  readonly disagreements: readonly StatedDisagreement[]
}

function renderFragments(
  sourceData: SourceData,
  resolved: Resolved,
  { content, techniques, facts, evidence: { exploits, moreEvidence }, disagreements }: Additions,
): Fragments {
  const notices = sourceData.notices.toSorted(compareNewestFirst)
  const fixed = renderUntimedFixes(resolved)
  const advised = renderShortRemediations(resolved.claims)
  return {
    source_tag: toJsonText(resolved.sourceTag),
    published: toJsonText(resolved.published && formatInstant(resolved.published.value)),
    modified: toJsonText(formatInstant(resolved.modified.value)),
    description: toJsonText(resolved.description?.value ?? null),
    severity: toJsonText(resolved.score?.value.score ?? null),
    status: toJsonText(resolved.status.value),
    tags: toJsonText(resolved.tags),
    enrichment_status: content === null ? '"pending"' : '"enriched"',
    cvss: toJsonText(renderCvss(resolved)),
    cpe: toJsonText(resolved.cpe.matches.map(renderMatch)),
    references: toJsonText(resolved.references.map(renderReference)),
    acsc: toJsonText(notices.map(renderNotice)),
    acsc_notices: toJsonText(notices.map(renderListNotice)),
    techniques: toJsonText(techniques.ids),
    technique_mapping: toJsonText(techniques.mapping),
    enrichment: toJsonText(content),
    configurations: toJsonText(renderConfigurations(resolved.cpe)),
    sources: toJsonText(renderSources({ sourceData, resolved, techniques }, disagreements)),
    decision_facts: toJsonText(toStoredFacts(facts)),
    exploits: toJsonText(hasContent(exploits) ? exploits : null),
    more_evidence: toJsonText(moreEvidence),
    fixes: toJsonText(fixed.fixes),
    fixes_omitted: toJsonText(fixed.omitted),
    remediations: toJsonText(advised.remediations),
    remediations_omitted: toJsonText(advised.omitted),
  }
}

function renderCvss({ score, v3, v4 }: Resolved) {
  return { v3_1: renderCvssV3(v3) ?? null, v4_0: renderCvssV4(v4), v2_0: renderCvssV2(score) }
}

/**
 * Renders the `cvss.v3_1` member. It can also hold a CVSS 3.0 object, which clients recognise by its `version`
 * (decision C4).
 */
function renderCvssV3(chosen: Chosen<Rating> | null) {
  const vector = chosen && parseVectorCached(chosen.value.vector)
  return vector && (vector.version === '3.1' || vector.version === '3.0') ? cvssV3Object(vector) : undefined
}

/**
 * Renders the `cvss.v4_0` member. Returns undefined without a CVSS 4.0 rating, so that JSON.stringify omits the member
 * (decision C2).
 */
function renderCvssV4(chosen: Chosen<Rating> | null) {
  const vector = chosen && parseVectorCached(chosen.value.vector)
  return vector?.version === '4.0' ? cvssV4Object(vector) : undefined
}

/**
 * Renders the `cvss.v2_0` member. Returns undefined unless the score that filters and sorting use is a CVSS 2.0 score
 * (decision E2).
 */
function renderCvssV2(score: Chosen<Rating> | null) {
  const vector = score && parseVectorCached(score.value.vector)
  return vector?.version === '2.0' ? cvssV2Object(vector) : undefined
}

/** Renders a CPE match. Version limits that are not set are absent from the JSON text (decision C2). */
function renderMatch(match: CpeMatch) {
  return {
    vulnerable: match.vulnerable,
    criteria: match.criteria,
    matchCriteriaId: match.matchCriteriaId,
    versionStartIncluding: match.versionStartIncluding,
    versionStartExcluding: match.versionStartExcluding,
    versionEndIncluding: match.versionEndIncluding,
    versionEndExcluding: match.versionEndExcluding,
    inverted: match.inverted,
    derived: match.derived,
    by_commits: match.byCommits,
    unknown_versions: match.unknownVersions,
    unmapped: match.unmapped,
  }
}

function renderReference({ url, by, tags }: Reference) {
  return { url, source: by, tags: tags.length === 0 ? undefined : tags }
}

function compareNewestFirst(a: AcscNotice, b: AcscNotice): number {
  return b.published.getTime() - a.published.getTime() || (a.id < b.id ? -1 : 1)
}

/** Renders an ACSC notice. Optional members without a value are absent from the JSON text (decision C2). */
function renderNotice(notice: AcscNotice) {
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

function renderListNotice(notice: AcscNotice) {
  return {
    id: notice.id,
    type: notice.type,
    title: notice.title,
    priority: notice.priority,
    published: formatInstant(notice.published),
  }
}
