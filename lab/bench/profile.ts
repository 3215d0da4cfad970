// Reads a V8 CPU profile and lists the functions with the most self time.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface Frame {
  readonly name: string
  /** Share of the function in the CPU time that was not idle. */
  readonly share: number
}

/** Node.js arguments that write a CPU profile to the folder when the process ends. */
export const buildProfilingArgs = (folder: string): readonly string[] => ['--cpu-prof', `--cpu-prof-dir=${folder}`]

export function readTopFrames(folder: string, count: number): readonly Frame[] {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  if (file === undefined) throw new Error(`There is no .cpuprofile file in ${folder}.`)
  return computeFrames(JSON.parse(readFileSync(join(folder, file), 'utf8'))).slice(0, count)
}

const IDLE_FRAMES = new Set(['(idle)', '(program)', '(root)'])

function computeFrames({ nodes, samples, timeDeltas }: Profile): Frame[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, formatFrameName(callFrame)]))
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '?'
    if (!IDLE_FRAMES.has(name)) times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0))
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times].map(([name, time]) => ({ name, share: time / total })).sort((a, b) => b.share - a.share)
}

function formatFrameName({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const location = url.replace(/^.*\/(node_modules|service)\//, '$1/')
  const name = functionName || '(anonymous)'
  return location === '' ? name : `${name} ${location}:${lineNumber + 1}`
}
