// Value types for names of software: CPE names and package URLs.
import { Type } from 'typebox'
import { type CpeParts, parseCpe } from '../../domain/cpe/cpe.ts'
import { unescapeCpeValue } from '../../domain/cpe/cpe-value.ts'
import { type Purl, parsePurl } from '../../domain/purl/parse-purl.ts'
import type { ValueType } from './value-types.ts'

const MAX_LENGTH = 512

/** Creates a type for CPE names that have a vendor and a product. */
export function cpeName(): ValueType<CpeParts> {
  return {
    schema: Type.String({ maxLength: MAX_LENGTH, examples: ['cpe:2.3:a:apache:http_server:2.4.59:*:*:*:*:*:*:*'] }),
    expects: `a CPE 2.3 or 2.2 name with a vendor and a product, of at most ${MAX_LENGTH} characters`,
    example: 'cpe:2.3:a:apache:http_server:2.4.59:*:*:*:*:*:*:*',
    parse: (sent) => {
      const parts = sent.length > MAX_LENGTH ? undefined : parseCpe(sent)
      const isNamed =
        parts && unescapeCpeValue(parts.vendor) !== undefined && unescapeCpeValue(parts.product) !== undefined
      return isNamed ? parts : undefined
    },
  }
}

export function packageUrl(): ValueType<Purl> {
  return {
    schema: Type.String({ maxLength: MAX_LENGTH, examples: ['pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1'] }),
    expects: `a package URL such as pkg:npm/lodash@4.17.20, of at most ${MAX_LENGTH} characters`,
    example: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
    parse: (sent) => {
      const parsed = sent.length > MAX_LENGTH ? undefined : parsePurl(sent)
      return parsed === undefined || 'error' in parsed ? undefined : parsed
    },
    hint: (sent) => {
      const parsed = parsePurl(sent)
      return 'error' in parsed ? `it ${parsed.error}` : undefined
    },
  }
}
