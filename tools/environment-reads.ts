// Finds every way a source file can get at the environment, and every import that cannot be followed, in its syntax tree.
import ts from 'typescript'

export interface Finding {
  readonly line: number
  readonly text: string
}

/** What of `process` is the environment. */
const ENVIRONMENT = new Set(['env', 'loadEnvFile'])
const PROCESS_MODULE = /^(node:)?process$/
const GLOBALS = new Set(['globalThis', 'global', 'window', 'self'])

/**
 * `process` may be used for its other members only, by name. Handing it on as a whole (`const p = process`, `f(process)`,
 * `process[name]`) counts as reading the environment: who receives it could.
 */
export function environmentReads(path: string, text: string): Finding[] {
  const source = parse(path, text)
  const names = new Set(['process', ...processImports(source)])
  return nodesOf(source)
    .filter((node) => readsEnvironment(node, names))
    .map((node) => finding(source, ts.isExpression(node) ? node.parent : node))
}

/** `import(name)`: the name is known when it runs, so nobody can say beforehand whom it reaches. */
export function hiddenImports(path: string, text: string): Finding[] {
  const source = parse(path, text)
  return nodesOf(source)
    .filter((node) => isImportCall(node) && !ts.isStringLiteralLike(node.arguments[0] ?? node))
    .map((node) => finding(source, node))
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

function nodesOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(...nodesOf(child)))
  return [node, ...children]
}

function finding(source: ts.SourceFile, node: ts.Node): Finding {
  const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
  return { line, text: node.getText(source).replaceAll(/\s+/g, ' ').slice(0, 80) }
}

/** Local names of the module as a whole: `import p from 'node:process'`, `import * as p from 'node:process'`. */
function processImports(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !namesProcessModule(statement.moduleSpecifier)) return []
    const clause = statement.importClause
    const bindings = clause?.namedBindings
    return [
      ...(clause?.name ? [clause.name.text] : []),
      ...(bindings && ts.isNamespaceImport(bindings) ? [bindings.name.text] : []),
    ]
  })
}

function readsEnvironment(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isImportSpecifier(node)) return namesProcessModule(node.parent.parent.parent.moduleSpecifier) && takes(node)
  if (ts.isExportDeclaration(node)) return namesProcessModule(node.moduleSpecifier)
  if (ts.isCallExpression(node)) return loadsProcess(node)
  if (ts.isBindingElement(node)) return renamesProcess(node)
  return isProcess(node, names) && !isHarmless(node)
}

function namesProcessModule(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isStringLiteralLike(node) && PROCESS_MODULE.test(node.text)
}

/** `import('node:process')`, `require('process')`, `process.getBuiltinModule('process')`. */
function loadsProcess(call: ts.CallExpression): boolean {
  return /(import|require|getBuiltinModule)$/.test(call.expression.getText()) && namesProcessModule(call.arguments[0])
}

/** `import { env }`, `import { env as settings }`, and `import { default as p }`, which is the whole. */
function takes(specifier: ts.ImportSpecifier): boolean {
  const imported = (specifier.propertyName ?? specifier.name).text
  return ENVIRONMENT.has(imported) || imported === 'default'
}

/** `const { process: p } = globalThis` and `const { process: { env } } = globalThis`. */
function renamesProcess({ propertyName, name, parent }: ts.BindingElement): boolean {
  const key = propertyName && (ts.isIdentifier(propertyName) || ts.isStringLiteral(propertyName)) && propertyName.text
  return key === 'process' && name.getText() !== 'process' && isGlobal(sourceOf(parent))
}

function sourceOf(pattern: ts.BindingPattern): ts.Node | undefined {
  return ts.isBindingElement(pattern.parent) ? undefined : pattern.parent.initializer
}

function isGlobal(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isIdentifier(node) && GLOBALS.has(node.text)
}

/** `process` where it stands for its value, and `globalThis.process` in both spellings. */
function isProcess(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node)) return names.has(node.text) && !isOnlyAName(node)
  if (ts.isPropertyAccessExpression(node)) return isGlobal(node.expression) && node.name.text === 'process'
  if (!ts.isElementAccessExpression(node) || !isGlobal(node.expression)) return false
  return !ts.isStringLiteralLike(node.argumentExpression) || node.argumentExpression.text === 'process'
}

/** A key, a member, a declaration, or part of a type. */
function isOnlyAName(node: ts.Identifier): boolean {
  const parent: ts.Node & { readonly name?: ts.Node; readonly propertyName?: ts.Node } = node.parent
  if (ts.isShorthandPropertyAssignment(parent)) return false
  return parent.name === node || parent.propertyName === node || ts.isTypeNode(parent) || ts.isQualifiedName(parent)
}

function isHarmless(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isNonNullExpression(parent))
    return isHarmless(parent)
  if (ts.isPropertyAccessExpression(parent)) return !ENVIRONMENT.has(parent.name.text)
  if (ts.isElementAccessExpression(parent)) return isStringOtherThanEnvironment(parent.argumentExpression)
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name))
    return parent.name.elements.every((each) => !each.dotDotDotToken && isOtherMember(each.propertyName ?? each.name))
  return ts.isTypeOfExpression(parent)
}

function isOtherMember(key: ts.Node): boolean {
  return ts.isIdentifier(key) ? !ENVIRONMENT.has(key.text) : isStringOtherThanEnvironment(key)
}

function isStringOtherThanEnvironment(key: ts.Node): boolean {
  return ts.isStringLiteralLike(key) && !ENVIRONMENT.has(key.text)
}

function isImportCall(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
}
