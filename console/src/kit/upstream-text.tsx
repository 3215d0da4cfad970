// Text from an upstream source. Its length and direction are not under our control.
import { useState } from 'react'
import { classNames } from '../text/class-names.ts'
import { formatNumber } from '../text/format.ts'
import { Button } from './controls/button.tsx'

interface UpstreamTextProps {
  readonly text: string
  /** Number of characters shown initially. */
  readonly first?: number
  /** Class for the text while it is truncated. */
  readonly cutClassName?: string
  readonly className?: string
}

/**
 * Number of characters that each press of the button adds. A browser can lay out this many at once without a noticeable
 * delay; a text can be 160,000 characters long.
 */
const STEP = 20_000

/** Shows the beginning of a long text and a button for more. Only the visible part is laid out. */
export function UpstreamText({ text, first = 1200, cutClassName, className }: UpstreamTextProps) {
  const [limit, setLimit] = useState(first)
  const isLong = text.length > first
  const left = text.length - limit
  return (
    <>
      <bdi
        dir="auto"
        className={classNames('[overflow-wrap:anywhere]', className, isLong && limit === first && cutClassName)}
      >
        {cutText(text, limit)}
      </bdi>
      {isLong && (
        <Button
          variant="quiet"
          className="mt-1 -ml-2.5 text-accent"
          aria-expanded={limit > first}
          onClick={() => setLimit(left > 0 ? Math.max(limit, 0) + STEP : first)}
        >
          {describeStep(left)}
        </Button>
      )}
    </>
  )
}

function describeStep(left: number): string {
  if (left <= 0) return 'Show less'
  return left <= STEP ? 'Show all' : `Show ${formatNumber(STEP)} of ${formatNumber(left)} more characters`
}

/** A longer word is cut. */
const MAX_WORD = 30

/** Truncates text between two words, or else between two characters, never inside one. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const isInsidePair = (text.codePointAt(max - 1) ?? 0) > 0xffff
  const kept = text.slice(0, isInsidePair ? max - 1 : max)
  const end = kept.lastIndexOf(' ')
  return `${end > 0 && end >= kept.length - MAX_WORD ? kept.slice(0, end) : kept}…`
}
