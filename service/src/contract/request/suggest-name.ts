// Finds a suggestion for an unknown parameter or body field. Names that other APIs use take precedence over names with
// a similar spelling, because `cvss_max` is closer to `epss_max` than to `severity_max`.
import { findNearest } from './did-you-mean.ts'

const NAMES_OF_SOFTWARE = ['package', 'software', 'product']

/** Maps our names to the names that other APIs use for the same purpose, in lower case and without separators. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  ids: ['id', 'cve', 'cves', 'cveid', 'cveids', 'idlist'],
  cve_ids: ['id', 'ids', 'cve', 'cves', 'cveid', 'idlist'],
  q: ['query', 'search', 'text', 'term', 'keyword', 'keywords', 'keywordsearch', ...NAMES_OF_SOFTWARE],
  cpe: ['cpename', 'cpematchstring', 'virtualmatchstring'],
  purl: ['packageurl'],
  product: NAMES_OF_SOFTWARE,
  kev: ['inkev', 'iskev', 'haskev', 'knownexploited'],
  severity: ['level', 'cvssv2severity', 'cvssv3severity', 'cvssv4severity'],
  severity_max: ['cvssmax', 'maxcvss', 'scoremax', 'maxscore', 'basescoremax'],
  cvss_min: ['cvss', 'score', 'basescore', 'scoremin', 'minscore', 'basescoremin'],
  published_after: ['from', 'start', 'startdate', 'publishedsince', 'publisheddate', 'pubstartdate'],
  published_before: ['to', 'until', 'end', 'enddate', 'pubenddate'],
  modified_after: ['since', 'updatedafter', 'updatedsince', 'modifiedsince', 'lastmodstartdate'],
  modified_before: ['updatedbefore', 'lastmodenddate'],
  sort: ['order', 'orderby', 'ordering'],
  limit: ['size', 'count', 'top', 'pagesize', 'perpage', 'maxresults', 'resultsperpage'],
  after: ['page', 'offset', 'skip', 'start', 'cursor', 'nextcursor', 'pagetoken', 'startindex'],
  fields: ['select', 'columns', 'properties'],
  include: ['expand', 'embed', 'with'],
}

const MAX_LENGTH = 64

/** Returns the known name that the caller of an endpoint probably meant, or undefined if there is none. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const words = splitWords(name.slice(0, MAX_LENGTH))
  const joined = words.join('')
  return (
    known.find((each) => splitWords(each).join('') === joined) ??
    known.find((each) => OTHER_NAMES[each]?.includes(joined)) ??
    findNearest(name, known) ??
    findByWords(words, known)
  )
}

/**
 * Among the known names whose words all occur in the given name, finds the one with the most words: `max_severity`,
 * `has_kev`.
 */
function findByWords(words: readonly string[], known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, parts: splitWords(name) }))
    .filter(({ parts }) => parts.every((part) => words.includes(part)))
    .sort((one, other) => other.parts.length - one.parts.length)
  return best?.name
}

/** Splits a name such as `publishedAfter`, `published_after` or `severity[]` into words in lower case. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
}
