// The isolation table: each attack against a node of its own, while another account sends 20 calls per second.
//
// WHOLE_CATALOG_URL=postgres://…  a database with a loaded catalog, which is only read
// VIS_DATA=<dir>                  the real upstream files, which are loaded; without either setting, a catalog is generated
// ISOLATION_ATTACKS=match,sbom    only these attacks (attacks.ts)
// ISOLATION_SECONDS=6             duration of each attack
// ISOLATION_TABLE=<file>          writes the table to a file, as Markdown
import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { ATTACK_NAMES, type AttackName, findAttack } from './attacks.ts'
import { isWholeCatalog, openGeneratedCatalog, openRealCatalog } from './catalogs.ts'
import { measureIsolation } from './measure.ts'
import { formatReport } from './report.ts'
import { formatTable, listMisses, type TableRow, toTableRow } from './table.ts'

const SECONDS = Number(process.env['ISOLATION_SECONDS'] ?? 6)
const chosen = chooseAttacks(process.env['ISOLATION_ATTACKS'])
const { subjects, ...databases } = isWholeCatalog
  ? await openRealCatalog()
  : await openGeneratedCatalog({ records: 20_000, rangesPerCve: 4 })
const rows: TableRow[] = []

function chooseAttacks(list: string | undefined): readonly AttackName[] {
  const names = list?.split(',') ?? ATTACK_NAMES
  const chosen = ATTACK_NAMES.filter((name) => names.includes(name))
  if (chosen.length < names.length) throw new Error(`ISOLATION_ATTACKS may have ${ATTACK_NAMES.join(', ')}.`)
  return chosen
}

afterAll(() => {
  const table = formatTable(rows)
  process.stdout.write(table)
  const file = process.env['ISOLATION_TABLE']
  if (file !== undefined) writeFileSync(file, table)
})

describe(`Isolation on ${isWholeCatalog ? 'the whole' : 'a generated'} catalog`, () => {
  it.each(chosen)(
    '%s: no 5xx, p99 at most 2 × baseline + 20 ms, at most 600 MB',
    { timeout: 300_000 },
    async (name) => {
      if (findAttack(name).needsSnapshot && !subjects.snapshot)
        throw new Error('The catalog has no snapshot; vis-server snapshot makes one.')
      const report = await measureIsolation({
        ...databases,
        attack: name,
        warmUpMs: 1500,
        baselineMs: 4000,
        attackMs: SECONDS * 1000,
        recoveryMs: 0,
      })
      const row = toTableRow(name, report)
      rows.push(row)
      process.stdout.write(formatReport(findAttack(name).title, report))
      expect(listMisses(row)).toEqual([])
    },
  )
})
