import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Tab {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
}

interface TabsProps {
  /** Name of the tab list for screen readers. */
  readonly label: string
  readonly tabs: readonly Tab[]
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <BaseTabs.Root defaultValue={tabs[0]?.id}>
      <BaseTabs.List aria-label={label} className="flex flex-wrap gap-0.5 border-b border-line px-2">
        {tabs.map(({ id, label }) => (
          <BaseTabs.Tab
            key={id}
            value={id}
            className="-mb-px border-b-2 border-transparent px-2.5 py-1.5 text-sm whitespace-nowrap text-ink-2 -outline-offset-2 hover:text-ink data-[active]:border-accent data-[active]:font-semibold data-[active]:text-accent"
          >
            {label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map(({ id, content }) => (
        <BaseTabs.Panel key={id} value={id} className="pt-3">
          {content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
