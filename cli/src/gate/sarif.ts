// The report of `visctl gate` in SARIF 2.1.0, which code-scanning dashboards import.
import type { GateReport, Match } from './check.ts'
import { describeMet, GATE_EXIT_CODES, type GateResult, listUnscored } from './report.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

export function toSarif(report: GateReport, result: GateResult, version: string) {
  const notes = [...listUnscored(report), ...report.unknown.map(({ id }) => `Unknown to the service: ${id}`)]
  const notifications = notes.map((text) => ({
    level: result === 'unknown' ? 'error' : 'warning',
    message: { text },
  }))
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'visctl gate', version, rules: report.matches.map(toRule) } },
        invocations: [
          {
            executionSuccessful: result !== 'unknown',
            exitCode: GATE_EXIT_CODES[result],
            toolExecutionNotifications: notifications,
          },
        ],
        results: report.matches.map((match, ruleIndex) => toResult(match, ruleIndex, report)),
      },
    ],
  }
}

function toRule({ cve }: Match) {
  const text = cve.description ?? 'This CVE has no description yet.'
  return {
    id: cve.cve_id,
    shortDescription: { text: cve.cve_id },
    fullDescription: { text },
    helpUri: `https://www.cve.org/CVERecord?id=${cve.cve_id}`,
    // GitHub shows this number, a text, as the severity of a finding.
    ...(cve.severity === null ? {} : { properties: { 'security-severity': cve.severity.toFixed(1) } }),
  }
}

function toResult({ cve, met, line }: Match, ruleIndex: number, { conditions, origin }: GateReport) {
  const kev = cve.kev ? ` It is known to be exploited since ${cve.kev.dateAdded}.` : ''
  return {
    ruleId: cve.cve_id,
    ruleIndex,
    level: 'error',
    message: { text: `${cve.cve_id} meets ${describeMet(met, conditions)}.${kev}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: toUri(origin) }, region: { startLine: line } } }],
    partialFingerprints: { 'cve/v1': cve.cve_id },
  }
}

/** Encodes a file name as a relative URI reference. A Windows path gets forward slashes. */
function toUri(file: string): string {
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}
