// Decides whether a hotfix of the version's own release ends an affected range for it (vendor-hotfixes.ts).
import { readRelease } from '../../domain/version/hotfix.ts'
import { placeRow } from './place-version.ts'
import type { PreparedRow, VersionProbe } from './product-rows.ts'
import { type Hotfix, readHotfix } from './vendor-hotfixes.ts'

/** Returns whether the vendor names a fix of the version's own release that the version contains. */
export function isDivided({ dividedBy }: PreparedRow, probe: VersionProbe | undefined): boolean {
  return probe !== undefined && dividedBy?.some((each) => placeRow(each, probe) === 'inside') === true
}

/** Returns the hotfixes that repair the version's own release. */
export function findOwnHotfixes({ dividedBy = [] }: PreparedRow, probe: VersionProbe | undefined): readonly Hotfix[] {
  const release = probe && readRelease(probe.version.text)?.release
  if (release === undefined) return []
  return dividedBy.flatMap((each) => {
    const hotfix = readHotfix(each)
    const isOwn = hotfix !== undefined && readRelease(hotfix.version)?.release === release
    return isOwn && placeRow(each, probe) === 'outside' ? hotfix : []
  })
}
