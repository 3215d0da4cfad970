// Where the time of get-cve goes when it is answered from memory.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { profilingArgs, topFrames } from '../profile.ts'
import { crowdOf, type Section } from '../section.ts'
import { requestsFor } from './get-cve.ts'

const SHOWN = 30

export const profile: Section = async ({ world, pace, ids }) => {
  const requests = requestsFor({ ids, callers: world.callers })
  const folder = join(world.folder, 'profile')
  mkdirSync(folder)
  const server = await world.serve({}, profilingArgs(folder))
  const crowd = await crowdOf(server.port)
  // The first ones are read from the database.
  for (let turn = 0; turn <= pace.turns; turn += 1) await crowd.ask(requests, pace.sliceMs)
  crowd.close()
  await server.stop()
  return {
    measured: [],
    remarks: topFrames(folder, SHOWN).map(({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} % ${name}`),
  }
}
