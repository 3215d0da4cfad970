// JSON schema of a CVE in each response form. No member is required, because `fields` may leave out any of them.
import { type TSchema, Type } from 'typebox'
import { CVE_FIELD_NAMES, isAvailableIn, listFieldSchemas } from '../contract/record/cve-fields.ts'
import type { CveForm } from '../contract/record/cve-member.ts'
import { closedObject } from '../contract/response/schemas.ts'

const TITLES: Readonly<Record<CveForm, string>> = {
  single: 'CveRecord',
  listed: 'ListedCve',
  batch: 'BatchCve',
  recent: 'RecentCve',
}

export function cveSchema(form: CveForm): TSchema {
  const members = CVE_FIELD_NAMES.filter((field) => isAvailableIn(field, form))
    .flatMap((field) => listFieldSchemas(field, form))
    .map(([name, schema]) => [name, Type.Optional(schema)] as const)
  return closedObject(
    Object.fromEntries(members),
    'A CVE. The endpoint, fields and include decide which members it has; kev and epss are absent if there is no data.',
    TITLES[form],
  )
}
