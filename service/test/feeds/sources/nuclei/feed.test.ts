import { beforeEach, describe, expect, it } from 'vitest'
import { nucleiFeed } from '../../../../src/feeds/sources/nuclei/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream } from '../../../support/network/upstream.ts'
import { evidenceMachine } from '../evidence-harness.ts'

const FILE = 'cves.json'

type Said = Readonly<Record<string, unknown>>

function template(id: string, said: Said = {}): Said {
  const info = { Name: 'Teapot - Spout Overflow', Severity: 'critical', Description: 'A spout that nobody closed.' }
  return { ID: id, Info: info, file_path: `http/cves/2024/${id}.yaml`, ...said }
}

const templates = (count: number) => Array.from({ length: count }, (_, index) => template(`CVE-2024-${10_000 + index}`))
const lines = (all: readonly unknown[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`

const { read, run, stored, queued, rejections, reset } = await evidenceMachine(
  nucleiFeed({ url: 'https://templates.example/' }),
)
beforeEach(reset)

describe("Nuclei's templates", () => {
  it.each([FILE, 'nuclei_cves.ndjson.gz'])('are kept with a link, a name and a severity, from %s', async (file) => {
    const report = await read({ [file]: lines([template('CVE-2024-0001')]) })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await stored()).toEqual([
      {
        id: 'CVE-2024-0001',
        kind: 'template',
        title: 'Teapot - Spout Overflow',
        url: 'https://github.com/projectdiscovery/nuclei-templates/blob/main/http/cves/2024/CVE-2024-0001.yaml',
        published: null,
        rank: 'critical',
        cves: ['CVE-2024-0001'],
      },
    ])
    expect(await queued()).toEqual(['CVE-2024-0001'])
  })

  it('lead to the right place whatever is in their name', async () => {
    await read({ [FILE]: lines([template('CVE-2024-0001', { file_path: 'http/cves/`a b?#.yaml' })]) })
    expect(String((await stored())[0]?.['url'])).toMatch(/\/blob\/main\/http\/cves\/%60a%20b%3F%23\.yaml$/)
  })

  it('are written once; another description is no change', async () => {
    await read({ [FILE]: lines(templates(20)) })
    const edited = templates(20).map((each) => ({
      ...each,
      Info: { Name: 'Teapot - Spout Overflow', Severity: 'Critical', Description: 'In other words.' },
    }))
    expect(await read({ [FILE]: lines(edited) })).toMatchObject({ written: 0, removed: 0, unchanged: 20 })
    expect(await queued()).toHaveLength(20)
  })
})

describe('What cannot be used', () => {
  it('is rejected with its reason when it is a template, and the others are stored', async () => {
    const bad = [
      template('CVE-2024-1'),
      template('CVE-2024-0002', { file_path: '../../elsewhere.yaml' }),
      template('CVE-2024-0003', { Info: null }),
    ]

    const report = await read({ [FILE]: `${lines([...templates(5), ...bad])}{"ID": \n` })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 9, written: 5, rejected: 4 })
    expect(await rejections()).toMatchObject([
      { subject: 'CVE-2024-1', reason: 'its ID is no CVE id: "CVE-2024-1"' },
      { subject: 'CVE-2024-0002', reason: 'file_path is not a path in the repository: "../../elsewhere.yaml"' },
      { subject: 'CVE-2024-0003', reason: '/Info must be object' },
      { subject: 'line 9' },
    ])
  })

  it.each([
    ['a web page', '<html>Sorry</html>', 'it is a web page or XML'],
    ['empty', '\n', 'it has no lines'],
    ['cut off', lines(templates(3)).slice(0, -9), 'it is cut off: it ends within line 3'],
  ])('is a failure when it is %s, and what we have stays', async (_, content, fault) => {
    await read({ [FILE]: lines(templates(3)) })
    const report = await read({ [FILE]: content })
    expect(report).toMatchObject({ outcome: 'failed', written: 0, removed: 0 })
    expect(report.fault).toContain(`${FILE} cannot be used: ${fault}`)
    expect(await stored()).toHaveLength(3)
  })
})

it("Nuclei's templates come from the network, and are not read again while they are the same", async () => {
  const upstream = await startUpstream({ '/cves.json': manners.validates('"one"', lines(templates(3))) })
  const fromNetwork = { openDownload: () => testDownload([upstream]) }
  const online = nucleiFeed({ url: `${upstream.url}/cves.json` })
  expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 3, written: 3 })
  expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
})
