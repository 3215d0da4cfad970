// Renders only the rows near the visible part of the page. The current row stays rendered wherever the page scrolls.
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Height of the sticky elements above the rows. */
const STICKY_PX = 100
const OVERSCAN_ROWS = 12

interface VirtualRowsOptions {
  readonly bodyRef: RefObject<HTMLTableSectionElement | null>
  readonly count: number
  /** Expected row height. The actual heights are measured. */
  readonly rowPx: number
  /** Position of the current row; -1 if there is none. */
  readonly current: number
  readonly onCurrent: (index: number) => void
}

export function useVirtualRows({ bodyRef, count, rowPx, current, onCurrent }: VirtualRowsOptions) {
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const top = bodyRef.current?.getBoundingClientRect().top ?? 0
    setScrollMargin(Math.round(top + window.scrollY))
  })
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowPx,
    overscan: OVERSCAN_ROWS,
    scrollMargin,
    scrollPaddingStart: STICKY_PX,
    scrollPaddingEnd: rowPx,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      const isOutside = current >= 0 && current < count && !indexes.includes(current)
      return isOutside ? [...indexes, current].sort((a, b) => a - b) : indexes
    },
  })
  const focusFrame = useRef(0)
  const focusRow = (index: number) => {
    if (index < 0 || index >= count) return
    onCurrent(index)
    virtualizer.scrollToIndex(index, { align: 'auto' })
    // The focus makes its row the current one, so a row that was passed since must not get it.
    cancelAnimationFrame(focusFrame.current)
    focusFrame.current = requestAnimationFrame(() => findLink(bodyRef.current, index)?.focus({ preventScroll: true }))
  }
  return {
    virtualizer,
    scrollMargin,
    focusRow,
    onFocus: (event: FocusEvent) => {
      const index = readIndex(event.target)
      if (index >= 0) onCurrent(index)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = STEPS[event.key]
      const index = readIndex(event.target)
      if (step === undefined || index < 0 || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      focusRow(index + step)
    },
  }
}

/** Keys that move the focus from one row's link to another's. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

export function readIndex(target: EventTarget): number {
  const row = target instanceof HTMLElement ? target.closest('tr') : null
  return Number(row?.dataset['index'] ?? -1)
}

function findLink(body: HTMLElement | null, index: number): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`) ?? null
}
