// The products as a source names them. They are in the detail record, which is read only if they are wanted.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Cve } from 'vis-sdk'
import { Button } from '../../../kit/controls/button.tsx'
import { QueryState } from '../../../kit/states/query-state.tsx'
import { describeSource } from '../../../text/source-names.ts'
import { toNamedProducts } from '../model/named-products.ts'
import { Missing } from '../parts/missing.tsx'
import { detailQuery } from '../queries.ts'
import { areProductsNamed, explainMissingProducts, listFixes, ProductList } from './products-panel.tsx'

/** Shown only if a source names products. */
export function NamedProducts({ cve }: { readonly cve: Cve }) {
  const [isWanted, setIsWanted] = useState(false)
  const fixes = useMemo(() => listFixes(cve), [cve])
  const hasNames = areProductsNamed(cve)
  // Without products in CPE, the names are all that is known.
  const isOnly = cve.cpe.length === 0
  const query = useQuery({ ...detailQuery(cve.cve_id), enabled: hasNames && (isOnly || isWanted) })
  const named = useMemo(() => toNamedProducts(query.data?.affected_products.products ?? [], fixes), [query.data, fixes])
  if (!hasNames) return null
  if (!isOnly && !isWanted)
    return (
      <Button className="mt-3 print:hidden" onClick={() => setIsWanted(true)}>
        Show the products as their source names them
      </Button>
    )
  return (
    <QueryState query={query} label="Loading the products" lines={3}>
      {(detail) =>
        named.length === 0 ? (
          isOnly && <Missing>{explainMissingProducts(cve)}</Missing>
        ) : (
          <div className={isOnly ? '' : 'mt-4 border-t border-line pt-3'}>
            <p className="mb-3 text-sm text-ink-2">
              {isOnly && 'No loaded source names the products in CPE. '}
              These are the names of {describeSource(detail?.vendor ?? '')}.
            </p>
            <ProductList products={named} />
          </div>
        )
      }
    </QueryState>
  )
}
