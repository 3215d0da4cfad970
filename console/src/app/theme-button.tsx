// Switches between the system's theme, light and dark. The browser remembers the choice.
import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { getStart, type ThemeChoice } from '../data/start.ts'
import { useCommands } from '../kit/commands.ts'

const CHOICES = ['system', 'light', 'dark'] as const satisfies readonly ThemeChoice[]
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const
const WORDS = { system: 'as the system', light: 'light', dark: 'dark' } as const

export function ThemeButton() {
  const [choice, setChoice] = useState<ThemeChoice>(() => getStart()?.readTheme() ?? 'system')
  const choose = (next: ThemeChoice) => {
    getStart()?.storeTheme(next)
    setChoice(next)
  }
  useCommands(
    'Actions',
    CHOICES.filter((each) => each !== choice).map((each) => ({
      id: `theme-${each}`,
      label: each === 'system' ? "Use the system's theme" : `Use the ${each} theme`,
      words: 'mode color',
      run: () => choose(each),
    })),
  )
  const next = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length] ?? 'system'
  const Icon = ICONS[choice]
  return (
    <button
      type="button"
      aria-label={`Theme: ${WORDS[choice]}`}
      title={`Theme: ${WORDS[choice]}. Click for ${WORDS[next]}.`}
      onClick={() => choose(next)}
      className={ICON_BUTTON}
    >
      <Icon aria-hidden size={16} />
    </button>
  )
}

export const ICON_BUTTON =
  'grid size-8 shrink-0 place-items-center rounded-md text-ink-2 hover:bg-soft hover:text-ink max-sm:size-9'
