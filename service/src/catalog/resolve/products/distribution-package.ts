// Packages that the CNA of an RPM distribution names inside its products, without a package URL.
import { EPEL, FEDORA } from '../../../domain/component/distribution-release.ts'
import { ANY, unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import { type PackageName, parsePackageName } from '../../../domain/purl/package-name.ts'
import type { Affected } from '../../model/claim.ts'

/** Namespaces of RPM package URLs. The vendor or product that a CNA names contains one of these words. */
const RPM_NAMESPACES = ['opensuse', 'suse', 'fedora', 'redhat'] as const

/** Returns undefined if the entry is about a product, or about a package of another kind. */
export function toDistributionPackage(entry: Affected): PackageName | undefined {
  const { vendor, product, packageName, areVersionsOfPackage } = entry
  if (!areVersionsOfPackage || packageName === undefined) return undefined
  const words = `${vendor} ${product}`.toLowerCase().replaceAll('red hat', 'redhat')
  const namespace = RPM_NAMESPACES.find((each) => words.includes(each))
  if (namespace === undefined) return undefined
  const [, module, name] = MODULE.exec(packageName) ?? []
  if (module !== undefined && name !== undefined) return toName(`pkg:rpmmod/${namespace}/${encode(module)}/`, name)
  // Red Hat's containers, such as `rhosdt/jaeger`, are not RPM packages.
  return packageName.includes('/') ? undefined : toName(`pkg:rpm/${namespace}/`, packageName)
}

/** `virt:rhel/qemu-kvm`: a package in one stream of a module. */
const MODULE = /^([^/:]+:[^/:]+)\/([^/:]+)$/
function toName(start: string, name: string): PackageName | undefined {
  return parsePackageName(`${start}${encode(name)}`)
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const OF_FEDORA = /^(?:fedora|(epel|extra[ _]packages[ _]for[ _]enterprise[ _]linux))(?: (\d+))?$/i

/** Returns for example `37` for `Fedora 37`, and `epel:8` for `Extra Packages for Enterprise Linux 8`. */
export function readFedoraRelease(product: string, versionOfCpe = ANY): string | undefined {
  const [found, epel, number = unescapeCpeValue(versionOfCpe)] = OF_FEDORA.exec(product) ?? []
  if (found === undefined) return undefined
  if (epel === undefined) return number ?? FEDORA
  return number === undefined ? EPEL : `${EPEL}:${number}`
}
