// Parts of reports in SARIF 2.1.0, which code-scanning dashboards import.
import { cleanLine } from './render/text.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

interface SarifRun {
  /** Name of the command, such as `visctl gate`. */
  readonly name: string
  readonly version: string
  readonly exitCode: number
  readonly isSuccessful: boolean
  /** Sentences about components or CVEs that the run could not check. */
  readonly notes: readonly string[]
  readonly rules: readonly object[]
  readonly results: readonly object[]
}

export function createSarif({ name, version, exitCode, isSuccessful, notes, rules, results }: SarifRun) {
  const notifications = notes.map((text) => ({
    level: isSuccessful ? 'warning' : 'error',
    message: { text: toMessageText(text) },
  }))
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name, version, rules } },
        invocations: [{ executionSuccessful: isSuccessful, exitCode, toolExecutionNotifications: notifications }],
        results,
      },
    ],
  }
}

/**
 * Converts text to a SARIF message. Viewers show `[text](address)` as a link (section 3.11.6), which text from
 * documents or the service must not become. Control characters could forge what a dashboard shows.
 */
export function toMessageText(text: string): string {
  return cleanLine(text).replace(/[\\[\]]/g, '\\$&')
}

interface SarifRule {
  readonly id: string
  readonly text: string
  readonly severity: number | null
}

export function createRule({ id, text, severity }: SarifRule) {
  return {
    id,
    shortDescription: { text: id },
    fullDescription: { text: toMessageText(text) },
    helpUri: findHelpUri(id),
    // GitHub shows this number, given as text, as the severity of a finding.
    ...(severity === null ? {} : { properties: { 'security-severity': severity.toFixed(1) } }),
  }
}

/** Advisories without a CVE, such as GHSA-… or RUSTSEC-…, have a page at OSV. */
function findHelpUri(id: string): string {
  return /^CVE-/i.test(id)
    ? `https://www.cve.org/CVERecord?id=${encodeURIComponent(id)}`
    : `https://osv.dev/vulnerability/${encodeURIComponent(id)}`
}

export function createLocation(file: string, line: number) {
  return { physicalLocation: { artifactLocation: { uri: toUri(file) }, region: { startLine: line } } }
}

/** Dashboards show results but not notifications, so an incomplete gate is reported as a result too. */
export const INCOMPLETE_RULE = {
  id: 'visctl/incomplete-gate',
  shortDescription: { text: 'Not everything was judged' },
  fullDescription: { text: 'The gate is incomplete: something that counts could not be judged.' },
}

/**
 * The fingerprint contains only the reason, so a dashboard recognizes the result in the next run even if it names other
 * components.
 */
export function createIncompleteResult(reason: string, text: string, place: { ruleIndex: number; origin: string }) {
  return {
    ruleId: INCOMPLETE_RULE.id,
    ruleIndex: place.ruleIndex,
    level: 'warning',
    message: { text: toMessageText(text) },
    locations: [createLocation(place.origin, 1)],
    partialFingerprints: { 'reason/v1': reason },
  }
}

/** Dashboards would otherwise show a component that nobody judged like a clean one. */
export const UNJUDGED_RULE = {
  id: 'visctl/not-judged',
  shortDescription: { text: 'Components that are not known to be clean' },
  fullDescription: {
    text: 'No complete and current database judges these components, or sources make statements about them that decide nothing.',
  },
}

/** The fingerprint contains only the reason, as that of an incomplete result does. */
export function createUnjudgedResult(key: string, text: string, place: { ruleIndex: number; origin: string }) {
  return {
    ruleId: UNJUDGED_RULE.id,
    ruleIndex: place.ruleIndex,
    level: 'note',
    message: { text: toMessageText(text) },
    locations: [createLocation(place.origin, 1)],
    partialFingerprints: { 'reason/v1': key },
  }
}

/** Encodes a file name as a relative URI reference. A Windows path gets forward slashes. */
function toUri(file: string): string {
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}
