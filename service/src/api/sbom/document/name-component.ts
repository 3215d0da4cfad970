// Chooses the name by which a component of a document is compared: its purl, else its CPE name, else its name.
import { cpeName, packageUrl } from '../../../contract/component-types.ts'
import { type Component, readComponent } from '../../matching/component.ts'
import type { Entry } from './entry.ts'

export interface NamedComponent {
  /** Position in the document, from 0, counting nested and skipped components. */
  readonly index: number
  readonly ref: string | undefined
  readonly component: Component
  /** Names for VEX documents. */
  readonly label: ComponentLabel
}

interface ComponentLabel {
  readonly name: string
  readonly version: string | undefined
  readonly purl: string | undefined
  readonly cpe: string | undefined
}

const [PURL, CPE] = [packageUrl(), cpeName()]
const [MAX_REF_LENGTH, MAX_NAME_LENGTH, MAX_VERSION_LENGTH] = [1024, 128, 128]
/** Control characters, which no name and no version contains. PostgreSQL rejects NUL. */
const CONTROL = /\p{Cc}/u
/** Type of purls that name no package of an ecosystem, so that a CPE name says more. */
const GENERIC_PURL = /^pkg:generic\//i

const SKIPPED = {
  root: 'It is the software that the document describes.',
  invalid: 'It is not an object.',
  file: 'It is a file, and has neither a purl nor a cpe.',
  unnamed: 'It has neither a purl, nor a cpe, nor a name of at most 128 characters that the service can read.',
  version: 'Its version has more than 128 characters or control characters.',
}

/** Returns the component, or the reason why it is not compared. */
export function nameComponent(entry: Entry, index: number): NamedComponent | string {
  if (entry.kind === 'root' || entry.kind === 'invalid') return SKIPPED[entry.kind]
  const purl = entry.purls.find((each) => PURL.parse(each) !== undefined)
  const cpe = entry.cpes.find((each) => CPE.parse(each) !== undefined)
  if (entry.kind === 'file' && purl === undefined && cpe === undefined) return SKIPPED.file
  const { version } = entry
  if (version !== undefined && !isText(version, MAX_VERSION_LENGTH)) return SKIPPED.version
  const component = readNamed(entry, purl, cpe)
  if (component === undefined) return SKIPPED.unnamed
  const { ref } = entry
  return {
    index,
    ref: ref !== undefined && isText(ref, MAX_REF_LENGTH) ? ref : undefined,
    component,
    label: { name: readName(entry.name) ?? component.product, version, purl, cpe },
  }
}

function readNamed(entry: Entry, purl: string | undefined, cpe: string | undefined): Component | undefined {
  const { version, vendor } = entry
  const isPurlFirst = purl !== undefined && (cpe === undefined || !GENERIC_PURL.test(purl))
  if (isPurlFirst) return readComponent({ purl: PURL.parse(purl), version })
  if (cpe !== undefined) return readComponent({ cpe: CPE.parse(cpe), version })
  const product = readName(entry.name)
  if (product === undefined) return undefined
  // The name is free text of a tool, not the name by which sources know the product.
  return { ...readComponent({ product, vendor: readName(vendor), version }), isGuessed: true }
}

function readName(name: string | undefined): string | undefined {
  return name !== undefined && isText(name, MAX_NAME_LENGTH) ? name : undefined
}

function isText(text: string, maxLength: number): boolean {
  return text.length <= maxLength && !CONTROL.test(text)
}
