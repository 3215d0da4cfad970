// Says in an answer what the account's states hid, and who set them.
import { MAX_REOPENED } from '../../contract/triage/applied.ts'
import type { MatchedComponent } from '../match.ts'
import type { AccountState } from '../triage/account-states.ts'

/** Sent to another thread, so all values must be cloneable. */
export interface AppliedTriage {
  /** False if the credential may not read the account's states. */
  readonly isApplied: boolean
  readonly states: readonly AccountState[]
}

interface TriageReport {
  add(matched: readonly MatchedComponent[]): void
  /** Returns the member `triage` and a comma; nothing if the call does not ask for triage. */
  render(): string
}

export function createTriageReport(triage: AppliedTriage | undefined): TriageReport {
  const actors = new Map<string, number>()
  const reopened = new Map<string, object>()
  return {
    add: (matched) => {
      for (const component of matched) {
        for (const { entry } of component.suppressed)
          if (entry.state !== undefined) actors.set(entry.state.actor, (actors.get(entry.state.actor) ?? 0) + 1)
        for (const { found } of component.reopened) {
          const { cveId, scope, versions, actor } = found.state
          reopened.set(JSON.stringify([cveId, scope, versions]), {
            cve_id: cveId,
            scope,
            version_range: versions === '' ? null : versions,
            set_by: actor,
            reopened_by: found.reopenedBy,
          })
        }
      }
    },
    render: () => {
      if (triage === undefined) return ''
      const { isApplied, states } = triage
      const suppressed = [...actors].map(([actor, count]) => ({ actor, count }))
      return `"triage":${JSON.stringify({
        applied: isApplied,
        ...(!isApplied && { not_applied_because: REFUSED }),
        entries_total: states.length,
        suppressed_total: suppressed.reduce((sum, { count }) => sum + count, 0),
        suppressed_by: suppressed.sort((a, b) => b.count - a.count),
        reopened_total: reopened.size,
        reopened: [...reopened.values()].slice(0, MAX_REOPENED),
      })},`
    },
  }
}

const REFUSED =
  'This credential may not read the triage states of the account, so none was applied. A key needs the scope triage.'
