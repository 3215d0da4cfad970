// Checks that the paths, headings, scripts and commands named in documents exist; that each cited decision, threat,
// fault, invariant and goal has an entry; that each threat, fault and goal names its tests; and that no text repeats
// the price of a call.
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { type BrokenReference, checkCitations } from './docs/citations.ts'
import { findLiteralPrices } from './docs/literal-prices.ts'
import { anchorsIn, type Reference, referencesIn } from './docs/markdown.ts'
import { checkNamedTests } from './docs/named-tests.ts'

export interface DocsReport {
  readonly files: number
  readonly references: number
  readonly citations: number
  readonly broken: readonly BrokenReference[]
}

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/**/*.md',
  'conformance/README.md',
  'service/migrations/README.md',
  'sdk/README.md',
  'cli/README.md',
  'console/README.md',
  'integrations/README.md',
  'lab/README.md',
  'lab/docs/*.md',
]
/**
 * Marks paths that readers create or that exist only on other machines: `<!-- not in the repository: a.ts, b/c.ts -->`.
 */
const ABSENT = /<!-- not in the repository: ([^<>\n]+) -->/g

const SERVER = join(import.meta.dirname, '../service/bin/vis-server.js')

/** Folders to which a short path in a document, such as `api/register.ts`, may be relative. */
const SHORT_FOR = ['', 'service', 'service/src']

