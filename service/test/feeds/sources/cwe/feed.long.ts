// The real catalogue, all of it.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cweFeed } from '../../../../src/feeds/sources/cwe/feed.ts'
import { sharedData } from '../../../support/shared-data.ts'
import { catalogue, cweMachine } from './fixtures.ts'

const ENTRIES = 1429
const from = sharedData('the real CWE catalogue')

describe.skipIf(!from)('The real CWE catalogue', () => {
  it('is stored whole, and once', async () => {
    const { run, look } = await cweMachine()
    const feed = cweFeed({ url: 'https://cwe.example/' })

    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      read: ENTRIES,
      written: ENTRIES,
      rejected: 0,
      duplicates: 0,
    })
    expect(await look('select kind, count(*)::int from source.weakness group by kind order by kind')).toEqual([
      { kind: 'category', count: 409 },
      { kind: 'view', count: 55 },
      { kind: 'weakness', count: 965 },
    ])
    expect(await look('select count(*)::int from source.weakness where is_deprecated')).toEqual([{ count: 160 }])
    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      written: 0,
      removed: 0,
      unchanged: ENTRIES,
    })
  })

  it('is the same when it is written as MITRE writes it, with hundreds of thousands of elements around it', async () => {
    const { run, readXml, look } = await cweMachine()
    await run(cweFeed({ url: 'https://cwe.example/' }), { from })
    const rows = await look<Entry>('select cwe_id, kind, name, abstraction, status, description from source.weakness')
    const section = (kind: string, element: string, said: string) =>
      rows.flatMap((each) => (each.kind === kind ? [asXml(each, element, said)] : [])).join('\n')

    const report = await readXml(
      catalogue(section('weakness', 'Weakness', 'Description'), {
        categories: section('category', 'Category', 'Summary'),
        views: section('view', 'View', 'Objective'),
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

const MORE_ELEMENTS = 200

function asXml(each: Entry, element: string, said: string): string {
  const abstraction = each.abstraction === null ? '' : `Abstraction="${each.abstraction}"`
  const more = Array.from({ length: MORE_ELEMENTS }, (_, index) => {
    // Words that do not pack too well, as honest ones do not.
    return `<Note>${createHash('md5').update(`${each.cwe_id} ${index}`).digest('hex')}</Note>`
  })
  return `<${element} ID="${each.cwe_id.slice(4)}" Name="${escaped(each.name)}" ${abstraction} Status="${each.status}">
    <${said}>${escaped(each.description)}</${said}><Notes>${more.join('')}</Notes></${element}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
