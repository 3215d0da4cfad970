// Options of the visctl commands. An API parameter such as `published_after` becomes the option `--published-after`.
import { InvalidArgumentError, Option } from 'commander'
import { getCveParameters, recentCvesParameters, searchCvesParameters } from 'vis-sdk/vocabulary'
import { type OptionValues, UsageError } from './command.ts'

/** Creates the command-line options of one API parameter. `flag` is the option name, such as `--published-after`. */
export type OptionFactory = (flag: string) => readonly Option[]

/** Option with a single value. The service validates the value, because its error lists the allowed values. */
export function valueOption(placeholder: string, description: string, choices?: readonly string[]): OptionFactory {
  return (flag) => [withChoices(new Option(`${flag} <${placeholder}>`, description), choices).argParser(String)]
}

/** Option with a list of values: `--severity critical,high --severity low` has three values. */
export function listOption(placeholder: string, description: string, choices?: readonly string[]): OptionFactory {
  const append = (text: string, previous: readonly string[] = []) => [
    ...previous,
    ...text.split(',').filter((each) => each !== ''),
  ]
  return (flag) => [withChoices(new Option(`${flag} <${placeholder}>`, description), choices).argParser(append)]
}

/** Two options for a filter that is true, false or unset: `--kev` and `--no-kev`. */
function booleanOptions(descriptionIfTrue: string, descriptionIfFalse: string): OptionFactory {
  return (flag) => [new Option(flag, descriptionIfTrue), new Option(flag.replace('--', '--no-'), descriptionIfFalse)]
}

/** A query parameter as vis-sdk/vocabulary describes it. */
interface Described {
  readonly type: string
  readonly isList?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: string
  readonly words?: Readonly<Record<string, string>>
}

interface DescribedFilters<Parameter extends string, Left extends string> {
  readonly parameters: Readonly<Record<Parameter, Described>>
  readonly help: Readonly<Record<Parameter, string>>
  /** What the filters select, such as `CVEs`. */
  readonly noun: string
  readonly group: string
  /** Parameters that are not filters. */
  readonly without: readonly Left[]
}

/** Creates one option for each parameter in the API's vocabulary. */
export function describeFilters<Parameter extends string, Left extends string>(
  filters: DescribedFilters<Parameter, Left>,
): readonly Filter<Exclude<Parameter, Left>>[] {
  const { parameters, help, noun, group, without } = filters
  const isFilter = (name: string): name is Exclude<Parameter, Left> => !without.some((each) => each === name)
  const table = Object.keys(parameters)
    .filter(isFilter)
    .map((name) => [name, describeOption(parameters[name], help[name], noun)])
  // The cast is safe: the keys are the parameter names.
  return createFilters(Object.fromEntries(table) as Record<Exclude<Parameter, Left>, OptionFactory>, group)
}

const PLACEHOLDERS: Readonly<Record<string, string>> = { number: 'n', integer: 'n', day: 'date', moment: 'date' }

function describeOption(parameter: Described, help: string, noun: string): OptionFactory {
  const { type, isList, minimum, maximum, default: fallback, words = {} } = parameter
  if (type === 'flag') return booleanOptions(`${noun} ${words['true']}`, `${noun} ${words['false']}`)
  const bounds = maximum === undefined ? '' : `, ${minimum} to ${maximum}`
  const text = `${help}${bounds}${fallback === undefined ? '' : ` (default: ${fallback})`}`
  const choices = type === 'word' ? Object.keys(words) : undefined
  return isList
    ? listOption(choices ? 'words' : 'list', `${text}, separated by commas`, choices)
    : valueOption(PLACEHOLDERS[type] ?? type, text, choices)
}

/** Adds allowed values. Only help and shell completion use them: the argParser disables commander's own check. */
function withChoices(option: Option, choices: readonly string[] | undefined): Option {
  return choices ? option.choices(choices) : option
}

/**
 * Returns the keys of `members`. If a member of the union type `Member` is missing there, the code does not compile.
 */
