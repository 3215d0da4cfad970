// Classes of a row of choices that excludes one another, such as two views of the same data.
export const CHOICES = 'inline-flex rounded-md bg-soft p-0.5'

/** The chosen one is marked by `aria-pressed`, by `aria-current` if it is a link, or by the radio button that it contains. */
export const CHOICE =
  'inline-flex min-h-6.5 items-center rounded px-2.5 text-sm whitespace-nowrap text-ink-2 hover:text-ink aria-pressed:bg-segment aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:shadow-panel aria-[current=page]:bg-segment aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:shadow-panel has-checked:bg-segment has-checked:font-semibold has-checked:text-ink has-checked:shadow-panel'
