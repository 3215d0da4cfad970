// Whose products a record is about, and in which versions.
import type { Dice } from './dice.ts'
import { valueAt } from './draw.ts'
import { PERCENTILES } from './shape.ts'
import { coined, drawPlace } from './vocabulary.ts'

export interface Product {
  readonly vendor: string
  readonly name: string
}

const FAMOUS = `microsoft apple google oracle debian ibm linux cisco adobe redhat canonical mozilla apache huawei
netapp qualcomm sap jenkins siemens suse gnu netgear joomla drupal intel php samsung vmware gitlab dlink juniper dell
fortinet zyxel`.split(/\s+/)

const VENDORS = 8000
const PRODUCTS_OF_A_VENDOR = 60

/** Few vendors have most of the records. */
export function drawProduct(dice: Dice): Product {
  const place = drawPlace(dice, VENDORS)
  const vendor = FAMOUS[place] ?? coined(100_000 + place)
  return { vendor, name: coined(200_000 + place * PRODUCTS_OF_A_VENDOR + drawPlace(dice, PRODUCTS_OF_A_VENDOR)) }
}

export interface Match {
  readonly vulnerable: boolean
  readonly criteria: string
  readonly versionStartIncluding?: string
  readonly versionEndExcluding?: string
  readonly matchCriteriaId: string
}

/** The matches of each product; the first product is the one that the record is about. */
export function drawMatches(dice: Dice, first: Product): readonly (readonly Match[])[] {
  // The same throw for both: who affects many products has many matches.
  const share = dice.share()
  const matches = Math.round(valueAt(PERCENTILES.cpeMatches, share))
  const products = Math.min(matches, Math.max(1, Math.round(valueAt(PERCENTILES.products, share))))
  return Array.from({ length: products }, (_, place) => {
    const product = place === 0 ? first : drawProduct(dice)
    const count = Math.floor(((place + 1) * matches) / products) - Math.floor((place * matches) / products)
    return Array.from({ length: count }, (_, version) => match(dice, product, version))
  })
}

function match(dice: Dice, { vendor, name }: Product, place: number): Match {
  const version = `${1 + dice.below(12)}.${place}`
  // Newer records give ranges, older ones a long list of versions.
  const isRange = place === 0 && dice.share() < 0.5
  return {
    vulnerable: true,
    criteria: `cpe:2.3:a:${vendor}:${name}:${isRange ? '*' : version}:*:*:*:*:*:*:*`,
    ...(isRange && { versionEndExcluding: version }),
    matchCriteriaId: uuid(dice),
  }
}

function uuid(dice: Dice): string {
  const [first, second, third] = [hex(dice), hex(dice), hex(dice)]
  return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-8000-0000${third}`
}

function hex(dice: Dice): string {
  return dice
    .below(2 ** 32)
    .toString(16)
    .toUpperCase()
    .padStart(8, '0')
}
