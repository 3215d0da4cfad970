// Reads the documents of a database and collects, for each vulnerability, the packages in which it was fixed. All
// documents together are the database, because a record is about a vulnerability in all branches.
import { basename } from 'node:path'
import { Type } from 'typebox'
import { FeedError, isRejected, type Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { readJsonElements } from '../../formats/json-elements.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { readIds } from './read-ids.ts'

const MEBIBYTE = 1024 * 1024
/** The largest document of 2026 has 10 MiB. */
export const MAX_BYTES = 256 * MEBIBYTE

export interface PackageFix {
  readonly name: string
  /** The branch, such as `v3.23`; null if the distribution has none. */
  readonly branch: string | null
  /** `0` if no version is affected. */
  readonly version: string
}

export interface RawVulnerability {
  readonly id: string
  /** Other ids that an entry gives the vulnerability. */
  readonly aliases: readonly string[]
  readonly fixes: readonly PackageFix[]
}

const PACKAGE = compileSchema(
  Type.Object({
    pkg: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      secfixes: optionalOrNull(Type.Record(Type.String({ maxLength: 200 }), Type.Unknown())),
    }),
  }),
)
const IDS = compileSchema(optionalOrNull(Type.Array(Type.String({ maxLength: 1000 }))))
const HEADER = compileSchema(Type.Object({ distroversion: optionalOrNull(Type.String({ maxLength: 50 })) }))

interface Collected {
  readonly vulnerabilities: Map<string, { readonly aliases: Set<string>; readonly fixes: PackageFix[] }>
  /** Reasons for rejection, by id. */
  readonly faults: Map<string, string>
  readonly unnamed: { readonly rejected: string; readonly reason: string }[]
}

export async function* readDocuments(
  paths: readonly string[],
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<RawVulnerability>, void, undefined> {
  const collected: Collected = { vulnerabilities: new Map(), faults: new Map(), unnamed: [] }
  for (const path of paths)
    for await (const { pack, branch } of nameErrors(basename(path), readPackages(path, onBytes)))
      collectPackage(collected, pack, branch)
  yield* collected.unnamed
  for (const [id, reason] of collected.faults) yield { rejected: id, reason }
  for (const [id, { aliases, fixes }] of collected.vulnerabilities)
    if (!collected.faults.has(id)) yield { raw: { id, aliases: [...aliases], fixes } }
}

type Package = Readonly<{ name: string; secfixes?: Readonly<Record<string, unknown>> | null }>

async function* readPackages(path: string, onBytes: (count: number) => void) {
  const document = await readJsonElements(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes), {
    member: 'packages',
  })
  const packages: Package[] = []
  for await (const element of document.elements) {
    // Without the package's name it is not known which records would lack it.
    if (isRejected(element)) throw new FeedError(`${element.rejected} cannot be read: ${element.reason}`)
    if (!PACKAGE.matches(element.raw))
      throw new FeedError(`a package is not usable: ${PACKAGE.describeMismatch(element.raw)}`)
    packages.push(element.raw.pkg)
  }
  if (packages.length === 0) throw new FeedError('the file contains no packages')
  // The branch may follow the list.
  const header = document.members()
  if (!HEADER.matches(header)) throw new FeedError(HEADER.describeMismatch(header))
  for (const pack of packages) yield { pack, branch: header.distroversion ?? null }
}

function collectPackage(to: Collected, { name, secfixes }: Package, branch: string | null): void {
  for (const [version, list] of Object.entries(secfixes ?? {})) {
    const fix = { name, branch, version }
    if (IDS.matches(list)) for (const entry of list ?? []) collectEntry(to, fix, entry)
    else noteFault(to, fix, list)
  }
}

/** An entry is about one vulnerability, often with the ids of several databases: `CVE-2018-7540 XSA-252`. */
function collectEntry(to: Collected, fix: PackageFix, entry: string): void {
  const { ids, aliases } = readIds(entry)
  if (ids.length === 0) to.unnamed.push({ rejected: `${fix.name} ${fix.version}`, reason: `"${entry}" is not an id` })
  for (const id of ids) {
    const held = to.vulnerabilities.get(id) ?? { aliases: new Set(), fixes: [] }
    to.vulnerabilities.set(id, held)
    for (const alias of aliases) held.aliases.add(alias)
    held.fixes.push(fix)
  }
}

/** A vulnerability whose packages are not all known is rejected, so that its stored record stays as it is. */
function noteFault(to: Collected, { name, version }: PackageFix, list: unknown): void {
  const reason = `the entry of ${name} ${version} is not a list of ids`
  const named = readIds(JSON.stringify(list)?.replaceAll(/["[\]{},:]/g, ' ') ?? '').ids
  for (const id of named) to.faults.set(id, reason)
  if (named.length === 0) to.unnamed.push({ rejected: `${name} ${version}`, reason })
}
