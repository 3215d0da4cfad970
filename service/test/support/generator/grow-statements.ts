// SQL statements that multiply the rows of a catalog. A new row takes its id and dates from one row, and its words,
// score, flags and EPSS score from four other rows. Each value therefore stays as frequent as before, and the values
// within a row are independent of each other.

const PARTS = ['words', 'score', 'flags', 'epss'] as const
type Part = (typeof PARTS)[number]

/**
 * Selects every CVE with its position in the order of ids, and with its position in a shuffled order for each of the
 * parts words, score, flags and EPSS. Descriptions are cut to 200 characters and other long parts of the documents are
 * left out, because a search does not read them.
 */
export const ORIGIN = `
  select cve.*,
         epss.score as epss_score,
         epss.percentile,
         document.source_tag,
         coalesce(to_json(left(document.description::json #>> '{}', 200))::text, 'null') as description,
         document.severity,
         document.status as status_text,
         document.enrichment_status,
         document.cvss,
         document.enriched_at,
         row_number() over (order by cve_key) - 1 as position,
         ${PARTS.map(selectShuffledPosition).join(', ')},
         count(*) over () as total,
         -- One digit more than the longest number, so that the ids of copies never collide.
         (10 ^ length(max(cve_key % 100000000000000) over ()::text))::bigint as stride
    from catalog.cve
    join catalog.epss using (cve_key)
    join catalog.cve_document document using (cve_key)
`

export const ORIGIN_PRODUCT = 'select product_key, cve_key from catalog.cve_product'

export const ORIGIN_KEV = `
  select cve_key, vendor_project, product, date_added, due_date, known_ransomware, summary, in_batch, in_recent, entry,
         content_hash
    from catalog.kev
`

function selectShuffledPosition(part: Part, salt: number): string {
  return `row_number() over (order by hashint8extended(cve_key, ${salt}), cve_key) - 1 as ${part}_position`
}

/**
 * SQL join with the row from which a copied CVE takes one part, such as its score. `dated` is the row that gives the
 * copy its id and dates.
 */
function joinPart(part: Part, as: string, copy: number): string {
  return `join origin ${as} on ${as}.${part}_position = (dated.position + ${copy}) % dated.total`
}

const newKey = (copy: number) => `dated.cve_key + ${copy} * dated.stride`

/** Time shift of up to 18 hours, so that copies of a CVE have different dates. */
const timeShift = (copy: number) => `(hashint8extended(dated.cve_key, ${copy}) & 65535) * interval '1 second'`

/** Inserts the copied CVEs in the order of their ids, as the first import into an empty catalog does. */
export function insertCves(copy: number): string {
  return `
    insert into catalog.cve (cve_key, published, modified, score, status, is_enriched, has_exploit, in_kev,
                             in_eu_kev, has_notice, has_reference, cpe_count, attack_vector, has_patch, sources, priority,
                             ssvc, cwes, techniques, assigner, maturity, evidence_count, has_fix, is_ransomware,
                             score_version, disagreements, words, content_hash)
    select ${newKey(copy)},
           dated.published - ${timeShift(copy)},
           dated.modified - ${timeShift(copy)},
           scored.score,
           flagged.status,
           flagged.is_enriched,
           flagged.has_exploit,
           flagged.in_kev,
           flagged.in_eu_kev,
           flagged.has_notice,
           flagged.has_reference,
           flagged.cpe_count,
           scored.attack_vector,
           flagged.has_patch,
           flagged.sources,
           flagged.priority,
           flagged.ssvc,
           worded.cwes,
           worded.techniques,
           worded.assigner,
           flagged.maturity,
           flagged.evidence_count,
           flagged.has_fix,
           flagged.is_ransomware,
           scored.score_version,
           flagged.disagreements,
           ${buildWords(copy)},
           sha256((${newKey(copy)})::text::bytea)
      from origin dated
      ${joinPart('words', 'worded', copy)}
      ${joinPart('score', 'scored', copy)}
      ${joinPart('flags', 'flagged', copy)}
     order by dated.position
  `
}

/** Replaces the old CVE id in the search words with the new id, so that a search for an id finds only one row. */
function buildWords(copy: number): string {
  const idWords = `string_to_array(lower(catalog.cve_id(worded.cve_key)), '-')`
  const [year, number] = ['/', '%'].map((half) => `((${newKey(copy)}) ${half} 100000000000000)::text`)
  return `('cve:1C ' || ${year} || ':2C ' || ${number} || ':3C')::tsvector || ts_delete(worded.words, ${idWords})`
}

/** Copies the products of the CVE that gives a copy its words, because the words contain the names of the products. */
export function insertProducts(copy: number): string {
  return `
    insert into catalog.cve_product (product_key, cve_key)
    select named.product_key, ${newKey(copy)}
      from origin dated
      ${joinPart('words', 'worded', copy)}
      join origin_product named on named.cve_key = worded.cve_key
     order by named.product_key, dated.position
  `
}

export function insertEpss(copy: number): string {
  return `
    insert into catalog.epss (cve_key, score, percentile)
    select ${newKey(copy)}, likely.epss_score, likely.percentile
      from origin dated
      ${joinPart('epss', 'likely', copy)}
     order by dated.position
  `
}

/** Inserts KEV entries for the copied CVEs whose flags come from a CVE in KEV. */
export function insertKev(copy: number): string {
  const renamed = (member: string) =>
    `replace(kev.${member}, catalog.cve_id(kev.cve_key), catalog.cve_id(${newKey(copy)}))`
  return `
    insert into catalog.kev (cve_key, vendor_project, product, date_added, due_date, known_ransomware, summary, in_batch,
                             in_recent, entry, content_hash)
    select ${newKey(copy)}, kev.vendor_project, kev.product, kev.date_added, kev.due_date, kev.known_ransomware,
           ${renamed('summary')}, ${renamed('in_batch')}, ${renamed('in_recent')}, ${renamed('entry')}, kev.content_hash
      from origin dated
      ${joinPart('flags', 'flagged', copy)}
      join origin_kev kev on kev.cve_key = flagged.cve_key
     order by dated.position
  `
}

export function insertDocuments(copy: number): string {
  const instant = (member: string) =>
    `coalesce(to_json(to_char((dated.${member} - ${timeShift(copy)}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))::text, 'null')`
  return `
    insert into catalog.cve_document (cve_key, source_tag, published, modified, description, severity, status,
                                      enrichment_status, cvss, cpe, "references", acsc, acsc_notices, techniques,
                                      enrichment, enriched_at)
    select ${newKey(copy)}, flagged.source_tag, ${instant('published')}, ${instant('modified')}, worded.description,
           scored.severity, flagged.status_text, flagged.enrichment_status, scored.cvss, '[]', '[]', '[]', '[]', '[]',
           'null', dated.enriched_at
      from origin dated
      ${joinPart('words', 'worded', copy)}
      ${joinPart('score', 'scored', copy)}
      ${joinPart('flags', 'flagged', copy)}
     order by dated.position
  `
}
