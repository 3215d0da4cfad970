// `visctl states`: what the account decided about CVEs. The name `triage` is left to commands that rank findings.
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { Client, CveTriage, ImportedTriage, NewTriageState, TriageEntry, TriageFilters } from 'vis-sdk'
import { type Context, createCommand, getErrorMessage, type OptionValues, UsageError } from '../command.ts'
import { JSON_OPTION, listMembers, listOption, OUTPUT_GROUP } from '../options.ts'
import { readListFile } from '../read-ids.ts'
import { type Column, renderTable } from '../render/table.ts'
import type { Terminal } from '../render/terminal.ts'
import { cleanLine, formatJson } from '../render/text.ts'

const ACTIONS = listMembers<keyof typeof RUN>({
  list: true,
  set: true,
  remove: true,
  history: true,
  export: true,
  import: true,
})
const STATES = listMembers<NewTriageState['state']>({
  not_affected: true,
  affected: true,
  fixed: true,
  under_investigation: true,
  accepted: true,
})
const EFFECTS = listMembers<TriageEntry['effect']>({ suppresses: true, shown: true, reopened: true, ended: true })
const JUSTIFICATIONS = listMembers<NonNullable<NewTriageState['justification']>>({
  component_not_present: true,
  vulnerable_code_not_present: true,
  vulnerable_code_not_in_execute_path: true,
  vulnerable_code_cannot_be_controlled_by_adversary: true,
  inline_mitigations_already_exist: true,
})
const REOPENERS = listMembers<TriageEntry['reopened_by'][number]>({ exploited: true, priority_raised: true })

const MAX_LISTED = 500
const SET_GROUP = 'State (set):'
const LIST_GROUP = 'Filters (list):'

const inGroup = (options: readonly Option[], group: string) => options.map((option) => option.helpGroup(group))

const OPTIONS: readonly Option[] = [
  new Option('--state <state>', 'State to set, or to list').choices(STATES).helpGroup(SET_GROUP),
  new Option('--versions <range>', 'Versions of the scope, such as ">=1.0|<2.0" or "=1.5" (default: all)').helpGroup(
    SET_GROUP,
  ),
  new Option('--justification <word>', 'Why it is not affected').choices(JUSTIFICATIONS).helpGroup(SET_GROUP),
  new Option('--impact <text>', 'Why it is not affected, as a sentence').helpGroup(SET_GROUP),
  new Option('--action <text>', 'What is done about it, with affected and accepted').helpGroup(SET_GROUP),
  new Option('--note <text>', 'Note for your colleagues').helpGroup(SET_GROUP),
  new Option('--until <date>', 'Last day on which the state hides findings (default: no end)').helpGroup(SET_GROUP),
  ...inGroup(listOption('words', 'What reopens the state (default: both)', REOPENERS)('--unless'), SET_GROUP),
  new Option('--revision <n>', 'Revision to replace or remove (default: the present one)')
    .argParser(parseCount)
    .helpGroup(SET_GROUP),
  ...inGroup(listOption('effects', 'List only entries with these effects', EFFECTS)('--effect'), LIST_GROUP),
  new Option('--product <text>', 'List only entries whose scope contains this text').helpGroup(LIST_GROUP),
  new Option('--replace', 'Replace entries that say something else').helpGroup('Import (import):'),
  new Option('--limit <n>', `Maximum number of listed entries, 1 to ${MAX_LISTED} (default: 100)`)
    .argParser(parseCount)
    .helpGroup(OUTPUT_GROUP),
  JSON_OPTION,
]

export function createStatesCommand(context: Context): Command {
  return createCommand({
    name: 'states',
    summary: 'List and set what your account decided about CVEs (free; needs a key with the scope triage)',
    options: OPTIONS,
    examples: [
      'visctl states list --effect reopened',
      'visctl states set CVE-2021-23337 pkg:npm/lodash --versions "<4.17.21" --state not_affected --justification vulnerable_code_not_in_execute_path',
      'visctl states remove CVE-2021-23337 pkg:npm/lodash --versions "<4.17.21"',
      'visctl states history CVE-2021-23337',
      'visctl states export > vex.json',
      'visctl states import vex.json --replace',
    ],
  })
    .addArgument(new Argument('<action>', 'What to do').choices(ACTIONS))
    .argument('[subject]', 'CVE id, or the OpenVEX document to import')
    .argument('[scope]', 'Scope: *, a package URL such as pkg:npm/lodash, or a CPE name')
    .action(
      async (
        action: keyof typeof RUN,
        subject: string | undefined,
        scope: string | undefined,
        values: OptionValues,
      ) => {
        checkArguments(action, [subject, scope])
        const client = await context.connect(values)
        await RUN[action]({ client, terminal: context.terminal, subject: subject ?? '', scope: scope ?? '', values })
      },
    )
}

