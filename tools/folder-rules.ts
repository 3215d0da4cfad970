// Rules for folders, based on the imports of their files: no folder has too many files, and the files and folders
// inside a folder import each other in one direction only.
import { dirname } from 'node:path'

/** Paths of imported modules, by the path of the module that imports them. */
export type Imports = ReadonlyMap<string, readonly string[]>

const MAX_FILES = 25

export function findLargeFolders(files: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `large-folder: ${folder} has ${count} files, at most ${MAX_FILES} are allowed`)
}

/**
 * Finds cycles among the direct children of each folder, where a folder counts as one: `a/one.ts → b/two.ts` and
 * `b/three.ts → a/four.ts` form a cycle of `a` and `b`, although no two files import each other.
 */
export function findFolderCircles(imports: Imports): readonly string[] {
  const folders = new Set([...imports.keys()].flatMap(listParents))
  return [...folders].sort().flatMap((folder) => {
    const children = importsOfChildren(folder, imports)
    return [...children.keys()]
      .filter((child) => reaches(child, child, children))
      .map((child) => `folder-circle: ${folder}/${child} → … → ${folder}/${child}${showImports(child, children)}`)
  })
}

type Children = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Returns, for each child of a folder, the other children that it imports, each with one example import. */
function importsOfChildren(folder: string, imports: Imports): Children {
  const childOf = (path: string) =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined
  const children = new Map<string, Map<string, string>>()
  for (const [from, targets] of imports) {
    const child = childOf(from)
    if (child === undefined) continue
    const imported = children.get(child) ?? new Map<string, string>()
    children.set(child, imported)
    for (const target of targets) {
      const other = childOf(target)
      if (other !== undefined && other !== child) imported.set(other, `${from} → ${target}`)
    }
  }
  return children
}

function reaches(from: string, to: string, children: Children): boolean {
  const [waiting, seen] = [[from], new Set<string>()]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    for (const next of children.get(each)?.keys() ?? []) {
      if (next === to) return true
      if (!seen.has(next)) waiting.push(next)
      seen.add(next)
    }
  }
  return false
}

/** Lists the imports that lead from a child back to itself. */
function showImports(child: string, children: Children): string {
  return [...(children.get(child) ?? [])]
    .filter(([other]) => reaches(other, child, children))
    .map(([, example]) => `\n  ${example}`)
    .join('')
}

function listParents(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === '.' ? [] : [parent, ...listParents(parent)]
}
