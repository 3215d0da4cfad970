// Chooses the name by which a component is compared: its purl, else its CPE name, else its plain name.
import { cpeName, packageUrl } from '../../../contract/request/component-types.ts'
import { type Component, readComponent } from '../../../domain/component/component.ts'
import type { Nature } from '../../../domain/gate-words.ts'
import { parsePackageName } from '../../../domain/purl/package-name.ts'
import type { Purl } from '../../../domain/purl/parse-purl.ts'
import { findPackageSources } from '../../../domain/source/coverage.ts'
import { addDistribution, type Distribution } from './distribution.ts'
import type { Entry } from './entry.ts'

interface Named {
  readonly component: Component
  /** Names for VEX documents and gates. */
  readonly label: ComponentLabel
}

export interface NamedComponent extends Named {
  /** Position in the document, starting at 0. Nested and skipped components count. */
  readonly index: number
  readonly ref: string | undefined
  /** The document's further names for the same software, at most MAX_NAMES in all. */
  readonly others: readonly Named[]
}

export interface SkippedEntry {
  readonly index: number
  readonly ref: string | undefined
  readonly why: string
  /** Undefined if the entry should have been compared. */
  readonly nature: Exclude<Nature, 'own'> | undefined
  readonly label: ComponentLabel
}

/** The texts of a skipped entry may have any length. */
export interface ComponentLabel {
  readonly name: string
  readonly version: string | undefined
  readonly purl: string | undefined
  readonly cpe: string | undefined
}

const [PURL, CPE] = [packageUrl(), cpeName()]
const [MAX_REF_LENGTH, MAX_NAME_LENGTH, MAX_VERSION_LENGTH] = [1024, 128, 128]
/** No name or version contains control characters, and PostgreSQL rejects NUL. */
const CONTROL = /\p{Cc}/u
/** A purl that names no ecosystem's package, so a CPE name says more. */
const GENERIC_PURL = /^pkg:generic\//i

const SKIPPED = {
  root: 'It is the software that the document describes.',
  invalid: 'It is not an object.',
  file: 'It is a file, and has neither a purl nor a cpe.',
  operating_system: 'It is the operating system whose packages the document lists.',
  unnamed: 'It has neither a purl, nor a cpe, nor a name of at most 128 characters that the service can read.',
  version: 'Its version has more than 128 characters or control characters.',
}

export function nameComponent(
  entry: Entry,
  index: number,
  distribution: Distribution | undefined,
): NamedComponent | SkippedEntry {
  const names = readNames(entry, distribution)
  if (typeof names !== 'string') return { index, ref: readRef(entry), ...names }
  return {
    index,
    ref: readRef(entry),
    why: SKIPPED[names],
    nature: isNature(names) ? names : undefined,
    label: labelSkipped(entry),
  }
}

function readRef({ ref }: Entry): string | undefined {
  return ref !== undefined && isText(ref, MAX_REF_LENGTH) ? ref : undefined
}

/** Omits texts that the service cannot read. */
export function labelSkipped({ name, version, purls, cpes }: Entry): ComponentLabel {
  const pick = (text: string | undefined, maxLength: number) =>
    text !== undefined && isText(text, maxLength) ? text : undefined
  return {
    name: readName(name) ?? '',
    version: pick(version, MAX_VERSION_LENGTH),
    purl: pick(purls[0], MAX_REF_LENGTH),
    cpe: pick(cpes[0], MAX_REF_LENGTH),
  }
}

const isNature = (why: keyof typeof SKIPPED) => why === 'root' || why === 'file' || why === 'operating_system'

/** Syft lists about ten CPE names that a package may have. */
const MAX_NAMES = 20

type Names = Pick<NamedComponent, 'component' | 'label' | 'others'>

/** Returns a key of SKIPPED if the entry is not compared. */
function readNames(entry: Entry, distribution: Distribution | undefined): Names | keyof typeof SKIPPED {
  const { kind, version } = entry
  if (kind === 'root' || kind === 'invalid' || kind === 'operating_system') return kind
  const purls = sortPurls(entry.purls.filter((each) => PURL.parse(each) !== undefined))
  const cpes = entry.cpes.filter((each) => CPE.parse(each) !== undefined)
  if (purls.length === 0 && cpes.length === 0 && kind === 'file') return kind
  if (version !== undefined && !isText(version, MAX_VERSION_LENGTH)) return 'version'
  const isPurlFirst = purls[0] !== undefined && (cpes.length === 0 || !GENERIC_PURL.test(purls[0]))
  const components = isPurlFirst
    ? purls.map((purl) => readComponent({ purl: addKnown(PURL.parse(purl), entry, distribution), version }))
    : cpes.map((cpe) => readComponent({ cpe: CPE.parse(cpe), version }))
  const [first = readGuessed(entry), ...others] = components
  if (first === undefined) return 'unnamed'
  const label = (component: Component, position: number) => ({
    component,
    label: {
      name: readName(entry.name) ?? component.product,
      version,
      purl: purls[isPurlFirst ? position : 0],
      cpe: cpes[isPurlFirst ? 0 : position],
    },
  })
  return {
    ...label(first, 0),
    others: others.slice(0, MAX_NAMES - 1).map((component, position) => label(component, position + 1)),
  }
}

/** Lists a purl whose packages a source names before the others, and generic purls last. */
function sortPurls(purls: readonly string[]): readonly string[] {
  const rate = (purl: string) => {
    if (findPackageSources(parsePackageName(purl)?.vendor ?? '').length > 0) return 0
    return GENERIC_PURL.test(purl) ? 2 : 1
  }
  return purls.toSorted((a, b) => rate(a) - rate(b))
}

function readGuessed({ name, vendor, version }: Entry): Component | undefined {
  const product = readName(name)
  if (product === undefined) return undefined
  // A tool wrote this name as free text; sources may list the product under another name.
  return { ...readComponent({ product, vendor: readName(vendor), version }), isGuessed: true }
}

function addKnown(purl: Purl | undefined, entry: Entry, distribution: Distribution | undefined): Purl | undefined {
  return purl && addSource(addDistribution(purl, distribution), entry)
}

/** The purl's own source package takes precedence. */
function addSource(purl: Purl, { source }: Entry): Purl {
  if (purl.upstream !== null || source === undefined) return purl
  const { name, version } = source
  if (![name, version ?? ''].every((each) => isText(each, MAX_NAME_LENGTH))) return purl
  return { ...purl, upstream: version === undefined || purl.type !== 'deb' ? name : `${name}@${version}` }
}

function readName(name: string | undefined): string | undefined {
  return name !== undefined && isText(name, MAX_NAME_LENGTH) ? name : undefined
}

function isText(text: string, maxLength: number): boolean {
  return text.length <= maxLength && !CONTROL.test(text)
}
