// Benchmark section profile: lists the functions with the most self time while get-cve is answered from the cache.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildProfilingArgs, readTopFrames } from '../profile.ts'
import { CALLER_COUNT, FEW_ACCOUNTS, type Section } from '../section.ts'
import { buildRequests } from './get-cve.ts'

const MAX_FRAMES = 30

export const profile: Section = async ({ setup, client, pace, ids }) => {
  const requests = buildRequests({ ids, callers: setup.callers.slice(0, FEW_ACCOUNTS) })
  const folder = join(setup.folder, 'profile')
  mkdirSync(folder)
  const server = await setup.serve({}, buildProfilingArgs(folder))
  const load = await client.prepare(server.port, CALLER_COUNT, requests)
  // The first turn fills the record cache from the database.
  for (let turn = 0; turn <= pace.turns; turn += 1) await load.run(pace.sliceMs)
  load.close()
  await server.stop()
  return {
    measured: [],
    notes: readTopFrames(folder, MAX_FRAMES).map(
      ({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} % ${name}`,
    ),
  }
}
