// Schema for a CPE match in the members `cpe` and `configurations`.
import { Type } from 'typebox'
import { closedObject, flagSchema, textSchema } from '../response/schemas.ts'
import { cpeMarkSchemas } from './cpe-marks.ts'

export const cpeMatchSchema = closedObject(
  {
    vulnerable: flagSchema('False for a product that must be present but is not vulnerable itself.'),
    criteria: textSchema('CPE 2.3 name; it may contain wildcards.'),
    matchCriteriaId: Type.Optional(textSchema("NVD's id of the match.")),
    versionStartIncluding: Type.Optional(textSchema('First version of the range.')),
    versionStartExcluding: Type.Optional(textSchema('Last version before the range.')),
    versionEndIncluding: Type.Optional(textSchema('Last version of the range.')),
    versionEndExcluding: Type.Optional(textSchema('First version after the range.')),
    ...cpeMarkSchemas(),
  },
  'One product name and version range in CPE.',
  'CpeMatch',
)
