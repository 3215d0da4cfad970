// How many weaker hits and less urgent matches a result does not list, and the choice that lists more.
import { Choice } from './input-form.tsx'
import { type Answer, countUnlisted, countWeaker } from './result.ts'
import { type CheckOptions, CONFIDENCE_WORDS } from './state.ts'
import { describeCount } from './texts.ts'

export interface RemarksProps {
  readonly answer: Answer
  /** The minimum confidence of the result. */
  readonly confidence: CheckOptions['confidence_min']
  /** Checks the same components again. */
  readonly onConfidence: (confidence: CheckOptions['confidence_min']) => void
}

export function Remarks({ answer, confidence, onConfidence }: RemarksProps) {
  const [unlisted, weaker] = [countUnlisted(answer), countWeaker(answer)]
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <Choice label="Minimum confidence" words={CONFIDENCE_WORDS} value={confidence} onChange={onConfidence} />
      <p className="max-w-5xl min-w-0 flex-1 basis-64 text-sm text-ink-2 empty:hidden">
        {weaker > 0 &&
          `${describeCount(weaker, 'hit is', 'hits are')} less sure than the minimum confidence and not listed; choose “Any confidence” to see more. `}
        {unlisted > 0 &&
          `${describeCount(unlisted, 'less urgent hit is', 'less urgent hits are')} not listed, because a component lists at most 100.`}
      </p>
    </div>
  )
}
