// Members that mark a CPE match. Each is true or absent.
import { Type } from 'typebox'

export const cpeMarkSchemas = () => ({
  inverted: Type.Optional(
    Type.Literal(true, { description: 'Present if no version can lie in the range, because it starts after its end.' }),
  ),
  derived: Type.Optional(
    Type.Literal(true, {
      description:
        'Present if the service derived the match from the vendor and product that a source names, or its limits from a version such as 5.x.',
    }),
  ),
  by_commits: Type.Optional(
    Type.Literal(true, {
      description:
        'Present if the source limits the affected versions by commits only. The match then covers any version, also fixed ones.',
    }),
  ),
  unknown_versions: Type.Optional(
    Type.Literal(true, {
      description:
        'Present if the source names affected versions in a form that is no version, such as a URL, or names none. The match has only the limits that could be read: without limits, it is unknown which versions are affected, not all of them.',
    }),
  ),
  unmapped: Type.Optional(
    Type.Literal(true, {
      description: "Present if the match is derived and its CPE name does not occur in NVD's configurations.",
    }),
  ),
})
