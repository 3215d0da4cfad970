import type { Around } from '../../search/watch/history.ts'
import type { LogRow } from './read-log.ts'

/** A change around one CVE, with its row of the log; an EPSS release has one row for many CVEs. */
export interface JudgedChange {
  readonly row: LogRow
  readonly around: Around
}
