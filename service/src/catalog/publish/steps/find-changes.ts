import { type RawBuilder, sql, type Transaction } from 'kysely'
import { DOCUMENT_COLUMNS } from '../../../contract/record/cve-fields.ts'
import type { ChangeContent, Diff, DiffMember } from '../../../domain/change/change.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import { EXPLOIT_MATURITIES } from '../../../domain/exploitation/exploit-maturity.ts'
import { LEVELS, RANKS_PER_LEVEL, URGENT_LEVELS } from '../../../domain/priority/policy.ts'

const CHANGED_FIELDS = sql.join([
  ...DOCUMENT_COLUMNS.map(
    (name) =>
      sql`case when staged.${sql.id(name)} is distinct from published.${sql.id(name)} then ${sql.lit(name)} end`,
  ),
  sql`case when staged_search.priority is distinct from published_search.priority then 'priority' end`,
  sql`case when staged_details.hashes is distinct from published_details.hashes then 'detail' end`,
  sql`case when staged_aliases.names is distinct from published_aliases.names then 'aliases' end`,
])

/** Rows of catalog.cve and catalog.cve_document, or of the staged tables. */
interface Alias {
  readonly search: 'staged_search' | 'published_search'
  readonly document: 'staged' | 'published'
}

const NEW: Alias = { search: 'staged_search', document: 'staged' }
const OLD: Alias = { search: 'published_search', document: 'published' }

const searchColumn = (name: string) => (row: Alias) => sql`${sql.ref(`${row.search}.${name}`)}`
/** The column stores a word's distance from the end of the list. */
const pickWord = (words: readonly string[], distance: RawBuilder<unknown>) =>
  sql`(${sql.lit(`{${words.join(',')}}`)}::text[])[${sql.lit(words.length)} - ${distance}]`

/** Members whose old and new values are logged. */
const MEMBERS = {
  severity: searchColumn('score'),
  status: searchColumn('status'),
  'priority.level': ({ search }) =>
    pickWord(LEVELS, sql`${sql.ref(`${search}.priority`)} / ${sql.lit(RANKS_PER_LEVEL)}`),
  'exploits.maturity': ({ search }) => pickWord(EXPLOIT_MATURITIES, sql.ref(`${search}.maturity`)),
  'enrichment.exploit_flag': searchColumn('has_exploit'),
  'enrichment.patch_available': searchColumn('has_patch'),
  'enrichment.cwe_list': searchColumn('cwes'),
  'eu_kev.listed': searchColumn('in_eu_kev'),
} as const satisfies Partial<Record<DiffMember, (row: Alias) => RawBuilder<unknown>>>

/** Notices are counted only if they differ, because counting parses JSON. */
const NOTICES = sql`
  case when staged.acsc_notices is distinct from published.acsc_notices
       then jsonb_build_object('acsc.count', jsonb_build_object(
              'old', json_array_length(published.acsc_notices::json), 'new', json_array_length(staged.acsc_notices::json)
            ))
       else '{}'
  end`

/** Old and new values of the members that differ. */
const DIFF = sql.join(
  [
    ...Object.entries(MEMBERS).map(([member, read]) => {
      const [old, current] = [read(OLD), read(NEW)]
      return sql`
        case when ${old} is distinct from ${current}
             then jsonb_build_object(${sql.lit(member)}::text, jsonb_build_object('old', ${old}, 'new', ${current}))
             else '{}'
        end`
    }),
    NOTICES,
  ],
  sql` || `,
)

const URGENT = URGENT_LEVELS.map((level) => sql.lit(level))

/**
 * An added CVE lists only what makes it an event: that it is in EU KEV, has evidence of an exploit, or is urgent. KEV is
 * published separately.
 */
const ADDED_DIFF = sql.join(
  [
    [sql`staged_search.in_eu_kev`, 'eu_kev.listed', sql`false`, sql`true`] as const,
    [sql`staged_search.has_exploit`, 'enrichment.exploit_flag', sql`false`, sql`true`] as const,
    [
      sql`${MEMBERS['priority.level'](NEW)} in (${sql.join(URGENT)})`,
      'priority.level',
      sql`null::text`,
      MEMBERS['priority.level'](NEW),
    ] as const,
  ].map(
    ([applies, member, old, current]) => sql`
      case when ${applies}
           then jsonb_build_object(${sql.lit(member)}::text, jsonb_build_object('old', ${old}, 'new', ${current}))
           else '{}'
      end`,
  ),
  sql` || `,
)

const DETAIL_HASHES = sql`array_agg(content_hash order by source) as hashes`
const ALIAS_NAMES = sql`array_agg(alias || ' ' || source order by alias) as names`

interface Row {
  readonly key: CveKey
  readonly fields: readonly string[] | null
  readonly diff: Diff
  readonly publishedDay: string | null
}

/**
 * Unchanged CVEs must have been deleted from the staged tables. An added CVE lists no changed members, because all are
 * new. A changed CVE can list none either: then only values that no answer shows have changed, such as a column that only
 * a search reads.
 */
export async function findChanges(
  tx: Transaction<unknown>,
): Promise<readonly (ChangeContent & { readonly key: CveKey })[]> {
  const { rows } = await sql<Row>`
    select staged.cve_key as key,
           case when published.cve_key is not null then array_remove(array[${CHANGED_FIELDS}], null) end as fields,
           case when published.cve_key is not null then ${DIFF} else ${ADDED_DIFF} end as diff,
           (staged_search.published at time zone 'utc')::date::text as "publishedDay"
      from staged_document staged
      join staged_cve staged_search
        on staged_search.cve_key = staged.cve_key
      left join (select cve_key, ${DETAIL_HASHES} from staged_detail group by cve_key) staged_details
        on staged_details.cve_key = staged.cve_key
      left join (select cve_key, ${ALIAS_NAMES} from staged_alias group by cve_key) staged_aliases
        on staged_aliases.cve_key = staged.cve_key
      -- The lateral subqueries force index lookups. For a chunk of 500 CVEs the planner would read all of catalog.cve.
      left join lateral (select * from catalog.cve_document where cve_key = staged.cve_key offset 0) published
        on true
      left join lateral (select * from catalog.cve where cve_key = staged.cve_key offset 0) published_search
        on true
      left join lateral (
             select ${DETAIL_HASHES}
               from catalog.cve_detail
              where cve_detail.cve_key = staged.cve_key
           ) published_details
        on true
      left join lateral (
             select ${ALIAS_NAMES}
               from catalog.alias
              where alias.cve_key = staged.cve_key
           ) published_aliases
        on true
     order by staged.cve_key
  `.execute(tx)
  return rows.map(({ key, fields, diff, publishedDay }) =>
    fields === null ? { key, kind: 'added', fields: [], diff, publishedDay } : { key, kind: 'changed', fields, diff },
  )
}
