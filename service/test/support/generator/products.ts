// Draws a random vendor, product and list of affected versions for a generated CVE record.
import type { Dice } from './dice.ts'
import { getValueAt } from './draw.ts'
import { PERCENTILES } from './shape.ts'
import { drawPosition, generateName } from './vocabulary.ts'

export interface Product {
  readonly vendor: string
  readonly name: string
}

const WELL_KNOWN_VENDORS =
  `microsoft apple google oracle debian ibm linux cisco adobe redhat canonical mozilla apache huawei
netapp qualcomm sap jenkins siemens suse gnu netgear joomla drupal intel php samsung vmware gitlab dlink juniper dell
fortinet zyxel`.split(/\s+/)

const VENDOR_COUNT = 8000
const PRODUCTS_PER_VENDOR = 60

/** Draws a random product and its vendor. A few vendors are drawn far more often than the others. */
export function drawProduct(dice: Dice): Product {
  const index = drawPosition(dice, VENDOR_COUNT)
  const vendor = WELL_KNOWN_VENDORS[index] ?? generateName(100_000 + index)
  return { vendor, name: generateName(200_000 + index * PRODUCTS_PER_VENDOR + drawPosition(dice, PRODUCTS_PER_VENDOR)) }
}

export interface Match {
  readonly vulnerable: boolean
  readonly criteria: string
  readonly versionStartIncluding?: string
  readonly versionEndExcluding?: string
  readonly matchCriteriaId: string
}

/** Draws random CPE matches (affected versions), grouped by product. The first group is for the product `first`. */
export function drawMatches(dice: Dice, first: Product): readonly (readonly Match[])[] {
  // One random number sets both the number of products and the number of CPE matches, because in real records the two
  // numbers correlate.
  const share = dice.share()
  const matches = Math.round(getValueAt(PERCENTILES.cpeMatches, share))
  const products = Math.min(matches, Math.max(1, Math.round(getValueAt(PERCENTILES.products, share))))
  return Array.from({ length: products }, (_, index) => {
    const product = index === 0 ? first : drawProduct(dice)
    const count = Math.floor(((index + 1) * matches) / products) - Math.floor((index * matches) / products)
    return Array.from({ length: count }, (_, version) => drawMatch(dice, product, version))
  })
}

function drawMatch(dice: Dice, { vendor, name }: Product, index: number): Match {
  const version = `${1 + dice.below(12)}.${index}`
  // Some CVE records give a version range, others a list of versions.
  const isRange = index === 0 && dice.share() < 0.5
  return {
    vulnerable: true,
    criteria: `cpe:2.3:a:${vendor}:${name}:${isRange ? '*' : version}:*:*:*:*:*:*:*`,
    ...(isRange && { versionEndExcluding: version }),
    matchCriteriaId: drawUuid(dice),
  }
}

function drawUuid(dice: Dice): string {
  const [first, second, third] = [drawHex(dice), drawHex(dice), drawHex(dice)]
  return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-8000-0000${third}`
}

function drawHex(dice: Dice): string {
  return dice
    .below(2 ** 32)
    .toString(16)
    .toUpperCase()
    .padStart(8, '0')
}
