// Distributions of real upstream records, in rounded figures, measured in August 2026 over the available NVD records.
import type { Percentiles, Weights } from './draw.ts'

/**
 * Values of record properties at the percentile ranks RANKS of draw.ts, measured over records that are not rejected.
 */
export const PERCENTILES = {
  descriptionCharacters: [20, 60, 103, 135, 180, 245, 350, 545, 700, 1200, 3250, 4000],
  cpeMatches: [0, 0, 0, 0, 1, 1, 5, 18, 41, 138, 418, 5800],
  products: [0, 0, 0, 0, 1, 1, 2, 4, 8, 40, 338, 5400],
  references: [0, 1, 1, 1, 1, 3, 6, 12, 18, 38, 104, 434],
  scoreV2: [0, 2.1, 2.6, 4, 4.3, 5.5, 7.5, 9.3, 10, 10, 10, 10],
  scoreV30: [1.8, 3.3, 4.7, 5.3, 6.1, 7.5, 8.8, 9.8, 9.8, 9.8, 10, 10],
  scoreV31: [0, 3.3, 4.3, 4.9, 5.5, 7.5, 8.8, 9.8, 9.8, 9.8, 10, 10],
  scoreV40: [0, 1.3, 2.3, 4.8, 5.3, 6.9, 8.6, 9.2, 9.3, 10, 10, 10],
  epss: [0.0005, 0.001, 0.0015, 0.002, 0.0032, 0.007, 0.0168, 0.0416, 0.095, 0.576, 0.977, 1],
  repositories: [1, 1, 1, 1, 1, 1, 1, 3, 6, 25, 94, 450],
  kevEpss: [0.0025, 0.0052, 0.0148, 0.0284, 0.106, 0.546, 0.919, 0.996, 1, 1, 1, 1],
} as const satisfies Record<string, Percentiles>

/** Number of CVE ids per year, in thousands. */
export const THOUSANDS_PER_YEAR: Weights<number> = [
  [1999, 1.5],
  [2000, 1.2],
  [2001, 1.5],
  [2002, 2.4],
  [2003, 1.5],
  [2004, 2.6],
  [2005, 4.6],
  [2006, 7],
  [2007, 6.5],
  [2008, 7],
  [2009, 4.9],
  [2010, 5.1],
  [2011, 4.6],
  [2012, 5.5],
  [2013, 6.2],
  [2014, 8.4],
  [2015, 8.1],
  [2016, 9.4],
  [2017, 14.8],
  [2018, 16.2],
  [2019, 16.1],
  [2020, 19.4],
  [2021, 22.6],
  [2022, 26.4],
  [2023, 30.6],
  [2024, 38.4],
  [2025, 43.4],
  [2026, 44.1],
]

export type Status =
  | 'Analyzed'
  | 'Modified'
  | 'Awaiting Analysis'
  | 'Undergoing Analysis'
  | 'Received'
  | 'Deferred'
  | 'Rejected'

/** A period of years with similar statuses and CVSS versions: NVD's way of working changed over time. */
export interface Era {
  /** Name of the period in distributions.json. */
  readonly cohort: string
  readonly lastYear: number
  readonly statuses: Weights<Status>
  /** Share of the records that have a rating, for each CVSS version. */
  readonly rated: Readonly<Record<'2.0' | '3.0' | '3.1' | '4.0', number>>
}

export const ERAS: readonly Era[] = [
  {
    cohort: 'id_year_le_2016',
    lastYear: 2016,
    statuses: [
      ['Modified', 0.705],
      ['Analyzed', 0.194],
      ['Rejected', 0.053],
      ['Deferred', 0.047],
    ],
    rated: { '2.0': 0.997, '3.0': 0.122, '3.1': 0.053, '4.0': 0.001 },
  },
  {
    cohort: 'id_year_2017_2023',
    lastYear: 2023,
    statuses: [
      ['Analyzed', 0.896],
      ['Rejected', 0.06],
      ['Awaiting Analysis', 0.036],
      ['Modified', 0.004],
      ['Undergoing Analysis', 0.003],
    ],
    rated: { '2.0': 0.768, '3.0': 0.364, '3.1': 0.608, '4.0': 0.002 },
  },
  {
    cohort: 'id_year_2026',
    lastYear: Number.POSITIVE_INFINITY,
    statuses: [
      ['Analyzed', 0.38],
      ['Received', 0.245],
      ['Awaiting Analysis', 0.214],
      ['Undergoing Analysis', 0.073],
      ['Deferred', 0.036],
      ['Rejected', 0.027],
      ['Modified', 0.026],
    ],
    rated: { '2.0': 0.098, '3.0': 0.017, '3.1': 0.85, '4.0': 0.31 },
  },
]

export const SHARES = {
  /** Share of all CVE ids that are in KEV. */
  inKev: 0.0047,
  /** Share of KEV entries with known ransomware use. */
  knownRansomware: 0.21,
  /** Share of CVE ids with a record at NVD, among the ids that have a record at NVD or in the CVE List. */
  atNvd: 0.84,
  /** Share of CVE ids with a record in the CVE List, among the ids that have a record at NVD or in the CVE List. */
  inCveList: 0.24,
  /** Share of all CVE ids that have a proof-of-concept repository. */
  withRepository: 0.036,
} as const

/** Weaknesses (CWE ids) with their relative frequencies. */
export const WEAKNESSES: Weights = [
  ['NVD-CWE-Other', 26.9],
  ['CWE-79', 23.4],
  ['NVD-CWE-noinfo', 18.9],
  ['CWE-119', 12.7],
  ['CWE-89', 9.9],
  ['CWE-20', 9.7],
  ['CWE-200', 8.2],
  ['CWE-787', 6],
  ['CWE-22', 5],
  ['CWE-352', 4.8],
  ['CWE-125', 4.5],
  ['CWE-94', 3.5],
  ['CWE-416', 3.4],
  ['CWE-287', 3],
  ['CWE-78', 2.5],
  ['CWE-862', 2.4],
  ['CWE-476', 2.1],
  ['CWE-190', 2],
  ['CWE-434', 1.6],
  ['CWE-502', 1.1],
]

/** Tags of references. The empty tag stands for a reference without tags. */
export const REFERENCE_TAGS: Weights = [
  ['', 30],
  ['Vendor Advisory', 21],
  ['Third Party Advisory', 21],
  ['Patch', 11.8],
  ['Exploit', 9.1],
  ['VDB Entry', 5.9],
  ['Mailing List', 3.1],
  ['Issue Tracking', 2.1],
  ['Broken Link', 2],
  ['US Government Resource', 1.9],
  ['Release Notes', 1.3],
]
