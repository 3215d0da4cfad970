// Keeps an input in sync with a value that can also change elsewhere, for example when "back" changes the address.
import { type RefObject, useEffect } from 'react'

/**
 * Writes `shown` into the input whenever `shown` changes. The input must be uncontrolled (`defaultValue`), so that it
 * keeps the focus and the cursor position while a person types.
 */
export function useShownValue(inputRef: RefObject<HTMLInputElement | null>, shown: string): void {
  useEffect(() => {
    const input = inputRef.current
    if (input && input.value !== shown) input.value = shown
  }, [inputRef, shown])
}
