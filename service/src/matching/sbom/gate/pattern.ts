import type { ComponentLabel } from '../document/name-component.ts'
import { compileGlob } from './glob.ts'

export type NamesEntry = (label: ComponentLabel) => boolean

/** Compares the pattern with each name of an entry: purl, CPE name, name, and name with version. */
export function compilePattern(pattern: string): NamesEntry {
  const matches = compileGlob(pattern)
  return ({ name, version, purl, cpe }) => {
    const names = [purl, purl && decode(purl), cpe, name, version && `${name}@${version}`]
    return names.some((each) => each !== undefined && each !== '' && matches(each))
  }
}

/** Purls escape the `@` of scoped npm packages as %40, but people write `pkg:npm/@acme/*`. */
function decode(purl: string): string {
  try {
    return decodeURIComponent(purl)
  } catch {
    return purl
  }
}
