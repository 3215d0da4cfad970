import { beforeEach, describe, expect, it } from 'vitest'
import { buildCatalog, buildWeakness, buildWeaknesses, CSV_HEADER, createCweHarness } from './fixtures.ts'

const { importXml, importCsv, listStored, selectRows, clock, reset } = await createCweHarness()
beforeEach(reset)

const NO_CHANGES = { written: 0, removed: 0 }

describe('CWE feed: storing the catalog', () => {
  it('stores weaknesses, categories and views as MITRE published them', async () => {
    const report = await importXml(buildCatalog(buildWeakness(79, 'Scripting &amp; injection')))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    const common = { is_deprecated: false, removed_at: null }
    expect(await listStored()).toEqual([
      {
        cwe_id: 'CWE-79',
        kind: 'weakness',
        name: 'Scripting & injection',
        abstraction: 'Base',
        status: 'Stable',
        description: 'About Scripting & injection.',
        ...common,
      },
      {
        cwe_id: 'CWE-310',
        kind: 'category',
        name: 'Cryptographic Issues',
        abstraction: null,
        status: 'Draft',
        description: 'Weaknesses of cryptography.',
        ...common,
      },
      {
        cwe_id: 'CWE-1000',
        kind: 'view',
        name: 'Research Concepts',
        abstraction: null,
        status: 'Draft',
        description: 'Supports research.',
        ...common,
      },
    ])
    expect(await selectRows("select table_count::int, is_required from catalog.dataset where name = 'cwe'")).toEqual([
      { table_count: 3, is_required: false },
    ])
    expect(await selectRows("select upstream_at from source.feed where name = 'cwe'")).toEqual([
      { upstream_at: new Date('2024-11-19T00:00:00Z') },
    ])
  })

  it('marks entries with the status Deprecated or Obsolete as deprecated', async () => {
    await importXml(
      buildCatalog(buildWeakness(71, 'Old weakness', 'Abstraction="Base" Status="Deprecated"'), {
        categories: '<Category ID="1" Name="Old" Status="Obsolete"><Summary>Old.</Summary></Category>',
      }),
    )

    const deprecated = (await listStored()).map((each) => [each['cwe_id'], each['is_deprecated']])
    expect(deprecated).toEqual([
      ['CWE-1', true],
      ['CWE-71', true],
      ['CWE-1000', false],
    ])
  })

  it('stores the plain text of a description with paragraphs and a list', async () => {
    const views = `<View ID="7" Name="A view" Status="Draft"><Objective>
      <xhtml:p>First  this.</xhtml:p><xhtml:ul><xhtml:li>Then that.</xhtml:li></xhtml:ul></Objective></View>`
    await importXml(buildCatalog(buildWeakness(79), { views }))

    expect((await listStored())[0]).toMatchObject({ cwe_id: 'CWE-7', description: 'First this. Then that.' })
  })

  it('writes no rows when the CSV table has the same content as the XML catalog', async () => {
    await importXml(buildCatalog(buildWeakness(79, 'Scripting')))

    const report = await importCsv([
      CSV_HEADER,
      'CWE-79,weakness,Script\0ing,Base,Stable,"About\nScripting."',
      'CWE-310,category,Cryptographic Issues,,Draft,Weaknesses of cryptography.',
      'CWE-1000,view,Research Concepts,,Draft,Supports research.',
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, unchanged: 3, ...NO_CHANGES })
  })
})

