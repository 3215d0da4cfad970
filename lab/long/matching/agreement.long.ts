// Compares GitHub's advisories with other databases that describe the same vulnerability of the same package. Both sides
// name the versions by different people, so the figures show how much the data agrees and bound the faults of the code.
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AffectedRow } from '../../../service/src/record/affected-row.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { type RealAdvisory, readAdvisories, readRecords } from './advisory-files.ts'
import {
  type Agreement,
  type Compared,
  compareStatements,
  countAgreement,
  formatAgreement,
  fromRequirements,
  listDifferences,
  type Statement,
  toStatement,
} from './agreement.ts'
import { meetsAll, readOperand } from './requirements.ts'

const folder = realData("the comparison of GitHub's advisories with other databases", 'data-more') ?? ''

describe.skipIf(folder === '')("GitHub's advisories", () => {
  const byId = new Map<string, RealAdvisory[]>()

  beforeAll(async () => {
    for await (const advisory of readAdvisories(folder, 'ghsa')) {
      for (const id of advisory.ids) byId.set(id, [...(byId.get(id) ?? []), advisory])
    }
  })

  /** Compares a statement with what GitHub says about the same package. Returns undefined if GitHub says nothing. */
  function compareWithGitHub(ids: readonly string[], name: string, statement: Statement): Compared | undefined {
    const advisories = new Set(ids.flatMap((id) => byId.get(id) ?? []))
    const rows = [...advisories].flatMap((each) => each.rows).filter((row) => nameOf(row) === name)
    const [id = ''] = ids
    return rows.length === 0 ? undefined : compareStatements({ id, name }, toStatement(rows), statement)
  }

  it.each([
    ['go', { packages: 1800, identical: 0.83, same: 0.85 }],
    ['rustsec', { packages: 500, identical: 0.89, same: 0.91 }],
    ['pypa', { packages: 2400, identical: 0.64, same: 0.84 }],
  ])('agree with the advisories from %s', async (database, expected) => {
    const compared: Compared[] = []
    for await (const { ids, rows } of readAdvisories(folder, database)) {
      for (const [name, ofPackage] of Map.groupBy(rows, nameOf)) {
        const result = compareWithGitHub(ids, name, toStatement(ofPackage))
        if (result !== undefined) compared.push(result)
      }
    }
    expectAgreement(database, compared, expected)
  })

  it("agree with rubysec's patched versions", async () => {
    const compared: Compared[] = []
    for await (const record of readRecords(join(folder, 'rubysec.yaml-as-json.ndjson.gz'))) {
      const { ids, name, statement } = readRubysec(record as unknown as RubysecRecord)
      const result = compareWithGitHub(ids, name, statement)
      if (result !== undefined) compared.push(result)
    }
    expectAgreement('rubysec', compared, { packages: 800, identical: 0.9, same: 0.95 })
  })

  it('agree with the branches in FriendsOfPHP', async () => {
    const compared: Compared[] = []
    for await (const record of readRecords(join(folder, 'friendsofphp.yaml-as-json.ndjson.gz'))) {
      const { ids, name, statement } = readPhp(record)
      const result = compareWithGitHub(ids, name, statement)
      if (result !== undefined) compared.push(result)
    }
    expectAgreement('friendsofphp', compared, { packages: 780, identical: 0.78, same: 0.9 })
  })
})

function readRubysec({ gem, cve, ghsa, patched_versions = [], unaffected_versions = [] }: RubysecRecord) {
  const clauses = [...patched_versions, ...unaffected_versions].map((each) => each.split(','))
  const meets = (each: readonly string[], version: string) => meetsAll(each, version, 'gem')
  const statement = fromRequirements(clauses, meets, { whenMet: 'outside', ends: clauses.flat().map(readOperand) })
  return { ids: [`CVE-${cve}`, `GHSA-${ghsa}`], name: `gem ${gem}`, statement }
}

/** A file of the repository that is no advisory has no branches and no package. */
function readPhp({ cve, link, branches = {}, reference = '' }: PhpRecord) {
  const clauses = Object.values(branches).map(({ versions }) => versions)
  const meets = (each: readonly string[], version: string) => meetsAll(each, version, 'composer')
  const statement = fromRequirements(clauses, meets, { whenMet: 'inside', ends: clauses.flat().map(readOperand) })
  const [vendor, product] = reference.replace('composer://', '').toLowerCase().split('/')
  const ids = [cve, /GHSA-[\w-]+/.exec(link ?? '')?.[0]].filter((each) => typeof each === 'string')
  return { ids, name: `composer/${vendor} ${product}`, statement }
}

interface RubysecRecord {
  readonly gem: string
  readonly cve?: string
  readonly ghsa?: string
  readonly patched_versions?: readonly string[]
  readonly unaffected_versions?: readonly string[]
}

interface PhpRecord {
  readonly cve?: string | null
  readonly link?: string
  readonly branches?: Readonly<Record<string, { readonly versions: readonly string[] }>>
  readonly reference?: string
}

function nameOf({ vendor, product }: AffectedRow): string {
  return `${vendor} ${product}`
}

/** The shares are a little below the measured ones: they fall if versions are ordered or placed wrongly. */
function expectAgreement(
  name: string,
  compared: readonly Compared[],
  expected: { readonly packages: number; readonly identical: number; readonly same: number },
): void {
  const agreement: Agreement = countAgreement(compared)
  process.stdout.write(`${[formatAgreement(name, agreement), ...listDifferences(compared)].join('\n')}\n`)
  expect(agreement.packages).toBeGreaterThan(expected.packages)
  expect(agreement.identical / agreement.packages).toBeGreaterThan(expected.identical)
  expect(agreement.same / agreement.versions).toBeGreaterThan(expected.same)
}
