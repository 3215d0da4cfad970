// Parses a CVSS vector into labelled metrics. Each value has a rank, so that a bar can show how much it helps an
// attacker or harms the victim.

export type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0'

export interface CvssMetric {
  /** Abbreviation of the metric in the vector, such as `AV`. */
  readonly code: string
  readonly name: string
  /** The value as text, such as `Network`. */
  readonly value: string
  /** Number of filled segments. More segments mean a worse value. */
  readonly filled: number
  readonly segments: number
  readonly group: 'exploitability' | 'impact'
}

/** Temporal, threat, environmental or supplemental metric. It has no bar, because it does not affect the base score. */
interface CvssExtraMetric {
  readonly code: string
  readonly name: string
  readonly value: string
}

export interface CvssVector {
  readonly version: CvssVersion
  readonly metrics: readonly CvssMetric[]
  readonly extras: readonly CvssExtraMetric[]
}

interface MetricSpec {
  readonly name: string
  readonly group: CvssMetric['group']
  /** Values by abbreviation, from least to most severe. */
  readonly values: Readonly<Record<string, string>>
}

const exploitability = (name: string, values: MetricSpec['values']): MetricSpec => ({
  name,
  group: 'exploitability',
  values,
})
const impact = (name: string, values: MetricSpec['values'] = { N: 'None', L: 'Low', H: 'High' }): MetricSpec => ({
  name,
  group: 'impact',
  values,
})

const IMPACT_V2 = { N: 'None', P: 'Partial', C: 'Complete' }

const METRICS_V3 = {
  AV: exploitability('Attack vector', { P: 'Physical', L: 'Local', A: 'Adjacent network', N: 'Network' }),
  AC: exploitability('Attack complexity', { H: 'High', L: 'Low' }),
  PR: exploitability('Privileges required', { H: 'High', L: 'Low', N: 'None' }),
  UI: exploitability('User interaction', { R: 'Required', N: 'None' }),
  S: exploitability('Scope', { U: 'Unchanged', C: 'Changed' }),
  C: impact('Confidentiality'),
  I: impact('Integrity'),
  A: impact('Availability'),
}

const METRICS: Readonly<Record<CvssVersion, Readonly<Record<string, MetricSpec>>>> = {
  '2.0': {
    AV: exploitability('Access vector', { L: 'Local', A: 'Adjacent network', N: 'Network' }),
    AC: exploitability('Access complexity', { H: 'High', M: 'Medium', L: 'Low' }),
    Au: exploitability('Authentication', { M: 'Multiple', S: 'Single', N: 'None' }),
    C: impact('Confidentiality', IMPACT_V2),
    I: impact('Integrity', IMPACT_V2),
    A: impact('Availability', IMPACT_V2),
  },
  '3.0': METRICS_V3,
  '3.1': METRICS_V3,
  '4.0': {
    AV: exploitability('Attack vector', { P: 'Physical', L: 'Local', A: 'Adjacent network', N: 'Network' }),
    AC: exploitability('Attack complexity', { H: 'High', L: 'Low' }),
    AT: exploitability('Attack requirements', { P: 'Present', N: 'None' }),
    PR: exploitability('Privileges required', { H: 'High', L: 'Low', N: 'None' }),
    UI: exploitability('User interaction', { A: 'Active', P: 'Passive', N: 'None' }),
    VC: impact('Confidentiality, vulnerable system'),
    VI: impact('Integrity, vulnerable system'),
    VA: impact('Availability, vulnerable system'),
    SC: impact('Confidentiality, subsequent systems'),
    SI: impact('Integrity, subsequent systems'),
    SA: impact('Availability, subsequent systems'),
  },
}

const REQUIREMENT = { L: 'Low', M: 'Medium', H: 'High' }
const REQUIREMENTS = {
  CR: ['Confidentiality requirement', REQUIREMENT],
  IR: ['Integrity requirement', REQUIREMENT],
  AR: ['Availability requirement', REQUIREMENT],
} as const

type ExtraSpecs = Readonly<Record<string, readonly [name: string, values: Readonly<Record<string, string>>]>>

