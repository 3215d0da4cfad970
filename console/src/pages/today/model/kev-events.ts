// Additions to KEV as events, for days before the change log begins.
import type { KevEntry } from 'vis-sdk'
import type { CveEvent } from '../../../text/event.ts'

/** Lists the entries that CISA added from the first day on and before the end. */
export function listKevEvents(
  entries: readonly Pick<KevEntry, 'cveId' | 'dateAdded' | 'knownRansomware'>[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly CveEvent[] {
  return entries.flatMap(({ cveId, dateAdded, knownRansomware }) => {
    const day = dateAdded.slice(0, 'YYYY-MM-DD'.length)
    if (day < from || day >= to) return []
    const words = `Added to KEV by CISA${knownRansomware ? ', used by ransomware' : ''}`
    return [{ cveId, kind: 'exploited', words, day, seq: 0 }]
  })
}
