import { formatInstant } from '../../domain/instant.ts'
import type { EuKevEntry } from '../model/source-data.ts'
import { type ExplainedValue, NO_VALUE, stripControls } from './explain.ts'

/** Explains a CVE's entry in the EU KEV catalog (decision E23), for `vis-server catalog explain`. */
export function explainEuKev(entry: EuKevEntry | null): ExplainedValue {
  if (entry === null) return { name: 'eu kev', value: NO_VALUE, by: '', time: '', runnersUp: [] }
  const removed = entry.removedAt === null ? '' : `, removed ${formatInstant(entry.removedAt)}`
  const day = `${entry.dateListed === entry.dateReported ? 'reported' : 'listed'} ${entry.dateListed}`
  const value = `${day}${removed}, ${entry.exploitation.join(', ')}, reported by ${entry.origin}`
  return { name: 'eu kev', value: stripControls(value), by: 'enisa', time: entry.dateListed, runnersUp: [] }
}
