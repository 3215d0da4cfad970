// Generates the properties of each record. All files are written from them, so that they agree with each other.
import { createDice, type Dice } from './dice.ts'
import { drawOne, getValueAt, type Weights } from './draw.ts'
import { ERAS, type Era, PERCENTILES, SHARES, type Status, THOUSANDS_PER_YEAR } from './shape.ts'

export interface DatasetOptions {
  readonly records: number
  readonly seed: number
  /** Day of the files, such as `2026-08-22`. No date in the files is later. */
  readonly today: string
}

export interface GeneratedRecord {
  readonly cveId: string
  readonly year: number
  readonly era: Era
  readonly status: Status
  readonly published: Date
  readonly modified: Date
  readonly isAtNvd: boolean
  readonly isInCveList: boolean
  readonly isInKev: boolean
  /** EPSS score; undefined for rejected records. */
  readonly epss: number | undefined
  /** Creates the random number generator for one subject of this record; it always gives the same numbers. */
  dice(subject: Subject): Dice
}

type Subject = keyof typeof SUBJECTS
const SUBJECTS = { record: 1, content: 2, references: 3, ssvc: 4, kev: 5, repositories: 6, tags: 7 } as const

/** Generates records, ordered by year and number. */
export function* generateRecords(options: DatasetOptions, years: YearRange = ALL_YEARS): Generator<GeneratedRecord> {
  const perYear = countRecordsPerYear(options)
  const lastYear = perYear.at(-1)?.[0]
  for (const [year, count] of perYear.filter(([year]) => year >= years.first && year <= years.last))
    for (let number = 1; number <= count; number += 1)
      yield buildRecord(options, year, number, year === lastYear && number === count)
}

interface YearRange {
  readonly first: number
  readonly last: number
}

const ALL_YEARS: YearRange = { first: 0, last: Number.POSITIVE_INFINITY }

/** Distributes the number of records over the years up to today. */
function countRecordsPerYear({ records, today }: DatasetOptions): Weights<number> {
  const years = THOUSANDS_PER_YEAR.filter(([year]) => year <= Number(today.slice(0, 4)))
  const total = years.reduce((sum, [, thousands]) => sum + thousands, 0)
  let [cumulated, assigned] = [0, 0]
  const perYear = years.map(([year, thousands]) => {
    cumulated += thousands
    const count = Math.round((records * cumulated) / total) - assigned
    assigned += count
    return [year, count] as const
  })
  return perYear.filter(([, count]) => count > 0)
}

function buildRecord(options: DatasetOptions, year: number, number: number, isLast: boolean): GeneratedRecord {
  const dice = (subject: Subject) => createDice(options.seed, year, number, SUBJECTS[subject])
  const random = dice('record')
  const era = findEra(year)
  // The last record is always in KEV, because the feed rejects an empty catalog. Records in KEV are never rejected.
  const isInKev = random.share() < SHARES.inKev || isLast
  const status = drawOne(random, isInKev ? era.statuses.filter(([name]) => name !== 'Rejected') : era.statuses)
  const isAtNvd = random.share() < SHARES.atNvd
  const published = drawPublished(random, year, options.today)
  return {
    cveId: `CVE-${year}-${String(number).padStart(4, '0')}`,
    year,
    era,
    status,
    published,
    modified: drawModified(random, published, options.today),
    isAtNvd,
    isInCveList: !isAtNvd || random.share() < (SHARES.inCveList + SHARES.atNvd - 1) / SHARES.atNvd,
    isInKev,
    epss: status === 'Rejected' ? undefined : drawEpss(random, isInKev),
    dice,
  }
}

function findEra(year: number): Era {
  const era = ERAS.find(({ lastYear }) => year <= lastYear)
  if (!era) throw new Error(`No era covers the year ${year}.`)
  return era
}

const MONTHS_OF_PUBLICATION = 14

/** Draws the time of publication: up to 14 months after the start of the id's year. */
function drawPublished(dice: Dice, year: number, today: string): Date {
  const first = Date.UTC(year)
  const last = Math.min(Date.UTC(year, MONTHS_OF_PUBLICATION), Date.parse(today))
  return new Date(first + Math.floor(dice.share() * (last - first)))
}

/** Draws the time of the last change, mostly soon after the publication. */
function drawModified(dice: Dice, published: Date, today: string): Date {
  const maxAgeMs = Date.parse(today) - published.getTime()
  return new Date(published.getTime() + Math.floor(dice.share() ** 3 * maxAgeMs))
}

/** Draws the EPSS score. Records outside KEV use only the lower part of the table, because those in KEV have the top. */
function drawEpss(dice: Dice, isInKev: boolean): number {
  const share = dice.share()
  return isInKev ? getValueAt(PERCENTILES.kevEpss, share) : getValueAt(PERCENTILES.epss, share * (1 - SHARES.inKev))
}
