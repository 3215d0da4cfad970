// The table of lab/docs/scale.md: the processor time of each kind of call, from the recorded results of the benchmark, and
// the number of cores that three rates of calls need.
import type { SideResult } from '../figures.ts'
import type { RecordedSection } from './recorded.ts'

/** Kinds of calls, each with the benchmark section and the side that measure it. */
const PRICES = [
  { call: 'get-cve, cached, 64 callers', section: 'warm', side: 'get-cve, 10 accounts' },
  { call: 'get-cve, cached, 256 callers', section: 'warm256', side: 'get-cve, 10 accounts' },
  { call: 'get-cve, cached, 1,000 active accounts', section: 'warm', side: 'get-cve, 1,000 accounts' },
  { call: 'get-cve, from the database', section: 'cold', side: 'get-cve, cold' },
  { call: 'batch of 50, cached', section: 'batch', side: 'batch of 50, from memory' },
  { call: 'batch of 50, from the database', section: 'batch', side: 'batch of 50, from the database' },
  { call: 'search of the mix', section: 'search', side: 'search' },
  { call: 'charge alone, in batches of 1', section: 'charges', side: 'batches of 1, 1,000 accounts' },
  { call: 'charge alone, in batches of 64', section: 'charges', side: 'batches of 64, 1,000 accounts' },
  { call: 'charge alone, in batches of 256', section: 'charges', side: 'batches of 256, 1,000 accounts' },
] as const

const RATES = [1000, 10_000, 100_000]

/** A call whose section has not been recorded yet is left out. */
export function formatPrices(sections: Readonly<Record<string, RecordedSection>>): string {
  const names = RATES.map((rate) => `cores at ${rate.toLocaleString('en')} calls/s`)
  const rows = PRICES.flatMap(({ call, section, side }) => {
    const found = sections[section]?.sides?.find((each) => each.side === side)
    return found ? [formatRow(call, section, found)] : []
  })
  return `| call | API process, µs | PostgreSQL, µs | sum, µs | ${names.join(' | ')} | section |
|---|---|---|---|${RATES.map(() => '---|').join('')}---|
${rows.join('\n')}
`
}

function formatRow(call: string, section: string, { own, postgres, redis }: SideResult): string {
  const sum = own + postgres + redis
  const cores = RATES.map((rate) => ((sum * rate) / 1e6).toLocaleString('en', CORES_FORMAT))
  return `| ${[call, toMicros(own), toMicros(postgres), toMicros(sum), ...cores, `\`${section}\``].join(' | ')} |`
}

const CORES_FORMAT = { maximumSignificantDigits: 2 }
const toMicros = (value: number) => Math.round(value).toLocaleString('en')
