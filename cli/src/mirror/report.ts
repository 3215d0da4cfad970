// Reports on standard error what the mirror does and what it costs.

import type { Snapshot } from 'vis-sdk'
import { listChangedRecordsParameters, PRICES } from 'vis-sdk/vocabulary'
import { formatCredits } from '../render/credits.ts'
import type { Terminal } from '../render/terminal.ts'

export interface Report {
  snapshotBegins(snapshot: Snapshot, partsLeft: number): void
  partLoaded(part: number, parts: number): void
  /** The copy starts from the change log, because there is no snapshot. */
  logBegins(): void
  pageApplied(): void
  /** Many records changed, so a new full copy costs less. */
  snapshotIsCheaper(): void
  upToDate(state: UpToDate): void
  /** The service no longer has the copy's position or the snapshot that was being loaded. */
  copyBeginsAgain(missing: 'position' | 'snapshot'): void
  retries(reason: string, seconds: number): void
  stopped(): void
}

interface UpToDate {
  readonly records: number
  readonly position: string
  /** Number of CVEs that changed since the last report, confirmed by the service's own count. */
  readonly changed: number
  readonly isEpssOld: boolean
}

const PAGES_PER_NOTE = 100

export function createReport({ printNote }: Terminal): Report {
  const say = (text: string) => printNote(`${text}\n`)
  let pages = 0
  return {
    snapshotBegins: ({ id, records_total: records, parts, bytes }, left) =>
      say(
        `Snapshot ${id}: ${format(records)} records in ${count(parts, 'part')}, ${format(Math.ceil(bytes / 1e6))} MB. ` +
          `${left === parts ? 'It costs' : `${count(left, 'part')} left, which cost`} ${formatCredits(left * PRICES.getSnapshotPart)}.`,
      ),
    partLoaded: (part, parts) => say(`Part ${part} of ${parts} is loaded.`),
    logBegins: () =>
      say(
        `There is no snapshot: the copy begins with the change log, at ${formatCredits(PRICES.listChangedRecords)} per ${listChangedRecordsParameters.limit.maximum} records.`,
      ),
    pageApplied: () => {
      pages += 1
      if (pages % PAGES_PER_NOTE === 0) say(`${format(pages)} pages of changed records are applied.`)
    },
    snapshotIsCheaper: () => say('A new full copy costs less than the records that changed, so it is taken instead.'),
    upToDate: ({ records, position, changed, isEpssOld }) => {
      const proof = changed === 0 ? '' : ` ${count(changed, 'CVE')} changed, as the service counts too.`
      say(`Up to date: ${count(records, 'record')} at ${position}.${proof}`)
      if (isEpssOld) say(EPSS_NOTE)
    },
    copyBeginsAgain: (missing) =>
      say(`${MISSING[missing]} A new full copy is taken; the old one stays until it is complete.`),
    retries: (reason, seconds) => say(`${reason.replace(/\.$/, '')}. Trying again in ${seconds} s.`),
    stopped: () => say('Stopped. The copy is consistent, and the next run continues.'),
  }
}

const MISSING = {
  position: 'The change log cannot continue at the position of the copy.',
  snapshot: 'The snapshot was deleted while it was loaded.',
} as const

const EPSS_NOTE =
  'EPSS scores were released since: records that did not change have older scores until the next snapshot (--refresh-epss).'

const format = (number: number) => number.toLocaleString('en')
const count = (number: number, noun: string) => `${format(number)} ${noun}${number === 1 ? '' : 's'}`
