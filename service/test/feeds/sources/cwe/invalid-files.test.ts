import { describe, expect, it } from 'vitest'
import { createZip } from '../../formats/zip-builder.ts'
import { buildCatalog, buildWeaknesses, CSV_HEADER, createCweHarness } from './fixtures.ts'

const { importFile, importXml, listStored } = await createCweHarness()

const NO_CHANGES = { written: 0, removed: 0 }

describe('CWE feed: invalid files', () => {
  const valid = buildCatalog(buildWeaknesses(3))
  it.each([
    ['that is truncated', valid.slice(0, -60), 'is truncated or malformed'],
    ['with a DOCTYPE declaration', valid.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>'), 'declaration'],
    ['with another root element', valid.replaceAll('Weakness_Catalog', 'Attack_Pattern_Catalog'), 'Weakness_Catalog'],
    ['without a valid date', buildCatalog(buildWeaknesses(3), { date: 'soon' }), 'Version and Date'],
    ['dated in the future', buildCatalog(buildWeaknesses(3), { date: '2027-01-01' }), 'in the future'],
    ['without categories', buildCatalog(buildWeaknesses(3), { categories: '' }), 'has no Categories'],
    ['without weaknesses', buildCatalog(''), 'has no Weaknesses'],
  ])('rejects an XML catalog %s', async (_case, xml, message) => {
    const report = await importXml(xml)

    expect(report).toMatchObject({ outcome: 'failed', ...NO_CHANGES })
    expect(report.error).toContain(message)
    expect(await listStored()).toEqual([])
  })

  it('rejects a zip file that contains two XML documents or none', async () => {
    const [one, two] = [
      { name: 'a.xml', content: valid },
      { name: 'b.xml', content: valid },
    ]
    for (const entries of [[one, two], []]) {
      const { outcome, error } = await importFile('cwec_latest.xml.zip', createZip(entries))
      expect([outcome, error]).toEqual(['failed', expect.stringContaining(`contains ${entries.length} XML documents`)])
    }
  })

  it.each([
    ['without entries', `${CSV_HEADER}\n`, 'it has no entries'],
    ['that is truncated', `${CSV_HEADER}\nCWE-79,weakness,Scripting,Base,Draft,Te`, 'it ends in the middle of a line'],
    ['that is truncated inside quotes', `${CSV_HEADER}\nCWE-79,weakness,Scripting,Base,Draft,"Te\n`, 'cannot be used'],
  ])('rejects a CSV table %s', async (_case, content, message) => {
    const report = await importFile('cwe.csv', content)

    expect(report).toMatchObject({ outcome: 'failed', ...NO_CHANGES })
    expect(report.error).toContain(message)
  })
})
