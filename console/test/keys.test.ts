import { describe, expect, it } from 'vitest'
import { listKeyCaps, toKeyName } from '../src/kit/keys.ts'

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  toKeyName({ key, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...more })

describe('Keys', () => {
  it('are named by what they write, and Control and Command are the same', () => {
    expect(press('X')).toBe('X')
    expect(press(' ')).toBe('Space')
    expect(press('K', { ctrlKey: true })).toBe('Ctrl+k')
    expect(press('k', { metaKey: true })).toBe('Ctrl+k')
  })

  it('do nothing with Alt or while a character is being composed', () => {
    expect(press('x', { altKey: true })).toBeUndefined()
    expect(press('x', { isComposing: true })).toBeUndefined()
  })

  it('are shown as key caps', () => {
    expect(listKeyCaps('g t')).toEqual(['g', 't'])
    expect(listKeyCaps('X')).toEqual(['Shift', 'x'])
    expect(listKeyCaps('Ctrl+k')).toEqual(['Ctrl', 'K'])
  })
})
