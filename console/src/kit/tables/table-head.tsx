// The header of a table whose rows show all their facts in one cell on a phone.
import { classNames } from '../../text/class-names.ts'

interface Header {
  readonly label: string
  /** Classes such as a width or `max-md:hidden`. */
  readonly className?: string
}

/** On a phone, only screen readers find the header, because the single cell labels its facts. */
export function TableHead({ headers }: { readonly headers: readonly Header[] }) {
  return (
    <thead className="max-md:sr-only">
      <tr>
        {headers.map(({ label, className }) => (
          <th
            key={label}
            scope="col"
            className={classNames(
              'px-2.5 py-1.5 text-left sm:first:pl-4 sm:last:pr-4 text-xs font-medium text-ink-3',
              className,
            )}
          >
            {label}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Classes for the cells below the header. */
export const CELL = 'px-2.5 py-2 align-top sm:first:pl-4 sm:last:pr-4'
