// Filters by product, by vendor and by the organisation that assigned the CVE's id.
import { sql } from 'kysely'
import { list } from '../../contract/request/parameters.ts'
import { text, type ValueType, withExample } from '../../contract/request/value-types.ts'
import { toCpeSpelling } from '../../domain/cpe/cpe-value.ts'
import { defineFilter } from '../filter.ts'

const MAX_ITEMS = 20

/** A name in any letter case, parsed to the stored spelling. */
function nameType(example: string, toStored: (sent: string) => string): ValueType<string> {
  const type = withExample(text({ maxLength: 128 }), example)
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
})

export const productVendor = defineFilter({
  label: 'vendor',
  parameter: list(
    nameType('fortinet', toCpeSpelling),
    'A vulnerable product is of any of these vendors: the exact name in CPE names, or the name that the CNA uses; any letter case. With product, the same product must match both.',
    { maxItems: MAX_ITEMS, example: ['fortinet'] },
  ),
  lists: ['search', 'recent'],
  reads: 'product',
  condition: (names) => sql`product.vendor = any(${names}::text[])`,
})

export const product = defineFilter({
  label: 'product',
  parameter: list(
    nameType('fortios', toCpeSpelling),
    'A vulnerable product has any of these names: the exact name in CPE names, or the name that the CNA uses; any letter case.',
    { maxItems: MAX_ITEMS, example: ['fortios', 'fortiproxy'] },
  ),
  lists: ['search', 'recent'],
  reads: 'product',
  condition: (names) => sql`product.product = any(${names}::text[])`,
})
