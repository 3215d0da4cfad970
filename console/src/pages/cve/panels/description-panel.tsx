import type { Cve } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { UpstreamText } from '../../../kit/upstream-text.tsx'
import { describeSource } from '../../../text/source-names.ts'
import { Missing } from '../parts/missing.tsx'

export function DescriptionPanel({ cve: { description, sources } }: { readonly cve: Cve }) {
  const [stated] = sources?.description?.stated_by ?? []
  return (
    <Panel title="Description" note={stated && describeSource(stated.source)}>
      {description === null ? (
        <Missing>No loaded source describes this CVE yet.</Missing>
      ) : (
        <UpstreamText
          text={description}
          first={900}
          className="block max-w-[90ch] text-sm whitespace-pre-line"
          cutClassName="line-clamp-[14]"
        />
      )}
    </Panel>
  )
}
