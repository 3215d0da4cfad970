import { Chip } from '../../../kit/controls/chip.tsx'
import { describeSource } from '../../../text/source-names.ts'

/** The display name of a source, with its API id as the title. */
export function SourceChip({ source }: { readonly source: string }) {
  return (
    <span title={source}>
      <Chip>{describeSource(source)}</Chip>
    </span>
  )
}
