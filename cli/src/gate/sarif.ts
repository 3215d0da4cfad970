// The report of `visctl gate` in SARIF 2.1.0.
import {
  createIncompleteResult,
  createLocation,
  createRule,
  createSarif,
  INCOMPLETE_RULE,
  toMessageText,
} from '../sarif.ts'
import type { GateReport, Match } from './check.ts'
import { type Allowed, describeMet, GATE_EXIT_CODES, getResult, listIncomplete } from './report.ts'

export function toSarif(report: GateReport, allowed: Allowed, version: string) {
  const result = getResult(report, allowed)
  const notes = listIncomplete(report, allowed)
  const isIncomplete = result === 'incomplete'
  return createSarif({
    name: 'visctl gate',
    version,
    exitCode: GATE_EXIT_CODES[result],
    isSuccessful: !isIncomplete,
    notes,
    rules: [...report.matches.map(toRule), ...(isIncomplete ? [INCOMPLETE_RULE] : [])],
    results: isIncomplete
      ? [createIncompleteResult('incomplete', notes.join(' '), { ruleIndex: 0, origin: report.origin })]
      : report.matches.map((match, ruleIndex) => toResult(match, ruleIndex, report)),
  })
}

function toRule({ cve }: Match) {
  const text = cve.description ?? 'This CVE has no description yet.'
  return createRule({ id: cve.cve_id, text, severity: cve.severity })
}

function toResult({ cve, met, line }: Match, ruleIndex: number, { conditions, origin }: GateReport) {
  const kev = cve.kev ? ` It is known to be exploited since ${cve.kev.dateAdded}.` : ''
  return {
    ruleId: cve.cve_id,
    ruleIndex,
    level: 'error',
    message: { text: toMessageText(`${cve.cve_id} meets ${describeMet(met, conditions)}.${kev}`) },
    locations: [createLocation(origin, line)],
    partialFingerprints: { 'cve/v1': cve.cve_id },
  }
}
