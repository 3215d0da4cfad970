// What GHSA, Red Hat and MSRC say, all in the one form of domain/vendor-record.ts. It was stored some time ago, perhaps by
// an older version of ours: so it is read as doubtfully as what others wrote.

import type { Affected, AffectedRange, Exploitation, Statement } from '../model/claim.ts'
import type { RecordFact, RecordSource } from '../model/source-data.ts'
import { isTrueIn, type JsonObject, numberIn, objectsIn, parseObject, textIn, textsIn } from './json.ts'
import { readPublished } from './read-instant.ts'
import { readRating } from './read-rating.ts'
import { readReference } from './read-reference.ts'
import { readWeakness } from './read-weakness.ts'

type VendorSource = Extract<RecordSource, 'ghsa' | 'redhat' | 'msrc'>

/** A record that was taken back says nothing any more. */
export function readVendor(source: VendorSource, { modified, record }: RecordFact): Statement | undefined {
  const parsed = parseObject(record)
  if (parsed === undefined || isTrueIn(parsed, 'withdrawn')) return undefined
  const products = objectsIn(parsed, 'products')
  return {
    source,
    speaker: source,
    modified,
    published: readPublished(textIn(parsed, 'published'), modified),
    status: null,
    description: textIn(parsed, 'description') ?? textIn(parsed, 'title'),
    ratings: objectsIn(parsed, 'scores').flatMap((score) => ratingOf(source, score) ?? []),
    weaknesses: textsIn(parsed, 'weaknesses').flatMap((each) => readWeakness(each, source) ?? []),
    configurations: [],
    configurationsBy: source,
    affected: products.flatMap((product) => affectedOf(source, product) ?? []),
    references: objectsIn(parsed, 'references').flatMap(
      (each) => readReference(textIn(each, 'url'), source, textsIn(each, 'tags')) ?? [],
    ),
    exploitation: exploitationOf(source, parsed),
    fix: fixOf(products),
    severityWord: textIn(parsed, 'severity'),
  }
}

function ratingOf(source: VendorSource, score: JsonObject) {
  const said = { vector: textIn(score, 'vector'), score: numberIn(score, 'base_score') }
  return readRating({ by: source, isPrimary: false, ...said })
}

/** Products that are known not to be affected, or not known to be, are left out. */
function affectedOf(by: VendorSource, product: JsonObject): Affected | undefined {
  const status = textIn(product, 'status')
  const name = textIn(product, 'product')
  const cpe = textIn(product, 'cpe')
  const packageUrl = textIn(product, 'purl')
  if ((status !== 'affected' && status !== 'fixed') || (name === null && cpe === null)) return undefined
  return {
    by,
    vendor: textIn(product, 'vendor') ?? '',
    product: name ?? '',
    cpes: cpe === null || !/^cpe:(?:2\.3:|\/)/i.test(cpe) ? [] : [cpe],
    packageUrl,
    ranges: rangesOf(product, status),
    // Of a product with a name of its own, a package is a part.
    ...(cpe !== null && packageUrl !== null && { areVersionsOfPackage: true }),
  }
}

function rangesOf(product: JsonObject, status: 'affected' | 'fixed'): readonly AffectedRange[] {
  const introduced = textIn(product, 'introduced')
  const fixed = textIn(product, 'fixed')
  const lastAffected = textIn(product, 'last_affected')
  // A product that is listed as fixed, without a version, is the fixed one itself: no version of it is affected.
  if (introduced === null && fixed === null && lastAffected === null && status === 'fixed') return [NO_VERSION]
  return [{ isAffected: true, version: introduced, lessThan: fixed, lessThanOrEqual: lastAffected }]
}

const NO_VERSION: AffectedRange = {
  isAffected: false,
  version: null,
  lessThan: null,
  lessThanOrEqual: null,
}

function exploitationOf(by: VendorSource, record: JsonObject): Exploitation | null {
  const level = textIn(record, 'exploitation')
  return level === 'none' || level === 'poc' || level === 'active' ? { level, by, date: null } : null
}

function fixOf(products: readonly JsonObject[]): string | null {
  for (const product of products) {
    const fixed = textIn(product, 'fixed')
    if (fixed !== null) return `fixed ${fixed}`
  }
  return products.some((each) => textIn(each, 'status') === 'fixed') ? 'fixed' : null
}
