// Filters by weakness (CWE) and by ATT&CK technique.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { list } from '../../contract/request/parameters.ts'
import type { ValueType } from '../../contract/request/value-types.ts'
import { testColumn } from '../column-values.ts'
import { defineFilter } from '../filter.ts'

const MAX_ITEMS = 20
const CWE = /^cwe-([1-9]\d{0,5})$/i
const TECHNIQUE = /^t\d{4}(?:\.\d{3})?$/i

export const cwe = defineFilter({
  label: 'weakness',
  parameter: list(cweType(), 'Has any of these weaknesses, by the ids of CWE. Weaknesses of all sources count.', {
    maxItems: MAX_ITEMS,
    example: ['CWE-79', 'CWE-89'],
  }),
  lists: ['search', 'recent'],
  condition: (ids) => sql`cve.cwes && ${ids}::text[]`,
  test: (ids) => testColumn('cwes', (cwes) => cwes.some((each) => ids.includes(each))),
  equality: (ids) => ({ of: 'cwes', texts: ids }),
})

export const technique = defineFilter({
  label: 'technique',
  parameter: list(
    techniqueType(),
    'Has any of these ATT&CK techniques. A technique also finds its sub-techniques: T1059 finds T1059.001.',
    { maxItems: MAX_ITEMS, example: ['T1190', 'T1059.001'] },
  ),
  lists: ['search', 'recent'],
  condition: (ids) => sql`cve.techniques && ${ids}::text[]`,
  test: (ids) => testColumn('techniques', (techniques) => techniques.some((each) => ids.includes(each))),
  equality: (ids) => ({ of: 'techniques', texts: ids }),
})

function cweType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: '^[Cc][Ww][Ee]-[1-9][0-9]{0,5}$', examples: ['CWE-79'] }),
    expects: 'a CWE id such as CWE-79',
    example: 'CWE-79',
    parse: (sent) => {
      const number = CWE.exec(sent)?.[1]
      return number === undefined ? undefined : `CWE-${number}`
    },
    hint: (sent) => (/^[1-9]\d{0,5}$/.test(sent) ? `write CWE-${sent}` : undefined),
  }
}

function techniqueType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: '^[Tt][0-9]{4}(\\.[0-9]{3})?$', examples: ['T1190', 'T1059.001'] }),
    expects: 'an ATT&CK technique such as T1190, or a sub-technique such as T1059.001',
    example: 'T1190',
    parse: (sent) => (TECHNIQUE.test(sent) ? sent.toUpperCase() : undefined),
    hint: (sent) => (/^ta\d{4}$/i.test(sent) ? 'ids that begin with TA are tactics, which are no filter' : undefined),
  }
}
