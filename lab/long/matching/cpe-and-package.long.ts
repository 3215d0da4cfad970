// Compares what NVD says about a product by its CPE name with what GitHub says about the package of the same CVE. Only
// CVEs with one product and one package are compared, because nothing else says that both are the same software.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../service/src/database/postgres.ts'
import { readComponent } from '../../../service/src/domain/component/component.ts'
import { AFFECTED_MEMBERS, type AffectedRow } from '../../../service/src/record/affected-row.ts'
import {
  type Compared,
  compareStatements,
  countAgreement,
  formatAgreement,
  listDifferences,
  type Statement,
} from './agreement.ts'
import { placeVersion } from './place-version.ts'
import { findPublishedCatalog, openPublishedCatalog } from './published-catalog.ts'

const url = findPublishedCatalog('the comparison of CPE names with packages')

interface NamedRow extends AffectedRow {
  readonly cve_id: string
}

/** Rows of NVD and GitHub for CVEs of which NVD names one product, and GitHub one package with the same name. */
async function readRows(db: Database): Promise<readonly NamedRow[]> {
  const { rows } = await sql<NamedRow>`
    with named as (
      select affected.*, name.kind, name.vendor, name.product
        from catalog.affected
        join catalog.affected_name name using (name_key)
       where affected.is_affected and affected.subject_key > 0
         and (affected.source = 'nvd' and name.kind = 'cpe' or affected.source = 'ghsa' and name.kind = 'purl')
    ), chosen as (
      select subject_key
        from named
       group by subject_key
      having count(distinct name_key) filter (where kind = 'cpe') = 1
         and count(distinct name_key) filter (where kind = 'purl') = 1
         and bool_and(not is_vague)
         and replace(min(product) filter (where kind = 'cpe'), '_', '-')
             = replace(min(product) filter (where kind = 'purl'), '_', '-')
    )
    select catalog.cve_id(subject_key) as cve_id, kind, vendor, product, ${AFFECTED_MEMBERS}
      from named as affected
      join chosen using (subject_key)
     order by subject_key
  `.execute(db)
  return rows
}

function toStatement(rows: readonly NamedRow[]): Statement {
  const ends = rows.flatMap(({ low, high, versions }) => [low, high, ...(versions ?? [])])
  return {
    place: (version) => {
      const component = readComponent({ product: 'any', version })
      const places = rows.map((row) => placeVersion(row, component.version))
      if (places.includes('inside')) return 'inside'
      return places.every((place) => place === 'outside') ? 'outside' : 'unknown'
    },
    ends: ends.filter((each) => each !== null),
  }
}

describe.skipIf(url === undefined)('NVD by CPE name and GitHub by package', () => {
  it('agree on most versions at the ends of their ranges', async () => {
    const byEcosystem = new Map<string, Compared[]>()
    for (const [id, rows] of Map.groupBy(await readRows(openPublishedCatalog(url ?? '')), (row) => row.cve_id)) {
      const [products, packages] = [
        rows.filter(({ kind }) => kind === 'cpe'),
        rows.filter(({ kind }) => kind === 'purl'),
      ]
      const [ecosystem = ''] = packages[0]?.vendor.split('/') ?? []
      const name = packages[0]?.product ?? ''
      const compared = compareStatements({ id, name }, toStatement(products), toStatement(packages))
      byEcosystem.set(ecosystem, [...(byEcosystem.get(ecosystem) ?? []), compared])
    }
    for (const [ecosystem, compared] of byEcosystem) {
      const lines = [formatAgreement(ecosystem, countAgreement(compared)), ...listDifferences(compared)]
      process.stdout.write(`${lines.join('\n')}\n`)
    }
    const all = countAgreement([...byEcosystem.values()].flat())
    process.stdout.write(`${formatAgreement('all', all)}\n`)
    expect(all.packages).toBeGreaterThan(1000)
    expect(all.same / all.versions).toBeGreaterThan(0.8)
  }, 600_000)
})
