import { Chip } from '../../../kit/chip.tsx'
import { describeSource } from '../model/statements.ts'

/** The name of a source as the API writes it, with its name in words as title. */
export function SourceChip({ source }: { readonly source: string }) {
  return (
    <span title={describeSource(source)}>
      <Chip kind="source">{source}</Chip>
    </span>
  )
}
