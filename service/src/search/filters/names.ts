// Filters by product, by vendor and by the organisation that assigned the CVE's id. Products and vendors are those of
// the index of names, which holds the names of CPE, of CNAs, of package databases and of KEV catalogs (decision E37).
import { sql } from 'kysely'
import { list, type Parameter } from '../../contract/request/parameters.ts'
import { text, type ValueType, withExample } from '../../contract/request/value-types.ts'
import { splitSpelling, toCpeSpelling, toVendorSpelling } from '../../domain/cpe/cpe-value.ts'
import { type IsKnownName, type NameColumn, testColumn, testName } from '../column-values.ts'
import { type Condition, defineFilter } from '../filter.ts'

const MAX_ITEMS = 20
const MAX_LENGTH = 128

/** A name in any letter case, parsed to the stored spelling. */
function nameType(example: string, toStored: (sent: string) => string, maxLength = MAX_LENGTH): ValueType<string> {
  const type = withExample(text({ maxLength }), example)
  return {
    ...type,
    parse: (sent) => {
      const parsed = type.parse(sent)
      return parsed && toStored(parsed)
    },
  }
}

export const assigner = defineFilter({
  label: 'assigned by',
  parameter: list(
    nameType('microsoft', (sent) => sent.toLowerCase()),
    'Short name of the organisation (CNA) that assigned the id is any of these, in any letter case.',
    { maxItems: MAX_ITEMS, example: ['microsoft', 'redhat'] },
  ),
  lists: ['search', 'recent'],
  condition: (names) => sql`lower(cve.assigner) = any(${names}::text[])`,
  test: (names) => testColumn('assigner', (assigner) => assigner !== null && names.includes(assigner.toLowerCase())),
  equality: (names) => ({ of: 'assigner', texts: names }),
})

/** Length of the longest names in the index. */
const MAX_NAME_LENGTH = 256

/**
 * A list of names. The value also has the stored spelling of each name, and each text with commas as one name, because
 * names such as `iOS, iPadOS, and macOS` contain commas.
 */
function nameList(
  toStored: (sent: string) => string,
  description: string,
  example: readonly string[],
): Parameter<readonly string[] | undefined> {
  const items = list(nameType(example[0] ?? '', toCpeSpelling), description, { maxItems: MAX_ITEMS, example })
  const whole = nameType('', toStored, MAX_NAME_LENGTH)
  return {
    ...items,
    read: (name, values) => {
      const reading = items.read(name, values)
      if ('issues' in reading || reading.value === undefined) return reading
      const wholes = values.flatMap(({ text: sent }) => (sent.includes(',') ? (whole.parse(sent.trim()) ?? []) : []))
      return { value: [...new Set([...reading.value, ...reading.value.map(toStored), ...wholes])] }
    },
  }
}

/** If the index has a name with commas as a whole, its parts are not looked up. */
function separateWholes(names: readonly string[]) {
  const wholes = names.filter((name) => name.includes(','))
  const partsOfWholes = new Set(wholes.flatMap(splitSpelling))
  return { wholes, others: names.filter((name) => !wholes.includes(name) && !partsOfWholes.has(name)) }
}

function testAnyOf(column: NameColumn, names: readonly string[], isKnown: IsKnownName): (stored: string) => boolean {
  const { wholes, others } = separateWholes(names)
  const chosen = wholes.flatMap((whole) => (isKnown(column, whole) ? [whole] : splitSpelling(whole)))
  const accepted = new Set([...others, ...chosen])
  return (stored) => accepted.has(stored)
}

/** The names that are looked up, whether or not the index has a name with commas. */
const listPossible = (names: readonly string[]) => [
  ...new Set([...names, ...names.flatMap((name) => (name.includes(',') ? splitSpelling(name) : []))]),
]

function isAnyOf(column: NameColumn, names: readonly string[]): Condition {
  const { wholes, others } = separateWholes(names)
  if (wholes.length === 0) return sql`${sql.ref(`product.${column}`)} = any(${names}::text[])`
  const known = sql.ref(`known.${column}`)
  const chosen = wholes.map(
    (whole) =>
      sql`case when exists (select from catalog.product known where ${known} = ${whole}) then array[${whole}]::text[] else ${splitSpelling(whole)}::text[] end`,
  )
  return sql`${sql.ref(`product.${column}`)} = any((select ${others}::text[] || ${sql.join(chosen, sql` || `)})::text[])`
}

export const productVendor = defineFilter({
  label: 'vendor',
  parameter: nameList(
    toVendorSpelling,
    'A vulnerable product is of any of these vendors: the exact name in CPE names, or the name that the CNA, a package database or a KEV catalog uses; any letter case, with or without a legal form such as Inc. With product, the same product must match both.',
    ['fortinet'],
  ),
  lists: ['search', 'recent', 'changes'],
  reads: 'product',
  condition: (names) => isAnyOf('vendor', names),
  test: (names) => testName('vendor', (isKnown) => testAnyOf('vendor', names, isKnown)),
  equality: (names) => ({ of: 'vendor', texts: listPossible(names) }),
})

export const product = defineFilter({
  label: 'product',
  parameter: nameList(
    toCpeSpelling,
    'A vulnerable product has any of these names: the exact name in CPE names, or the name that the CNA, a package database or a KEV catalog uses; any letter case.',
    ['fortios', 'fortiproxy'],
  ),
  lists: ['search', 'recent', 'changes'],
  reads: 'product',
  condition: (names) => isAnyOf('product', names),
  test: (names) => testName('product', (isKnown) => testAnyOf('product', names, isKnown)),
  equality: (names) => ({ of: 'product', texts: listPossible(names) }),
})
