// A check in the audit finds the CVEs whose served record has a certain defect, and the audit counts them.
import type { Served } from '../served/served.ts'
import type { SourceFacts } from './source-facts.ts'

export interface AuditContext {
  readonly served: Served
  readonly facts: SourceFacts
  /** `part:vendor:product` of every CPE name in NVD's configurations. */
  readonly nvdNames: ReadonlySet<string>
}

export interface Check {
  /** Short id that scripts can rely on. */
  readonly id: string
  /** One sentence that says what is counted. */
  readonly sentence: string
  /** True if the count describes the data and is not a defect. */
  readonly isInformation?: true
  /** Returns whether the check finds the defect in the CVE. Has no side effects. */
  readonly applies: (context: AuditContext) => boolean
  /** Returns the group in which a CVE is counted, such as the required action of its KEV entry. */
  readonly group?: (context: AuditContext) => string
}
