import { Chip } from '../../../kit/controls/chip.tsx'
import { describeSource } from '../../../text/source-names.ts'

/** The name of a source in words, with its id in the API as title. */
export function SourceChip({ source }: { readonly source: string }) {
  return (
    <span title={source}>
      <Chip>{describeSource(source)}</Chip>
    </span>
  )
}
