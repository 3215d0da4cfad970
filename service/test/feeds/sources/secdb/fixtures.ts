// Builds documents in the form of Alpine's secdb, with invented packages.

type Fixes = Readonly<Record<string, unknown>>

export function secdb(packages: Readonly<Record<string, Fixes>>, branch?: string): string {
  return JSON.stringify({
    apkurl: '{{urlprefix}}/{{pkg.name}}-{{pkg.ver}}.apk',
    reponame: 'main',
    ...(branch !== undefined && { distroversion: branch }),
    packages: Object.entries(packages).map(([name, secfixes]) => ({ pkg: { name, secfixes } })),
  })
}
