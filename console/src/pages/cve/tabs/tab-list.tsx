// The tabs of a CVE. The address says which one is open; the keys 1 to 5 open one.
import { Tabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { useKeys } from '../../../kit/keys.ts'
import { classNames } from '../../../text/class-names.ts'
import { formatNumber } from '../../../text/format.ts'
import { TABS, type TabName } from '../state.ts'
import { useCveState } from '../use-cve-state.ts'

interface TabContent {
  readonly content: ReactNode
  /** What is printed, whichever tab is open. The content of the tab must show the same on paper and hide the rest. */
  readonly printed?: ReactNode
  /** Number of things in the tab; undefined if it is not known without a read. */
  readonly count?: number | undefined
  /** Words in place of the number. */
  readonly note?: string | undefined
  /** What deserves attention, such as "2 differ". */
  readonly warning?: string | undefined
}

type TabTable = Readonly<Partial<Record<TabName, TabContent>>>

export function TabList({ tabs }: { readonly tabs: TabTable }) {
  const [{ tab }, change] = useCveState()
  // The cast is safe: the keys of the table are the names.
  const names = (Object.keys(TABS) as TabName[]).filter((name) => tabs[name] !== undefined)
  const open = names.includes(tab) ? tab : names[0]
  useKeys(
    'CVE',
    names.map((name, index) => ({
      keys: String(index + 1),
      label: `Tab ${TABS[name]}`,
      run: () => change({ tab: name }),
    })),
  )
  return (
    <Tabs.Root value={open ?? null} onValueChange={(name: TabName) => change({ tab: name })}>
      <Tabs.List
        aria-label="More about the CVE"
        className="relative mb-4 flex gap-1 overflow-x-auto border-b border-line print:hidden"
      >
        {names.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="-mb-px border-b-2 border-transparent px-2.5 py-2 whitespace-nowrap text-ink-2 -outline-offset-2 hover:text-ink data-[active]:border-accent data-[active]:font-semibold data-[active]:text-ink"
          >
            {TABS[name]} <Note {...tabs[name]} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel
          key={name}
          value={name}
          tabIndex={-1}
          className={classNames('space-y-4 outline-none', tabs[name]?.printed === undefined && 'print:hidden')}
        >
          {tabs[name]?.content}
        </Tabs.Panel>
      ))}
      {names.map((name) =>
        name === open || tabs[name]?.printed === undefined ? null : (
          <div key={name} className="hidden print:block">
            {tabs[name].printed}
          </div>
        ),
      )}
    </Tabs.Root>
  )
}

function Note({ count, note, warning }: Partial<TabContent>) {
  if (warning !== undefined) return <span className="text-xs font-normal text-high">{warning}</span>
  const text = note ?? (count === undefined ? undefined : formatNumber(count))
  return text === undefined ? null : <span className="text-xs font-normal text-ink-3">{text}</span>
}
