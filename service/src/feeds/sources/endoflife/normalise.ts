import { Type } from 'typebox'
import type { ReleaseCycle } from '../../../domain/component/release-cycle.ts'
import { toNameKey } from '../../../domain/component/release-cycle.ts'
import { parseCpe } from '../../../domain/cpe/cpe.ts'
import { ANY, unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import { parseDate } from '../../../domain/instant.ts'
import { parsePackageName } from '../../../domain/purl/package-name.ts'
import { findPackageType } from '../../../domain/purl/package-types.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { findIdForReport } from '../../stores/extract-ids.ts'

export interface EndOfLifeRow {
  readonly product: string
  readonly label: string
  /** Keys in the form of `toNameKey`. */
  readonly names: readonly string[]
  readonly cycles: readonly ReleaseCycle[]
}

const Day = optionalOrNull(Type.String())

const PRODUCT = compileSchema(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    label: Type.String(),
    identifiers: Type.Array(Type.Object({ id: Type.String(), type: Type.String() })),
    releases: Type.Array(
      Type.Object({
        name: Type.String(),
        codename: optionalOrNull(Type.String()),
        isEol: Type.Boolean(),
        eolFrom: Day,
        isEoes: optionalOrNull(Type.Boolean()),
        eoesFrom: Day,
      }),
    ),
  }),
)

export function normaliseProduct(raw: unknown): EndOfLifeRow | Rejected {
  const product = findIdForReport(raw, 'name', 'a product')
  if (!PRODUCT.matches(raw)) return { rejected: product, reason: PRODUCT.describeMismatch(raw) }
  const cycles: ReleaseCycle[] = []
  for (const { name, codename, isEol, eolFrom = null, isEoes = null, eoesFrom = null } of raw.releases) {
    const wrong = [eolFrom, eoesFrom].find((each) => each !== null && parseDate(each) === undefined)
    if (wrong !== undefined) return { rejected: product, reason: `release ${name}: not a date: "${wrong}"` }
    cycles.push({
      name,
      code_name: codename?.toLowerCase().split(' ')[0] || null,
      is_over: isEol,
      over_from: eolFrom,
      extended: isEoes === null ? null : { is_over: isEoes, over_from: eoesFrom },
    })
  }
  return { product: raw.name, label: raw.label, names: listNames(raw.identifiers), cycles }
}

function listNames(identifiers: readonly { readonly id: string; readonly type: string }[]): readonly string[] {
  const names = identifiers.flatMap(({ id, type }) => {
    if (type === 'cpe') return readCpeName(id) ?? []
    return type === 'purl' ? (readPurlName(id) ?? []) : []
  })
  return [...new Set(names)].sort()
}

/** Undefined for a CPE name with a version or an edition, which is not the whole product. */
function readCpeName(id: string): string | undefined {
  const cpe = parseCpe(id) ?? parseCpe(`${id}${':*'.repeat(Math.max(0, 13 - id.split(':').length))}`)
  if (cpe === undefined) return undefined
  const { part, vendor, product, ...rest } = cpe
  const names = [vendor, product].map(unescapeCpeValue)
  const isWhole = part !== ANY && Object.values(rest).every((each) => each === ANY)
  return isWhole && names[0] !== undefined && names[1] !== undefined ? toNameKey('cpe', names[0], names[1]) : undefined
}

/** Undefined for a package of a distribution, which supports its packages as long as its release. */
function readPurlName(id: string): string | undefined {
  const name = parsePackageName(id)
  const type = name && findPackageType(name.type)
  return name === undefined || type === undefined || type.isOfDistribution || id.includes('?')
    ? undefined
    : toNameKey('purl', name.vendor, name.product)
}
