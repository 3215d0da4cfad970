// Why a CVE has its level: the reasons in words, and the inputs of CISA's decision tree with their sources.
import type { Cve, Priority } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { listInputs, titleDecision } from '../model/verdict.ts'
import { SourceChip } from '../parts/source-chip.tsx'

/** The section of the guide that explains the levels. */
const POLICY_GUIDE = '/docs/guide/priority'

/** Shown only if the CVE has a level. */
export function WhyPanel({ cve: { priority } }: { readonly cve: Cve }) {
  if (!priority?.level) return null
  const { level, policy_version, reasons, ssvc } = priority
  return (
    <Panel
      title={level === 'unrated' ? 'Why it is not assessed' : `Why ${level}`}
      note={
        <a href={POLICY_GUIDE} className="text-ink-2 underline underline-offset-2">
          by policy {policy_version}
        </a>
      }
    >
      <ul className="list-disc space-y-1 pl-5 text-sm marker:text-ink-3">
        {reasons.map((reason) => (
          <li key={reason} className="[overflow-wrap:anywhere]">
            {reason}
          </li>
        ))}
      </ul>
      {ssvc && <Inputs ssvc={ssvc} />}
    </Panel>
  )
}

function Inputs({ ssvc }: { readonly ssvc: NonNullable<Priority['ssvc']> }) {
  return (
    <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-t border-line pt-2.5 text-sm">
      <dt className="text-ink-2">SSVC decision</dt>
      <dd className="font-medium">
        {titleDecision(ssvc)}
        <span className="block text-xs font-normal text-ink-2">
          CISA's decision tree, effect on the mission assumed to be {ssvc.mission}
        </span>
      </dd>
      {listInputs(ssvc).map(({ name, label, text, source }) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{label}</dt>
          <dd className="flex flex-wrap items-center gap-2 font-medium">
            {text}
            {source && <SourceChip source={source} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
