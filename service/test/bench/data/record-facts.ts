// What is true of the nth record, whoever speaks of it: every file is written from these.
import { type Dice, diceFor } from './dice.ts'
import { drawOne, valueAt, type Weights } from './draw.ts'
import { ERAS, type Era, PERCENTILES, SHARES, type Status, THOUSANDS_OF_YEAR } from './shape.ts'

export interface Wanted {
  readonly records: number
  readonly seed: number
  /** The day on which the files are published, as `2026-08-22`: nothing in them is later. */
  readonly today: string
}

export interface RecordFacts {
  readonly cveId: string
  readonly year: number
  readonly era: Era
  readonly status: Status
  readonly published: Date
  readonly modified: Date
  readonly isAtNvd: boolean
  readonly isInCveList: boolean
  readonly isInKev: boolean
  /** Rejected records have none. */
  readonly epss: number | undefined
  /** A fresh set of dice for one subject of this record, always the same. */
  dice(subject: Subject): Dice
}

type Subject = keyof typeof SUBJECTS
const SUBJECTS = { facts: 1, content: 2, references: 3, ssvc: 4, kev: 5, repositories: 6 } as const

/** Sorted by year and number. */
export function* recordFacts(wanted: Wanted, years: YearRange = ALL_YEARS): Generator<RecordFacts> {
  const perYear = recordsPerYear(wanted)
  const lastYear = perYear.at(-1)?.[0]
  for (const [year, count] of perYear.filter(([year]) => year >= years.first && year <= years.last))
    for (let number = 1; number <= count; number += 1)
      yield factsOf(wanted, year, number, year === lastYear && number === count)
}

interface YearRange {
  readonly first: number
  readonly last: number
}

const ALL_YEARS: YearRange = { first: 0, last: Number.POSITIVE_INFINITY }

/** As many as were asked for, none for a year that has not come. */
function recordsPerYear({ records, today }: Wanted): Weights<number> {
  const years = THOUSANDS_OF_YEAR.filter(([year]) => year <= Number(today.slice(0, 4)))
  const total = years.reduce((sum, [, thousands]) => sum + thousands, 0)
  let [passed, given] = [0, 0]
  const perYear = years.map(([year, thousands]) => {
    passed += thousands
    const count = Math.round((records * passed) / total) - given
    given += count
    return [year, count] as const
  })
  return perYear.filter(([, count]) => count > 0)
}

function factsOf(wanted: Wanted, year: number, number: number, isLast: boolean): RecordFacts {
  const dice = (subject: Subject) => diceFor(wanted.seed, year, number, SUBJECTS[subject])
  const own = dice('facts')
  const era = eraOf(year)
  // The last one is always in KEV, because an empty catalogue is refused; and whoever is in it was not rejected.
  const isInKev = own.share() < SHARES.inKev || isLast
  const status = drawOne(own, isInKev ? era.statuses.filter(([name]) => name !== 'Rejected') : era.statuses)
  const isAtNvd = own.share() < SHARES.atNvd
  const published = publishedIn(own, year, wanted.today)
  return {
    cveId: `CVE-${year}-${String(number).padStart(4, '0')}`,
    year,
    era,
    status,
    published,
    modified: modifiedAfter(own, published, wanted.today),
    isAtNvd,
    isInCveList: !isAtNvd || own.share() < (SHARES.inCveList + SHARES.atNvd - 1) / SHARES.atNvd,
    isInKev,
    epss: status === 'Rejected' ? undefined : epssOf(own, isInKev),
    dice,
  }
}

function eraOf(year: number): Era {
  const era = ERAS.find(({ lastYear }) => year <= lastYear)
  if (!era) throw new Error(`there is no era for ${year}`)
  return era
}

const MONTHS_OF_PUBLICATION = 14

/** Some are published in the year after that of their id. */
function publishedIn(dice: Dice, year: number, today: string): Date {
  const first = Date.UTC(year)
  const last = Math.min(Date.UTC(year, MONTHS_OF_PUBLICATION), Date.parse(today))
  return new Date(first + Math.floor(dice.share() * (last - first)))
}

/** Mostly soon after. */
function modifiedAfter(dice: Dice, published: Date, today: string): Date {
  const room = Date.parse(today) - published.getTime()
  return new Date(published.getTime() + Math.floor(dice.share() ** 3 * room))
}

/** The top of the table is made of those in KEV: the others leave them their room. */
function epssOf(dice: Dice, isInKev: boolean): number {
  const share = dice.share()
  return isInKev ? valueAt(PERCENTILES.epssOfKev, share) : valueAt(PERCENTILES.epss, share * (1 - SHARES.inKev))
}
