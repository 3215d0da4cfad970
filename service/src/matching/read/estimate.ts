// Estimates the work of a call before it is charged: the rows about its products, and the versions with which each row
// is compared. Rows are counted in an index, up to a limit, because a stored count could become wrong on a replica or
// after a crash.
import { sql } from 'kysely'
import { createIssue } from '../../contract/request/validation-issue.ts'
import { type ApiError, invalidParameters } from '../../contract/response/errors.ts'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import type { Component } from '../../domain/component/component.ts'
import { FROM_NAMED_ROWS, type ProductName, splitNames, toNameKey } from './read-rows.ts'

export interface WorkLimits {
  /** Rows about one product, which are all in memory at once. */
  readonly productRows: number
  /** Rows about all products of a call, each counted once. */
  readonly rows: number
  /** Number of times a version is compared with a row. */
  readonly comparisons: number
}

export const WORK_LIMITS: WorkLimits = { productRows: 150_000, rows: 400_000, comparisons: 15_000_000 }

/** A call within these limits takes a few tenths of a second alongside other calls. */
const SMALL: Omit<WorkLimits, 'productRows'> = { rows: 10_000, comparisons: 200_000 }

export interface Estimate {
  /** Number of rows by name (toNameKey). */
  readonly rowsOfNames: ReadonlyMap<string, number>
  readonly rows: number
  readonly comparisons: number
}

/** Throws 400 if a limit is exceeded. `parameter` is the parameter that names the components. */
export async function estimateWork(
  db: Database,
  components: readonly Component[],
  parameter: string,
  limits: WorkLimits = WORK_LIMITS,
): Promise<Estimate> {
  const names = [...new Map(components.map((each) => [toNameKey(each), each])).values()]
  const versions = countVersions(components)
  const rowsOfNames = await countRows(db, names, limits.rows)
  let [rows, comparisons] = [0, 0]
  for (const [name, count] of rowsOfNames) {
    if (count > limits.productRows) throw tooManyRows(parameter, limits.productRows)
    rows += count
    comparisons += count * (versions.get(name)?.size ?? 0)
  }
  if (rows > limits.rows) throw tooManyProducts(parameter, limits.rows)
  if (comparisons > limits.comparisons) throw tooManyVersions(parameter, { comparisons, limit: limits.comparisons })
  return { rowsOfNames, rows, comparisons }
}

export function isSmall({ rows, comparisons }: Estimate): boolean {
  return rows <= SMALL.rows && comparisons <= SMALL.comparisons
}

function countVersions(components: readonly Component[]): ReadonlyMap<string, ReadonlySet<string>> {
  const versions = new Map<string, Set<string>>()
  for (const component of components) {
    const name = toNameKey(component)
    const known = versions.get(name) ?? new Set()
    versions.set(name, known.add(component.version?.text ?? ''))
  }
  return versions
}

async function countRows(
  db: Database,
  names: readonly ProductName[],
  limit: number,
): Promise<ReadonlyMap<string, number>> {
  const counted = await countStatement(db, [...splitNames(names), limit + 1])
  const byPlace = new Map(counted.map(({ place, rows }) => [Number(place), Number(rows)]))
  return new Map(names.map((name, index) => [toNameKey(name), byPlace.get(index + 1) ?? 0]))
}

const countStatement = createFixedStatement(sql<{ readonly place: string; readonly rows: string }>`
  select place, count(*) as rows
    from (select wanted.place ${FROM_NAMED_ROWS}
           limit ${0}) as named
   group by place
`)

function refuse(parameter: string, constraint: string, message: string): ApiError {
  return invalidParameters([{ ...createIssue(parameter, null, constraint), message }])
}

function tooManyRows(parameter: string, limit: number): ApiError {
  const instead = parameter === 'components' ? 'remove it, or name its vendor' : 'filter by product_vendor and product'
  const message = `names a product with more than ${limit} known ranges of versions; ${instead} instead`
  return refuse(parameter, 'products with fewer known ranges', message)
}

function tooManyProducts(parameter: string, limit: number): ApiError {
  const message = `names products with more than ${limit} known ranges of versions together; send them in several calls, some products in each`
  return refuse(parameter, 'fewer products', message)
}

function tooManyVersions(parameter: string, { comparisons, limit }: { comparisons: number; limit: number }): ApiError {
  const calls = Math.ceil(comparisons / limit)
  const message = `needs about ${comparisons} comparisons of versions with known ranges, and one call may need ${limit}; send fewer versions of the same product, or the list in ${calls} or more calls, split by product`
  return refuse(parameter, 'fewer versions of the same product', message)
}