/** A path that begins with `../` in a code span or a command. A quoted path is an import in code and is not checked. */
const PARENT_PATH = /(?<![\w./'"])(?:\.\.\/)+[\w@./-]*/g
const HAS_EXTENSION = /\.(tsx?|[cm]?js|sql|md|json|ya?ml|toml|sh|html|css|example)$/
const PATH_CHARACTERS = /^[\w@.][\w@./-]*(:\d+)?$/
const NO_PATH = [
  /^(application|text|image|multipart|font)\//, // media types
  /^@/, // packages
  /^[\d.:/]+$/, // addresses, ranges, fractions
  /^[A-Z/]+$/, // GET/POST, I/O
  /^[\w-]+(\.[\w-]+)*\.(com|org|net|io|gov|dev)\//, // URLs without their scheme
  /N{3,}|X{3,}|Y{4}/, // placeholders
  /(^|\/)[xyz](\/|$|\.)/, // placeholders such as feeds/x
  /(^|\/)(node_modules|dist|coverage|\.cache)(\/|$)/, // created by tools and absent from a fresh clone
]

/** Why a reference in a document is broken; null if it is correct; undefined if the text is not a reference. */
type Verdict = string | null | undefined

export async function checkDocs(root: string): Promise<DocsReport> {
  const files = globSync(DOCUMENTS, { cwd: root }).sort()
  const judge = judgeFor(root)
  const judged = await Promise.all(
    files.flatMap((file) =>
      mentionsIn(readFileSync(join(root, file), 'utf8')).map(async (mention) => ({
        file,
        mention,
        verdict: await judge(file, mention),
      })),
    ),
  )
  const references = judged.filter(({ verdict }) => verdict !== undefined)
  const broken = references.flatMap(({ file, mention, verdict }) =>
    verdict ? [{ at: `${file}:${mention.line}`, reference: mention.text, fault: verdict }] : [],
  )
  const cited = checkCitations(root)
  return {
    files: files.length,
    references: references.length,
    citations: cited.citations,
    broken: [...broken, ...cited.broken, ...checkNamedTests(root), ...findLiteralPrices(root)],
  }
}

interface Mention {
  readonly kind: 'link' | 'path' | 'parent' | 'absent' | 'script' | 'command'
  readonly text: string
  readonly line: number
}

function mentionsIn(markdown: string): Mention[] {
  const absent = Array.from(markdown.matchAll(ABSENT)).flatMap(({ 1: list = '', index }) =>
    list.split(/,\s*/).map((text) => ({
      kind: 'absent' as const,
      text,
      line: markdown.slice(0, index).split('\n').length,
    })),
  )
  const excused = new Set(absent.map(({ text }) => text))
  const mentioned = referencesIn(markdown).flatMap(mentionsOf)
  return [...absent, ...mentioned.filter(({ kind, text }) => kind !== 'path' || !excused.has(text))]
}

function mentionsOf({ kind, text, line }: Reference): Mention[] {
  if (kind === 'link') return [{ kind, text, line }]
  const scripts = Array.from(text.matchAll(/\bnpm (?:run(?: -s| --silent)? )?([\w:-]+)/g), ([whole]) => whole)
  const commands = Array.from(text.matchAll(/\bvis-server(?:\.js)?((?: +[a-z][\w-]*){1,2})/g), ([, words]) => words)
  const parents = Array.from(text.matchAll(PARENT_PATH), ([path]) => path)
  return [
    ...(kind === 'span' && looksLikePath(text) ? [{ kind: 'path' as const, text, line }] : []),
    ...parents.map((each) => ({ kind: 'parent' as const, text: each, line })),
    ...scripts.map((each) => ({ kind: 'script' as const, text: each, line })),
    ...commands.map((words = '') => ({ kind: 'command' as const, text: words.trim(), line })),
  ]
}

function looksLikePath(text: string): boolean {
  if (!PATH_CHARACTERS.test(text) || NO_PATH.some((each) => each.test(text))) return false
  return text.includes('/') || HAS_EXTENSION.test(text)
}

function judgeFor(root: string): (file: string, mention: Mention) => Promise<Verdict> {
  const judgeScript = scriptJudge(root)
  const judgePath = pathJudge(root)
  return async (file, { kind, text }) => {
    switch (kind) {
      case 'link':
        return judgeLink(root, file, text)
      case 'path':
        return judgePath(file, text)
      case 'parent':
        return leavesRoot(root, join(root, dirname(file), text)) ? OUTSIDE : undefined
      case 'absent':
        return judgePath(file, text) === null
          ? 'The path exists. Remove it from the list of paths that are not in the repository.'
          : null
      case 'script':
        return judgeScript(text)
      case 'command':
        return judgeCommand(text.split(/ +/))
    }
  }
}

const OUTSIDE =
  'The path leaves the repository, so other machines do not have it. Name a file of the repository, or a setting that contains the path.'

function leavesRoot(root: string, path: string): boolean {
  return relative(resolve(root), resolve(path)).split(sep)[0] === '..'
}

function judgeLink(root: string, file: string, link: string): Verdict {
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(link)) return undefined
  const [path = '', anchor] = decodeURI(link).split('#')
  const target = path === '' ? join(root, file) : join(root, path.startsWith('/') ? '' : dirname(file), path)
  if (leavesRoot(root, target)) return OUTSIDE
  if (!existsSync(target)) return 'There is no such file. A link is relative to its document.'
  if (!anchor || !target.endsWith('.md')) return null
  const anchors = anchorsIn(readFileSync(target, 'utf8'))
  return anchors.has(anchor) ? null : `The document has no heading "#${anchor}". It has: ${[...anchors].join(', ')}.`
}

function pathJudge(root: string): (file: string, path: string) => Verdict {
  // A bare file name such as `endpoint.ts` is correct if at least one file in the repository has this name.
  const names = new Set(globSync('**/*', { cwd: root, exclude: isNotOurs }).map((path) => basename(path)))
  return (file, mentioned) => {
    const path = mentioned.replace(/:\d+$|\/$/, '')
    if (!path.includes('/') && names.has(path)) return null
    const targets = [dirname(file), ...SHORT_FOR].map((start) => join(root, start, path))
    if (targets.some((target) => !leavesRoot(root, target) && existsSync(target))) return null
    // The check of paths with `../` already reports a path that leaves the repository.
    if (leavesRoot(root, join(root, dirname(file), path))) return undefined
    return 'There is no such path below the root, service, service/src or the folder of the document. Correct it. If it belongs to another repository, link to it. If the reader creates it, add: <!-- not in the repository: the/path.ts -->'
  }
}

function isNotOurs(path: string): boolean {
  return /(^|\/)(node_modules|dist|\.git)$/.test(path)
}

function scriptJudge(root: string): (call: string) => Verdict {
  const { scripts = {} }: { scripts?: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return (call) => {
    const name = call.split(' ').at(-1) ?? ''
    // Other words after `npm` are commands of npm itself, such as install, ci and publish.
    if (!/ run /.test(call) && !['test', 'start', 'stop', 'restart'].includes(name)) return undefined
    return name in scripts ? null : `package.json has no such script. It has: ${Object.keys(scripts).join(', ')}.`
  }
}

/** Checks that vis-server has a command. If `keys` has subcommands, looks up `keys create` in the help of `keys`. */
async function judgeCommand([name = '', next]: readonly string[]): Promise<Verdict> {
  const commands = await commandsOf('')
  if (!commands.includes(name)) return `vis-server has no such command. It has: ${commands.join(', ')}.`
  const own = next === undefined ? [] : await commandsOf(name)
  if (next === undefined || own.length === 0 || own.includes(next)) return null
  return `vis-server ${name} has no command "${next}". It has: ${own.join(', ')}.`
}

const helps = new Map<string, Promise<string[]>>()

function commandsOf(command: string): Promise<string[]> {
  const known = helps.get(command) ?? readHelp(command)
  helps.set(command, known)
  return known
}

async function readHelp(command: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [SERVER, ...(command ? [command] : []), '--help'])
  // The next word after `feeds` may also be the name of a feed.
  if (/^Usage: .*\[command\] \S/m.test(stdout)) return []
  const [, listed = ''] = stdout.split(/^Commands:$/m)
  return Array.from(listed.matchAll(/^ {2}([a-z][\w-]*)/gm), ([, name]) => name ?? '')
}

if (import.meta.main) {
  const { files, references, citations, broken } = await checkDocs(process.argv[2] ?? dirname(import.meta.dirname))
  console.log(`docs: ${files} files, ${references} references, ${citations} citations, ${broken.length} broken`)
  for (const { at, reference, fault } of broken) console.log(`\n${at}: ${reference}\n  ${fault}`)
  if (citations === 0)
    console.log('No file cites a decision: tools/docs/citations.ts reads the wrong files or patterns.')
  if (broken.length > 0 || citations === 0) process.exitCode = 1
}
