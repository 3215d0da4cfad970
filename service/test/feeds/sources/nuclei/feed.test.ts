import { beforeEach, describe, expect, it } from 'vitest'
import { nucleiFeed } from '../../../../src/feeds/sources/nuclei/feed.ts'
import { createEvidenceHarness } from '../evidence-harness.ts'

const FILE = 'cves.json'

type Fields = Readonly<Record<string, unknown>>

function template(id: string, fields: Fields = {}): Fields {
  const info = {
    Name: 'Acme Portal - Buffer Overflow',
    Severity: 'critical',
    Description: 'Acme Portal is vulnerable to a buffer overflow.',
  }
  return { ID: id, Info: info, file_path: `http/cves/2024/${id}.yaml`, ...fields }
}

const templates = (count: number) => Array.from({ length: count }, (_, index) => template(`CVE-2024-${10_000 + index}`))
const lines = (all: readonly unknown[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`

const { importFiles, listStored, listQueued, listRejections, reset } = await createEvidenceHarness(
  nucleiFeed({ url: 'https://templates.example/' }),
)
beforeEach(reset)

describe('Nuclei feed: storing the list', () => {
  it.each([FILE, 'nuclei_cves.ndjson.gz'])(
    'stores the link, title, severity and CVE of a template from the file %s',
    async (file) => {
      const report = await importFiles({ [file]: lines([template('CVE-2024-0001')]) })

      expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
      expect(await listStored()).toEqual([
        {
          id: 'CVE-2024-0001',
          kind: 'template',
          title: 'Acme Portal - Buffer Overflow',
          url: 'https://github.com/projectdiscovery/nuclei-templates/blob/main/http/cves/2024/CVE-2024-0001.yaml',
          published: null,
          rank: 'critical',
          cves: ['CVE-2024-0001'],
        },
      ])
      expect(await listQueued()).toEqual(['CVE-2024-0001'])
    },
  )

  it('percent-encodes special characters in the template path of the link', async () => {
    await importFiles({ [FILE]: lines([template('CVE-2024-0001', { file_path: 'http/cves/`a b?#.yaml' })]) })
    expect(String((await listStored())[0]?.['url'])).toMatch(/\/blob\/main\/http\/cves\/%60a%20b%3F%23\.yaml$/)
  })

  it('writes no rows when only the descriptions of templates changed', async () => {
    await importFiles({ [FILE]: lines(templates(20)) })
    const edited = templates(20).map((each) => ({
      ...each,
      Info: { Name: 'Acme Portal - Buffer Overflow', Severity: 'Critical', Description: 'A new description.' },
    }))
    expect(await importFiles({ [FILE]: lines(edited) })).toMatchObject({ written: 0, removed: 0, unchanged: 20 })
    expect(await listQueued()).toHaveLength(20)
  })
})

describe('Nuclei feed: invalid files and records', () => {
  it('rejects invalid templates with a reason and stores the other templates', async () => {
    const bad = [
      template('CVE-2024-1'),
      template('CVE-2024-0002', { file_path: '../../elsewhere.yaml' }),
      template('CVE-2024-0003', { Info: null }),
    ]

    const report = await importFiles({ [FILE]: `${lines([...templates(5), ...bad])}{"ID": \n` })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 9, written: 5, rejected: 4 })
    expect(await listRejections()).toMatchObject([
      { subject: 'CVE-2024-1', reason: 'ID is not a CVE id: "CVE-2024-1"' },
      { subject: 'CVE-2024-0002', reason: 'file_path is not a path in the repository: "../../elsewhere.yaml"' },
      { subject: 'CVE-2024-0003', reason: '/Info must be object' },
      { subject: 'line 9' },
    ])
  })
})
