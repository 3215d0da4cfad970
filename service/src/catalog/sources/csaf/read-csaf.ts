// Reads what a CSAF document says about a CVE. Members are checked, because an older version of the service may have
// stored the record in a different form.

import { CSAF_SOURCES, type CsafSourceId } from '../../../domain/source/csaf-sources.ts'
import { REMEDIATION_KINDS } from '../../../domain/source/remediation.ts'
import type { Affected, Claim, Exploitation, Reference, Remediation } from '../../model/claim.ts'
import type { FixEvidence } from '../../model/fix-evidence.ts'
import type { SourceRecord } from '../../model/source-data.ts'
import { readFix } from '../fields/read-fix.ts'
import { readPublished } from '../fields/read-instant.ts'
import { readRating } from '../fields/read-rating.ts'
import { readReference } from '../fields/read-reference.ts'
import { readWeakness } from '../fields/read-weakness.ts'
import { type JsonObject, numberIn, objectIn, objectsIn, parseObject, textIn, textsIn } from '../json.ts'
import { readProse, readTitle } from '../prose/read-prose.ts'
import { readProductList } from './product-list.ts'
import { describeRemedied, readProducts } from './read-products.ts'

/** Returns undefined for text that is not a JSON object. */
export function readCsaf(source: CsafSourceId, { modified, record }: SourceRecord): Claim | undefined {
  const parsed = parseObject(record)
  if (parsed === undefined) return undefined
  const [document, statement] = [objectIn(parsed, 'document'), objectIn(parsed, 'statement')]
  const products = readProductList(parsed)
  const remediations = readRemediations(source, statement, products)
  const named = readProducts(source, statement, products)
  const { mayQuote = false } = CSAF_SOURCES[source]
  return {
    source,
    provider: source,
    modified,
    published: readPublished(textIn(statement, 'published') ?? textIn(document, 'published'), modified),
    advisories: [textIn(document, 'id') ?? []].flat(),
    status: null,
    ...(textIn(statement, 'title') === null ? readTitle(document) : readTitle(statement)),
    description: mayQuote ? readProse(statement, 'description') : null,
    tags: [],
    ratings: objectsIn(statement, 'scores').flatMap(
      (each) => readRating({ by: source, vector: textIn(each, 'vector'), score: numberIn(each, 'base_score') }) ?? [],
    ),
    weaknesses: textsIn(statement, 'weaknesses').flatMap((each) => readWeakness(each, source) ?? []),
    configurations: [],
    configurationsBy: source,
    ...named,
    references: readReferences(source, document, statement),
    exploitation: readExploitation(source, statement),
    remediations,
    fix: findFix(named.affected, remediations),
    severityWord: textIn(document, 'severity'),
  }
}

type ProductList = ReturnType<typeof readProductList>

/** A text may only be served if the publisher's terms allow it; the link and the products are facts. */
function readRemediations(source: CsafSourceId, statement: JsonObject, products: ProductList): readonly Remediation[] {
  const { mayQuote = false } = CSAF_SOURCES[source]
  return objectsIn(statement, 'remediations').flatMap((each) => {
    const kind = REMEDIATION_KINDS.find((known) => known === textIn(each, 'kind'))
    if (kind === undefined) return []
    return {
      kind,
      text: mayQuote ? readProse(each, 'text') : null,
      url: textIn(each, 'url'),
      by: source,
      products: products.list(each).map(describeRemedied),
    }
  })
}

/** The page of the document comes first. */
function readReferences(source: CsafSourceId, document: JsonObject, statement: JsonObject): readonly Reference[] {
  const urls = [textIn(document, 'url'), ...objectsIn(statement, 'references').map((each) => textIn(each, 'url'))]
  return urls.flatMap((url) => readReference(url, source, []) ?? [])
}

function readExploitation(source: CsafSourceId, statement: JsonObject): Exploitation | null {
  return textIn(statement, 'exploitation') === 'active' ? { level: 'active', by: source, date: null } : null
}

/** A version that contains the fix, else the end of an affected range, else a remediation that says that there is a fix. */
function findFix(affected: readonly Affected[], remediations: readonly Remediation[]): FixEvidence | null {
  const fixed = affected.flatMap(({ ranges }) => ranges).filter(({ isFixed }) => isFixed)
  const version = fixed.map((each) => each.lessThan ?? each.version).find((each) => each !== null && each !== '*')
  if (version) return { kind: 'version', member: 'fixed', version }
  const { fix } = readFix({ configurations: [], configurationsBy: '', affected, description: null })
  if (fix !== null) return fix
  const remediation = remediations.find(({ kind }) => kind === 'fix')
  if (remediation !== undefined) return { kind: 'vendor-fix', url: remediation.url }
  return fixed.length > 0 ? { kind: 'release' } : null
}
