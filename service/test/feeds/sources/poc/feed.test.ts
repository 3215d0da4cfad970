import { dirname } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { pocFeed } from '../../../../src/feeds/sources/poc/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream } from '../../../support/network/upstream.ts'
import { zipOf } from '../../formats/zip-builder.ts'
import { fileWith } from '../../one-file.ts'
import { evidenceMachine } from '../evidence-harness.ts'

const LINES = 'poc_in_github.ndjson.gz'
const ARCHIVE = 'PoC-in-GitHub-master.zip'

type Said = Readonly<Record<string, unknown>>
type Listed = Readonly<Record<string, unknown>>

function repository(name: string, said: Said = {}): Said {
  return {
    full_name: name,
    html_url: `https://github.com/${name}`,
    created_at: '2024-05-06T07:08:09Z',
    pushed_at: '2024-06-01T00:00:00Z',
    stars: 3,
    forks: 1,
    ...said,
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
  return zipOf([{ name: 'PoC-in-GitHub-master/README.md', content: 'Read me.' }, ...files])
}

const many = (count: number): Listed =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`CVE-2024-${10_000 + index}`, [repository('anna/a')]]),
  )

const feed = pocFeed({ url: 'https://repositories.example/' })
const { read, run, stored, queued, rejections, reset } = await evidenceMachine(feed)
const readArchive = async (content: Buffer) => run(feed, { from: dirname(await fileWith(ARCHIVE, content)) })
beforeEach(reset)

describe('Repositories with a proof of concept', () => {
  it.each([
    ['from an archive of the list', (listed: Listed) => readArchive(asArchive(listed))],
    ['from a line for each CVE', (listed: Listed) => read({ [LINES]: asLines(listed) })],
  ])('are kept as a name and a link for each CVE they are listed for, %s', async (_, load) => {
    const report = await load({
      'CVE-2024-0001': [repository('anna/teapot.poc'), repository('bert/kettle_1')],
      'CVE-2024-0002': [repository('anna/teapot.poc', { created_at: null })],
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    const [first, ...others] = await stored()
    expect(first).toEqual({
      id: 'CVE-2024-0001 anna/teapot.poc',
      kind: 'repository',
      title: 'anna/teapot.poc',
      url: 'https://github.com/anna/teapot.poc',
      published: '2024-05-06',
      rank: null,
      cves: ['CVE-2024-0001'],
    })
    expect(others).toMatchObject([
      { id: 'CVE-2024-0001 bert/kettle_1', cves: ['CVE-2024-0001'] },
      { id: 'CVE-2024-0002 anna/teapot.poc', cves: ['CVE-2024-0002'], published: null },
    ])
    expect(await queued()).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
  })

  it('are written once, whichever form they come in; stars and pushes are no change', async () => {
    await read({ [LINES]: asLines(many(20)) })
    const popular = Object.fromEntries(
      Object.keys(many(20)).map((cve) => [
        cve,
        [repository('anna/a', { stars: 99, pushed_at: '2026-08-01T00:00:00Z' })],
      ]),
    )
    expect(await readArchive(asArchive(popular))).toMatchObject({ written: 0, removed: 0, unchanged: 20 })
    expect(await queued()).toHaveLength(20)
  })

  it('are taken back one by one, and the CVE is published again', async () => {
    await read({ [LINES]: asLines({ 'CVE-2024-0001': [repository('anna/a'), repository('bert/b')] }) })
    expect(await read({ [LINES]: asLines({ 'CVE-2024-0001': [repository('anna/a')] }) })).toMatchObject({ removed: 1 })
    expect(await stored()).toMatchObject([{ title: 'anna/a' }])
    expect(await queued()).toEqual(['CVE-2024-0001', 'CVE-2024-0001'])
  })
})

describe('What cannot be used', () => {
  it('is rejected with its reason when it is a repository, and the others are stored', async () => {
    const bad = [
      repository('anna/a', { html_url: 'https://elsewhere.example/anna/a' }),
      repository('anna/b', { html_url: 'javascript:alert(1)' }),
      repository('anna/c', { html_url: 'https://github.com/anna/c/releases' }),
      repository('anna/d', { created_at: 'May' }),
      7,
    ]

    const report = await read({
      [LINES]: asLines({ ...many(9), 'CVE-2024-0001': bad, 'CVE-2014-62': [repository('a/b')] }),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 15, written: 9, rejected: 6 })
    expect((await rejections()).map(({ reason }) => reason)).toEqual([
      'html_url is not the address of a repository: "https://elsewhere.example/anna/a"',
      'html_url is not the address of a repository: "javascript:alert(1)"',
      'html_url is not the address of a repository: "https://github.com/anna/c/releases"',
      'created_at is no date: "May"',
      'the record must be object',
      'it is listed for something that is no CVE id: "CVE-2014-62"',
    ])
  })

  it('is a line or a file of another form; what comes after it is read', async () => {
    const lines = `{"cve":"CVE-2024-0001","repos":{}}\n${asLines(many(3))}`
    expect(await read({ [LINES]: lines })).toMatchObject({ outcome: 'succeeded', read: 4, written: 3, rejected: 1 })

    const archive = asArchive({ 'CVE-2024-0001': { not: 'a list' }, ...many(3) })
    expect(await readArchive(archive)).toMatchObject({ outcome: 'succeeded', read: 4, unchanged: 3, rejected: 1 })
    expect(await rejections()).toMatchObject([{}, { subject: 'CVE-2024-0001', reason: 'the record must be array' }])
  })

  it('is still in the list: what we have of it stays', async () => {
    const name = `anna/${'long-'.repeat(19)}`
    await read({ [LINES]: asLines({ ...many(3), 'CVE-2024-0001': [repository(name)] }) })
    const report = await read({
      [LINES]: asLines({ ...many(3), 'CVE-2024-0001': [repository(name, { created_at: 'May' })] }),
    })
    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 1, removed: 0 })
    expect(await stored()).toHaveLength(4)
  })

  it.each([
    [
      'an archive of something else',
      zipOf([{ name: 'other-main/README.md', content: 'Read me.' }]),
      'there is not one',
    ],
    ['an archive that is cut off', asArchive(many(3)).subarray(0, -30), ''],
    ['a web page', Buffer.from('<html>Sorry</html>'), ''],
  ])('is a failure when it is %s, and what we have stays', async (_, content, fault) => {
    await read({ [LINES]: asLines(many(3)) })
    const report = await readArchive(content)
    expect(report).toMatchObject({ outcome: 'failed', written: 0, removed: 0 })
    expect(report.fault).toContain(`${ARCHIVE} cannot be used: ${fault}`)
    expect(await stored()).toHaveLength(3)
  })
})

it('The list of repositories comes from the network, and is not read again while it is the same', async () => {
  const upstream = await startUpstream({ '/master': manners.validates('"one"', asArchive(many(3))) })
  const fromNetwork = { openDownload: () => testDownload([upstream]) }
  const online = pocFeed({ url: `${upstream.url}/master` })
  expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 3, written: 3 })
  expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
})
