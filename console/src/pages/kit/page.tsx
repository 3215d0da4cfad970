// All parts of the kit in their states. Exists only under "npm run dev".
import { VisError } from 'vis-sdk'
import { Badge, PriorityBadge, SeverityBadge } from '../../kit/badge.tsx'
import { ChartFrame } from '../../kit/chart-frame.tsx'
import { Button } from '../../kit/controls/button.tsx'
import { Chip, FilterChip } from '../../kit/controls/chip.tsx'
import { CopyButton } from '../../kit/controls/copy-button.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { Menu, MenuCheckbox, MenuItem } from '../../kit/controls/menu.tsx'
import { Tabs } from '../../kit/controls/tabs.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { ErrorState } from '../../kit/states/error-state.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import { RateLimited } from '../../kit/states/rate-limited.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'

interface Example {
  readonly name: string
  readonly score: number | null
}

const EXAMPLES: readonly Example[] = [
  { name: 'CVE-2021-44228', score: 10 },
  { name: 'CVE-2014-0160', score: 7.5 },
  { name: 'CVE-2020-0001', score: null },
]

const COLUMNS: readonly Column<Example>[] = [
  { id: 'name', header: 'CVE', cell: ({ name }) => name, sortValue: ({ name }) => name },
  {
    id: 'score',
    header: 'CVSS',
    isNumeric: true,
    cell: ({ score }) => <SeverityBadge score={score} />,
    sortValue: ({ score }) => score,
  },
]

const TABLE = <Table caption="Examples" columns={COLUMNS} rows={EXAMPLES} getKey={({ name }) => name} />

const FAILURE = new VisError({
  code: 'QUERY_TIMEOUT',
  message: 'The database did not answer in time.',
  status: 503,
  correlationId: '0b6f6e0c-5c43-4c7d-9a54-5f0c9f4f2a11',
})

const LEVELS = ['P0', 'P1', 'P2', 'unrated', 'P3', 'P4'] as const

const ignore = () => undefined

export function KitPage() {
  return (
    <Page title="Kit" note="for developers">
      <Panel title="Badges and chips">
        <div className="flex flex-wrap items-center gap-2">
          {[9.8, 7.5, 5, 2.1, 0, null].map((score) => (
            <SeverityBadge key={String(score)} score={score} />
          ))}
          {LEVELS.map((level) => (
            <PriorityBadge key={level} level={level} />
          ))}
          <Badge tone="good">Fresh</Badge>
          <Badge tone="accent">Curated</Badge>
          <Chip>plain</Chip>
          <Chip>the CNA apache</Chip>
          <FilterChip label="severity: critical" onRemove={ignore} />
          <TimeAgo time="2026-08-22T00:00:00Z" />
        </div>
      </Panel>
      <Panel title="Buttons, menu, dialog">
        <div className="flex flex-wrap items-center gap-2">
          <Button>Normal</Button>
          <Button variant="primary">Primary</Button>
          <Button variant="quiet">Quiet</Button>
          <Button disabled>Disabled</Button>
          <CopyButton text="copied" label="Copy the example">
            Copy
          </CopyButton>
          <Menu label="Menu" trigger="Menu">
            <MenuItem onSelect={ignore}>An action</MenuItem>
            <MenuCheckbox isChecked onChange={ignore}>
              A choice
            </MenuCheckbox>
          </Menu>
          <Dialog title="A dialog" trigger={<Button>Dialog</Button>}>
            Content of the dialog.
          </Dialog>
        </div>
      </Panel>
      <KitOfTablesAndStates />
    </Page>
  )
}

function KitOfTablesAndStates() {
  return (
    <>
      <Panel title="Table" isFlush>
        {TABLE}
      </Panel>
      <Panel title="Tabs">
        <Tabs
          label="Examples"
          tabs={[
            { id: 'a', label: 'First', content: 'Content of the first tab.' },
            { id: 'b', label: 'Second', content: 'Content of the second tab.' },
          ]}
        />
      </Panel>
      <ChartFrame title="Chart frame" summary="Scores of three examples" table={TABLE}>
        <svg viewBox="0 0 200 40" className="h-20 w-full fill-accent" aria-hidden>
          <rect x="0" y="5" width="180" height="8" />
          <rect x="0" y="22" width="120" height="8" />
        </svg>
      </ChartFrame>
      <div className="grid gap-4 md:grid-cols-2">
        <Panel title="Loading">
          <Loading />
        </Panel>
        <Panel title="Empty">
          <Empty title="No CVE matches">Remove a filter or search for fewer words.</Empty>
        </Panel>
        <Panel title="Error">
          <ErrorState error={FAILURE} onRetry={ignore} />
        </Panel>
        <Panel title="Rate limited">
          <RateLimited retryAfter={42} onRetry={ignore} />
        </Panel>
      </div>
    </>
  )
}
