// A field that finds vendors of the catalog.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { Combobox } from '../../kit/controls/combobox.tsx'
import { useSettled } from '../../kit/use-settled.ts'
import { toDisplayName } from '../../text/display-name.ts'
import { formatNumber } from '../../text/format.ts'

const SETTLE_MS = 250
/** The service refuses shorter texts. */
const MIN_LENGTH = 2

export function VendorField({ onChoose }: { readonly onChoose: (vendor: string) => void }) {
  const [text, setText] = useState('')
  const typed = useSettled(text.trim(), SETTLE_MS)
  const { data, error } = useQuery({
    queryKey: ['suggest', 'vendor', typed.toLowerCase()],
    queryFn: ({ signal }) => client.suggest('vendor', typed, { signal }),
    enabled: typed.length >= MIN_LENGTH,
  })
  const isCurrent = typed === text.trim() && typed.length >= MIN_LENGTH
  const found = isCurrent ? (data ?? []) : []
  const choose = (vendor: string) => {
    setText('')
    onChoose(vendor)
  }
  return (
    <Combobox
      label="Find a vendor"
      text={text}
      onText={setText}
      items={found}
      message={
        isCurrent && found.length === 0 && (error ? 'Suggestions could not be read.' : data && 'No similar name.')
      }
      getKey={({ value }) => value}
      onChoose={({ value }) => choose(value)}
      onEnter={() => found[0] && choose(found[0].value)}
    >
      {({ value, count }) => (
        <>
          <span className="min-w-0 flex-1 break-words">{toDisplayName(value)}</span>
          <span className="text-xs text-ink-2">
            {formatNumber(count)}
            <span className="sr-only"> CVEs</span>
          </span>
        </>
      )}
    </Combobox>
  )
}
