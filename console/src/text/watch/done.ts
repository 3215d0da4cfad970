// What a person reads after a watch was made or changed.
import type { DescribedWatch } from 'vis-sdk'
import { formatNumber } from '../format.ts'
import { joinWords } from '../join-words.ts'

export function describeCreated({ watch, did_you_mean: unknown }: DescribedWatch): string {
  const { name, matching_now: count } = watch
  const now =
    typeof count === 'number' ? ` ${formatNumber(count)} ${count === 1 ? 'CVE matches' : 'CVEs match'} now.` : ''
  const names = (unknown ?? []).map(({ value }) => `“${value}”`)
  const doubt = names.length === 0 ? '' : ` No CVE has ${joinWords(names, 'or')} yet: check the spelling.`
  return `“${name}” is watching.${now}${doubt} What changes from now on comes to the inbox.`
}
