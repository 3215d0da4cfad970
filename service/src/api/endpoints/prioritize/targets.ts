// Collects the CVEs in a request to /prioritize: each id once, with what the caller states about the affected systems.
import type { CveId } from '../../../domain/cve-id.ts'
import { DEFAULT_CONTEXT, type Exposure, type PriorityContext } from '../../../domain/priority/context.ts'
import type { Mission } from '../../../domain/priority/ssvc.ts'

interface SentContext {
  readonly exposure?: Exposure | undefined
  readonly mission?: Mission | undefined
}

interface SentItem extends SentContext {
  readonly cve_id: CveId
  readonly ref?: string | undefined
}

export interface SentTargets {
  readonly cve_ids?: readonly CveId[] | undefined
  readonly context?: SentContext | undefined
  readonly items: readonly SentItem[]
}

export interface Target {
  readonly cveId: CveId
  readonly refs: readonly string[]
  readonly context: PriorityContext
}

/**
 * Returns each id once, in the order of the request. An id with items gets their context, and the most urgent one if
 * they differ. Values that an item lacks come from the general context.
 */
export function listTargets({ cve_ids = [], context = {}, items }: SentTargets): readonly Target[] {
  const general = complete(context, DEFAULT_CONTEXT)
  const byId = Map.groupBy(items, (item) => item.cve_id)
  return [...new Set([...cve_ids, ...byId.keys()])].map((cveId) => {
    const sent = byId.get(cveId) ?? []
    const contexts = sent.map((item) => complete(item, general))
    return { cveId, refs: listRefs(sent), context: contexts.length === 0 ? general : mergeContexts(contexts) }
  })
}

function complete(sent: SentContext, fallback: PriorityContext): PriorityContext {
  return { exposure: sent.exposure ?? fallback.exposure, mission: sent.mission ?? fallback.mission }
}

function listRefs(items: readonly SentItem[]): readonly string[] {
  return [...new Set(items.flatMap(({ ref }) => (ref ? [ref] : [])))]
}

/** Most urgent first: the level of a CVE is lowered only if all its systems are internal. */
const EXPOSURES: readonly Exposure[] = ['exposed', 'unknown', 'internal']
const MISSIONS: readonly Mission[] = ['high', 'medium', 'low']

function mergeContexts(contexts: readonly PriorityContext[]): PriorityContext {
  return {
    exposure: EXPOSURES.find((each) => contexts.some(({ exposure }) => exposure === each)) ?? DEFAULT_CONTEXT.exposure,
    mission: MISSIONS.find((each) => contexts.some(({ mission }) => mission === each)) ?? DEFAULT_CONTEXT.mission,
  }
}