const ARGUMENTS: Readonly<Record<keyof typeof RUN, readonly [subject: string | undefined, scope: string | undefined]>> =
  {
    list: [undefined, undefined],
    set: ['a CVE id', 'a scope'],
    remove: ['a CVE id', 'a scope'],
    history: ['a CVE id', undefined],
    export: [undefined, undefined],
    import: ['a file', undefined],
  }

function checkArguments(action: keyof typeof RUN, given: readonly (string | undefined)[]): void {
  const wanted = ARGUMENTS[action]
  if (wanted.every((what, index) => (what === undefined) === (given[index] === undefined))) return
  const names = wanted.filter((what) => what !== undefined)
  throw new UsageError(
    `visctl states ${action} takes ${names.length === 0 ? 'no argument' : names.join(' and ')}.`,
    'visctl states --help has an example of each action.',
  )
}

interface Call {
  readonly client: Client
  readonly terminal: Terminal
  readonly subject: string
  readonly scope: string
  readonly values: OptionValues
}

const RUN = {
  list: async ({ client, terminal, values }: Call) => {
    const limit = (values['limit'] as number | undefined) ?? 100
    // The casts are safe: commander checks the choices.
    const filters = pick(
      ['effect', values['effect'] as TriageFilters['effect']],
      ['product', values['product'] as string | undefined],
      ['state', values['state'] === undefined ? undefined : [values['state'] as NewTriageState['state']]],
    )
    const { items, hasMore } = await client.triage({ ...filters, limit }).page()
    await terminal.write(values['json'] === true ? formatJson(items) : renderTable(terminal, COLUMNS, items))
    if (hasMore)
      terminal.printNote(`Only the newest ${limit} entries are listed; --limit raises this to ${MAX_LISTED}.\n`)
  },
  set: async (call: Call) => {
    const { client, terminal, subject, scope, values } = call
    const state = values['state'] as NewTriageState['state'] | undefined
    if (state === undefined) throw new UsageError('visctl states set needs --state.', `One of ${STATES.join(', ')}.`)
    const entry = await client.setTriage({
      cve_id: subject,
      scope,
      state,
      revision: await findRevision(call),
      ...pick(
        ['version_range', values['versions'] as string | undefined],
        ['justification', values['justification'] as NewTriageState['justification']],
        ['impact_statement', values['impact'] as string | undefined],
        ['action_statement', values['action'] as string | undefined],
        ['note', values['note'] as string | undefined],
        ['until', values['until'] as string | undefined],
        ['unless', values['unless'] as NewTriageState['unless']],
      ),
    })
    if (values['json'] === true) return terminal.write(formatJson(entry))
    terminal.printNote(`${describe(entry)} is ${entry.state} (revision ${entry.revision}): ${entry.effect}.\n`)
  },
  remove: async (call: Call) => {
    const { client, terminal, subject, scope, values } = call
    const versions = values['versions'] as string | undefined
    const revision = await findRevision(call)
    await client.removeTriage({ cve_id: subject, scope, revision, ...pick(['version_range', versions]) })
    terminal.printNote(`The entry for ${subject} in ${scope} is removed; visctl states history ${subject} shows it.\n`)
  },
  history: async ({ client, terminal, subject, values }: Call) => {
    const { revisions } = await client.cveTriage(subject)
    await terminal.write(values['json'] === true ? formatJson(revisions) : renderTable(terminal, HISTORY, revisions))
  },
  export: async ({ client, terminal }: Call) => {
    const { document, not_expressed_total: unexpressed } = await client.exportTriage()
    await terminal.write(formatJson(document))
    if (unexpressed > 0)
      terminal.printNote(
        `${unexpressed} entries have an end, a condition, a range or a state that OpenVEX has no member for; other tools do not read it.\n`,
      )
  },
  import: async ({ client, terminal, subject, values }: Call) => {
    const document = parseDocument(await readListFile(subject), subject)
    const imported = await client.importTriage(document, { replace: values['replace'] === true })
    if (values['json'] === true) return terminal.write(formatJson(imported))
    await terminal.write(renderImport(imported))
  },
}