const EXTRAS_V3: ExtraSpecs = {
  E: ['Exploit code maturity', { U: 'Unproven', P: 'Proof of concept', F: 'Functional', H: 'High' }],
  RL: ['Remediation level', { O: 'Official fix', T: 'Temporary fix', W: 'Workaround', U: 'Unavailable' }],
  RC: ['Report confidence', { U: 'Unknown', R: 'Reasonable', C: 'Confirmed' }],
  ...REQUIREMENTS,
}

const EXTRAS: Readonly<Record<CvssVersion, ExtraSpecs>> = {
  '2.0': {
    E: ['Exploitability', { U: 'Unproven', POC: 'Proof of concept', F: 'Functional', H: 'High' }],
    RL: ['Remediation level', { OF: 'Official fix', TF: 'Temporary fix', W: 'Workaround', U: 'Unavailable' }],
    RC: ['Report confidence', { UC: 'Unconfirmed', UR: 'Uncorroborated', C: 'Confirmed' }],
    ...REQUIREMENTS,
  },
  '3.0': EXTRAS_V3,
  '3.1': EXTRAS_V3,
  '4.0': {
    E: ['Exploit maturity', { A: 'Attacked', P: 'Proof of concept', U: 'Unreported' }],
    ...REQUIREMENTS,
    S: ['Safety', { N: 'Negligible', P: 'Present' }],
    AU: ['Automatable', { N: 'No', Y: 'Yes' }],
    R: ['Recovery', { A: 'Automatic', U: 'User', I: 'Irrecoverable' }],
    V: ['Value density', { D: 'Diffuse', C: 'Concentrated' }],
    RE: ['Response effort', { L: 'Low', M: 'Moderate', H: 'High' }],
    U: ['Provider urgency', { Clear: 'Clear', Green: 'Green', Amber: 'Amber', Red: 'Red' }],
  },
}

/** Values that mean "not defined" and are not worth showing. */
const NOT_DEFINED: readonly string[] = ['X', 'ND']

/** Returns undefined if the text is not a vector of this version or lacks a mandatory metric. */
export function readCvssVector(version: CvssVersion, vector: string): CvssVector | undefined {
  const given = splitVector(version, vector)
  if (given === undefined) return undefined
  const metrics = Object.entries(METRICS[version]).flatMap(([code, spec]) => readMetric(code, spec, given.get(code)))
  if (metrics.length < Object.keys(METRICS[version]).length) return undefined
  return { version, metrics, extras: readExtras(version, given) }
}

function splitVector(version: CvssVersion, vector: string): ReadonlyMap<string, string> | undefined {
  const prefix = version === '2.0' ? '' : `CVSS:${version}/`
  if (!vector.startsWith(prefix)) return undefined
  // Old CVSS 2.0 vectors are sometimes in parentheses.
  const body = vector.slice(prefix.length).replace(/^\(/, '').replace(/\)$/, '')
  return new Map(
    body.split('/').map((each) => {
      const [code = '', value = ''] = each.split(':')
      return [code, value] as const
    }),
  )
}

function readMetric(code: string, { name, group, values }: MetricSpec, given: string | undefined): CvssMetric[] {
  const codes = Object.keys(values)
  const rank = given === undefined ? -1 : codes.indexOf(given)
  const value = given === undefined ? undefined : values[given]
  if (rank < 0 || value === undefined) return []
  // An impact of None harms nothing and has an empty bar. The other metrics always help an attacker a little.
  const [filled, segments] = group === 'impact' ? [rank, codes.length - 1] : [rank + 1, codes.length]
  return [{ code, name, value, filled, segments, group }]
}

function readExtras(version: CvssVersion, given: ReadonlyMap<string, string>): CvssExtraMetric[] {
  return [...given].flatMap(([code, value]) => {
    if (code in METRICS[version] || NOT_DEFINED.includes(value)) return []
    const spec = EXTRAS[version][code]
    return [{ code, name: spec?.[0] ?? describeModified(version, code), value: spec?.[1][value] ?? value }]
  })
}

/** Environmental metrics repeat the base metrics with a leading M: `MAV`. */
function describeModified(version: CvssVersion, code: string): string {
  const base = code.startsWith('M') ? METRICS[version][code.slice(1)] : undefined
  return base === undefined ? code : `${base.name} (modified)`
}
