// The part of the contract for aliases: the type of the path parameter, schemas, and the error for an unknown alias.
import { Type } from 'typebox'
import { parseCveId } from '../../domain/cve-id.ts'
import { HELD_FORMS, UNHELD_FORMS } from '../../domain/source/alias.ts'
import type { ValueType } from '../request/value-types.ts'
import { ApiError } from '../response/errors.ts'
import { closedObject } from '../response/schemas.ts'

const EXAMPLE = 'GHSA-jfh8-c2jp-5v3q'

/** An alias of any permitted length. Its form is checked later, because an id of an unknown form is not malformed. */
const ALIAS_TEXT = /^[!-~]{2,104}$/

export function aliasType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: ALIAS_TEXT.source, examples: [EXAMPLE] }),
    expects: `the id of an advisory such as ${EXAMPLE}: 2 to 104 ASCII characters without blanks`,
    example: EXAMPLE,
    parse: (sent) => (ALIAS_TEXT.test(sent) && parseCveId(sent) === undefined ? sent : undefined),
    hint: (sent) => (parseCveId(sent) ? 'a CVE id is looked up with GET /api/v1/cve/{cve-id}' : undefined),
    suggest: (sent) => {
      const id = parseCveId(sent)
      return id && `/api/v1/cve/${id}`
    },
  }
}

export const aliasText = (description: string) => Type.String({ description, examples: [EXAMPLE] })

export const aliasSourceSchema = Type.String({
  description: 'Database that issues the id and names the CVE, such as ghsa.',
  examples: ['ghsa'],
})

export const aliasSchema = closedObject(
  { alias: aliasText('Id of an advisory or of another database.'), source: aliasSourceSchema },
  'Another id of the vulnerability.',
  'Alias',
)

export const aliasesSchema = Type.Array(aliasSchema, {
  description: 'Other ids of the CVE, such as GHSA and RHSA; an advisory can concern several CVEs.',
})

const UNHELD_NAMES = UNHELD_FORMS.map(({ name }) => name)
const AND = new Intl.ListFormat('en-GB')

/** A sentence for descriptions and errors: the forms of aliases, including those recognised but not in the catalog. */
export const FORMS_NOTE = `Known forms: ${HELD_FORMS.map(({ example }) => example).join(', ')}. Ids of ${AND.format(UNHELD_NAMES)} are not held yet.`

/** Creates the error for an id that no database names. */
export function noSuchAlias(alias: string): ApiError {
  return createNotFound(`No CVE with the alias ${alias} is known. ${FORMS_NOTE}`)
}

/** Creates the error for text that is not an id but may be a name of a vulnerability. */
export function noAliasForm(text: string): ApiError {
  const path = `/api/v1/cves?q=${encodeURIComponent(text)}`
  return createNotFound(
    `${text} is not the id of an advisory. To search for a name, use GET ${path}. ${FORMS_NOTE}`,
    path,
  )
}

function createNotFound(message: string, search?: string): ApiError {
  return new ApiError('NOT_FOUND', message, {
    details: {
      ...(search !== undefined && { suggestion: search }),
      forms: HELD_FORMS.map(({ name, issuer, example }) => ({ form: name, issuer, example })),
      not_held: UNHELD_NAMES,
    },
  })
}
