// Keyboard shortcuts. A component registers its keys with `useKeys`, and the window "Keys" lists all that are registered.
// Keys without Control act only outside of fields and can be turned off (WCAG 2.1.4), because speech input and shaking
// hands can send single letters.
import { useEffect } from 'react'
import { createRegistry, type Registered } from './registry.ts'

export interface KeyBinding {
  /**
   * Keys as `KeyboardEvent.key` names them: `j`, `X` for Shift and x, `g t` for one after the other, `Ctrl+k`. The space
   * bar is `Space`.
   */
  readonly keys: string
  /** What the key does, as a sentence without a period: `Open the next CVE`. */
  readonly label: string
  readonly run: () => void
}

const registry = createRegistry<KeyBinding>()

/** Registers keys while the component is mounted. If two components use the same keys, the one mounted last gets them. */
export const useKeys: (group: string, bindings: readonly KeyBinding[]) => void = registry.useItems

/** Lists the registered keys by group, in the order in which their components were mounted. */
export function listKeys(): readonly Registered<KeyBinding>[] {
  const byGroup = Map.groupBy(registry.list(), ({ group }) => group)
  return [...byGroup].map(([group, parts]) => ({ group, items: parts.flatMap(({ items }) => items) }))
}

const STORAGE_KEY = 'vis-keys'

/** Returns whether single keys act. A browser that refuses to store anything has them on. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

export function setKeysOn(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {
    // Without storage, the keys stay on.
  }
}

/** Longest pause between two keys that are pressed one after the other, such as `g t`. */
const SEQUENCE_MS = 1500

/** Runs the registered keys. Only the frame around the pages uses it. */
export function useKeyListener(): void {
  useEffect(() => {
    let [before, untilMs] = ['', 0]
    const onKeyDown = (event: KeyboardEvent) => {
      const key = toKeyName(event)
      if (key === undefined || event.defaultPrevented || !mayRun(key, event.target)) return
      const bindings = registry.list().flatMap(({ items }) => items)
      const sequences = [...(before !== '' && event.timeStamp < untilMs ? [`${before} ${key}`] : []), key]
      before = ''
      for (const sequence of sequences) {
        const found = bindings.findLast(({ keys }) => keys === sequence)
        if (found) {
          event.preventDefault()
          found.run()
          return
        }
        if (bindings.some(({ keys }) => keys.startsWith(`${sequence} `))) {
          ;[before, untilMs] = [sequence, event.timeStamp + SEQUENCE_MS]
          return
        }
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/** Returns undefined for keys that no binding can have. */
export function toKeyName({ key, ctrlKey, metaKey, altKey, isComposing }: PressedKey): string | undefined {
  if (altKey || isComposing) return undefined
  if (ctrlKey || metaKey) return `Ctrl+${key.toLowerCase()}`
  return key === ' ' ? 'Space' : key
}

const FIELD = 'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select'
/** In these, letters and arrows already have a meaning. */
const OWN_KEYS = `${FIELD}, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]`
/** The browser presses these with the space bar or the Enter key. */
const PRESSED_BY_SPACE = 'button, summary, input, [role=button], [role=tab], [role=option]'

function mayRun(key: string, target: EventTarget | null): boolean {
  if (key.startsWith('Ctrl+')) return true
  if (!areKeysOn()) return false
  if (!(target instanceof HTMLElement)) return true
  if (target.isContentEditable || target.closest(OWN_KEYS)) return false
  if (key === 'Enter') return !target.closest(`a, ${PRESSED_BY_SPACE}`)
  return key !== 'Space' || !target.closest(PRESSED_BY_SPACE)
}

/** Returns the caps of the keys for display: `g t` has two, and `X` is `Shift x`. */
export function listKeyCaps(keys: string): readonly string[] {
  return keys.split(' ').flatMap((key) => {
    if (/^[A-Z]$/.test(key)) return ['Shift', key.toLowerCase()]
    return key.split('+').map((part, index, parts) => (index === 1 && parts.length === 2 ? part.toUpperCase() : part))
  })
}
