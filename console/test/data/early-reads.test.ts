import { createClient } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { CVE_INCLUDE } from '../../src/data/cve-include.ts'
import { listEarlyReads } from '../../src/data/early-reads.ts'

describe('Reads before the application has loaded', () => {
  it('are the session, and on the page of a CVE its record', () => {
    expect(listEarlyReads('/console/')).toEqual(['/console/api/session'])
    expect(listEarlyReads('/console/cves')).toEqual(['/console/api/session'])
    expect(listEarlyReads('/console/cves/not-an-id')).toEqual(['/console/api/session'])
    expect(listEarlyReads('/console/cves/CVE-2024-3400')).toHaveLength(2)
  })

  it('have the address that the sdk asks for, so that the application finds the answer', async () => {
    const asked: string[] = []
    const client = createClient({
      url: 'http://127.0.0.1/console',
      apiKey: '',
      retries: 0,
      fetch: async (input) => {
        const { pathname, search } = new URL(input instanceof Request ? input.url : input)
        asked.push(`${pathname}${search}`)
        return Response.json({ data: { cve: {} } })
      },
    })
    await client.cve('CVE-2024-3400', { include: CVE_INCLUDE })

    expect(listEarlyReads('/console/cves/cve-2024-3400/').at(-1)).toBe(asked[0])
  })
})
