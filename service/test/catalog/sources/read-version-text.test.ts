import { describe, expect, it } from 'vitest'
import type { Affected } from '../../../src/catalog/model/claim.ts'
import { toVersionLimits, type VersionLimits } from '../../../src/catalog/resolve/versions/version-ranges.ts'
import { readAffected } from '../../../src/catalog/sources/fields/read-affected.ts'
import { VERSION_STATEMENTS, type VersionStatement } from './version-statements.ts'

const STATEMENT = { cna: 'Linux', product: 'Linux', version: '', lessThan: '', lessThanOrEqual: '', reading: '' }

function read({ product, version, lessThan, lessThanOrEqual }: VersionStatement): Affected {
  const entry = {
    status: 'affected',
    version,
    ...(lessThan !== '' && { lessThan }),
    ...(lessThanOrEqual !== '' && { lessThanOrEqual }),
  }
  const affected = readAffected({ product, versions: [entry] }, 'cna:example')
  if (affected === undefined) throw new Error(`${product} is not a product`)
  return affected
}

function format({ version, update, between }: VersionLimits): string {
  if (version !== undefined) return update === undefined ? version : `${version} + ${update}`
  if (between === undefined) return 'any'
  const end = between.versionEndIncluding === undefined ? ')' : ']'
  return `[${between.versionStartIncluding ?? ''}, ${between.versionEndIncluding ?? between.versionEndExcluding ?? ''}${end}`
}

function formatReading(statement: VersionStatement): string {
  const affected = read(statement.product === 'n/a' ? { ...statement, product: 'Example' } : statement)
  const limits = toVersionLimits(affected)
  return limits.length === 0 && affected.ranges.every(({ isCommit }) => isCommit)
    ? 'commit'
    : limits.map(format).join('; ')
}

describe('CNA version statements', () => {
  it('number at least 300, from at least 80 CNAs', () => {
    expect(VERSION_STATEMENTS.length).toBeGreaterThanOrEqual(300)
    expect(new Set(VERSION_STATEMENTS.map(({ cna }) => cna)).size).toBeGreaterThanOrEqual(80)
  })

  it.each(VERSION_STATEMENTS)(
    '$cna: "$version" < "$lessThan" <= "$lessThanOrEqual" of $product is read as $reading',
    (statement) => {
      expect(formatReading(statement)).toBe(statement.reading)
    },
  )

  it.each(['See advisory AMD-SB-7016', 'consult Xen advisory XSA-417', 'N3 Firmware 2.02.0227', '28.0 (15640) 64-bit'])(
    'are unknown, not open, for a text that is no version: %s',
    (version) => {
      expect(toVersionLimits(read({ ...STATEMENT, version }))).toEqual([{ isUnknown: true }])
    },
  )

  it('keep an end that is no version as the source writes it (CVE-2023-37219)', () => {
    const lessThan = 'Upgrade to the latest version.'
    expect(read({ ...STATEMENT, version: 'version 6.0.0.8', lessThan }).ranges).toMatchObject([
      { version: '6.0.0.8', lessThan, lessThanOrEqual: null },
    ])
  })

  it('do not use a word of the version as the name of a missing vendor', () => {
    expect(read({ ...STATEMENT, product: 'Router', version: 'null 2.0' }).ranges).toMatchObject([
      { version: 'null 2.0' },
    ])
  })

  it('leave out the versions of another product that the CNA lists among them (CVE-2024-43805)', () => {
    const listed = (...versions: readonly string[]) =>
      readAffected(
        {
          vendor: 'jupyterlab',
          product: 'jupyterlab',
          versions: versions.map((version) => ({ status: 'affected', version })),
        },
        'cna:example',
      )
    const own = listed('notebook:  >= 7.0.0, <= 7.2.2', 'jupyterlab: < 3.6.8', 'beta: < 4.0')
    expect(own?.ranges).toMatchObject([{ lessThan: '3.6.8' }, { lessThan: '4.0' }])
    const other = listed('notebook:  >= 7.0.0, <= 7.2.2')
    expect(other && toVersionLimits(other)).toMatchObject([{ isUnknown: true }])
  })

  it('keep the commits of a range in the claim', () => {
    const [range] = read({ ...STATEMENT, version: '1da177e4c3f4', lessThan: '24256415d186' }).ranges
    expect(range).toEqual({
      isAffected: true,
      version: '1da177e4c3f4',
      lessThan: '24256415d186',
      lessThanOrEqual: null,
      isCommit: true,
    })
  })
})