export function listMembers<Member extends string>(members: Readonly<Record<Member, true>>): readonly string[] {
  return Object.keys(members)
}

/** An API parameter and its command-line options. */
export interface Filter<Parameter> {
  readonly parameter: Parameter
  readonly options: readonly Option[]
}

/** Turns a table of API parameters into options, so that each parameter name is written once. */
export function createFilters<Parameter extends string>(
  table: Readonly<Record<Parameter, OptionFactory>>,
  group: string,
): readonly Filter<Parameter>[] {
  const filters: Filter<Parameter>[] = []
  for (const parameter in table) {
    const options = table[parameter](toFlag(parameter)).map((option) => option.helpGroup(group))
    filters.push({ parameter, options })
  }
  return filters
}

export function toFlag(parameter: string): string {
  return `--${parameter.replaceAll('_', '-')}`
}

export function listOptions(filters: readonly Filter<string>[]): readonly Option[] {
  return filters.flatMap(({ options }) => options)
}

/** Returns the parameters given on the command line. `Parameters` is the sdk's type for all parameters. */
export function readFilters<Parameters extends object>(
  filters: readonly Filter<keyof Parameters>[],
  values: OptionValues,
): Parameters {
  const given = filters.flatMap(({ parameter, options }) => {
    const value = values[options[0]?.attributeName() ?? '']
    return value === undefined ? [] : [[parameter, value] as const]
  })
  // The cast is needed because the values come from the command line. The service validates them.
  return Object.fromEntries(given) as Parameters
}

export const INPUT_GROUP = 'CVEs:'
export const OUTPUT_GROUP = 'Output:'
const CONNECTION = 'Connection:'

export const COMMON_OPTIONS: readonly Option[] = [
  new Option('--url <url>', 'Base URL of the service (default: VIS_URL, else http://127.0.0.1:3000)').helpGroup(
    CONNECTION,
  ),
  new Option('--key-file <file>', 'Read the API key from this file (default: the key in VIS_API_KEY)').helpGroup(
    CONNECTION,
  ),
]

export const FILE_OPTION = new Option('--file <file>', 'Read CVE ids from this file').helpGroup(INPUT_GROUP)

export const SINCE_OPTION = new Option(
  '--since <time>',
  'A time, yesterday, a weekday such as Monday, 2d (48 hours), start, now, or the position that the last call printed; days begin at 00:00 UTC',
).helpGroup(INPUT_GROUP)

export const JSON_OPTION = new Option('--json', 'Print JSON').helpGroup(OUTPUT_GROUP)
export const CSV_OPTION = new Option('--csv', 'Print CSV').helpGroup(OUTPUT_GROUP)

export const PAGE_OPTIONS: readonly Option[] = [
  new Option('--limit <n>', 'Maximum number of records to print (default: 20), also with --all')
    .argParser(parseLimit)
    .helpGroup(OUTPUT_GROUP),
  new Option('--all', 'Print all records, page by page').helpGroup(OUTPUT_GROUP),
  JSON_OPTION,
  CSV_OPTION,
]

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of 1 or more.')
  return Number(text)
}

interface SelectionWords {
  readonly fields: { readonly words: Readonly<Record<string, string>> }
  readonly include: { readonly words: Readonly<Record<string, string>> }
}

const createSelection = ({ fields, include }: SelectionWords) =>
  createFilters(
    {
      fields: listOption(
        'names',
        'Print only these fields of each CVE, separated by commas; requires --json',
        Object.keys(fields.words),
      ),
      include: listOption(
        'names',
        'Add these sections to each CVE, separated by commas; requires --json',
        Object.keys(include.words),
      ),
    },
    OUTPUT_GROUP,
  )

export const SELECTION = createSelection(getCveParameters)
export const LIST_SELECTION = createSelection(searchCvesParameters)
export const RECENT_SELECTION = createSelection(recentCvesParameters)

export function rejectSelectionWithoutJson({ json, fields, include }: OptionValues): void {
  if (!json && (fields ?? include)) throw new UsageError('--fields and --include require --json.')
}
