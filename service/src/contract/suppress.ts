// The body field for hits that the caller has already assessed.
import { objects, optionalField, requiredField } from './request/body.ts'
import { packageUrl } from './request/component-types.ts'
import { date, text } from './request/value-types.ts'

export const MAX_SUPPRESSIONS = 1000

export const suppressField = () =>
  objects(
    {
      id: requiredField(text({ maxLength: 64 }), 'Id of a CVE or an advisory.'),
      purl: optionalField(packageUrl(), 'Limits the entry to this package, and to its version if the purl has one.'),
      reason: requiredField(text({ maxLength: 500 }), 'Why the hit is not to be listed; the response repeats it.'),
      until: optionalField(date(), 'Last day on which the entry applies. Default: no end.'),
    },
    {
      description: 'Hits that you have judged already. They are counted and listed apart.',
      minItems: 0,
      maxItems: MAX_SUPPRESSIONS,
    },
  )
