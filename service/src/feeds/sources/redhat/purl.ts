// A component by its package URL: which package, and in which version.
import type { ProductInTree } from './document.ts'

export interface Component {
  /** Without version, architecture and the like. */
  readonly purl: string
  /** As RPM writes it, with an epoch unless that is 0; of an image its tag. */
  readonly version: string | null
  readonly isRpm: boolean
  /** The package from which others are built. */
  readonly isSource: boolean
}

const PURL = /^(pkg:[\w.+-]+\/[^@?#]+)(?:@([^?#]*))?(?:\?([^#]*))?/
const MAX_LENGTH = 300

/** A component without a package URL is called by its name, as generic packages are. */
export function componentOf({ name, product_identification_helper: helper }: ProductInTree): Component {
  const [, named, version, qualifiers = ''] = PURL.exec(helper?.purl ?? '') ?? []
  const purl = (named ?? `pkg:generic/redhat/${encodeURIComponent(name.toWellFormed())}`).slice(0, MAX_LENGTH)
  const said = new URLSearchParams(qualifiers)
  const isRpm = purl.startsWith('pkg:rpm/')
  return {
    purl,
    version: isRpm || purl.startsWith('pkg:rpmmod/') ? rpmVersion(version, said) : said.get('tag'),
    isRpm,
    isSource: isRpm && said.get('arch') === 'src',
  }
}

function rpmVersion(version: string | undefined, said: URLSearchParams): string | null {
  if (!version) return null
  const epoch = said.get('epoch') ?? '0'
  return (epoch === '0' ? decoded(version) : `${epoch}:${decoded(version)}`).slice(0, MAX_LENGTH)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
