import { beforeEach, describe, expect, it } from 'vitest'
import { pocFeed } from '../../../../src/feeds/sources/poc/feed.ts'
import { createZip } from '../../formats/zip-builder.ts'
import { createEvidenceHarness } from '../evidence-harness.ts'

const LINES = 'poc_in_github.ndjson.gz'
const ARCHIVE = 'PoC-in-GitHub-master.zip'

type Fields = Readonly<Record<string, unknown>>
type Listed = Readonly<Record<string, unknown>>

function repository(name: string, fields: Fields = {}): Fields {
  return {
    full_name: name,
    html_url: `https://github.com/${name}`,
    created_at: '2024-05-06T07:08:09Z',
    pushed_at: '2024-06-01T00:00:00Z',
    stars: 3,
    forks: 1,
    ...fields,
  }
}

const asLines = (listed: Listed) =>
  `${Object.entries(listed)
    .map(([cve, repos]) => JSON.stringify({ cve, repos }))
    .join('\n')}\n`

function asArchive(listed: Listed): Buffer {
  const files = Object.entries(listed).map(([cve, repos]) => ({
    name: `PoC-in-GitHub-master/${cve.slice(4, 8)}/${cve}.json`,
    content: JSON.stringify(repos),
  }))
  return createZip([{ name: 'PoC-in-GitHub-master/README.md', content: 'Read me.' }, ...files])
}

const many = (count: number): Listed =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`CVE-2024-${10_000 + index}`, [repository('anna/a')]]),
  )

const feed = pocFeed({ url: 'https://repositories.example/' })
const { importFiles, listStored, listQueued, listRejections, reset } = await createEvidenceHarness(feed)
const readArchive = (content: Buffer) => importFiles({ [ARCHIVE]: content })
beforeEach(reset)

describe('PoC feed: storing the list', () => {
  it.each([
    ['an archive of the list', (listed: Listed) => readArchive(asArchive(listed))],
    ['a file with one CVE per line', (listed: Listed) => importFiles({ [LINES]: asLines(listed) })],
  ])("stores a repository's name and link for each CVE from %s", async (_, load) => {
    const report = await load({
      'CVE-2024-0001': [repository('anna/acme-portal.poc'), repository('bert/acme_mail_1')],
      'CVE-2024-0002': [repository('anna/acme-portal.poc', { created_at: null })],
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    const [first, ...others] = await listStored()
    expect(first).toEqual({
      id: 'CVE-2024-0001 anna/acme-portal.poc',
      kind: 'repository',
      title: 'anna/acme-portal.poc',
      url: 'https://github.com/anna/acme-portal.poc',
      published: '2024-05-06',
      rank: null,
      cves: ['CVE-2024-0001'],
    })
    expect(others).toMatchObject([
      { id: 'CVE-2024-0001 bert/acme_mail_1', cves: ['CVE-2024-0001'] },
      { id: 'CVE-2024-0002 anna/acme-portal.poc', cves: ['CVE-2024-0002'], published: null },
    ])
    expect(await listQueued()).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
  })

  it('writes no rows when only stars, push dates or the file format changed', async () => {
    await importFiles({ [LINES]: asLines(many(20)) })
    const popular = Object.fromEntries(
      Object.keys(many(20)).map((cve) => [
        cve,
        [repository('anna/a', { stars: 99, pushed_at: '2026-08-01T00:00:00Z' })],
      ]),
    )
    expect(await readArchive(asArchive(popular))).toMatchObject({ written: 0, removed: 0, unchanged: 20 })
    expect(await listQueued()).toHaveLength(20)
  })
})

describe('PoC feed: invalid files and records', () => {
  it('rejects invalid repositories with a reason and stores the other repositories', async () => {
    const bad = [
      repository('anna/a', { html_url: 'https://elsewhere.example/anna/a' }),
      repository('anna/b', { html_url: 'javascript:alert(1)' }),
      repository('anna/c', { html_url: 'https://github.com/anna/c/releases' }),
      repository('anna/d', { created_at: 'May' }),
      7,
    ]

    const report = await importFiles({
      [LINES]: asLines({ ...many(9), 'CVE-2024-0001': bad, 'CVE-2014-62': [repository('a/b')] }),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 15, written: 9, rejected: 6 })
    expect((await listRejections()).map(({ reason }) => reason)).toEqual([
      'html_url is not the address of a GitHub repository: "https://elsewhere.example/anna/a"',
      'html_url is not the address of a GitHub repository: "javascript:alert(1)"',
      'html_url is not the address of a GitHub repository: "https://github.com/anna/c/releases"',
      'created_at is not a date: "May"',
      'the record must be object',
      'the repository is listed under "CVE-2014-62", which is not a CVE id',
    ])
  })

  it('rejects a line or file with an unexpected structure and reads the following lines or files', async () => {
    const lines = `{"cve":"CVE-2024-0001","repos":{}}\n${asLines(many(3))}`
    expect(await importFiles({ [LINES]: lines })).toMatchObject({
      outcome: 'succeeded',
      read: 4,
      written: 3,
      rejected: 1,
    })

    const archive = asArchive({ 'CVE-2024-0001': { not: 'a list' }, ...many(3) })
    expect(await readArchive(archive)).toMatchObject({ outcome: 'succeeded', read: 4, unchanged: 3, rejected: 1 })
    expect(await listRejections()).toMatchObject([{}, { subject: 'CVE-2024-0001', reason: 'the record must be array' }])
  })

  it('keeps the stored repository when its new version is rejected', async () => {
    const name = `anna/${'long-'.repeat(19)}`
    await importFiles({ [LINES]: asLines({ ...many(3), 'CVE-2024-0001': [repository(name)] }) })
    const report = await importFiles({
      [LINES]: asLines({ ...many(3), 'CVE-2024-0001': [repository(name, { created_at: 'May' })] }),
    })
    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 1, removed: 0 })
    expect(await listStored()).toHaveLength(4)
  })

  it('fails and keeps the stored items when the file is an archive of another repository', async () => {
    const content = createZip([{ name: 'other-main/README.md', content: 'Read me.' }])
    await importFiles({ [LINES]: asLines(many(3)) })
    const report = await readArchive(content)
    expect(report).toMatchObject({ outcome: 'failed', written: 0, removed: 0 })
    expect(report.error).toContain(`${ARCHIVE} cannot be used: the file contains no records`)
    expect(await listStored()).toHaveLength(3)
  })
})
