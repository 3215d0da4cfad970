// CPE 2.2 URIs such as `cpe:/a:vendor:product:version:update:edition:language`, which Red Hat still uses.
import { ANY, escapeCpeValue, NOT_APPLICABLE } from './cpe-value.ts'

const PREFIX = 'cpe:/'
const MAX_COMPONENTS = 7
const INVALID_ESCAPE = /%(?![\da-f]{2})/i

/**
 * Returns the eleven values of CPE 2.3 in their standard order, not validated, or undefined for text that is not a CPE
 * 2.2 URI.
 */
export function parseCpeUri(text: string): string[] | undefined {
  if (!text.startsWith(PREFIX) || INVALID_ESCAPE.test(text)) return undefined
  const components = text.slice(PREFIX.length).split(':')
  if (components.length > MAX_COMPONENTS) return undefined
  const [part, vendor, product, version, update, edition = '', language] = components
  const [plainEdition, ...extended] = unpackEdition(edition)
  return [part, vendor, product, version, update, plainEdition, language, ...extended].map((each) => decode(each ?? ''))
}

/** The edition can hold five attributes of CPE 2.3 as `~edition~sw_edition~…~other`. */
function unpackEdition(edition: string): string[] {
  const [before, ...packed] = edition.split('~')
  return before === '' && packed.length === 5 ? packed : [edition, '', '', '', '']
}

function decode(component: string): string {
  if (component === '') return ANY
  if (component === NOT_APPLICABLE || !component.includes('%')) return component
  if (component.toLowerCase() === '%2d') return escapeCpeValue('-')
  return component.replaceAll(/%([\da-f]{2})/gi, (_, code: string) => decodeCharacter(Number.parseInt(code, 16)))
}

/** Codes 1 and 2 are the wildcards `?` and `*`. */
function decodeCharacter(code: number): string {
  if (code === 1) return '?'
  if (code === 2) return '*'
  const character = String.fromCharCode(code)
  return character === '-' ? character : escapeCpeValue(character)
}
