// Encodes one CVE's EPSS scores for one month. Five years of daily scores for all CVEs take about as much space as a
// single day would take as rows (ADR 0024).
//
// A list has one token per day, from the first of the month to the last day with a value. A day without a value is the
// byte 0. Any other token is the difference from the previous value in zigzag coding (0, -1, 1, -2, … become 0, 1, 2,
// 3, …) plus one, written as a varint: seven bits per byte, lowest first, with the highest bit set in every byte but
// the last.

/** Scores and percentiles have five decimals and are stored as integers. */
const UNITS = 100_000

export function toUnits(value: number): number {
  return Math.round(value * UNITS)
}

export function fromUnits(units: number): number {
  return units / UNITS
}

/** Both values are in units of 0.00001. */
export interface DayScore {
  readonly score: number
  /** Null if the release has no percentiles. */
  readonly percentile: number | null
}

/** The list starts with the first day of the month. */
export type MonthScores = readonly (DayScore | null)[]

export interface EncodedMonth {
  readonly scores: Buffer
  readonly percentiles: Buffer
}

/** Trailing days without a score are not encoded. */
export function encodeMonth(days: MonthScores): EncodedMonth {
  return {
    scores: encodeValues(days.map((day) => day?.score ?? null)),
    percentiles: encodeValues(days.map((day) => day?.percentile ?? null)),
  }
}

export function decodeMonth({ scores, percentiles }: EncodedMonth): MonthScores {
  const decoded = decodeValues(percentiles)
  return decodeValues(scores).map((score, index) =>
    score === null ? null : { score, percentile: decoded[index] ?? null },
  )
}

type Values = readonly (number | null)[]

/** The largest token stands for a difference of 100,000. */
const MAX_TOKEN_BYTES = 3

function encodeValues(values: Values): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * MAX_TOKEN_BYTES)
  let [length, lengthWithValues, previous] = [0, 0, 0]
  for (const value of values) {
    if (value === null) {
      bytes[length] = 0
      length += 1
      continue
    }
    length = writeVarint(bytes, length, zigzag(value - previous) + 1)
    previous = value
    lengthWithValues = length
  }
  return bytes.subarray(0, lengthWithValues)
}

/** Leaves out the days after the last value. */
export function decodeValues(bytes: Uint8Array): Values {
  const values: (number | null)[] = []
  let [token, shift, previous] = [0, 0, 0]
  for (const byte of bytes) {
    token += (byte & 0x7f) * 2 ** shift
    shift += 7
    if (byte >= 0x80) continue
    if (token > 0) previous += unzigzag(token - 1)
    values.push(token === 0 ? null : previous)
    ;[token, shift] = [0, 0]
  }
  return values
}

function writeVarint(bytes: Buffer, at: number, value: number): number {
  let [rest, index] = [value, at]
  while (rest >= 0x80) {
    bytes[index] = (rest & 0x7f) | 0x80
    rest >>>= 7
    index += 1
  }
  bytes[index] = rest
  return index + 1
}

const zigzag = (difference: number) => (difference < 0 ? -2 * difference - 1 : 2 * difference)

const unzigzag = (code: number) => (code % 2 === 0 ? code / 2 : -(code + 1) / 2)
