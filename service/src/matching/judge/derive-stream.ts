// Derives the module stream of an RPM package from its version. The streams of many modules are numbers with which the
// versions of the module's main package begin, such as nodejs:20 and 20.12.2. The errata show whether that holds for a
// package: it does not for npm of nodejs:20, whose version is 10.5.0, nor for podman of container-tools:rhel8.
import type { Component } from '../../domain/component/component.ts'
import { isOfRelease } from '../../domain/component/distribution-release.ts'
import { isOfModule } from '../../domain/component/rpm-stream.ts'
import type { StoredRow } from '../../record/affected-row.ts'
import type { ProductRows } from '../versions/product-rows.ts'

/** A package's streams, if every row about it shows that its versions begin with the stream's number. */
interface NumberedStreams {
  /** Stream names by number: `nodejs:20` by `20`. */
  readonly names: ReadonlyMap<string, string>
  /** Numbers of the streams that have a fixed version. */
  readonly shown: ReadonlySet<string>
  readonly rows: readonly StoredRow[]
}

/** Cached, because all versions of a product share its rows. */
const knownStreams = new WeakMap<ProductRows, NumberedStreams | null>()

/** Returns the component with its stream, or the component itself if its version does not prove the stream. */
export function deriveStream(component: Component, product: ProductRows): Component {
  const { stream, version, target } = component
  if (component.kind !== 'purl' || stream?.kind !== 'module' || version === null) return component
  const known = knownStreams.get(product) ?? findNumberedStreams(product)
  knownStreams.set(product, known)
  if (known === null) return component
  const numbers = [...known.names.keys()].filter((each) => beginsWith(version.text, each))
  const [number = ''] = numbers
  const name = known.names.get(number)
  const isInRelease = known.rows.some(
    (row) => row.streams?.includes(name ?? '') && (target === null || isOfRelease(row.target, target)),
  )
  if (name === undefined || numbers.length > 1 || !known.shown.has(number) || !isInRelease) return component
  return { ...component, stream: { kind: 'stream', name, isDerived: true } }
}

/** A CNA names no package versions of a distribution. */
const CNA = /^(?:derived:)?cna:/
const NUMBER = /^[^:]+:(\d+(?:\.\d+)*)$/

function findNumberedStreams(product: ProductRows): NumberedStreams | null {
  const all = product.rows.map(({ row }) => row).filter(({ source }) => !CNA.test(source))
  const rows = all.filter((row) => row.streams || isOfModule(readVersion(row) ?? ''))
  const [names, shown] = [new Map<string, string>(), new Set<string>()]
  for (const row of rows) {
    const [name = '', ...others] = row.streams ?? []
    const number = NUMBER.exec(name)?.[1]
    const version = readVersion(row)
    if (number === undefined || others.length > 0 || (names.get(number) ?? name) !== name) return null
    if (version !== null && !beginsWith(version, number)) return null
    names.set(number, name)
    if (version !== null) shown.add(number)
  }
  return { names, shown, rows }
}

const readVersion = ({ fixed, high, low }: StoredRow) => fixed ?? high ?? low

const EPOCH = /^\d+:/

/** Returns true for example for `1:20.12.2-2` and `20`, but not for `20.12.2` and `2`. */
function beginsWith(version: string, number: string): boolean {
  const plain = version.replace(EPOCH, '')
  return plain.startsWith(number) && /[.-]/.test(plain.charAt(number.length))
}
