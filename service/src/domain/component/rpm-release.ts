// Reads the minor release of the distribution for which an RPM package was built. Packages of several minor releases are
// branches: 23.el9_2.4 has a fix that 26.el9_3.1, which is the higher version, does not have.

/**
 * Release such as `23.el9_2.4`. The release of a module's package, such as `8.module_el8.6.0+3031+fb177b09`, is that of
 * its last build, which later minor releases keep: it names no branch.
 */
const BUILT_FOR = /-[^-]*\.el(\d+)(?:_(\d+))?(?![\d_])/

/** Returns `9.2` for `7.76.1-23.el9_2.4`, `9` for `7.76.1-19.el9`; undefined if the version does not show it. */
export function readBuildRelease(version: string): string | undefined {
  const [, major, minor] = BUILT_FOR.exec(version) ?? []
  return major === undefined || minor === undefined ? major : `${major}.${minor}`
}

export function isMinorBuild(release: string): boolean {
  return release.includes('.')
}
