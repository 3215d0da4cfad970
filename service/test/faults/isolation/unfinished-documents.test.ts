// Documents that are never sent completely must not keep out the documents of other accounts: each account has an equal
// quota of the node's memory for documents.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { scanSbom } from '../../../src/api/endpoints/scan-sbom/endpoint.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { markPublished } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'
import {
  ATTACKER_ADDRESS,
  buildRequest,
  callFrom,
  countStatuses,
  openSocketFrom,
  toVictimAddress,
} from './loopback-clients.ts'

const MEGABYTE = 1024 * 1024
const ATTACKERS = 3
const DOCUMENTS_PER_ATTACKER = 4
/** Together as much as a node accepts from one account. */
const SENT_BYTES = 8 * MEGABYTE
const CALLS = 20
/** Number of documents that the other account sends at the same time. */
const AT_ONCE = 4
/** After this time without progress, the node has read everything that it accepts. */
const QUIET_MS = 400

const { api, given, metrics } = await startTestService()
// Documents are not matched against an empty catalog.
await given({ store: markPublished })
const DOCUMENT = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', name: 'lark', version: '1.0.0', purl: 'pkg:npm/lark@1.0.0' }],
})

/** Starts sending documents for an account, with all bytes of each except the last. */
async function leaveDocumentsUnfinished(key: string): Promise<readonly Socket[]> {
  const head = buildRequest({
    method: 'POST',
    path: '/api/v1/sbom',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Content-Length': String(SENT_BYTES + 1) },
  })
  const sockets: Socket[] = []
  for (let document = 0; document < DOCUMENTS_PER_ATTACKER; document += 1) {
    const socket = await openSocketFrom(ATTACKER_ADDRESS, api.port)
    // A document that the server refuses is answered immediately.
    socket.resume()
    socket.write(head)
    socket.write(Buffer.alloc(SENT_BYTES, ' '))
    sockets.push(socket)
  }
  return sockets
}

/** Waits until the node has read all bytes that it accepts, and returns their number. */
async function waitUntilRead(): Promise<number> {
  const readBytes = async () => Number(/^vis_documents_bytes (\d+)$/m.exec(await metrics.text())?.[1])
  let [before, now] = [-1, await readBytes()]
  while (now === 0 || now !== before) {
    await sleep(QUIET_MS)
    ;[before, now] = [now, await readBytes()]
  }
  return now
}

describe('Three free accounts that each leave four documents of 8 MiB unfinished', () => {
  it("do not block another account's documents, and are not charged", async () => {
    const keys = Array.from({ length: ATTACKERS + 1 }, createTestKey)
    await given(...keys.map((key, index) => account(index < ATTACKERS ? 'free' : 'business').withKey(key)))
    const sockets = (await Promise.all(keys.slice(0, ATTACKERS).map(({ key }) => leaveDocumentsUnfinished(key)))).flat()
    const held = await waitUntilRead()

    const victimKey = keys.at(-1)?.key ?? ''
    const scan = () =>
      callFrom(toVictimAddress(1), api.port, {
        method: 'POST',
        path: '/api/v1/sbom',
        headers: { 'X-API-Key': victimKey, 'Content-Type': 'application/json' },
        body: DOCUMENT,
      })
    const answers = []
    // A few at a time, so that all are sent before the server gives up on the unfinished documents.
    while (answers.length < CALLS) answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, scan))))
    for (const socket of sockets) socket.destroy()

    // Otherwise the documents were not in memory when the others were sent.
    expect(held).toBeGreaterThan(2 * SENT_BYTES)
    expect(countStatuses(answers), answers.find(({ status }) => status !== 200)?.text).toEqual({ 200: CALLS })
    const readUsed = async (key: string) =>
      (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used as number
    expect(await Promise.all(keys.map(({ key }) => readUsed(key)))).toEqual([0, 0, 0, CALLS * scanSbom.credits])
  })
})
