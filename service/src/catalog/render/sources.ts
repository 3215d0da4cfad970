// Renders the stored form of who stated each value (decision E15).
import type { StatedDisagreement } from '../../domain/source/disagreement.ts'
import type {
  StatementContent,
  StoredOrigin,
  StoredSources,
  StoredStatement,
  StoredValueSources,
} from '../../domain/source/stored-sources.ts'
import { listSourcedValues, type SourcedCve, type SourcedValue, type Statement } from '../resolve/value-sources.ts'

/**
 * Only CVEs with many advisories from GHSA or OSV databases have more agreeing, or more differing, statements about a
 * value.
 */
const MAX_STATEMENTS = 20

export function renderSources(cve: SourcedCve, disagreements: readonly StatedDisagreement[]): StoredSources {
  const origins = createOrigins()
  const values: Record<string, StoredValueSources> = {}
  for (const value of listSourcedValues(cve))
    if (value.sources && !value.spec.isAddedLater) values[value.name] = renderValue(value, value.sources, origins)
  return { origins: origins.list, values, ...(disagreements.length > 0 && { disagreements }) }
}

type Origins = ReturnType<typeof createOrigins>

function createOrigins() {
  const list: StoredOrigin[] = []
  return {
    list,
    findPosition: ({ source, time }: Statement) => {
      const known = list.findIndex((each) => each[0] === source && each[1] === time)
      return known < 0 ? list.push([source, time]) - 1 : known
    },
  }
}

function renderValue(
  { spec: { shownInRecord = NONE, isLong } }: SourcedValue,
  { from, others }: NonNullable<SourcedValue['sources']>,
  origins: Origins,
): StoredValueSources {
  // Next to other statements, the record's value is given too, so that readers can compare them.
  const isShown = others.length === 0 || isLong === true
  const agreeing = from.slice(0, MAX_STATEMENTS).map((each, index) => {
    const omitted = index === 0 && !isShown ? NONE : shownInRecord.filter((name) => hasSame(each, from[0], name))
    return renderStatement(each, omitted, origins)
  })
  // Most values have no other statements.
  if (others.length === 0 && from.length <= MAX_STATEMENTS) return { from: agreeing }
  const omitted = Math.max(0, from.length - MAX_STATEMENTS) + Math.max(0, others.length - MAX_STATEMENTS)
  return {
    from: agreeing,
    ...(others.length > 0 && {
      others: others.slice(0, MAX_STATEMENTS).map((each) => renderStatement(each, NONE, origins)),
    }),
    ...(omitted > 0 && { omitted }),
  }
}

const NONE: readonly (keyof StatementContent)[] = []

function hasSame(one: Statement, other: Statement | undefined, name: keyof StatementContent): boolean {
  return one.content[name] === other?.content[name]
}

function renderStatement(statement: Statement, omittedNames: readonly string[], origins: Origins): StoredStatement {
  const [origin, names] = [origins.findPosition(statement), Object.keys(statement.content)]
  const shown = omittedNames.length === 0 ? names : names.filter((name) => !omittedNames.includes(name))
  if (shown.length === 0) return origin
  if (shown.length === names.length) return [origin, statement.content]
  return [origin, Object.fromEntries(Object.entries(statement.content).filter(([name]) => shown.includes(name)))]
}
