// The window that lists all keys of the page that is shown, and turns them off.

import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { useCommands } from '../kit/commands.ts'
import { Dialog } from '../kit/controls/dialog.tsx'
import { KeyCaps } from '../kit/key-caps.tsx'
import { areKeysOn, listKeys, setKeysOn, useKeys } from '../kit/keys.ts'
import { ICON_BUTTON } from './theme-button.tsx'

export function KeyHelp() {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  useKeys('Everywhere', [{ keys: '?', label: 'Show all keys', run: open }])
  useCommands('Actions', [
    { id: 'keys', label: 'Show all keys', words: 'keyboard shortcuts help', keys: '?', run: open },
  ])
  return (
    <Dialog
      title="Keys"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <button type="button" aria-label="Keyboard help" className={`${ICON_BUTTON} max-sm:hidden`}>
          <CircleHelp aria-hidden size={16} />
        </button>
      }
    >
      <KeyList />
    </Dialog>
  )
}

function KeyList() {
  const [isOn, setIsOn] = useState(areKeysOn)
  return (
    <>
      <div className="columns-1 gap-8 sm:columns-2">
        {listKeys().map(({ group, items }) => (
          <section key={group} aria-label={group} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-xs font-medium text-ink-3">{group}</h3>
            <dl>
              {items.map(({ keys, label }) => (
                <div key={keys} className="flex items-baseline justify-between gap-3 border-t border-line-2 py-1.5">
                  <dt className="text-sm">{label}</dt>
                  <dd>
                    <KeyCaps keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="flex items-start gap-2 border-t border-line pt-3 text-sm">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setKeysOn(target.checked)
            setIsOn(target.checked)
          }}
          className="mt-0.5 size-4 accent-accent"
        />
        <span>
          Single keys act outside of fields
          <span className="block text-xs text-ink-3">
            Turn them off if speech input or another tool sends letters. Keys with Ctrl stay on. This browser remembers
            it.
          </span>
        </span>
      </label>
    </>
  )
}
