// CPE 2.2: `cpe:/a:vendor:product:version:update:edition:language`, as Red Hat still writes it.
import { ANY, literalValue, NOT_APPLICABLE } from './cpe-value.ts'

const PREFIX = 'cpe:/'
const MAX_COMPONENTS = 7
const NO_CODE = /%(?![\da-f]{2})/i

/** The eleven values of 2.3 in their order, not yet checked; undefined if this is no URI of 2.2. */
export function valuesOfUri(text: string): string[] | undefined {
  if (!text.startsWith(PREFIX) || NO_CODE.test(text)) return undefined
  const components = text.slice(PREFIX.length).split(':')
  if (components.length > MAX_COMPONENTS) return undefined
  const [part, vendor, product, version, update, edition = '', language] = components
  const [plainEdition, ...extended] = unpack(edition)
  return [part, vendor, product, version, update, plainEdition, language, ...extended].map((each) => decode(each ?? ''))
}

/** 2.2 had no room for four attributes of 2.3: they are packed into the edition, `~edition~sw_edition~…~other`. */
function unpack(edition: string): string[] {
  const [before, ...packed] = edition.split('~')
  return before === '' && packed.length === 5 ? packed : [edition, '', '', '', '']
}

function decode(component: string): string {
  if (component === '') return ANY
  if (component === NOT_APPLICABLE || !component.includes('%')) return component
  if (component.toLowerCase() === '%2d') return literalValue('-')
  return component.replaceAll(/%([\da-f]{2})/gi, (_, code: string) => decodeCharacter(Number.parseInt(code, 16)))
}

/** The two wildcards have codes of their own; everything else is meant as itself. */
function decodeCharacter(code: number): string {
  if (code === 1) return '?'
  if (code === 2) return '*'
  const character = String.fromCharCode(code)
  return character === '-' ? character : literalValue(character)
}
