// Finds the release cycle of a component, such as Debian 10 or Log4j 1, and whether its maker still supports it.
import { formatDay } from '../instant.ts'

/** A release cycle as the feed stores it. Days are written as `YYYY-MM-DD`. */
export interface ReleaseCycle {
  readonly name: string
  /** The first word of the code name, in lower case, such as `bionic`. */
  readonly code_name: string | null
  readonly is_over: boolean
  /** The last day of support, or the first one without; null if it is not known. */
  readonly over_from: string | null
  /** Extended support after the end of life, often for customers only; null if there is none. */
  readonly extended: { readonly is_over: boolean; readonly over_from: string | null } | null
}

/** Products of the list that are distributions, by purl type and namespace. */
const DISTRIBUTIONS: Readonly<Record<string, string>> = {
  'apk/alpine': 'alpine-linux',
  'deb/debian': 'debian',
  'deb/ubuntu': 'ubuntu',
  'rpm/almalinux': 'almalinux',
  'rpm/opensuse': 'opensuse',
  'rpm/redhat': 'rhel',
  'rpm/rocky': 'rocky-linux',
  'rpm/suse': 'sles',
}

export function findDistribution(vendor: string | null): string | undefined {
  return vendor !== null && Object.hasOwn(DISTRIBUTIONS, vendor) ? DISTRIBUTIONS[vendor] : undefined
}

const NUMBERED = /^\d{1,9}(?:\.\d{1,9}){0,5}$/

/**
 * `version` is that of a product, or the release of a distribution. It belongs to the cycle with the longest name that
 * begins it: `2.12.1` to 2.12, if that is a cycle, else to 2. Cycles whose names are not only numbers are found by the
 * whole name or the code name. Returns undefined if no cycle is known.
 */
export function findCycle(cycles: readonly ReleaseCycle[], version: string): ReleaseCycle | undefined {
  const text = version.trim().toLowerCase()
  const named = cycles.find(({ name, code_name }) => name.toLowerCase() === text || code_name === text)
  if (named !== undefined) return named
  const plain = text.replace(/^v(?=\d)/, '')
  const [longest] = cycles
    .filter(({ name }) => NUMBERED.test(name) && plain.startsWith(name) && mayFollow(plain.slice(name.length)))
    .sort((a, b) => b.name.length - a.name.length)
  return longest
}

/** Returns whether the rest of a version leaves the numbers before it whole: `.1`, `k` or `-rc1`, but not `0` or `:2`. */
function mayFollow(rest: string): boolean {
  return rest === '' || /^[.+_a-z-]/.test(rest)
}

export interface EndedCycle {
  readonly cycle: string
  /** Null if the day is not known. */
  readonly since: string | null
  /** Present while there is extended support: its last day, or null if that is not known. */
  readonly extendedUntil?: string | null
}

/** Returns undefined while the cycle is supported. */
export function findEnd({ name, is_over, over_from, extended }: ReleaseCycle, now: Date): EndedCycle | undefined {
  if (!isOver({ is_over, over_from }, now)) return undefined
  const isExtended = extended !== null && !isOver(extended, now)
  return { cycle: name, since: over_from, ...(isExtended && { extendedUntil: extended.over_from }) }
}

/** A day counts more than the flag, which was true when the list was written. */
function isOver({ is_over, over_from }: Pick<ReleaseCycle, 'is_over' | 'over_from'>, now: Date): boolean {
  return over_from === null ? is_over : over_from < formatDay(now)
}

/** Key of a component's name in the column `names`. */
export function toNameKey(kind: 'cpe' | 'purl', vendor: string, product: string): string {
  return `${kind}:${vendor}/${product}`
}
