import { describe, expect, it } from 'vitest'
import { collectAffected } from '../../../src/catalog/affected/collect.ts'
import type { SourceRecord } from '../../../src/catalog/model/source-data.ts'
import { cisa, configurations, cpe, cve, match, nvd, resolved, sourceData, vendor } from '../builders.ts'

const collect = (...records: readonly SourceRecord[]) => collectAffected(sourceData(records), resolved(records))

const describedAs = (value: string) => ({ descriptions: [{ lang: 'en', value }] })
const is = (status: string, version: string, more: object = {}) => ({ status, version, ...more })
const product = (...versions: readonly object[]) => ({
  vendor: 'ExampleSoft',
  product: 'Router',
  cpes: [cpe('router')],
  defaultStatus: 'unknown',
  versions,
})
const fixedByGhsa = (fixed: string) =>
  vendor('ghsa', {
    description: null,
    products: [{ vendor: 'npm', product: 'router', purl: 'pkg:npm/router', status: 'affected', fixed }],
  })

describe('Rows of the source rules', () => {
  const analysis = nvd({
    ...describedAs('Router 2.4 and prior can be restarted.'),
    configurations: configurations(match('router', { versionEndIncluding: '2.4' })),
  })

  it('name the version beside the row of the source that calls it fixed, which keeps its range', () => {
    const rows = collect(analysis, fixedByGhsa('2.4'))
    expect(rows.filter(({ kind }) => kind === 'purl')).toMatchObject([
      { source: 'ghsa', high: '2.4', isHighIncluded: false, fixed: null, versions: null, scheme: 'semver' },
      { source: 'rules', high: null, fixed: null, versions: ['2.4'], scheme: 'semver', isAffected: true },
    ])
    expect(collect(analysis, fixedByGhsa('2.5')).some(({ source }) => source === 'rules')).toBe(false)
  })

  it('name the version for the ADP product only about which the CNA contradicts', () => {
    const below = is('affected', '0', { lessThan: '2.4' })
    const adp = cisa({ affected: [product(below), { ...product(below), product: 'Switch', cpes: [cpe('switch')] }] })
    const own = [product(is('affected', '2.4')), { ...product(below), product: 'Switch', cpes: [cpe('switch')] }]
    const rows = collect(cve({ cna: { affected: own }, adp: [adp] }))
    expect(rows.filter(({ source }) => source === 'rules')).toMatchObject([{ product: 'router', versions: ['2.4'] }])
    expect(rows.find((row) => row.source === 'cisa-adp' && row.product === 'router')).toMatchObject({
      high: '2.4',
      isHighIncluded: false,
    })
  })

  it('call versions unaffected that the CNA calls unaffected and an ADP affected', () => {
    const own = product(is('affected', '0', { lessThan: '2.0' }), is('unaffected', '2.4'))
    const adp = cisa({ affected: [product(is('affected', '2.4'))] })
    const rows = collect(cve({ cna: { affected: [own] }, adp: [adp] }))
    expect(rows.filter(({ source }) => source === 'rules')).toMatchObject([{ isAffected: false, versions: ['2.4'] }])
    expect(rows.find(({ source }) => source === 'cisa-adp')).toMatchObject({ isAffected: true, versions: ['2.4'] })
  })

  it('are about the stated range and not about the version in the CPE name (CVE-2024-39554)', () => {
    const before = { lessThan: '21.1R1' }
    const own = product(is('affected', '21.1', { lessThan: '21.1*' }), is('unaffected', '0', before))
    const branch = is('affected', '21.1', { lessThan: '21.1*' })
    const copied = {
      ...product(branch, is('affected', '0', before)),
      cpes: ['cpe:2.3:a:examplesoft:router:21.1:-:*:*:*:*:*:*'],
    }
    const rows = collect(cve({ cna: { affected: [own] }, adp: [cisa({ affected: [copied] })] }))
    expect(rows.filter(({ source }) => source === 'rules')).toMatchObject([
      { isAffected: false, versions: null, low: null, high: '21.1R1', isHighIncluded: false },
    ])
  })

  it('leave the other versions open if only the ADP calls the product affected', () => {
    const adp = cisa({ affected: [product(is('affected', '2.4'))] })
    const rows = collect(cve({ cna: { affected: [product(is('unaffected', '2.4'))] }, adp: [adp] }))
    expect(rows.filter(({ source, isAffected }) => source === 'rules' && isAffected)).toMatchObject([
      { isVague: true, versions: null, low: null, high: null },
    ])
  })
})

