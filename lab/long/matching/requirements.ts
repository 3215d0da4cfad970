// Version requirements of RubyGems and Composer, such as `~> 1.2.3` and `>=2.0,<2.0.4`.
import { SCHEMES } from '../../../service/src/domain/version/schemes.ts'

type Scheme = 'gem' | 'composer'

const CLAUSE = /^\s*(>=|<=|~>|[<>=])?\s*(\S+)\s*$/

/** Returns undefined if the scheme cannot order the version and a version of the requirement. */
export function meetsAll(clauses: readonly string[], version: string, scheme: Scheme): boolean | undefined {
  const results = clauses.map((each) => meetsClause(each, version, scheme))
  if (results.includes(false)) return false
  return results.includes(undefined) ? undefined : true
}

export function readOperand(clause: string): string {
  return CLAUSE.exec(clause)?.[2] ?? ''
}

function meetsClause(clause: string, version: string, scheme: Scheme): boolean | undefined {
  const [, operator = '=', operand = ''] = CLAUSE.exec(clause) ?? []
  const order = SCHEMES[scheme].compare(version, operand)
  if (order === undefined) return undefined
  switch (operator) {
    case '>=':
      return order >= 0
    case '>':
      return order > 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '~>':
      return order >= 0 && (SCHEMES[scheme].compare(version, raiseLast(operand)) ?? 0) < 0
    default:
      return order === 0
  }
}

/** Returns the end of `~>`: 1.3 for 1.2.3, and 2 for 1.2. Versions before the end, such as 1.3.a, are not met either. */
function raiseLast(operand: string): string {
  const numbers = operand.split('.')
  const first = numbers.findIndex((each) => !/^\d+$/.test(each))
  const release = first === -1 ? numbers : numbers.slice(0, first)
  const kept = release.length > 1 ? release.slice(0, -1) : release
  const last = Number(kept.at(-1)) + 1
  return [...kept.slice(0, -1), last, 'a'].join('.')
}
