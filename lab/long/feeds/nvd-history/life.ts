// The generated history of one CVE in NVD: the changes as NVD's API lists them, the state after each of them, and NVD's
// record after the last one. The same number gives the same history, so that millions of changes need no memory.
import { formatInstant } from '../../../../service/src/domain/instant.ts'
import type { PlayedChange } from '../../../../service/test/feeds/sources/nvd/history-upstream.ts'
import { createDice, type Dice } from '../../../../service/test/support/generator/dice.ts'

export interface LifeState {
  readonly description: string
  /** The vector of NVD's rating; null before NVD's analysis. */
  readonly vector: string | null
  readonly cwes: readonly number[]
  readonly references: readonly string[]
  /** The version before which the product is affected; null before NVD's analysis. */
  readonly fixedIn: string | null
}

export interface Life {
  readonly id: string
  readonly changes: readonly PlayedChange[]
  readonly states: readonly { readonly at: number; readonly state: LifeState }[]
  readonly record: object
}

const [NVD, CNA] = ['nvd@nist.gov', 'cna@example.test']
const FIRST = Date.UTC(2015, 0, 1)
const DAY_MS = 86_400_000
export const LAST = Date.UTC(2026, 7, 20)
const VECTORS = [
  'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N',
] as const

const toId = (number: number) => `CVE-${2015 + (number % 12)}-${100_000 + number}`

/** Times of the changes of a CVE, in order, a day apart at least: a state is then that of one change. */
export function listTimes(number: number, count: number): readonly number[] {
  const dice = createDice(46, number)
  const span = Math.floor((LAST - FIRST) / DAY_MS / count)
  return Array.from(
    { length: count },
    (_, index) => FIRST + (index * span + dice.below(span - 1)) * DAY_MS + dice.below(DAY_MS),
  )
}

export function createLife(number: number, count: number): Life {
  const [id, dice, times] = [toId(number), createDice(47, number), listTimes(number, count)]
  let state: LifeState = {
    description: `Text 0 of ${id}.`,
    vector: null,
    cwes: [20 + dice.below(3)],
    references: [`https://cna.example/${number}`],
    fixedIn: null,
  }
  const states: { at: number; state: LifeState }[] = []
  const changes = times.map((at, index) => {
    const { next, details, event } = index === 0 ? receive(state) : advance(state, index, { id, dice })
    state = next
    states.push({ at, state })
    const created = new Date(at).toISOString().slice(0, -1)
    return {
      cveId: id,
      cveChangeId: toChangeId(number, index),
      eventName: event,
      sourceIdentifier: event === 'Initial Analysis' ? NVD : CNA,
      created,
      details,
    }
  })
  return { id, changes, states, record: toRecord(id, states, times) }
}

function toChangeId(number: number, index: number): string {
  return `${number.toString(16).padStart(8, '0')}-${index.toString(16).padStart(4, '0')}-4F5A-8B6C-0D9E8F7A6B54`.toUpperCase()
}

interface Step {
  readonly next: LifeState
  readonly event: string
  readonly details: readonly object[]
}

const added = (type: string, newValue: string) => ({ action: 'Added', type, newValue })
const removed = (type: string, oldValue: string) => ({ action: 'Removed', type, oldValue })

function receive(state: LifeState): Step {
  const { description, cwes, references } = state
  return {
    next: state,
    event: 'New CVE Received',
    details: [
      added('Description', description),
      ...cwes.map((cwe) => added('CWE', `CWE-${cwe}`)),
      ...references.map((url) => added('Reference', `${url} [No Types Assigned]`)),
    ],
  }
}

const toConfiguration = (version: string) =>
  `OR\n     *cpe:2.3:a:example:product:*:*:*:*:*:*:*:* versions up to (excluding) ${version}`

function analyse(state: LifeState, dice: Dice): Step {
  const [vector, fixedIn] = [VECTORS[dice.below(3)] ?? VECTORS[0], `2.${dice.below(9)}`]
  const before = [
    ...(state.vector === null ? [] : [removed('CVSS V3.1', `NIST ${state.vector}`)]),
    ...(state.fixedIn === null ? [] : [removed('CPE Configuration', toConfiguration(state.fixedIn))]),
  ]
  return {
    next: { ...state, vector, fixedIn },
    event: 'Initial Analysis',
    details: [...before, added('CVSS V3.1', `NIST ${vector}`), added('CPE Configuration', toConfiguration(fixedIn))],
  }
}

function advance(state: LifeState, index: number, { id, dice }: { readonly id: string; readonly dice: Dice }): Step {
  if (index % 3 === 1) return analyse(state, dice)
  if (index % 3 === 2) {
    const description = `Text ${index} of ${id}, which is about as long as the description of a vulnerability in a product usually is: a remote attacker can do what nobody expects, with the rights of the service.`
    const changed = { action: 'Changed', type: 'Description', oldValue: state.description, newValue: description }
    return { next: { ...state, description }, event: 'CVE Modified', details: [changed] }
  }
  const [first = 0, url] = [state.cwes[0], `https://advisories.example/${id}/${index}`]
  return {
    next: { ...state, cwes: [first + 1], references: [...state.references, url] },
    event: 'CVE Modified',
    details: [
      { action: 'Changed', type: 'CWE', oldValue: `CWE-${first}`, newValue: `CWE-${first + 1}` },
      added('Reference', url),
    ],
  }
}

function toRecord(id: string, states: Life['states'], times: readonly number[]): object {
  const last = states.at(-1)
  if (last === undefined) throw new Error('a CVE has at least one change')
  const { description, vector, cwes, references, fixedIn } = last.state
  const [published = 0] = times
  const criteria = 'cpe:2.3:a:example:product:*:*:*:*:*:*:*:*'
  return {
    id,
    published: formatInstant(new Date(published)).slice(0, -1),
    lastModified: new Date(last.at).toISOString().slice(0, -1),
    vulnStatus: 'Modified',
    descriptions: [{ lang: 'en', value: description }],
    metrics:
      vector === null
        ? {}
        : {
            cvssMetricV31: [
              { source: NVD, type: 'Primary', cvssData: { vectorString: `CVSS:3.1/${vector}`, baseScore: 5 } },
            ],
          },
    weaknesses: [
      { source: CNA, type: 'Primary', description: cwes.map((cwe) => ({ lang: 'en', value: `CWE-${cwe}` })) },
    ],
    configurations:
      fixedIn === null
        ? []
        : [
            {
              nodes: [
                {
                  operator: 'OR',
                  negate: false,
                  cpeMatch: [{ vulnerable: true, criteria, versionEndExcluding: fixedIn }],
                },
              ],
            },
          ],
    references: references.map((url) => ({ url, source: CNA })),
  }
}
