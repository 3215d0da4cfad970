// What to do: fixed versions, advice, affected products, and why the CVE has its level.
import type { Cve } from 'vis-sdk'
import { ConfigurationsPanel } from '../panels/configurations-panel.tsx'
import { DeadlinesPanel } from '../panels/deadlines-panel.tsx'
import { DescriptionPanel } from '../panels/description-panel.tsx'
import { FixesPanel } from '../panels/fixes-panel.tsx'
import { NamedProducts } from '../panels/named-products.tsx'
import { ProductsPanel } from '../panels/products-panel.tsx'
import { RemediationsPanel } from '../panels/remediations-panel.tsx'
import { WhyPanel } from '../panels/why-panel.tsx'

export function FixTab({ cve }: { readonly cve: Cve }) {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem] print:block">
      <div className="min-w-0 space-y-4">
        <FixesPanel cve={cve} />
        {/* On paper, this tab has the fixed versions alone. */}
        <div className="space-y-4 print:hidden">
          <RemediationsPanel cve={cve} />
          <ProductsPanel cve={cve} named={<NamedProducts cve={cve} />} />
          <ConfigurationsPanel cve={cve} />
        </div>
      </div>
      <div className="min-w-0 space-y-4 print:hidden">
        <DescriptionPanel cve={cve} />
        <WhyPanel cve={cve} />
        <DeadlinesPanel cve={cve} />
      </div>
    </div>
  )
}
