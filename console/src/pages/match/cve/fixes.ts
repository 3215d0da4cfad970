// Which versions fix one CVE in the checked component. Only versions that the answer or the record names are listed.
import type { Cve } from 'vis-sdk'
import { isSameProduct } from '../../../text/verdict/product-name.ts'
import { compareVersions } from '../../../text/verdict/version-order.ts'
import type { Hit } from '../result.ts'

export interface CveFix {
  readonly version: string
  /** Where it is, such as "this release" or "branch 10.2". */
  readonly place: string
}

interface NamedVersion {
  readonly version: string
  readonly branch: string | null
}

const MAX_OTHERS = 3

/**
 * Lists the nearest later fixed version of the installed release (a hotfix such as 10.2.5-h6) and of its branch. If
 * sources name neither, the nearest others. Without an installed version, no version is nearer than another.
 */
export function listCveFixes(hit: Hit, record: Pick<Cve, 'fixes'> | undefined): readonly CveFix[] {
  const installed = hit.component.interpreted_as.version
  const later = [...listFromAnswer(hit), ...listFromRecord(hit, record)]
    .filter(({ version }) => installed === null || compareVersions(version, installed) > 0)
    .toSorted((a, b) => compareVersions(a.version, b.version))
  const { identified_by: by } = hit.component.interpreted_as
  const base = installed === null ? undefined : /^v?\d+(?:\.\d+)*/i.exec(installed)?.[0]
  const ofRelease = later.find(({ version }) => by !== 'purl' && base !== undefined && isHotfix(version, base))
  const ofBranch = later.find(({ branch }) => base !== undefined && branch !== null && isInBranch(base, branch))
  const near = [
    ofRelease && { version: ofRelease.version, place: 'this release' },
    ofBranch &&
      ofBranch.version !== ofRelease?.version && { version: ofBranch.version, place: `branch ${ofBranch.branch}` },
  ].filter((each) => typeof each === 'object')
  if (near.length > 0) return near
  const own = later.filter(({ isOfRelease }) => !isOfRelease)
  return [...new Map(own.map((each) => [each.version, each])).values()]
    .slice(0, MAX_OTHERS)
    .map(({ version, branch }) => ({ version, place: branch === null ? '' : `branch ${branch}` }))
}

interface FoundVersion extends NamedVersion {
  /** The version belongs to one release, which may be another than the installed one. */
  readonly isOfRelease: boolean
}

function listFromAnswer({ component, match }: Hit): readonly FoundVersion[] {
  const { product: own } = component.interpreted_as
  return match.fixed_in
    .filter(({ product }) => product.toLowerCase() === own.toLowerCase())
    .map(({ version, branch }) => ({ version, branch, isOfRelease: false }))
}

/** A vendor names hotfixes beside the fix of the branch; the record has them as `rivals`. */
function listFromRecord({ component }: Hit, record: Pick<Cve, 'fixes'> | undefined): readonly FoundVersion[] {
  const { vendor, product, identified_by: by } = component.interpreted_as
  if (by === 'purl') return []
  const own = (record?.fixes ?? []).filter(
    (fix) =>
      !fix.is_commit &&
      fix.downstream !== true &&
      fix.doubted !== true &&
      fix.package_url === null &&
      isSameProduct(fix, { vendor: vendor ?? '', product }),
  )
  return own.flatMap(({ version, branch, rivals }) => [
    { version, branch, isOfRelease: false },
    ...rivals
      .filter(({ affected }) => affected !== true)
      .map((rival) => ({ version: rival.version, branch: null, isOfRelease: true })),
  ])
}

/** 10.2.5-h6 is a hotfix of 10.2.5; 10.2.50 and 10.2.5.1 are other releases. */
function isHotfix(version: string, base: string): boolean {
  return version.startsWith(base) && /^[-_+~ ]/.test(version.slice(base.length))
}

function isInBranch(base: string, branch: string): boolean {
  return base === branch || base.startsWith(`${branch}.`)
}

/** "Fixed in 10.2.5-h6 (this release) or 10.2.9-h1 (branch 10.2)." */
export function describeCveFixes(fixes: readonly CveFix[]): string {
  if (fixes.length === 0) return 'No loaded source names a later fixed version.'
  const names = fixes.map(({ version, place }) => (place === '' ? version : `${version} (${place})`))
  return `Fixed in ${names.join(' or ')}.`
}
