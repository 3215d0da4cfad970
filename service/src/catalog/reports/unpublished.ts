// Data about a CVE that is stored and not yet published: `vis-server catalog explain` shows it. The publication does not
// read these tables, so they do not make it slower.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { CveId } from '../../domain/cve-id.ts'
import { formatInstant } from '../../domain/instant.ts'
import { type ExplainedValue, NO_VALUE, stripControls } from './explain.ts'

interface UnpublishedData {
  readonly euKev: EuKevEntry | null
  readonly debian: readonly DebianStatus[]
}

/** Entry of the EU KEV catalog (decision E23). */
interface EuKevEntry {
  /** Day on which the CVE was added to the catalog, such as `2026-08-18`. */
  readonly dateListed: string
  readonly origin: string
  readonly exploitation: readonly string[]
  /** Time at which the entry was found to be missing from the catalog; null while the catalog contains the entry. */
  readonly removedAt: Date | null
}

/** State of the CVE in one package and release of Debian. */
interface DebianStatus {
  readonly package: string
  readonly release: string
  readonly status: string
  readonly fixedVersion: string | null
}

export async function readUnpublished(db: Database, cveId: CveId): Promise<UnpublishedData> {
  return { euKev: await readEuKev(db, cveId), debian: await readDebian(db, cveId) }
}

async function readEuKev(db: Database, cveId: CveId): Promise<EuKevEntry | null> {
  const { rows } = await sql<EuKevEntry>`
    select date_listed::text as "dateListed", origin, exploitation, removed_at as "removedAt"
      from source.eu_kev_entry
     where cve_id = ${cveId}
  `.execute(db)
  return rows[0] ?? null
}

async function readDebian(db: Database, cveId: CveId): Promise<readonly DebianStatus[]> {
  const { rows } = await sql<DebianStatus>`
    select package, release, status, fixed_version as "fixedVersion"
      from source.debian_status
     where cve_id = ${cveId}
     order by package, release
  `.execute(db)
  return rows
}

export function explainUnpublished({ euKev, debian }: UnpublishedData): readonly ExplainedValue[] {
  return [explainEuKev(euKev), ...explainDebian(debian)]
}

/** Returns one line per package, such as `openssh: bookworm resolved 1:9.2p1-2+deb12u3, sid open`. */
function explainDebian(all: readonly DebianStatus[]): readonly ExplainedValue[] {
  if (all.length === 0) return [{ name: 'debian', value: NO_VALUE, by: '', time: '', runnersUp: [] }]
  const byPackage = Map.groupBy(all, (each) => each.package)
  return [...byPackage].map(([name, states]) => {
    const formatted = states.map(({ release, status, fixedVersion }) =>
      [release, status, ...(fixedVersion === null ? [] : [fixedVersion])].join(' '),
    )
    return {
      name: 'debian',
      value: stripControls(`${name}: ${formatted.join(', ')}`),
      by: 'debian',
      time: '',
      runnersUp: [],
    }
  })
}

function explainEuKev(entry: EuKevEntry | null): ExplainedValue {
  if (entry === null) return { name: 'eu kev', value: NO_VALUE, by: '', time: '', runnersUp: [] }
  const removed = entry.removedAt === null ? '' : `, removed ${formatInstant(entry.removedAt)}`
  const value = `listed ${entry.dateListed}${removed}, ${entry.exploitation.join(', ')}, reported by ${entry.origin}`
  return { name: 'eu kev', value: stripControls(value), by: 'enisa', time: entry.dateListed, runnersUp: [] }
}
