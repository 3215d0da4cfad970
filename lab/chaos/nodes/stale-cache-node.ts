// Starts an API node, clients that read CVEs from the node, and a watcher of the node's database.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../../../service/test/support/api.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { type Sightings, startWatching, toVersions, type Versions } from './stale-cache-sightings.ts'

interface Answer {
  readonly id: string
  readonly sentAtMs: number
  readonly status: number
  /** Versions of the CVE's parts in the answer; undefined if the status was neither 200 nor 304. */
  readonly versions: Versions | undefined
}

export interface Reading {
  readonly node: string
  readonly answers: readonly Answer[]
  readonly sightings: Sightings
}

export interface WatchedNode {
  readonly sightings: Sightings
  /** Reads the given CVEs repeatedly until `stop` is called. */
  startReading(ids: readonly string[]): void
  read(id: string): Promise<Versions>
  stop(): Promise<Reading>
}

const READ_INTERVAL_MS = 40

interface Databases {
  readonly primary: string
  readonly read: string
  /** URL of the database that the node reads. The URL is direct, while the node may connect through a faulty proxy. */
  readonly watched: string
}

export async function startNode(node: string, { primary, read, watched }: Databases): Promise<WatchedNode> {
  const { api, given } = await startTestService({
    environment: { DATABASE_URL: primary, DATABASE_READ_URL: read },
  })
  const key = createTestKey()
  await given(account('enterprise').withKey(key))
  const watcher = startWatching(watched)
  const stopping = new AbortController()
  let readers: Promise<Answer[]>[] = []
  return {
    sightings: watcher.sightings,
    startReading: (ids) => {
      readers = ids.map((id) => readRepeatedly(api, key.key, { id, signal: stopping.signal }))
    },
    read: async (id) => {
      const { json } = await api.get(`/api/v1/cve/${id}`, { key: key.key })
      return toVersions(json.data.cve)
    },
    stop: async () => {
      stopping.abort()
      const answers = (await Promise.all(readers)).flat()
      await watcher.stop()
      return { node, answers, sightings: watcher.sightings }
    },
  }
}

/** Every second request sends If-None-Match, so that some answers have status 304. */
async function readRepeatedly(
  api: Api,
  key: string,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<Answer[]> {
  const answers: Answer[] = []
  let held: { readonly etag: string; readonly versions: Versions } | undefined
  while (!signal.aborted) {
    const isConditional = held !== undefined && answers.length % 2 === 1
    const sentAtMs = performance.now()
    const headers = isConditional ? { 'If-None-Match': held?.etag } : {}
    const { status, json, headers: responseHeaders } = await api.get(`/api/v1/cve/${id}`, { key, headers })
    if (status === 200) held = { etag: responseHeaders['etag'] ?? '', versions: toVersions(json.data.cve) }
    answers.push({ id, sentAtMs, status, versions: status === 200 || status === 304 ? held?.versions : undefined })
    await sleep(READ_INTERVAL_MS)
  }
  return answers
}
