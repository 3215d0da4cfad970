// The filter `q`: words in the names, id or description of a CVE.
import { optional } from '../../contract/request/parameters.ts'
import { text, withExample } from '../../contract/request/value-types.ts'
import { defineFilter } from '../filter.ts'
import { findText, matchText } from '../words/conditions.ts'
import { findMistake } from '../words/parse.ts'
import { normaliseSearch } from '../words/pieces.ts'

export const q = defineFilter({
  label: 'words',
  parameter: optional(
    withExample(text({ maxLength: 256 }), 'log4j'),
    'Words in the id, the description, the names of vendors and products, the name of the KEV entry, or a well-known name such as Log4Shell. All words must match. A word matches the beginning of a word (from 3 characters) or another grammatical form of it. Words in "quotation marks", and words joined by other characters such as mod_ssl, must be adjacent. A word or phrase after - is excluded; OR in capitals between two words or phrases makes them alternatives.',
  ),
  lists: ['search'],
  findMistake,
  condition: findText,
  test: undefined,
  factTest: (words) => ({ words }),
  rowCondition: matchText,
  normalise: normaliseSearch,
})
