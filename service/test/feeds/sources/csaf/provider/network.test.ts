import { beforeEach, describe, expect, it } from 'vitest'
import { behaviours } from '../../../../support/network/upstream.ts'
import { createFeedHarness } from '../../../feed-harness.ts'
import { published, startProvider, toPath, writeChanges } from './played-provider.ts'

const harness = await createFeedHarness()
const METADATA = 'provider-metadata.json'
const [A, B, C] = ['ACME-2024-1', 'ACME-2024-2', 'ACME-2024-3']
const TITLE = 'Overflow in Acme Router'
const LATER = '2026-08-21T12:00:00Z'

beforeEach(harness.reset)

describe('CSAF provider with a directory', () => {
  it('imports the listed documents with their hashes in the first run', async () => {
    const provider = await startProvider(harness)
    provider.publish(published(A), published(B))

    expect(await provider.sync()).toMatchObject({
      outcome: 'succeeded',
      read: 2,
      written: 2,
      rejected: 0,
      notices: ['Downloaded 2 documents; verified 2 hashes and no signatures, because no key is pinned.'],
    })
    expect(await provider.stored()).toEqual([`${A} ${TITLE}`, `${B} ${TITLE}`])
    const files = [A, B].flatMap((id) => [toPath(id), `${toPath(id)}.sha256`, `${toPath(id)}.sha512`])
    expect(provider.takeRequests()).toEqual([...files, 'changes.csv', METADATA].sort())
  })

  it('downloads only the documents that changed since the last run', async () => {
    const provider = await startProvider(harness)
    provider.publish(published(A), published(B))
    await provider.sync()
    provider.takeRequests()
    provider.publish(published(A), published(B, LATER, { title: 'changed' }), published(C, LATER))

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2 })
    expect(provider.takeRequests()).not.toContain(toPath(A))
    expect(await provider.stored()).toEqual([`${A} ${TITLE}`, `${B} changed`, `${C} ${TITLE}`])
  })

  it('downloads a document that is listed late with an earlier time', async () => {
    const provider = await startProvider(harness)
    provider.publish(published(A, LATER))
    await provider.sync()
    provider.publish(published(A, LATER), published(B, '2026-08-21T09:00:00Z'))

    expect(await provider.sync()).toMatchObject({ read: 1, written: 1 })
  })

  it('sends the ETag of a list of which all documents are stored', async () => {
    const provider = await startProvider(harness)
    provider.publish(published(A))
    provider.serve('changes.csv', behaviours.validates('"one"', writeChanges([published(A)])))
    await provider.sync()

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', read: 0 })
    expect(provider.upstream.requests('/csaf/changes.csv').at(-1)?.headers['if-none-match']).toBe('"one"')
  })

  it('continues after the last stored delivery when the server breaks down', async () => {
    const provider = await startProvider(harness, { hashes: false })
    const many = Array.from({ length: 130 }, (_, index) => published(`ACME-2024-${1000 + index}`))
    provider.publish(...many)
    for (const { id } of many.slice(100)) provider.serve(toPath(id), behaviours.answers(503))
    expect(await provider.sync()).toMatchObject({
      outcome: 'failed',
      written: 100,
      error: expect.stringContaining('retry later (503'),
    })
    provider.takeRequests()
    provider.publish(...many)

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', read: 30, written: 30 })
    expect(
      provider.takeRequests().filter((path) => path.startsWith('2024/acme') && path.endsWith('.json')),
    ).toHaveLength(30)
  })

  it('leaves documents beyond the limit of a run to the next run', async () => {
    const provider = await startProvider(harness, { limits: { documentsPerRun: 2 } })
    provider.publish(published(A), published(B), published(C))

    expect(await provider.sync()).toMatchObject({
      written: 2,
      notices: expect.arrayContaining(['1 more documents changed; the next runs download them.']),
    })
    expect(await provider.sync()).toMatchObject({ written: 1 })
  })

  it('reads index.txt if there is no changes.csv, and all its documents again in each week', async () => {
    const provider = await startProvider(harness)
    provider.publish(published(A), published(B))
    provider.serve('changes.csv', behaviours.answers(404))
    provider.serve('index.txt', `${toPath(A)}\n${toPath(B)}\n`)
    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 2 })
    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', read: 0 })

    harness.clock.advance({ days: 7 })
    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', read: 2, written: 0 })
  })

  it('stops asking for hashes when a directory has none', async () => {
    const provider = await startProvider(harness, { hashes: false })
    provider.publish(...Array.from({ length: 20 }, (_, index) => published(`ACME-2024-${100 + index}`)))

    expect(await provider.sync()).toMatchObject({
      written: 20,
      notices: ['Downloaded 20 documents; verified 0 hashes and no signatures, because no key is pinned.'],
    })
    expect(provider.takeRequests().filter((path) => path.endsWith('.sha256')).length).toBeLessThan(10)
  })
})

describe('CSAF provider with a ROLIE feed', () => {
  it('imports the documents that the entries name', async () => {
    const provider = await startProvider(harness, { lists: ['rolie'] })
    provider.publish(published(A), published(B))

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 2, rejected: 0 })
    expect(provider.takeRequests()).toEqual(
      [METADATA, 'feed.json', ...[A, B].flatMap((id) => [toPath(id), `${toPath(id)}.sha256`])].sort(),
    )
  })

  it('downloads each document once if the provider also has a directory', async () => {
    const provider = await startProvider(harness, { lists: ['rolie', 'directory'] })
    provider.publish(published(A))

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(provider.takeRequests()).not.toContain('changes.csv')
  })

  it('does not request feeds for closed groups', async () => {
    const provider = await startProvider(harness, { lists: ['rolie'] })
    const feeds = ['WHITE', 'GREEN', 'AMBER', 'RED'].map((label) => ({
      tlp_label: label,
      url: provider.address(label === 'WHITE' ? 'feed.json' : `${label}.json`),
    }))
    provider.serve(METADATA, {
      distributions: [{ rolie: { feeds } }],
      publisher: { namespace: 'https://acme.example' },
    })
    provider.publish(published(A))

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(provider.takeRequests().filter((path) => /WHITE|GREEN|AMBER|RED/.test(path))).toEqual([])
  })

  it('removes the statements of a document that the publisher has withdrawn', async () => {
    const provider = await startProvider(harness, { lists: ['rolie'] })
    provider.publish(published(A), published(B))
    await provider.sync()
    provider.publish(published(A), published(B, LATER, { category: 'csaf_withdrawn', vulnerabilities: [] }))

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(
      await harness.selectRows('select document_id as id from source.csaf_statement order by document_id'),
    ).toEqual([{ id: A }])
  })
})
