// One node under the eyes of a watcher of its own database, and its readers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../../support/api.ts'
import { account, aKey } from '../../support/builders.ts'
import { PATIENT, testService } from '../../support/service.ts'
import { type Sightings, type Versions, versionsOf, watch } from './stale-cache-sightings.ts'

interface Answer {
  readonly id: string
  readonly sentAtMs: number
  readonly status: number
  /** Undefined for an answer that was none. */
  readonly versions: Versions | undefined
}

export interface Reading {
  readonly node: string
  readonly answers: readonly Answer[]
  readonly sightings: Sightings
}

export interface WatchedNode {
  readonly sightings: Sightings
  /** From now on, until it is stopped. */
  startReading(ids: readonly string[]): void
  ask(id: string): Promise<Versions>
  stop(): Promise<Reading>
}

const READ_EVERY_MS = 40

interface Databases {
  readonly primary: string
  readonly read: string
  /** The same, but never through a link that is in trouble. */
  readonly watched: string
}

export async function startNode(node: string, { primary, read, watched }: Databases): Promise<WatchedNode> {
  const { api, given } = await testService({
    environment: { ...PATIENT, DATABASE_URL: primary, DATABASE_READ_URL: read },
  })
  const key = aKey()
  await given(account('enterprise').withKey(key))
  const watcher = watch(watched)
  const over = new AbortController()
  let readers: Promise<Answer[]>[] = []
  return {
    sightings: watcher.sightings,
    startReading: (ids) => {
      readers = ids.map((id) => keepReading(api, key.key, { id, over: over.signal }))
    },
    ask: async (id) => {
      const { json } = await api.get(`/api/v1/cve/${id}`, { key: key.key })
      return versionsOf(json.data.cve)
    },
    stop: async () => {
      over.abort()
      const answers = (await Promise.all(readers)).flat()
      await watcher.stop()
      return { node, answers, sightings: watcher.sightings }
    },
  }
}

/** Every other time it asks whether what it has is still true: then 304 is an answer too. */
async function keepReading(api: Api, key: string, { id, over }: { id: string; over: AbortSignal }): Promise<Answer[]> {
  const answers: Answer[] = []
  let held: { readonly etag: string; readonly versions: Versions } | undefined
  while (!over.aborted) {
    const isConditional = held !== undefined && answers.length % 2 === 1
    const sentAtMs = performance.now()
    const headers = isConditional ? { 'If-None-Match': held?.etag } : {}
    const { status, json, headers: got } = await api.get(`/api/v1/cve/${id}`, { key, headers })
    if (status === 200) held = { etag: got['etag'] ?? '', versions: versionsOf(json.data.cve) }
    answers.push({ id, sentAtMs, status, versions: status === 200 || status === 304 ? held?.versions : undefined })
    await sleep(READ_EVERY_MS)
  }
  return answers
}
