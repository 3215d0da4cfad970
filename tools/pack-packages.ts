// node tools/pack-packages.ts <folder>: compiles vis-sdk and visctl and packs each into the folder as a .tgz file.
//
// Each package is packed from a temporary copy. The copy receives what the repository states in one place only: the
// licence file, the repository's address, and README links that work outside the repository.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly files: readonly string[]
}

const ROOT = dirname(import.meta.dirname)

/** The sdk comes first, because visctl is compiled with the types of the compiled sdk. */
const PACKAGES = ['sdk', 'cli']

// A link with a relative address: it begins neither with a scheme nor with "#".
const RELATIVE_LINK = /\]\((?![a-z]+:|#)([^()\s]+)\)/g

/** Returns the paths of the packed files. */
export function packPackages(folder: string): readonly string[] {
  const { repository }: { repository: { url: string } } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  mkdirSync(folder, { recursive: true })
  for (const directory of PACKAGES) compile(directory)
  return PACKAGES.map((directory) => pack(directory, repository.url, folder))
}

function compile(directory: string): void {
  // Otherwise, deleted source files would stay in the package in compiled form.
  rmSync(join(ROOT, directory, 'dist'), { recursive: true, force: true })
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  // "npm run check" and "npm run build" verify the types.
  const args = ['-p', join(ROOT, directory, 'tsconfig.build.json'), '--noCheck']
  execFileSync(process.execPath, [compiler, ...args], { stdio: 'inherit' })
}

function pack(directory: string, repositoryUrl: string, folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'vis-pack-'))
  try {
    const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, directory, 'package.json'), 'utf8'))
    for (const file of manifest.files) cpSync(join(ROOT, directory, file), join(copy, file), { recursive: true })
    cpSync(join(ROOT, 'LICENSE'), join(copy, 'LICENSE'))
    const readme = readFileSync(join(ROOT, directory, 'README.md'), 'utf8')
    const pages = `${toWebUrl(repositoryUrl)}/blob/v${manifest.version}/${directory}/`
    writeFileSync(join(copy, 'README.md'), makeLinksAbsolute(readme, pages))
    // The manifest in the repository is private, so "npm publish" rejects the folder without these additions.
    const published = { ...manifest, private: undefined, repository: { type: 'git', url: repositoryUrl, directory } }
    writeFileSync(join(copy, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
    execFileSync('npm', ['pack', '--silent', '--offline', '--pack-destination', resolve(folder)], { cwd: copy })
    return join(folder, `${manifest.name}-${manifest.version}.tgz`)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Returns the address of the repository's web page: git+https://host/a/b.git has the page https://host/a/b. */
function toWebUrl(repositoryUrl: string): string {
  return repositoryUrl.replace(/^git\+/, '').replace(/\.git$/, '')
}

function makeLinksAbsolute(markdown: string, base: string): string {
  return markdown.replaceAll(RELATIVE_LINK, (_, link: string) => `](${new URL(link, base).href})`)
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new Error('usage: node tools/pack-packages.ts <folder>')
  for (const file of packPackages(folder)) console.log(file)
}
