// Reads an advisory that has no published CVE.

import type { AffectedRow } from '../../record/affected-row.ts'
import { toStorableText } from '../model/storable-text.ts'
import { SCORE_BY_VERSION } from '../resolve/precedence.ts'
import { isTrueIn, type JsonObject, parseObject, textIn, textsIn } from '../sources/json.ts'
import { readVendorRecord } from '../sources/vendor.ts'
import { collapse } from './collapse.ts'
import { collectFromPackages } from './from-packages.ts'

export interface Advisory {
  /** For example `ghsa` or `osv:go`. */
  readonly source: string
  /** Includes CVEs that are not published. */
  readonly aliases: readonly string[]
  readonly title: string | null
  readonly score: number | null
  readonly published: Date | null
  readonly isWithdrawn: boolean
  readonly affected: readonly AffectedRow[]
}

const MAX_TITLE_LENGTH = 500

/** `feed` is `ghsa`, or an OSV feed such as `osv-go`. */
export function readAdvisory({
  feed,
  modified,
  record,
}: {
  readonly feed: string
  readonly modified: Date
  readonly record: string
}): Advisory {
  const parsed = parseObject(record) ?? {}
  const isGhsa = feed === 'ghsa'
  const provider = isGhsa ? 'ghsa' : feed.replace(/^osv-/, 'osv:')
  const claim = readVendorRecord({ source: isGhsa ? 'ghsa' : 'osv', provider, modified }, parsed)
  const ratings = claim?.ratings ?? []
  const rating = SCORE_BY_VERSION.flatMap((version) => ratings.find((each) => each.version === version) ?? [])[0]
  const title = textIn(parsed, 'title')
  return {
    source: provider,
    aliases: listAliases(parsed).map(toStorableText),
    title: title === null ? null : toStorableText(title.slice(0, MAX_TITLE_LENGTH)),
    score: rating?.score ?? null,
    published: claim?.published ?? null,
    isWithdrawn: isTrueIn(parsed, 'withdrawn'),
    affected: claim === undefined ? [] : collapse(collectFromPackages(claim)),
  }
}

function listAliases(record: JsonObject): readonly string[] {
  const cve = textIn(record, 'cve_id')
  return [...new Set([...(cve === null ? [] : [cve]), ...textsIn(record, 'cve_ids'), ...textsIn(record, 'aliases')])]
}
