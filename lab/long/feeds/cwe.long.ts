// Imports the real CWE catalog.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cweFeed } from '../../../service/src/feeds/sources/cwe/feed.ts'
import { buildCatalog, createCweHarness } from '../../../service/test/feeds/sources/cwe/fixtures.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const ENTRIES = 1429
const from = realData('the test of the real CWE catalog')

describe.skipIf(!from)('CWE feed with the real catalog', () => {
  it('stores all CWE entries and writes no rows when they are imported again', async () => {
    const { run, selectRows } = await createCweHarness()
    const feed = cweFeed({ url: 'https://cwe.example/' })

    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      read: ENTRIES,
      written: ENTRIES,
      rejected: 0,
      duplicates: 0,
    })
    expect(await selectRows('select kind, count(*)::int from source.weakness group by kind order by kind')).toEqual([
      { kind: 'category', count: 409 },
      { kind: 'view', count: 55 },
      { kind: 'weakness', count: 965 },
    ])
    expect(await selectRows('select count(*)::int from source.weakness where is_deprecated')).toEqual([{ count: 160 }])
    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      written: 0,
      removed: 0,
      unchanged: ENTRIES,
    })
  })

  it('writes no rows when an XML catalog contains the same entries and 286,000 other elements', async () => {
    const { run, importXml, selectRows } = await createCweHarness()
    await run(cweFeed({ url: 'https://cwe.example/' }), { from })
    const rows = await selectRows<Entry>(
      'select cwe_id, kind, name, abstraction, status, description from source.weakness',
    )
    const buildSection = (kind: string, element: string, textElement: string) =>
      rows.flatMap((each) => (each.kind === kind ? [toXml(each, element, textElement)] : [])).join('\n')

    const report = await importXml(
      buildCatalog(buildSection('weakness', 'Weakness', 'Description'), {
        categories: buildSection('category', 'Category', 'Summary'),
        views: buildSection('view', 'View', 'Objective'),
      }),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', written: 0, removed: 0, unchanged: ENTRIES })
  })
})

interface Entry {
  readonly cwe_id: string
  readonly kind: string
  readonly name: string
  readonly abstraction: string | null
  readonly status: string
  readonly description: string
}

const NOTES_PER_ENTRY = 200

function toXml(entry: Entry, element: string, textElement: string): string {
  const abstraction = entry.abstraction === null ? '' : `Abstraction="${entry.abstraction}"`
  const notes = Array.from({ length: NOTES_PER_ENTRY }, (_, index) => {
    // The generated notes are hashes, because hashes compress badly: a well-compressed file would be rejected as a zip
    // bomb.
    return `<Note>${createHash('md5').update(`${entry.cwe_id} ${index}`).digest('hex')}</Note>`
  })
  return `<${element} ID="${entry.cwe_id.slice(4)}" Name="${escapeXml(entry.name)}" ${abstraction} Status="${entry.status}">
    <${textElement}>${escapeXml(entry.description)}</${textElement}><Notes>${notes.join('')}</Notes></${element}>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