describe('CWE feed: importing another catalog', () => {
  it('updates a changed weakness, marks a missing weakness as removed, and restores it when it is listed again', async () => {
    await importXml(buildCatalog(buildWeakness(1) + buildWeakness(2) + buildWeakness(3)))

    expect(await importXml(buildCatalog(buildWeakness(1, 'Renamed') + buildWeakness(2)))).toMatchObject({
      written: 1,
      removed: 1,
    })
    expect(await listStored()).toMatchObject([{ name: 'Renamed' }, {}, { removed_at: clock.now() }, {}, {}])
    expect(await selectRows("select table_count::int from catalog.dataset where name = 'cwe'")).toEqual([
      { table_count: 4 },
    ])

    expect(
      await importXml(buildCatalog(buildWeakness(1, 'Renamed') + buildWeakness(2) + buildWeakness(3))),
    ).toMatchObject({
      written: 1,
      removed: 0,
      unchanged: 4,
    })
    expect(await listStored()).toMatchObject([{}, {}, { removed_at: null }, {}, {}])
  })

  it('stores the last of several CWE entries with the same id', async () => {
    expect(await importXml(buildCatalog(buildWeakness(5, 'One') + buildWeakness(5, 'Two')))).toMatchObject({
      duplicates: 1,
    })
    expect((await listStored())[0]).toMatchObject({ cwe_id: 'CWE-5', name: 'Two' })
  })

  it('rejects a CWE catalog that is older than the stored one', async () => {
    await importXml(buildCatalog(buildWeaknesses(5)))

    const report = await importXml(buildCatalog(buildWeaknesses(5), { version: '4.15', date: '2024-07-16' }))

    expect(report).toMatchObject({ outcome: 'failed' })
    expect(report.error).toContain('The release of 2024-07-16T00:00:00Z is older than the stored one')
  })

  it('rejects an older CWE catalog even after the import of a CSV table without a date', async () => {
    const table = [
      CSV_HEADER,
      ...Array.from({ length: 5 }, (_, index) => `CWE-${index + 1},weakness,Scripting,Base,Draft,Text.`),
    ]
    expect(await importCsv(table)).toMatchObject({ outcome: 'succeeded', written: 5 })
    await importXml(buildCatalog(buildWeaknesses(5)))
    await importCsv(table, { allowed: new Set(['too-many-removals']) })

    expect(await importXml(buildCatalog(buildWeaknesses(5), { date: '2024-07-16' }))).toMatchObject({
      outcome: 'failed',
    })
  })
})

describe('CWE feed: rejected entries', () => {
  it('rejects invalid CWE entries with a reason and keeps the stored versions', async () => {
    await importXml(buildCatalog(buildWeaknesses(20)))

    const report = await importXml(
      buildCatalog(`${buildWeaknesses(19)}${buildWeakness(20, '')}${buildWeakness(Number.NaN)}`),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', read: 23, rejected: 2, unchanged: 21, ...NO_CHANGES })
    expect(await selectRows('select subject, reason from source.feed_rejection order by id')).toEqual([
      { subject: 'CWE-20', reason: expect.stringContaining('/name') },
      { subject: 'CWE-NaN', reason: 'not a CWE id' },
    ])
    expect(await listStored()).toHaveLength(22)
  })

  it.each([
    ['a CVE id instead of a CWE id', 'CVE-2024-0001,weakness,Scripting,Base,Draft,Text.', 'not a CWE id'],
    ['leading zeros in the id', 'CWE-079,weakness,Scripting,Base,Draft,Text.', 'not a CWE id'],
    ['an unknown type', 'CWE-79,chain,Scripting,Base,Draft,Text.', '/kind'],
    ['an empty status', 'CWE-79,weakness,Scripting,Base,,Text.', '/status'],
    ['too many values', 'CWE-79,weakness,Scripting,Base,Draft,Text,more.', '7 values, expected 6'],
  ])('rejects a CSV line with %s', async (_case, line, reason) => {
    const valid = [1, 2, 3].map((id) => `CWE-${id},weakness,Scripting,Base,Draft,Text.`)

    expect(await importCsv([CSV_HEADER, ...valid, line])).toMatchObject({
      outcome: 'succeeded',
      written: 3,
      rejected: 1,
    })
    expect(await selectRows('select reason from source.feed_rejection')).toEqual([
      { reason: expect.stringContaining(reason) },
    ])
  })
})
