// Where the time of a process goes: the frames of a V8 profile with the most time of their own.
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
  /** Of all that was not idle. */
  readonly share: number
}

/** For Node: to leave a profile there when it ends. */
export const profilingArgs = (folder: string): readonly string[] => ['--cpu-prof', `--cpu-prof-dir=${folder}`]

export function topFrames(folder: string, count: number): readonly Frame[] {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  if (file === undefined) throw new Error(`there is no profile in ${folder}`)
  return framesOf(JSON.parse(readFileSync(join(folder, file), 'utf8'))).slice(0, count)
}

const IDLE = new Set(['(idle)', '(program)', '(root)'])

function framesOf({ nodes, samples, timeDeltas }: Profile): Frame[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '?'
    if (!IDLE.has(name)) times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0))
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times].map(([name, time]) => ({ name, share: time / total })).sort((a, b) => b.share - a.share)
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/(node_modules|service)\//, '$1/')
  const name = functionName || '(anonymous)'
  return place === '' ? name : `${name} ${place}:${lineNumber + 1}`
}
