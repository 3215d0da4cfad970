// Where the CVE is muted, and the button that ends it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { VolumeX } from 'lucide-react'
import type { TriageEntry, Watch } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { Button } from '../../kit/controls/button.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { formatDate } from '../../text/date-words.ts'
import { joinWords } from '../../text/join-words.ts'
import { describeEffect, REOPENER_WORDS, readWatchScope } from '../../text/triage.ts'

interface MutesProps {
  readonly entries: readonly TriageEntry[]
  readonly watches: readonly Watch[]
  readonly mayChange: boolean
}

export function Mutes({ entries, watches, mayChange }: MutesProps) {
  const queryClient = useQueryClient()
  const unmute = useMutation({
    mutationFn: ({ cve_id, scope, revision }: TriageEntry) => client.removeTriage({ cve_id, scope, revision }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['triage'] }),
  })
  const mutes = entries.filter(({ scope }) => readWatchScope(scope) !== undefined)
  if (mutes.length === 0) return null
  return (
    <ul className="space-y-2">
      {mutes.map((entry) => (
        <li key={entry.scope} className="flex items-start gap-2.5 rounded-lg bg-soft px-3 py-2 text-sm">
          <VolumeX aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{describeMute(entry, watches)}</span>
          {mayChange && (
            <Button className="h-7 px-2 text-xs" disabled={unmute.isPending} onClick={() => unmute.mutate(entry)}>
              Unmute
            </Button>
          )}
        </li>
      ))}
      <FormError error={unmute.error} />
    </ul>
  )
}

function describeMute(entry: TriageEntry, watches: readonly Watch[]): string {
  const { scope, until_day: until, unless, note, effect } = entry
  const id = readWatchScope(scope)
  const name = watches.find((each) => each.id === id)?.name
  const where = name === undefined ? 'a watch that was removed' : `“${name}”`
  const reason = note === null ? '' : ` Reason: ${note}`
  if (effect !== 'suppresses') return `Was muted in ${where}. ${describeEffect(entry) ?? 'It hides nothing'}.${reason}`
  const end = until === null ? '' : ` until ${formatDate(until)}`
  const exception =
    unless.length === 0
      ? ''
      : ` unless ${joinWords(
          unless.map((each) => REOPENER_WORDS[each]),
          'or',
        )}`
  return `Muted in ${where}${end}${exception}.${reason}`
}
