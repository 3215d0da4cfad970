import type { TriageChange } from '../../../accounts/own-triage.ts'
import { optionalField, readMember } from '../../../contract/request/body.ts'
import { createIssue } from '../../../contract/request/validation-issue.ts'
import { flag } from '../../../contract/request/value-types.ts'
import { invalidParameters } from '../../../contract/response/errors.ts'
import { tooManyEntries, tooManyTriageChanges } from '../../../contract/triage/entries.ts'
import {
  importedVexSchema,
  MAX_IMPORTED_STATES,
  MAX_LISTED_PROBLEMS,
  MAX_VEX_BYTES,
  openVexField,
} from '../../../contract/triage/openvex.ts'
import { countProducts, isOpenVexContext, OPENVEX_CONTEXT, readStatements } from '../../../domain/triage/openvex.ts'
import { MAX_BULK_CHANGES, MAX_TRIAGE_ENTRIES, TRIAGE_STATES } from '../../../domain/triage/words.ts'
import { changeTriage } from '../../self-service/triage.ts'
import { nameScope, planImport } from '../../self-service/triage-documents.ts'
import { defineEndpoint, requireCaller, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const importTriage = defineEndpoint({
  name: 'import-triage',
  method: 'POST',
  path: '/api/v1/triage/openvex',
  tag: 'Triage',
  summary: 'Import an OpenVEX document as triage entries',
  description: `Makes an entry of each statement and product of an OpenVEX document, up to ${MAX_IMPORTED_STATES} in a document of ${MAX_VEX_BYTES / 1024 / 1024} MiB; a statement without products is about the CVE as such. Nothing is guessed: a statement without a CVE, about a part of a product, or with a product that is neither a package URL nor a CPE name is left out and named in problems. Entries that exist and say something else are kept unless replace is true. What was known about the CVE is what is known now. Needs a key with the scope triage. Free of charge.`,
  access: 'key',
  scope: 'triage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'ImportedTriage', schema: importedVexSchema },
  example,
  errors: ['CONFLICT'],
  body: {
    document: openVexField,
    replace: optionalField(flag(), 'Whether to replace entries that say something else. Default: false.'),
  },
  bodyLimit: MAX_VEX_BYTES,
  answer: async ({ body: { document, replace = false } }, services) => {
    const statements = listStatements(document)
    // Before they are read: reading all that fit into the body would block the node for seconds.
    if (countProducts(statements) > MAX_IMPORTED_STATES)
      throw invalidDocument('statements', `statements about at most ${MAX_IMPORTED_STATES} products together`)
    const { states, problems } = readStatements(statements, readMember(document, 'timestamp'))
    const { created, replaced, unchanged, kept } = await planImport(states, replace, services)
    const made = await makeChanges(services, [...created, ...replaced])
    // Another call changed these entries after they were read.
    const overtaken = [...created, ...replaced].filter((change) => !made.has(change))
    const differing = [...kept, ...overtaken]
    return {
      data: {
        created_total: created.filter((change) => made.has(change)).length,
        replaced_total: replaced.filter((change) => made.has(change)).length,
        unchanged_total: unchanged,
        by_state: Object.fromEntries(
          TRIAGE_STATES.map((state) => [state, [...made].filter((change) => change.state === state).length]),
        ),
        differing_total: differing.length,
        differing: differing.slice(0, MAX_LISTED_PROBLEMS).map(nameScope),
        problems_total: problems.length,
        problems: problems
          .slice(0, MAX_LISTED_PROBLEMS)
          .map(({ index, why, isLeftOut }) => ({ index, why, left_out: isLeftOut })),
      },
    }
  },
})

function listStatements(document: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!isOpenVexContext(readMember(document, '@context'))) throw invalidDocument('@context', OPENVEX_CONTEXT)
  const statements = readMember(document, 'statements')
  if (!Array.isArray(statements)) throw invalidDocument('statements', 'an array of statements')
  return statements
}

const invalidDocument = (member: string, expects: string) =>
  invalidParameters([createIssue(`document.${member}`, null, expects)])

/** Returns the changes that were made. Stops with 409 at a limit of the account: a repeated import continues there. */
async function makeChanges(services: Services, changes: readonly TriageChange[]): Promise<ReadonlySet<TriageChange>> {
  const limit = MAX_TRIAGE_ENTRIES[requireCaller(services).plan]
  const made = new Set<TriageChange>()
  for (let start = 0; start < changes.length; start += MAX_BULK_CHANGES) {
    const part = changes.slice(start, start + MAX_BULK_CHANGES)
    const results = await changeTriage(services, 'import', part)
    for (const [position, { outcome }] of results.entries()) {
      const change = part[position]
      if (outcome === 'limit') throw tooManyEntries(limit)
      if (outcome === 'too many') throw tooManyTriageChanges(2 * limit)
      if (change !== undefined && outcome === 'done') made.add(change)
    }
  }
  return made
}