describe('Rows name a fixed version only if the record does', () => {
  const fixedIn = (...records: readonly SourceRecord[]) =>
    collect(...records).flatMap(({ fixed, source }) => (fixed === null ? [] : `${fixed} ${source}`))

  it('not if the source also lists it as affected (CVE-2024-6387)', () => {
    const listed = configurations(match('router', { versionEndExcluding: '2.4' }), {
      vulnerable: true,
      criteria: cpe('router', '2.4'),
    })
    expect(fixedIn(nvd({ configurations: listed }))).toEqual([])
    expect(fixedIn(nvd({ ...describedAs('Fixed in version 2.4.'), configurations: listed }))).toEqual(['2.4 nvd'])
  })

  it('not if another source lists it as affected (CVE-2023-34362)', () => {
    const adp = cisa({ affected: [product(is('affected', '2.4'))] })
    const ended = nvd({ configurations: configurations(match('router', { versionEndExcluding: '2.4' })) })
    expect(fixedIn(ended, cve({ adp: [adp] }))).toEqual([])
    expect(fixedIn(ended)).toEqual(['2.4 nvd'])
  })
})

describe('Rows of rivals', () => {
  const fixedIn = (...records: readonly SourceRecord[]) =>
    collect(...records).flatMap(({ fixed, source }) => (fixed === null ? [] : `${fixed} ${source}`))
  const byCna = (lessThan: string) => cve({ cna: { affected: [product(is('affected', '2.0', { lessThan }))] } })
  const ended = nvd({
    configurations: configurations(match('router', { versionStartIncluding: '2.0', versionEndExcluding: '2.4' })),
  })

  it('name no fixed version that comes before the chosen one, whose source calls it affected (CVE-2022-2795)', () => {
    expect(fixedIn(byCna('2.5'), ended)).toEqual(['2.5 cna:apache'])
    expect(fixedIn(byCna('2.3'), ended)).toEqual(['2.3 cna:apache', '2.4 nvd'])
  })
})

describe('Rows of a source whose limits are not versions', () => {
  const url = is('affected', '19.0.0', { lessThan: 'https://www.example.com/releases' })

  it('are vague and name no fix', () => {
    expect(collect(cve({ cna: { affected: [product(url)] } }))).toMatchObject([
      { source: 'cna:apache', isVague: true, low: null, high: null, versions: null, fixed: null },
    ])
    const npm = { vendor: 'ExampleSoft', product: 'router', packageURL: 'pkg:npm/router', versions: [url] }
    const rows = collect(cve({ cna: { affected: [npm] } })).filter(({ kind }) => kind === 'purl')
    expect(rows).toMatchObject([{ isVague: true, high: null, fixed: null }])
  })

  it('exclude no version if they are unaffected', () => {
    const unaffected = is('unaffected', '20.0', { lessThan: 'unspecified' })
    const rows = collect(cve({ cna: { affected: [product(is('affected', '19.0'), unaffected)] } }))
    expect(rows.filter(({ isAffected }) => !isAffected)).toEqual([])
  })
})

describe('Rows with derived limits', () => {
  it.each([
    ['a series', [is('affected', '5.x')], { low: '5', high: '6' }],
    ['several ends', [is('affected', '1.0', { lessThan: '1.2.3, 2.3.4' })], { high: '1.2.3' }],
    ['a start that equals the end', [is('affected', '2.4', { lessThan: '2.4' })], { low: null, high: '2.4' }],
  ])('have the mark of derived rows: %s', (_, versions, limits) => {
    const adp = cisa({ affected: [product(...versions)] })
    const [row] = collect(cve({ adp: [adp] }))
    expect(row).toMatchObject({ source: 'derived:cisa-adp', ...limits })
    expect(resolved([cve({ adp: [adp] })]).cpe.matches.map(({ derived }) => derived)).not.toContain(undefined)
  })

  it.each([
    ['in a version', [is('affected', '5.x')], [cpe('router')]],
    ['as an end', [is('affected', '5.1', { lessThan: '5.*' })], [cpe('router')]],
    ['in a CPE name', [is('affected', '2.0', { lessThan: 'publication' })], [cpe('router', '5.*')]],
  ])('name no fix after a series %s, because the next series may be affected', (_, versions, cpes) => {
    const rows = collect(cve({ cna: { affected: [{ ...product(...versions), cpes }] } }))
    expect(rows).toMatchObject([{ high: '6', isHighIncluded: false, fixed: null }])
  })

  it('have no mark if the source writes the limits', () => {
    const adp = cisa({ affected: [product(is('affected', '5.0', { lessThan: '6' }))] })
    expect(collect(cve({ adp: [adp] }))).toMatchObject([{ source: 'cisa-adp', low: '5.0', high: '6' }])
    expect(resolved([cve({ adp: [adp] })]).cpe.matches[0]).not.toHaveProperty('derived')
  })
})
