import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeSnapshot } from '../../service/src/catalog/snapshot/make.ts'
import { openSession } from '../../service/src/database/session.ts'
import { cleanUpAfterTests } from '../../service/test/support/cleanup.ts'
import { SAMPLE_CVES, startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await service.given(...SAMPLE_CVES)
const session = openSession(service.database.url, 'snapshot-test')
cleanUpAfterTests(() => session.close())
await makeSnapshot({ session, clock: service.clock.now, signal: new AbortController().signal })

describe('client.snapshots, client.readSnapshot and client.snapshotPart', () => {
  it('read every record in the newest snapshot, and continue with the changes after it', async () => {
    const client = await service.client()
    const [snapshot] = await client.snapshots()
    if (!snapshot) throw new Error('no snapshot')
    const items = await Array.fromAsync(client.readSnapshot(snapshot))
    const { records, next_since } = await client.changedRecords('start')
    expect(items).toEqual(records.toSorted((one, other) => (one.cve_id < other.cve_id ? -1 : 1)))
    expect(next_since).toBe(snapshot.next_since)
    const part = await client.snapshotPart(snapshot.id, 1)
    expect(
      gunzipSync(part)
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(items)
  })

  it('reject bytes that do not have the expected SHA-256', async () => {
    const damaging: typeof fetch = async (...call) => {
      const response = await fetch(...call)
      if (response.headers.get('Content-Type') !== 'application/gzip') return response
      const bytes = new Uint8Array(await response.arrayBuffer())
      bytes[20] = (bytes[20] ?? 0) ^ 1
      return new Response(bytes, response)
    }
    const client = await service.client({ fetch: damaging })
    const [snapshot] = await client.snapshots()
    if (!snapshot) throw new Error('no snapshot')
    const expected = { code: 'INVALID_RESPONSE', message: expect.stringContaining('does not have the SHA-256') }
    await expect(client.snapshotPart(snapshot.id, 1)).rejects.toMatchObject(expected)
    await expect(Array.fromAsync(client.readSnapshot(snapshot))).rejects.toMatchObject(expected)
  })

  it('reject with GONE for a deleted snapshot, with the newest snapshot in details', async () => {
    const client = await service.client()
    const [snapshot] = await client.snapshots()
    await expect(client.snapshotPart('20200101T000000Z-00000000', 1)).rejects.toMatchObject({
      code: 'GONE',
      details: { snapshot: snapshot?.id },
    })
  })
})
