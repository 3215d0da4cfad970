import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cweFeed } from '../../../../src/feeds/sources/cwe/feed.ts'
import { zipOf } from '../../formats/zip-builder.ts'
import { directoryWith } from '../../small-files.ts'
import { catalogue, cweMachine, HEAD, weaknesses } from './fixtures.ts'

const { run, readXml, stored } = await cweMachine()

const nothing = { written: 0, removed: 0 }

describe('A CWE catalogue that is wholly bad is a failure that says why', () => {
  const whole = catalogue(weaknesses(3))
  it.each([
    ['is cut off', whole.slice(0, -60), 'cut off or is broken'],
    ['is a web page', '<!DOCTYPE html><html></html>', 'is an HTML page'],
    ['has declarations of its own', whole.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>'), 'declaration'],
    ['is another catalogue', whole.replaceAll('Weakness_Catalog', 'Attack_Pattern_Catalog'), 'Weakness_Catalog'],
    ['does not say of when it is', catalogue(weaknesses(3), { date: 'soon' }), 'Version and Date'],
    ['is from the future', catalogue(weaknesses(3), { date: '2027-01-01' }), 'in the future'],
    ['has no categories', catalogue(weaknesses(3), { categories: '' }), 'has no Categories'],
    ['has no weaknesses', catalogue(''), 'has no Weaknesses'],
  ])('because it %s', async (_why, xml, words) => {
    const report = await readXml(xml)

    expect(report).toMatchObject({ outcome: 'failed', ...nothing })
    expect(report.fault).toContain(words)
    expect(await stored()).toEqual([])
  })

  it('because its archive holds two documents, or none', async () => {
    const from = await directoryWith({})
    const [one, two] = [
      { name: 'a.xml', content: whole },
      { name: 'b.xml', content: whole },
    ]
    for (const entries of [[one, two], []]) {
      await writeFile(join(from, 'cwec_latest.xml.zip'), zipOf(entries))
      const { outcome, fault } = await run(cweFeed({ url: 'https://cwe.example/' }), { from })
      expect([outcome, fault]).toEqual(['failed', expect.stringContaining(`this one has ${entries.length}`)])
    }
  })

  it.each([
    ['has other columns', 'CWE-ID,Name\n', 'its first line should name the columns'],
    ['has no entries', `${HEAD}\n`, 'it has no entries'],
    ['is cut off', `${HEAD}\nCWE-79,weakness,Tea,Base,Draft,Co`, 'it ends in the middle of a line'],
    ['is cut off between quotes', `${HEAD}\nCWE-79,weakness,Tea,Base,Draft,"Co\n`, 'cannot be used'],
  ])('because its table %s', async (_why, content, words) => {
    const from = await directoryWith({ 'cwe.csv': content })
    const report = await run(cweFeed({ url: 'https://cwe.example/' }), { from })

    expect(report).toMatchObject({ outcome: 'failed', ...nothing })
    expect(report.fault).toContain(words)
  })

  it('because the directory has none', async () => {
    const report = await run(cweFeed({ url: 'https://cwe.example/' }), { from: await directoryWith({}) })
    expect(report).toMatchObject({ outcome: 'absent' })
  })
})
