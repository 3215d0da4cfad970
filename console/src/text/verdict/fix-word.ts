// The word for what sources say about a fix of a CVE, the same in every list and in the verdict.
import type { Cve } from 'vis-sdk'

type FixWord = 'named' | 'exists' | 'none named'

/** "exists" means that a source says that there is a fix, and none names a fixed version or a commit. */
export function chooseFixWord({
  fixes = [],
  enrichment,
}: {
  readonly fixes?: readonly unknown[] | undefined
  readonly enrichment?: Pick<NonNullable<Cve['enrichment']>, 'patch_available'> | null | undefined
}): FixWord {
  if (fixes.length > 0) return 'named'
  return enrichment?.patch_available === true ? 'exists' : 'none named'
}
