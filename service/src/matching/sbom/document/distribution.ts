// The distribution of a document's packages. Many documents name its release only once, as the operating system, and
// some leave it out of the purls.
import { parsePackageName } from '../../../domain/purl/package-name.ts'
import { findPackageType } from '../../../domain/purl/package-types.ts'
import type { Purl } from '../../../domain/purl/parse-purl.ts'
import { formatPurl } from '../../../domain/purl/purl.ts'
import type { Entry } from './entry.ts'

export interface Distribution {
  /** The namespace of its purls, such as `debian`. */
  readonly namespace: string
  /** As in the purl qualifier `distro`, such as `debian-12` or `sid`. Undefined if the document has no release. */
  readonly distro: string | undefined
}

/** Returns undefined if the document names no operating system, or several, because then each may have some packages. */
export function findDistribution(entries: readonly Entry[]): Distribution | undefined {
  const found = new Map<string, Distribution>()
  for (const entry of entries) {
    const distribution = toDistribution(entry)
    if (distribution !== undefined) found.set(JSON.stringify(distribution), distribution)
  }
  const [only, other] = found.values()
  return other === undefined ? only : undefined
}

function toDistribution({ kind, name, version, codeName }: Entry): Distribution | undefined {
  if (kind !== 'operating_system' || name === undefined) return undefined
  return {
    namespace: toNamespace(name.toLowerCase()),
    distro: version === undefined ? codeName : `${name.toLowerCase()}-${version}`,
  }
}

/** Gives a package of the distribution the release that its purl lacks. A namespace in the purl must be the distribution's. */
export function addDistribution(purl: Purl, distribution: Distribution | undefined): Purl {
  if (distribution === undefined || findPackageType(purl.type)?.isOfDistribution !== true) return purl
  const { namespace, distro = null } = distribution
  const { vendor = '', product = '' } = parsePackageName(purl.base) ?? {}
  const base = vendor === purl.type ? formatPurl(purl.type, namespace, product) : purl.base
  const isOfDistribution = base !== purl.base || vendor === `${purl.type}/${namespace}`
  return isOfDistribution ? { ...purl, base, distro: purl.distro ?? distro } : purl
}

/**
 * An operating system stands for its packages, which are compared one by one. If the document lists none of them, the
 * system is compared by its own name instead of being skipped.
 */
export function compareSystems(entries: readonly Entry[]): readonly Entry[] {
  const listed = new Set(entries.flatMap(({ purls }) => purls.map(readNamespace)))
  listed.delete(undefined)
  const isSkipped = (entry: Entry) => {
    const hasOwnName = entry.purls.length > 0 || entry.cpes.length > 0
    return listed.size > 0 && (!hasOwnName || listed.has(toDistribution(entry)?.namespace))
  }
  return entries.map((entry) =>
    entry.kind === 'operating_system' && !isSkipped(entry) ? { ...entry, kind: 'software' } : entry,
  )
}

/** Returns the namespace of a distribution's package, such as `debian`, or an empty text if its purl has none. */
function readNamespace(purl: string): string | undefined {
  const { type = '', vendor = '' } = parsePackageName(purl) ?? {}
  return findPackageType(type)?.isOfDistribution ? vendor.slice(type.length + 1) : undefined
}

/** Operating systems and purls spell some distributions differently: Trivy's `alma` is `almalinux`. */
function toNamespace(name: string): string {
  return parsePackageName(`pkg:rpm/${encodeURIComponent(name)}/any`)?.vendor.replace('rpm/', '') ?? name
}
