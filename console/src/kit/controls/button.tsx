import type { ComponentProps } from 'react'
import { classNames } from '../../text/class-names.ts'

const BASE =
  'inline-flex h-8 items-center justify-center gap-1.5 rounded-md border px-3 text-sm max-sm:h-9 whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-60'

const VARIANTS = {
  normal: 'border-line bg-panel font-medium text-ink shadow-panel hover:bg-hover',
  primary: 'border-accent bg-accent font-medium text-accent-ink hover:opacity-90',
  danger: 'border-critical bg-critical font-medium text-panel hover:opacity-90',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-soft hover:text-ink',
} as const

type ButtonVariant = keyof typeof VARIANTS

type ButtonProps = ComponentProps<'button'> & { readonly variant?: ButtonVariant }

export function Button({ variant = 'normal', className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={classNames(BASE, VARIANTS[variant], className)} {...props} />
}

/** Returns the classes of a button, for a link that looks like a button. */
export function buttonClasses(variant: ButtonVariant = 'normal'): string {
  return classNames(BASE, VARIANTS[variant])
}
