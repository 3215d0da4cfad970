import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { acscDefinition } from '../../src/feeds/sources/acsc/feed.ts'
import { createFeedHarness } from '../feeds/feed-harness.ts'
import { REAL_DATA_NOW } from '../support/catalog/load-catalog.ts'

const FOLDER = new URL('../../../conformance/notices/', import.meta.url)

it('The notices for the conformance suite are all accepted, and each says that no agency has published it', async () => {
  const harness = await createFeedHarness()
  const clock = () => new Date(REAL_DATA_NOW)

  const report = await harness.run(acscDefinition.configure({}).feed, { from: FOLDER.pathname, clock })

  expect(report).toMatchObject({ outcome: 'succeeded', read: 30, written: 30, rejected: 0 })
  const lines = (await readFile(new URL('acsc-notices.ndjson', FOLDER), 'utf8')).trimEnd().split('\n')
  for (const line of lines) {
    expect(line).toContain('"summary": "Written for tests; no agency has published it.')
    expect(line).toContain('"url": "https://notices.example/')
  }
})
