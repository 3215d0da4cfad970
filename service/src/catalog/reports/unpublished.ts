// Shows the stored Debian status of a CVE, for `vis-server catalog explain`.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { CveId } from '../../domain/cve-id.ts'
import type { DebianStatus } from '../model/source-data.ts'
import { type ExplainedValue, NO_VALUE, stripControls } from './explain.ts'

type ReportedStatus = Omit<DebianStatus, 'isDescribed'>

interface UnpublishedData {
  readonly debian: readonly ReportedStatus[]
}

export async function readUnpublished(db: Database, cveId: CveId): Promise<UnpublishedData> {
  return { debian: await readDebian(db, cveId) }
}

async function readDebian(db: Database, cveId: CveId): Promise<readonly ReportedStatus[]> {
  const { rows } = await sql<ReportedStatus>`
    select package, release, status, fixed_version as "fixedVersion"
      from source.debian_status
     where cve_id = ${cveId}
     order by package, release
  `.execute(db)
  return rows
}

export function explainUnpublished({ debian }: UnpublishedData): readonly ExplainedValue[] {
  return explainDebian(debian)
}

/** Returns one line per package, such as `openssh: bookworm resolved 1:9.2p1-2+deb12u3, sid open`. */
function explainDebian(all: readonly ReportedStatus[]): readonly ExplainedValue[] {
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
