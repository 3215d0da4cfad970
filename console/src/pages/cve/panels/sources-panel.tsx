// All values with the source that each comes from, and what other sources state.
import type { Cve } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { UpstreamText } from '../../../kit/upstream-text.tsx'
import { describeRecordValue } from '../model/record-values.ts'
import { listSourcedValues } from '../model/statements.ts'
import { Missing } from '../parts/missing.tsx'
import { SourceChip } from '../parts/source-chip.tsx'
import { StatementButton } from '../parts/who-says-so.tsx'

const MAX_CHIPS = 3

export function SourcesPanel({ cve }: { readonly cve: Cve }) {
  const values = listSourcedValues(cve.sources)
  const differing = values.filter(({ disagreement }) => disagreement !== undefined).length
  return (
    <Panel
      title="Who says so"
      note={differing > 0 ? `sources differ about ${differing} of ${values.length} values` : 'per value'}
    >
      {values.length === 0 ? (
        <Missing>The record names no sources.</Missing>
      ) : (
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Source of each value</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Value</th>
              <th scope="col">Stated by</th>
              <th scope="col">All statements</th>
            </tr>
          </thead>
          <tbody>
            {values.map((value) => {
              const sources = [...new Set(value.agreeing.map(({ source }) => source))]
              return (
                <tr key={value.name} className="border-t border-line first:border-t-0">
                  <th scope="row" className="py-1 pr-2 text-left align-top font-normal whitespace-nowrap text-ink-2">
                    {value.label}
                  </th>
                  <td className="py-1 pr-2">
                    <span className="flex flex-wrap items-center gap-1">
                      <RecordValue text={describeRecordValue(cve, value.name)} />
                      {sources.slice(0, MAX_CHIPS).map((source) => (
                        <SourceChip key={source} source={source} />
                      ))}
                      {sources.length > MAX_CHIPS && (
                        <span className="text-xs text-ink-3">+{sources.length - MAX_CHIPS}</span>
                      )}
                      {sources.length === 0 && <span className="text-xs text-ink-2">no value</span>}
                    </span>
                    {value.disagreement !== undefined && <Disagreement text={value.disagreement} />}
                  </td>
                  <td className="w-px py-1 text-right align-top">
                    <StatementButton value={value} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

function RecordValue({ text }: { readonly text: string }) {
  return text === '' ? null : <span className="mr-0.5 font-medium">{text}</span>
}

/** Names of products in the text come from upstream. */
function Disagreement({ text }: { readonly text: string }) {
  return (
    <p className="mt-0.5 text-xs text-high [overflow-wrap:anywhere]">
      <UpstreamText text={text} first={200} />
    </p>
  )
}