/** Returns the revision of the present entry, unless the command line names one; 0 if there is no entry. */
async function findRevision({ client, subject, scope, values }: Call): Promise<number> {
  const { revision, versions } = values
  if (typeof revision === 'number') return revision
  const { triage_entries: entries } = await client.cveTriage(subject)
  const range = typeof versions === 'string' ? versions : null
  const isNamed = (each: TriageEntry) => each.scope === scope && each.version_range === range
  return entries.find(isNamed)?.revision ?? 0
}

type Value = string | number | boolean | readonly string[] | undefined

/** Leaves out what the command line does not say. */
function pick<Pairs extends readonly (readonly [string, Value])[]>(
  ...pairs: Pairs
): { readonly [Pair in Pairs[number] as Pair[0]]?: Exclude<Pair[1], undefined> } {
  // The cast is safe: the members are those of the pairs that have a value.
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as never
}

function parseDocument(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    // The service checks the rest.
    if (typeof document === 'object' && document !== null) return document as Readonly<Record<string, unknown>>
    throw new Error('it is no JSON object')
  } catch (error) {
    throw new UsageError(`The file ${file} is no OpenVEX document: ${getErrorMessage(error)}.`)
  }
}

function renderImport(imported: ImportedTriage): string {
  const { created_total, replaced_total, unchanged_total, differing_total, differing, problems_total, problems } =
    imported
  const lines = [
    `${created_total} created, ${replaced_total} replaced, ${unchanged_total} unchanged.`,
    ...(differing_total > 0
      ? [`${differing_total} entries say something else and were kept; --replace replaces them:`]
      : []),
    ...differing.map(
      ({ cve_id, scope, version_range }) => `  ${cleanLine(`${cve_id} ${scope} ${version_range ?? ''}`)}`,
    ),
    ...(problems_total > 0 ? [`${problems_total} problems with statements:`] : []),
    // A problem repeats names of the document, which may be somebody else's.
    ...problems.map(({ index, why, left_out }) => `  ${index}${left_out ? ' (left out)' : ''}: ${cleanLine(why)}`),
  ]
  return `${lines.join('\n')}\n`
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

type Named = Pick<TriageEntry, 'cve_id' | 'scope' | 'version_range'>

const describe = ({ cve_id, scope, version_range }: Named) =>
  cleanLine([cve_id, 'in', scope, version_range].filter((each) => each !== null).join(' '))

const COLUMNS: readonly Column<TriageEntry>[] = [
  { title: 'CVE', text: ({ cve_id }) => cve_id, style: () => 'bold' },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'EFFECT', text: ({ effect, reopened_by }) => [effect, ...reopened_by].join(' ') },
  { title: 'SCOPE', maxWidth: 50, text: ({ scope }) => scope },
  { title: 'VERSIONS', text: ({ version_range }) => version_range ?? '' },
  { title: 'UNTIL', text: ({ until_day }) => until_day ?? '' },
  { title: 'BY', text: ({ set_by }) => set_by },
  { title: 'NOTE', maxWidth: 40, text: ({ note }) => note ?? '' },
]

const HISTORY: readonly Column<CveTriage['revisions'][number]>[] = [
  { title: 'SET AT', text: ({ set_at }) => set_at },
  { title: 'BY', text: ({ set_by }) => set_by },
  { title: 'REVISION', align: 'right', text: ({ revision }) => String(revision) },
  { title: 'STATE', text: ({ state }) => state ?? 'removed', style: () => 'bold' },
  { title: 'SCOPE', maxWidth: 50, text: ({ scope }) => scope },
  { title: 'VERSIONS', text: ({ version_range }) => version_range ?? '' },
  { title: 'NOTE', maxWidth: 40, text: ({ note }) => note ?? '' },
]
