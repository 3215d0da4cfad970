// The list of all add-ons. A new add-on needs its own file and one line in this list.
import { acsc } from './acsc.ts'
import { aliases } from './aliases.ts'
import { attack } from './attack.ts'
import { configurations } from './configurations.ts'
import { enrichment } from './enrichment.ts'
import { epssTrend } from './epss-trend.ts'
import { events } from './events.ts'
import { exploits } from './exploits.ts'
import { fixes } from './fixes.ts'
import { priority } from './priority.ts'
import { remediations } from './remediations.ts'
import { sources } from './sources.ts'
import { timeline } from './timeline.ts'

/**
 * The add-ons in the order in which every response has them (decision D1). The order also affects the content hash of
 * each CVE: if a line is moved, all CVEs count as changed and are written to the catalog again.
 */
export const ADD_ONS = [
  acsc,
  attack,
  enrichment,
  configurations,
  sources,
  exploits,
  priority,
  fixes,
  remediations,
  aliases,
  events,
  timeline,
  epssTrend,
] as const

export type AddOnName = (typeof ADD_ONS)[number]['name']

/** The add-ons in the specification, in its order (decision D2). */
export const SPECIFIED_ADD_ONS: readonly AddOnName[] = ['acsc', 'enrichment', 'attack']

/** Names of the add-ons in the order in which the `include` parameter lists them, those in the specification first. */
export const ADD_ON_NAMES: readonly AddOnName[] = [
  ...new Set([...SPECIFIED_ADD_ONS, ...ADD_ONS.map(({ name }) => name)]),
]
