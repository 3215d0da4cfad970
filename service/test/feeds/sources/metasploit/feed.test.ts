import { beforeEach, describe, expect, it } from 'vitest'
import { metasploitFeed } from '../../../../src/feeds/sources/metasploit/feed.ts'
import { createEvidenceHarness } from '../evidence-harness.ts'

const UPSTREAM = 'modules_metadata_base.json'
const LINES = 'metasploit_modules_trimmed.ndjson.gz'

type Fields = Readonly<Record<string, unknown>>

function module(fullname: string, fields: Fields = {}): Fields {
  return {
    name: 'Acme Portal Buffer Overflow',
    fullname,
    type: fullname.split('/')[0],
    rank: 600,
    disclosure_date: '2024-05-06',
    references: ['CVE-2024-0001', 'URL-https://advisories.example/1'],
    mod_time: '2024-06-01 10:00:00 +0000',
    ...fields,
  }
}

const modules = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    module(`exploit/multi/acme_portal_${index}`, { references: [`CVE-2024-${10_000 + index}`] }),
  )
/** Formats modules like Metasploit's file: a JSON object whose keys are not the module names. */
const asUpstream = (all: readonly Fields[]) =>
  JSON.stringify(Object.fromEntries(all.map((each, at) => [`m${at}`, each])))
const asLines = (all: readonly unknown[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`

const { importFiles, listStored, listQueued, listRejections, reset } = await createEvidenceHarness(
  metasploitFeed({ url: 'https://modules.example/' }),
)
beforeEach(reset)

describe('Metasploit feed: storing the list', () => {
  it.each([
    ["Metasploit's JSON object", UPSTREAM, asUpstream],
    ['a file with one module per line', LINES, asLines],
  ])('stores the link, title, rank and CVEs of modules from %s', async (_, file, write) => {
    const report = await importFiles({
      [file]: write([
        module('exploit/multi/http/acme_portal', {
          references: ['CVE-2024-0002', 'cve-2024-0001', 'CVE-2024', 'BID-1'],
        }),
        module('auxiliary/scanner/acme_mail', { rank: 300, disclosure_date: null, references: null }),
      ]),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0 })
    expect(await listStored()).toEqual([
      {
        id: 'auxiliary/scanner/acme_mail',
        kind: 'module',
        title: 'Acme Portal Buffer Overflow',
        url: 'https://github.com/rapid7/metasploit-framework/blob/master/modules/auxiliary/scanner/acme_mail.rb',
        published: null,
        rank: 'normal',
        cves: [],
      },
      {
        id: 'exploit/multi/http/acme_portal',
        kind: 'module',
        title: 'Acme Portal Buffer Overflow',
        // Metasploit's folder of these modules is named "exploits", but their module type is "exploit".
        url: 'https://github.com/rapid7/metasploit-framework/blob/master/modules/exploits/multi/http/acme_portal.rb',
        published: '2024-05-06',
        rank: 'excellent',
        cves: ['CVE-2024-0001', 'CVE-2024-0002'],
      },
    ])
    expect(await listQueued()).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
  })

  it('links to the path in the file if it is a module path, or else to a path built from the module name', async () => {
    const paths = ['/modules/exploits/multi/acme_portal.py', '/modules/../../elsewhere', 'https://elsewhere.example/']
    await importFiles({
      [UPSTREAM]: asUpstream(paths.map((path, index) => module(`exploit/multi/a${index}`, { path }))),
    })
    expect((await listStored()).map(({ url }) => String(url).split('/master')[1])).toEqual([
      '/modules/exploits/multi/acme_portal.py',
      '/modules/exploits/multi/a1.rb',
      '/modules/exploits/multi/a2.rb',
    ])
  })

  it("stores Metasploit's name for a module's rank, and an unknown rank as a number", async () => {
    const ranks = [0, 100, 200, 400, 500, 750, null]
    await importFiles({
      [UPSTREAM]: asUpstream(ranks.map((rank, index) => module(`exploit/multi/a${index}`, { rank }))),
    })
    expect((await listStored()).map(({ rank }) => rank)).toEqual([
      'manual',
      'low',
      'average',
      'good',
      'great',
      '750',
      null,
    ])
  })

  it('writes no rows when only unused fields or the file format changed', async () => {
    await importFiles({ [UPSTREAM]: asUpstream(modules(20)) })
    const edited = modules(20).map((each) => ({ ...each, mod_time: '2026-01-01 00:00:00 +0000' }))
    expect(await importFiles({ [LINES]: asLines(edited) })).toMatchObject({ written: 0, removed: 0, unchanged: 20 })
    expect(await listQueued()).toHaveLength(20)
  })
})

describe('Metasploit feed: invalid files and records', () => {
  it('rejects invalid modules with a reason and stores the other modules', async () => {
    const bad = [
      module('exploit/../../elsewhere'),
      module('exploit/multi/x', { disclosure_date: 'May' }),
      module('exploit/multi/y', { name: 7 }),
      7,
    ]

    const report = await importFiles({ [LINES]: asLines([...modules(5), ...bad]) })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 9, written: 5, rejected: 4 })
    expect(await listRejections()).toMatchObject([
      { subject: 'exploit/../../elsewhere', reason: 'fullname is not a module name: "exploit/../../elsewhere"' },
      { subject: 'exploit/multi/x', reason: 'disclosure_date is not a date: "May"' },
      { subject: 'exploit/multi/y', reason: '/name must be string' },
      { subject: 'a module without a name' },
    ])
  })

  it.each([
    ['a list', '[]', 'expected a JSON object with a member for each module, found other JSON'],
    ['an object without modules', '{}', 'the file contains no records'],
  ])('fails and keeps the stored items when the file is %s', async (_, content, error) => {
    await importFiles({ [UPSTREAM]: asUpstream(modules(3)) })
    const report = await importFiles({ [UPSTREAM]: content })
    expect(report).toMatchObject({ outcome: 'failed', written: 0, removed: 0 })
    expect(report.error).toContain(`${UPSTREAM} cannot be used: ${error}`)
    expect(await listStored()).toHaveLength(3)
  })
})
