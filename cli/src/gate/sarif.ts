// The report of `visctl gate` in SARIF 2.1.0.
import { createLocation, createRule, createSarif } from '../sarif.ts'
import type { GateReport, Match } from './check.ts'
import { describeMet, GATE_EXIT_CODES, type GateResult, listUnscored } from './report.ts'

export function toSarif(report: GateReport, result: GateResult, version: string) {
  return createSarif({
    name: 'visctl gate',
    version,
    exitCode: GATE_EXIT_CODES[result],
    isSuccessful: result !== 'unknown',
    notes: [...listUnscored(report), ...report.unknown.map(({ id }) => `Unknown to the service: ${id}`)],
    rules: report.matches.map(toRule),
    results: report.matches.map((match, ruleIndex) => toResult(match, ruleIndex, report)),
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
    message: { text: `${cve.cve_id} meets ${describeMet(met, conditions)}.${kev}` },
    locations: [createLocation(origin, line)],
    partialFingerprints: { 'cve/v1': cve.cve_id },
  }
}
