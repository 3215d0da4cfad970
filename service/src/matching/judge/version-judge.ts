// Judges other versions of a component exactly like the component itself. Each version is judged once, because the
// searches for an upgrade, for a clean version and for the next step of a fix plan look at the same versions.
import { type Hit, type JudgedComponent, judgeSubjects } from './judge.ts'
import { runInSlices } from './slices.ts'

interface JudgedVersion {
  /** The hits that an answer lists. */
  readonly listed: readonly Hit[]
  /** Keys of all CVEs and advisories that are not known to be absent: hits of any confidence, and unordered ones. */
  readonly open: ReadonlySet<string>
  readonly hasUnordered: boolean
}

export interface VersionJudge {
  judge(version: string): Promise<JudgedVersion>
  /** Returns undefined for a version that has not been judged. */
  get(version: string): JudgedVersion | undefined
}

export function createVersionJudge(
  judged: JudgedComponent,
  isListed: (hit: Hit, at: JudgedComponent['component']) => boolean,
  signal: AbortSignal,
): VersionJudge {
  const known = new Map<string, JudgedVersion>()
  const judge = async (text: string): Promise<JudgedVersion> => {
    const component = { ...judged.component, version: { text, base: text, update: null } }
    const listed: Hit[] = []
    const open = new Set<string>()
    let hasUnordered = false
    const noteUnordered = (key: string) => {
      hasUnordered = true
      open.add(key)
    }
    await runInSlices(judgeSubjects({ ...judged, component }, undefined, noteUnordered), signal, (found) => {
      if (found === undefined || found === 'unordered') return
      open.add(found.subjectKey)
      if (isListed(found, component)) listed.push(found)
    })
    return { listed, open, hasUnordered }
  }
  return {
    judge: async (version) => {
      const found = known.get(version) ?? (await judge(version))
      known.set(version, found)
      return found
    },
    get: (version) => known.get(version),
  }
}
