// Chooses the name by which a component is compared: its purl, else its CPE name, else its plain name.
import { cpeName, packageUrl } from '../../../contract/request/component-types.ts'
import { type Component, readComponent } from '../../../domain/component/component.ts'
import type { Nature } from '../../../domain/gate-words.ts'
import type { Purl } from '../../../domain/purl/parse-purl.ts'
import type { Entry } from './entry.ts'

export interface NamedComponent {
  /** Position in the document, starting at 0. Nested and skipped components count. */
  readonly index: number
  readonly ref: string | undefined
  readonly component: Component
  /** Names for VEX documents and gates. */
  readonly label: ComponentLabel
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
  operating_system: 'It is the operating system whose packages the document lists, and has neither a purl nor a cpe.',
  unnamed: 'It has neither a purl, nor a cpe, nor a name of at most 128 characters that the service can read.',
  version: 'Its version has more than 128 characters or control characters.',
}

export function nameComponent(entry: Entry, index: number): NamedComponent | SkippedEntry {
  const named = readNames(entry)
  if (typeof named !== 'string') return { index, ref: readRef(entry), ...named }
  return {
    index,
    ref: readRef(entry),
    why: SKIPPED[named],
    nature: isNature(named) ? named : undefined,
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

/** Returns a key of SKIPPED if the entry is not compared. */
function readNames(entry: Entry): Omit<NamedComponent, 'index' | 'ref'> | keyof typeof SKIPPED {
  if (entry.kind === 'root' || entry.kind === 'invalid') return entry.kind
  const purl = entry.purls.find((each) => PURL.parse(each) !== undefined)
  const cpe = entry.cpes.find((each) => CPE.parse(each) !== undefined)
  const isNamed = purl !== undefined || cpe !== undefined
  if (!isNamed && (entry.kind === 'file' || entry.kind === 'operating_system')) return entry.kind
  const { version } = entry
  if (version !== undefined && !isText(version, MAX_VERSION_LENGTH)) return 'version'
  const component = readNamed(entry, purl, cpe)
  if (component === undefined) return 'unnamed'
  return {
    component,
    label: { name: readName(entry.name) ?? component.product, version, purl, cpe },
  }
}

function readNamed(entry: Entry, purl: string | undefined, cpe: string | undefined): Component | undefined {
  const { version, vendor } = entry
  const isPurlFirst = purl !== undefined && (cpe === undefined || !GENERIC_PURL.test(purl))
  if (isPurlFirst) return readComponent({ purl: addSource(PURL.parse(purl), entry), version })
  if (cpe !== undefined) return readComponent({ cpe: CPE.parse(cpe), version })
  const product = readName(entry.name)
  if (product === undefined) return undefined
  // A tool wrote this name as free text; sources may list the product under another name.
  return { ...readComponent({ product, vendor: readName(vendor), version }), isGuessed: true }
}

/** The purl's own source package takes precedence. */
function addSource(purl: Purl | undefined, { source }: Entry): Purl | undefined {
  if (purl === undefined || purl.upstream !== null || source === undefined) return purl
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
