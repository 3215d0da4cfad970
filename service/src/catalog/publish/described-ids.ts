// The ids that each describing source has (decision E32). Some have no record all the same: an advisory may be withdrawn,
// and only the resolver reads whether it is.
import { type RawBuilder, sql } from 'kysely'
import { mapCsafSources } from '../../domain/source/csaf-sources.ts'
import type { DescribingSource } from '../../domain/source/source.ts'

const IDS_OF_SOURCE = {
  nvd: sql`select cve_id from source.source_record where source = 'nvd'`,
  cve: sql`select cve_id from source.source_record where source = 'cve'`,
  kev: sql`select cve_id from source.kev_entry where removed_at is null`,
  ghsa: sql`select cve_id from source.ghsa_advisory where cve_id is not null`,
  msrc: sql`select cve_id from source.source_record where source = 'msrc'`,
  redhat: sql`select cve_id from source.source_record where source = 'redhat'`,
  overrides: sql`select cve_id from source.source_record where source = 'overrides'`,
  osv: sql`select cve_id from source.osv_advisory_cve`,
  eukev: sql`select cve_id from source.eu_kev_entry where removed_at is null`,
  debian: sql`select cve_id from source.debian_status where is_described`,
  metasploit: sql`select cve_id from source.exploit_item_cve where feed = 'metasploit'`,
  nuclei: sql`select cve_id from source.exploit_item_cve where feed = 'nuclei'`,
  exploitdb: sql`select cve_id from source.exploit_item_cve where feed = 'exploitdb'`,
  ...mapCsafSources((id) => sql`select cve_id from source.csaf_statement where feed = ${sql.lit(id)}`),
} as const satisfies Readonly<Record<DescribingSource, RawBuilder<unknown>>>

/** Selects pairs of `source` and `cve_id`, possibly repeated. */
export const DESCRIBED_IDS: RawBuilder<unknown> = sql.join(
  Object.entries(IDS_OF_SOURCE).map(
    ([source, ids]) => sql`select ${sql.lit(source)} as source, cve_id from (${ids}) ids`,
  ),
  sql` union all `,
)

export const PUBLISHED_IDS: RawBuilder<unknown> = sql`select catalog.cve_id(cve_key) as cve_id from catalog.cve`

/** Selects each `cve_id` once. A published CVE that no source describes any longer is removed when it is resolved. */
export const PUBLISHED_OR_DESCRIBED_IDS: RawBuilder<unknown> = sql`
  select cve_id from (${DESCRIBED_IDS}) described
   union
  ${PUBLISHED_IDS}`
