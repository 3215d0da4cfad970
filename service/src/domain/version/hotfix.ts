// Reads the release of a hotfix: 10.2.3 for 10.2.3-h13. Hotfixes of different releases are parallel lines, so that
// 10.2.4 is later than 10.2.3-h13 but need not contain what that hotfix repairs.
const FORM = /^(\d{1,9}(?:\.\d{1,9}){1,4})([- ](?:h|hf|hotfix|p|patch)-?\d{1,6})?$/i

export interface Release {
  /** The numbers of the release, such as `10.2.3`. */
  readonly release: string
  /** The release without its last number, such as `10.2`. */
  readonly branch: string
  readonly isHotfix: boolean
}

/** Returns undefined for other forms, whose releases and branches are not known. */
export function readRelease(version: string): Release | undefined {
  const [, release, hotfix] = FORM.exec(version) ?? []
  if (release === undefined) return undefined
  return { release, branch: release.slice(0, release.lastIndexOf('.')), isHotfix: hotfix !== undefined }
}

/** Returns 10.2.4 for 10.2.3, and 10.3 for 10.2. */
export function addToLast(numbers: string): string {
  const dot = numbers.lastIndexOf('.') + 1
  return `${numbers.slice(0, dot)}${Number(numbers.slice(dot)) + 1}`
}
