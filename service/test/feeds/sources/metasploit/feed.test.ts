import { beforeEach, describe, expect, it } from 'vitest'
import { metasploitFeed } from '../../../../src/feeds/sources/metasploit/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream } from '../../../support/network/upstream.ts'
import { evidenceMachine } from '../evidence-harness.ts'

const UPSTREAM = 'modules_metadata_base.json'
const LINES = 'metasploit_modules_trimmed.ndjson.gz'

type Said = Readonly<Record<string, unknown>>

function module(fullname: string, said: Said = {}): Said {
  return {
    name: 'Teapot Spout Overflow',
    fullname,
    type: fullname.split('/')[0],
    rank: 600,
    disclosure_date: '2024-05-06',
    references: ['CVE-2024-0001', 'URL-https://teapots.example/1'],
    mod_time: '2024-06-01 10:00:00 +0000',
    ...said,
  }
}

const modules = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    module(`exploit/multi/teapot_${index}`, { references: [`CVE-2024-${10_000 + index}`] }),
  )
/** Its keys are not the names of the modules. */
const asUpstream = (all: readonly Said[]) => JSON.stringify(Object.fromEntries(all.map((each, at) => [`m${at}`, each])))
const asLines = (all: readonly unknown[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`

const { read, run, stored, queued, rejections, reset } = await evidenceMachine(
  metasploitFeed({ url: 'https://modules.example/' }),
)
beforeEach(reset)

describe("Metasploit's modules", () => {
  it.each([
    ['as upstream publishes them', UPSTREAM, asUpstream],
    ['as a line each', LINES, asLines],
  ])('are kept with a link, a name, a rank and the CVEs, %s', async (_, file, write) => {
    const report = await read({
      [file]: write([
        module('exploit/multi/http/teapot', { references: ['CVE-2024-0002', 'cve-2024-0001', 'CVE-2024', 'BID-1'] }),
        module('auxiliary/scanner/kettle', { rank: 300, disclosure_date: null, references: null }),
      ]),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0 })
    expect(await stored()).toEqual([
      {
        id: 'auxiliary/scanner/kettle',
        kind: 'module',
        title: 'Teapot Spout Overflow',
        url: 'https://github.com/rapid7/metasploit-framework/blob/master/modules/auxiliary/scanner/kettle.rb',
        published: null,
        rank: 'normal',
        cves: [],
      },
      {
        id: 'exploit/multi/http/teapot',
        kind: 'module',
        title: 'Teapot Spout Overflow',
        // The folder has another name than the type.
        url: 'https://github.com/rapid7/metasploit-framework/blob/master/modules/exploits/multi/http/teapot.rb',
        published: '2024-05-06',
        rank: 'excellent',
        cves: ['CVE-2024-0001', 'CVE-2024-0002'],
      },
    ])
    expect(await queued()).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
  })

  it('lead to where upstream says they are, if that is among its modules', async () => {
    const said = ['/modules/exploits/multi/teapot.py', '/modules/../../elsewhere', 'https://elsewhere.example/']
    await read({ [UPSTREAM]: asUpstream(said.map((path, index) => module(`exploit/multi/a${index}`, { path }))) })
    expect((await stored()).map(({ url }) => String(url).split('/master')[1])).toEqual([
      '/modules/exploits/multi/teapot.py',
      '/modules/exploits/multi/a1.rb',
      '/modules/exploits/multi/a2.rb',
    ])
  })

  it('are ranked in its own words; a rank that nobody knows is kept as it is', async () => {
    const ranks = [0, 100, 200, 400, 500, 750, null]
    await read({ [UPSTREAM]: asUpstream(ranks.map((rank, index) => module(`exploit/multi/a${index}`, { rank }))) })
    expect((await stored()).map(({ rank }) => rank)).toEqual(['manual', 'low', 'average', 'good', 'great', '750', null])
  })

  it('are written once, whichever form they come in; an edit that we do not keep is no change', async () => {
    await read({ [UPSTREAM]: asUpstream(modules(20)) })
    const edited = modules(20).map((each) => ({ ...each, mod_time: '2026-01-01 00:00:00 +0000' }))
    expect(await read({ [LINES]: asLines(edited) })).toMatchObject({ written: 0, removed: 0, unchanged: 20 })
    expect(await queued()).toHaveLength(20)
  })
})

describe('What cannot be used', () => {
  it('is rejected with its reason when it is a module, and the others are stored', async () => {
    const bad = [
      module('exploit/../../teapot'),
      module('exploit/multi/x', { disclosure_date: 'May' }),
      module('exploit/multi/y', { name: 7 }),
      7,
    ]

    const report = await read({ [LINES]: asLines([...modules(5), ...bad]) })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 9, written: 5, rejected: 4 })
    expect(await rejections()).toMatchObject([
      { subject: 'exploit/../../teapot', reason: 'its fullname is not the name of a module: "exploit/../../teapot"' },
      { subject: 'exploit/multi/x', reason: 'disclosure_date is not a day: "May"' },
      { subject: 'exploit/multi/y', reason: '/name must be string' },
      { subject: 'a module without a name' },
    ])
  })

  it.each([
    ['a web page', '<html>Sorry</html>', 'it should be a JSON object with a member for each module: not JSON'],
    ['a list', '[]', 'it should be a JSON object with a member for each module, and is other JSON'],
    ['an object without modules', '{}', 'there is not one record in it'],
    [
      'cut off',
      asUpstream(modules(3)).slice(0, -1),
      'it should be a JSON object with a member for each module: not JSON',
    ],
  ])('is a failure when it is %s, and what we have stays', async (_, content, fault) => {
    await read({ [UPSTREAM]: asUpstream(modules(3)) })
    const report = await read({ [UPSTREAM]: content })
    expect(report).toMatchObject({ outcome: 'failed', written: 0, removed: 0 })
    expect(report.fault).toContain(`${UPSTREAM} cannot be used: ${fault}`)
    expect(await stored()).toHaveLength(3)
  })
})

it("Metasploit's modules come from the network, and are not read again while they are the same", async () => {
  const upstream = await startUpstream({ '/modules': manners.validates('"one"', asUpstream(modules(3))) })
  const fromNetwork = { openDownload: () => testDownload([upstream]) }
  const online = metasploitFeed({ url: `${upstream.url}/modules` })
  expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 3, written: 3 })
  expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
})
