// Components without a listed match: those that are not covered, uncertain ones, skipped ones, and unaffected ones.
import type { ReactNode } from 'react'
import type { MatchedComponent } from 'vis-sdk'
import { Button } from '../../kit/controls/button.tsx'
import { formatNumber } from '../../text/format.ts'
import { ComponentName } from './component-name.tsx'
import { JudgedBy } from './coverage/judged-by.tsx'
import { Limited } from './limited.tsx'
import type { GapGroup, SbomFacts } from './result.ts'
import { describeGap } from './texts.ts'

interface ComponentListProps {
  readonly components: readonly MatchedComponent[]
  /** A remark about a component. */
  readonly note?: (component: MatchedComponent) => ReactNode
}

export function ComponentList({ components, note }: ComponentListProps) {
  return (
    <Limited items={components}>
      {(shown) => (
        <ul>
          {shown.map((component) => (
            <li
              key={component.index}
              className="grid gap-x-4 gap-y-0.5 border-t border-line px-3 py-2 sm:px-4 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
            >
              <ComponentName component={component} />
              <div className="min-w-0 text-sm break-words text-ink-2">
                {note?.(component)}
                <JudgedBy component={component} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Limited>
  )
}

interface UncoveredListProps {
  readonly groups: readonly GapGroup[]
  readonly onChoose: SimilarProductsProps['onChoose']
}

/** The components of which nothing is known, below the reason why. */
export function UncoveredList({ groups, onChoose }: UncoveredListProps) {
  return groups.map(({ gap, components }) => (
    <section key={gap} id={`gap-${gap}`} className="border-t border-line">
      <h3 className="bg-high-soft px-3 py-2 sm:px-4 text-sm font-medium text-high">
        {describeGap(gap)} <span className="font-normal">{formatNumber(components.length)}</span>
      </h3>
      <ComponentList
        components={components}
        note={(component) => <SimilarProducts component={component} onChoose={onChoose} />}
      />
    </section>
  ))
}

export type Product = NonNullable<MatchedComponent['similar_products']>[number]

interface SimilarProductsProps {
  readonly component: MatchedComponent
  /** Checks another product instead of this one. Absent if the component's line cannot be replaced. */
  readonly onChoose: ((component: MatchedComponent, product: Product) => void) | undefined
}

/** Products with a similar name, for a product that no source names. */
function SimilarProducts({ component, onChoose }: SimilarProductsProps) {
  const products = component.similar_products ?? []
  if (products.length === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      Did you mean
      {products.map((product) => {
        const name = `${product.vendor} ${product.product}`
        return onChoose ? (
          <Button key={name} onClick={() => onChoose(component, product)} title={`Check ${name} instead`}>
            {name}
          </Button>
        ) : (
          <code key={name} className="rounded bg-soft px-1.5 py-0.5 font-mono text-xs">
            {name}
          </code>
        )
      })}
      <span>?</span>
    </span>
  )
}

export function SkippedList({ sbom }: { readonly sbom: SbomFacts }) {
  return (
    <Limited items={sbom.components_skipped}>
      {(shown) => (
        <ul>
          {shown.map(({ index, why }) => (
            <li key={index} className="border-t border-line px-3 py-2 sm:px-4 text-sm break-words">
              <span className="font-medium">{`Component ${index + 1}:`}</span> {why}
            </li>
          ))}
        </ul>
      )}
    </Limited>
  )
}
