// The metrics of each CVSS version, with FIRST's names for their values.

const NONE_LOW_HIGH = { N: 'NONE', L: 'LOW', H: 'HIGH' } as const
const NONE_PARTIAL_COMPLETE = { N: 'NONE', P: 'PARTIAL', C: 'COMPLETE' } as const
const LOW_HIGH = { L: 'LOW', H: 'HIGH' } as const

const BASE_METRICS_V3 = {
  AV: { N: 'NETWORK', A: 'ADJACENT_NETWORK', L: 'LOCAL', P: 'PHYSICAL' },
  AC: LOW_HIGH,
  PR: NONE_LOW_HIGH,
  UI: { N: 'NONE', R: 'REQUIRED' },
  S: { U: 'UNCHANGED', C: 'CHANGED' },
  C: NONE_LOW_HIGH,
  I: NONE_LOW_HIGH,
  A: NONE_LOW_HIGH,
} as const

/** Mandatory metrics, in the order of the vector. */
export const BASE_METRICS = {
  '2.0': {
    AV: { L: 'LOCAL', A: 'ADJACENT_NETWORK', N: 'NETWORK' },
    AC: { H: 'HIGH', M: 'MEDIUM', L: 'LOW' },
    Au: { M: 'MULTIPLE', S: 'SINGLE', N: 'NONE' },
    C: NONE_PARTIAL_COMPLETE,
    I: NONE_PARTIAL_COMPLETE,
    A: NONE_PARTIAL_COMPLETE,
  },
  '3.0': BASE_METRICS_V3,
  '3.1': BASE_METRICS_V3,
  '4.0': {
    AV: { N: 'NETWORK', A: 'ADJACENT', L: 'LOCAL', P: 'PHYSICAL' },
    AC: LOW_HIGH,
    AT: { N: 'NONE', P: 'PRESENT' },
    PR: NONE_LOW_HIGH,
    UI: { N: 'NONE', P: 'PASSIVE', A: 'ACTIVE' },
    VC: NONE_LOW_HIGH,
    VI: NONE_LOW_HIGH,
    VA: NONE_LOW_HIGH,
    SC: NONE_LOW_HIGH,
    SI: NONE_LOW_HIGH,
    SA: NONE_LOW_HIGH,
  },
} as const satisfies Record<string, Record<string, Readonly<Record<string, string>>>>

export type CvssVersion = keyof typeof BASE_METRICS

/** A value for each base metric, for example `{ AV: 'N', … }`. */
export type BaseMetrics<V extends CvssVersion> = {
  readonly [M in keyof (typeof BASE_METRICS)[V]]: keyof (typeof BASE_METRICS)[V][M]
}

const OTHER_METRICS_V3 = {
  E: 'X U P F H',
  RL: 'X O T W U',
  RC: 'X U R C',
  CR: 'X L M H',
  IR: 'X L M H',
  AR: 'X L M H',
  MAV: 'X N A L P',
  MAC: 'X L H',
  MPR: 'X N L H',
  MUI: 'X N R',
  MS: 'X U C',
  MC: 'X N L H',
  MI: 'X N L H',
  MA: 'X N L H',
} as const

/** Optional metrics (temporal or threat, environmental, supplemental). They do not affect the base score. */
export const OTHER_METRICS: Record<CvssVersion, Readonly<Record<string, string>>> = {
  '2.0': {
    E: 'ND U POC F H',
    RL: 'ND OF TF W U',
    RC: 'ND UC UR C',
    CDP: 'ND N L LM MH H',
    TD: 'ND N L M H',
    CR: 'ND L M H',
    IR: 'ND L M H',
    AR: 'ND L M H',
  },
  '3.0': OTHER_METRICS_V3,
  '3.1': OTHER_METRICS_V3,
  '4.0': {
    E: 'X A P U',
    CR: 'X H M L',
    IR: 'X H M L',
    AR: 'X H M L',
    MAV: 'X N A L P',
    MAC: 'X L H',
    MAT: 'X N P',
    MPR: 'X N L H',
    MUI: 'X N P A',
    MVC: 'X H L N',
    MVI: 'X H L N',
    MVA: 'X H L N',
    MSC: 'X H L N',
    MSI: 'X S H L N',
    MSA: 'X S H L N',
    S: 'X N P',
    AU: 'X N Y',
    R: 'X A U I',
    V: 'X D C',
    RE: 'X L M H',
    U: 'X Clear Green Amber Red',
  },
}
