import { describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await service.given(
  cve('CVE-2026-0001', { score: 5, epss: [0.01, 0.1] }),
  cve('CVE-2026-0002', { score: 9.8, epss: [0.9, 0.99], kev: {} }),
)
const client = await service.client()

describe('client.prioritize', () => {
  it('ranks CVEs with a context, and lists the ids that were not found', async () => {
    const { ranked, by_level, not_found } = await client.prioritize(['CVE-2026-0001', 'CVE-1999-0001'], {
      context: { exposure: 'internal' },
      items: [{ cve_id: 'CVE-2026-0002', exposure: 'exposed', ref: 'edge' }],
    })

    expect(ranked.map(({ cve_id, refs, priority }) => [cve_id, refs, priority.level])).toEqual([
      ['CVE-2026-0002', ['edge'], 'P0'],
      ['CVE-2026-0001', [], 'P4'],
    ])
    expect([by_level.P0, not_found]).toEqual([1, ['CVE-1999-0001']])
  })

  it('rejects with the path of an invalid member', async () => {
    await expect(
      // @ts-expect-error The type of items does not allow the exposure "public".
      client.prioritize([], { items: [{ cve_id: 'CVE-2026-0002', exposure: 'public' }] }),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'items[0].exposure' })
  })
})

describe('client.policy', () => {
  it('returns the current policy and a version by name', async () => {
    const policy = await client.policy()

    expect(policy.levels.map(({ level }) => level)).toEqual(['P0', 'P1', 'P2', 'unrated', 'P3', 'P4'])
    expect(await client.policy({ version: policy.version })).toEqual(policy)
  })
})

describe('client: include priority', () => {
  it('returns the priority in a search that filters and sorts by it', async () => {
    const found = client.search({
      priority: ['P0'],
      sort: 'priority_desc',
      include: ['priority'],
      fields: ['cve_id', 'priority'],
    })

    const cves = await Array.fromAsync(found)
    expect(cves.map(({ cve_id, priority }) => [cve_id, priority?.level])).toEqual([['CVE-2026-0002', 'P0']])
  })
})
