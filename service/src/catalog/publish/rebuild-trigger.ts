// Queues every CVE when the resolver or the priority policy has a new version, a column was added, or a new release of
// CWE or ATT&CK was imported.
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { DOCUMENT_COLUMNS } from '../../contract/record/cve-fields.ts'
import type { Diff } from '../../domain/change/change.ts'
import { POLICY_VERSION } from '../../domain/priority/policy.ts'
import { RESOLVER_VERSION } from '../../domain/resolver-version.ts'
import { appendChanges, type LoggedChange } from '../changes/log.ts'
import { markHoldsStale } from '../epss-history/holds.ts'
import { COLUMNS_WITH_VALUES } from '../render/search-values.ts'
import { PUBLISHED_OR_DESCRIBED_IDS } from './described-ids.ts'

/** The columns of catalog.cve and catalog.cve_document that a publication fills. */
const FILLED_COLUMNS: readonly string[] = [...COLUMNS_WITH_VALUES.map(({ column }) => column), ...DOCUMENT_COLUMNS]

/** Hashes the columns, and the content hashes that feeds store for weaknesses and ATT&CK techniques. */
function hashInputs(columns: readonly string[]): RawBuilder<Buffer> {
  return sql`(
    select sha256(convert_to(
             concat(${columns.join(' ')}::text, string_agg(concat_ws('|', id, content_hash, is_removed), ',' order by id)),
             'UTF8'
           ))
      from (
             select cwe_id as id, content_hash, removed_at is not null as is_removed from source.weakness
             union all
             select technique_id, content_hash, removed_at is not null from source.attack_technique
           ) reference_data
  )`
}

/**
 * Runs in one transaction: a process that dies has changed nothing, and after the commit any publisher can process the
 * queue.
 */
export async function queueRebuildIfInputsChanged(tx: Transaction<unknown>, columns = FILLED_COLUMNS): Promise<void> {
  const inputsHash = hashInputs(columns)
  const { rows: unchanged } = await sql`
    select
      from catalog.resolver_inputs
     where resolver_version = ${RESOLVER_VERSION}
       and policy_version = ${POLICY_VERSION}
       and reference_data_hash = ${inputsHash}
  `.execute(tx)
  if (unchanged.length > 0) return
  const previous = await readVersions(tx)
  await sql`
    insert into catalog.resolver_inputs (resolver_version, policy_version, reference_data_hash)
    values (${RESOLVER_VERSION}, ${POLICY_VERSION}, ${inputsHash})
    on conflict (is_current) do update
       set resolver_version = excluded.resolver_version,
           policy_version = excluded.policy_version,
           reference_data_hash = excluded.reference_data_hash
  `.execute(tx)
  // Before the first publication, the feeds have queued every CVE.
  if (previous)
    await sql`
      insert into source.publication_queue (cve_id, feed)
      select cve_id, 'catalog'
        from (${PUBLISHED_OR_DESCRIBED_IDS}) ids
       order by catalog.cve_key(cve_id)
    `.execute(tx)
  if (previous?.policy !== POLICY_VERSION) await markHoldsStale(tx)
  // An empty hash differs from every other, so the next publication renders all KEV entries again.
  await sql`update catalog.kev set content_hash = ''`.execute(tx)
  // A catalog's first publication is not a change to its rules.
  if (previous) await appendChanges(tx, [describeRulesChange(previous)])
}

interface Versions {
  readonly resolver: string
  readonly policy: string | null
}

async function readVersions(tx: Transaction<unknown>): Promise<Versions | undefined> {
  const { rows } = await sql<Versions>`
    select resolver_version as resolver, policy_version as policy
      from catalog.resolver_inputs
  `.execute(tx)
  return rows[0]
}

function describeRulesChange({ resolver, policy }: Versions): LoggedChange {
  const diff: Diff = {
    ...(resolver === RESOLVER_VERSION ? {} : { 'rules.resolver_version': { old: resolver, new: RESOLVER_VERSION } }),
    ...(policy === POLICY_VERSION ? {} : { 'rules.policy_version': { old: policy, new: POLICY_VERSION } }),
  }
  return { key: null, kind: 'rules', fields: [], diff, cause: 'rules' }
}
